"""A batch: all or nothing, one write, measured at its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace, WriteReceipt
from tests.meddled_fs import MeddledFs, Unspeakable, fails


def started(text: str = "one\n§\ntwo", **instead: object) -> tuple[MemoryStore, MeddledFs]:
    port = MeddledFs(MemoryFs({"memory/MEMORY.md": text, "memory/USER.md": "user"}), **instead)
    store = MemoryStore(port)
    store.load().expect("the session starts")
    return store, port


def test_all_operations_are_one_write() -> None:
    store, port = started()
    ops = [Add("three"), Replace("one", "ONE"), Remove("two")]
    receipt = store.apply_batch("memory", ops).expect("a batch")
    assert store.entries("memory") == ("ONE", "three")
    assert port.inner.files()["memory/MEMORY.md"] == "ONE\n§\nthree".encode()
    assert port.names().count("replace") == 1
    assert receipt == WriteReceipt("batch", "memory", None, None, len("one") + len("two"), 11, 2200)


def test_each_operation_sees_what_those_before_it_did() -> None:
    store, _port = started()
    ops = [Add("three"), Replace("three", "four"), Add("four"), Remove("four"), Add("four")]
    store.apply_batch("memory", ops).expect("a batch")
    assert store.entries("memory") == ("one", "two", "four")


def test_operations_apply_in_the_order_given() -> None:
    store, _port = started("tea")
    assert store.apply_batch("memory", [Replace("tea", "cup"), Add("tea")]).ok
    assert store.entries("memory") == ("cup", "tea")
    store, _port = started("tea")
    assert store.apply_batch("memory", [Add("tea"), Replace("tea", "cup")]).ok
    assert store.entries("memory") == ("cup",)


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (Remove("absent"), "no-match"),
        (Add(" "), "empty-content"),
        (Add("x" * 3000), "over-budget"),
        ("nonsense", "unknown-op"),
    ],
)
def test_one_bad_operation_anywhere_keeps_all_of_it_from_the_disk(
    position: int, bad: object, code: str
) -> None:
    store, port = started()
    before = port.inner.files()
    ops = [Add("three"), Remove("two")]
    ops.insert(position, bad)
    assert store.apply_batch("memory", ops).error.code == code
    assert port.inner.files() == before
    assert store.entries("memory") == ("one", "two")
    assert store.load().value.behind == 0


def test_a_batch_that_cannot_be_written_changes_nothing() -> None:
    store, port = started(replace=fails("no-space"))
    before = port.inner.files()
    assert store.apply_batch("memory", [Add("three")]).error.code == "write-failed"
    assert port.inner.files() == before
    assert store.entries("memory") == ("one", "two")


@pytest.mark.parametrize("text", ["one\n§\ntwo", "", "\ufeff untidy \r\n"])
def test_an_empty_batch_succeeds_and_touches_nothing(text: str) -> None:
    store, port = started(text)
    port.calls.clear()
    receipt = store.apply_batch("memory", []).expect("an empty batch")
    assert (receipt.kind, receipt.removed_chars) == ("batch", 0)
    assert set(port.names()) <= {"read"}
    assert store.load().value.behind == 0


@pytest.mark.parametrize("fault", [{"read": fails("io")}, {"lock": fails("lock-timeout")}])
def test_an_empty_batch_asks_nothing_of_the_disk_so_nothing_can_fail(fault: dict) -> None:
    store, _port = started(**fault)
    assert store.apply_batch("memory", []).ok


def test_an_empty_batch_for_an_unknown_target_is_still_a_mistake() -> None:
    store, _port = started()
    assert store.apply_batch("notes", []).error.code == "unknown-target"


def test_a_batch_that_comes_back_to_where_it_began_writes_nothing() -> None:
    store, port = started()
    assert store.apply_batch("memory", [Add("three"), Remove("three")]).ok
    assert "write" not in port.names()
    assert store.load().value.behind == 0


def test_any_iterable_of_operations_is_a_batch() -> None:
    store, _port = started()
    assert store.apply_batch("memory", (Add(text) for text in ("three", "four"))).ok
    assert store.entries("memory") == ("one", "two", "three", "four")


def broken() -> Iterator[Add]:
    yield Add("three")
    raise Unspeakable


@pytest.mark.parametrize("ops", [None, 5, Add("one"), broken()], ids=range(4))
def test_something_that_cannot_be_iterated_is_an_error_value(ops: object) -> None:
    store, port = started()
    before = port.inner.files()
    assert store.apply_batch("memory", ops).error.code == "unknown-op"
    assert port.inner.files() == before


def test_a_batch_counts_as_one_write_behind_the_snapshot() -> None:
    store, _port = started()
    store.apply_batch("memory", [Add("three"), Add("four")]).expect("a batch")
    assert store.load().value.behind == 1
