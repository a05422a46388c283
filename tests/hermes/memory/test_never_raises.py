"""Whatever comes in, a memory store answers with a value, and refused means unchanged."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import Add, Err, MemoryFs, MemoryStore, Ok, Remove, Replace
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries
from tests.meddled_fs import (
    OPERATIONS,
    Incomparable,
    Liar,
    MeddledFs,
    RaisesOnEnter,
    RaisesOnExit,
    Unspeakable,
    answers,
    raises,
)

NASTY = st.text(alphabet="§\n\r \t\ufeff\u0085\0ab\ud800", max_size=20)
ANYTHING = st.one_of(
    NASTY,
    st.text(max_size=20),
    st.none(),
    st.integers(),
    st.floats(),
    st.binary(max_size=5),
    st.lists(st.text(max_size=3), max_size=2),
    st.builds(object),
    st.builds(Incomparable),
    st.just(mock.ANY),
    st.just(10**5000),
)
OPS = st.one_of(
    st.builds(Add, ANYTHING),
    st.builds(Replace, ANYTHING, ANYTHING),
    st.builds(Remove, ANYTHING),
    ANYTHING,
)
FILES = st.binary(max_size=40) | NASTY.map(lambda text: text.encode("utf-8", "surrogatepass"))
TARGETS = st.sampled_from(["memory", "user"]) | ANYTHING


def assert_a_value(result: object) -> None:
    assert isinstance(result, Ok | Err)
    if not result.ok:
        assert isinstance(result.error.code, str)
        assert isinstance(result.error.message, str)
        assert len(result.error.message) < 1000


@given(FILES, TARGETS, OPS)
@settings(max_examples=500)
def test_any_operation_on_any_file_is_done_or_refused_and_refused_is_unchanged(
    data: bytes, target: object, op: object
) -> None:
    fs = MemoryFs({"memory/MEMORY.md": data, "memory/USER.md": data})
    store = MemoryStore(fs, 30, 30)
    before = fs.files()
    result = store.apply(target, op)
    assert_a_value(result)
    if not result.ok:
        assert fs.files() == before
    entries = store.entries("memory")
    assert parse_entries(serialise_entries(entries)) == entries


@given(FILES, TARGETS, st.lists(OPS, max_size=4) | ANYTHING)
@settings(max_examples=200)
def test_any_batch_on_any_file_is_done_or_refused_and_refused_is_unchanged(
    data: bytes, target: object, ops: object
) -> None:
    fs = MemoryFs({"memory/MEMORY.md": data})
    before = fs.files()
    result = MemoryStore(fs, 30, 30).apply_batch(target, ops)
    assert_a_value(result)
    if not result.ok:
        assert fs.files() == before


@given(FILES, ANYTHING)
def test_any_file_loads_and_any_target_has_entries(data: bytes, target: object) -> None:
    store = MemoryStore(MemoryFs({"memory/MEMORY.md": data, "memory/USER.md": data}))
    assert store.load().ok
    assert isinstance(store.entries(target), tuple)


MISBEHAVIOURS = {
    "raises": raises(RuntimeError("a port of the user's")),
    "raises the unspeakable": raises(Unspeakable()),
    "returns nothing": answers(None),
    "returns a text": answers("text"),
    "returns Ok of a text": answers(Ok("text")),
    "returns Ok of a number": answers(Ok(5)),
    "returns Ok of nothing": answers(Ok(None)),
    "returns Ok of a liar": answers(Ok(Liar())),
    "returns Err of a text": answers(Err("text")),
    "returns Err of a liar": answers(Err(Liar())),
    "breaks on enter": answers(Ok(RaisesOnEnter())),
    "breaks on exit": answers(Ok(RaisesOnExit())),
}


@pytest.mark.parametrize("misbehave", MISBEHAVIOURS.values(), ids=MISBEHAVIOURS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_that_misbehaves_is_an_error_value_never_an_exception(
    operation: str, misbehave: object
) -> None:
    disk = MemoryFs({"memory/MEMORY.md": "one", "memory/.MEMORY.md.tmp": "torn"})
    store = MemoryStore(MeddledFs(disk, **{operation: misbehave}))
    assert store.load().ok
    for result in (
        store.apply("memory", Add("two")),
        store.apply("memory", Remove("one")),
        store.apply_batch("user", [Add("three")]),
    ):
        assert_a_value(result)
    assert isinstance(store.entries("memory"), tuple)


def test_a_lock_that_breaks_when_given_back_does_not_hide_a_durable_write() -> None:
    disk = MemoryFs()
    store = MemoryStore(MeddledFs(disk, lock=answers(Ok(RaisesOnExit()))))
    assert store.apply("memory", Add("two")).value.kind == "added"
    assert disk.files() == {"memory/MEMORY.md": b"two"}


def test_a_lock_that_breaks_when_taken_means_nothing_was_written() -> None:
    disk = MemoryFs()
    store = MemoryStore(MeddledFs(disk, lock=answers(Ok(RaisesOnEnter()))))
    assert store.apply("memory", Add("two")).error.code == "write-failed"
    assert disk.files() == {}


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_the_default_scan_answers_for_any_text(text: str) -> None:
    store = MemoryStore(MemoryFs(), memory_char_limit=10**5)
    assert_a_value(store.apply("memory", Add(text)))
