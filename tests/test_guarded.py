"""Guarded ports: whatever a user's port does, a store sees a Result of the right kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeClock, MemoryFs, Ok
from alembic_sim.guarded import GuardedFs, checked_place, read_clock
from alembic_sim.ports.fs import FsError
from alembic_sim.shorten import shorten
from tests.meddled_fs import (
    OPERATIONS,
    Liar,
    MeddledFs,
    RaisesOnEnter,
    RaisesOnExit,
    Unspeakable,
    answers,
    raises,
)

CALLS: dict[str, tuple[object, ...]] = {
    "stat": ("a.md",),
    "read": ("a.md", 100),
    "write": ("a.md", b"new"),
    "append": ("a.md", b"new"),
    "sync": ("a.md",),
    "replace": (".a.md.tmp", "a.md"),
    "sync_dir": ("",),
    "list": ("",),
    "mkdir": ("folder",),
    "remove_temp": (".a.md.tmp",),
    "lock": ("a.md", 10),
}


def call(fs: object, operation: str) -> object:
    return getattr(fs, operation)(*CALLS[operation])


def test_every_operation_of_the_port_is_tried_here() -> None:
    assert set(CALLS) == set(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_honest_port_is_handed_through(operation: str) -> None:
    files = {"a.md": "a", ".a.md.tmp": "b"}
    guarded, plain = call(GuardedFs(MemoryFs(files)), operation), call(MemoryFs(files), operation)
    assert (guarded.ok, plain.ok) == (True, True)
    if operation != "lock":
        assert guarded == plain


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_honest_refusal_is_handed_through(operation: str) -> None:
    refused = Err(FsError("denied", "not yours"))
    assert call(GuardedFs(MeddledFs(MemoryFs(), **{operation: answers(refused)})), operation) == (
        refused
    )


@pytest.mark.parametrize("error", [RuntimeError("oh"), OSError(28, "full"), Unspeakable()])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_that_raises_is_an_io_error_that_names_the_path(
    operation: str, error: Exception
) -> None:
    got = call(GuardedFs(MeddledFs(MemoryFs(), **{operation: raises(error)})), operation)
    assert got.error.code == "io"
    assert str(CALLS[operation][0]) in got.error.message or operation == "replace"
    assert type(error).__name__ in got.error.message


@pytest.mark.parametrize(
    "answer",
    [None, True, "text", b"bytes", 5, Err("text"), Err(None), Liar()],
    ids=["nothing", "true", "text", "bytes", "number", "Err(text)", "Err(None)", "liar"],
)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_that_returns_anything_else_is_an_io_error(operation: str, answer: object) -> None:
    got = call(GuardedFs(MeddledFs(MemoryFs(), **{operation: answers(answer)})), operation)
    assert got.error.code == "io"
    assert "the file port" in got.error.message
    assert shorten(answer) in got.error.message


WRONG_INSIDE_OK = [
    ("stat", "a file"),
    ("stat", 5),
    ("read", "text"),
    ("read", None),
    ("list", "a.md"),
    ("list", None),
    ("list", (1, 2)),
    ("lock", None),
    ("lock", "held"),
]


@pytest.mark.parametrize(("operation", "inside"), WRONG_INSIDE_OK)
def test_an_ok_around_the_wrong_kind_of_value_is_an_io_error(
    operation: str, inside: object
) -> None:
    got = call(GuardedFs(MeddledFs(MemoryFs(), **{operation: answers(Ok(inside))})), operation)
    assert got.error.code == "io"


def test_a_lock_that_breaks_when_taken_is_an_io_error() -> None:
    got = GuardedFs(MeddledFs(MemoryFs(), lock=answers(Ok(RaisesOnEnter())))).lock("a.md", 10)
    assert got.error.code == "io"
    assert "OSError" in got.error.message


def test_a_lock_that_breaks_when_given_back_does_not_break_the_work_done_under_it() -> None:
    got = GuardedFs(MeddledFs(MemoryFs(), lock=answers(Ok(RaisesOnExit())))).lock("a.md", 10)
    with got.value:
        done = True
    assert done


def test_a_guarded_lock_is_held_until_its_context_ends() -> None:
    inner = MemoryFs()
    with GuardedFs(inner).lock("a.md", 10).value:
        assert inner.lock("a.md", 0).error.code == "lock-timeout"
    assert inner.lock("a.md", 0).ok


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_the_user_can_still_stop_the_program(stop: type[BaseException]) -> None:
    with pytest.raises(stop):
        GuardedFs(MeddledFs(MemoryFs(), read=raises(stop()))).read("a.md")


def test_a_clock_is_read_as_it_is() -> None:
    assert read_clock(FakeClock(0)) == Ok(0)
    assert read_clock(FakeClock("2025-01-01T00:00:00Z")) == Ok(1_735_689_600_000)


def clock_that_raises() -> int:
    raise Unspeakable


BAD_CLOCKS: dict[str, Callable[[], object]] = {
    "before the epoch": lambda: -1,
    "a float": lambda: 1.0,
    "not a number": lambda: float("nan"),
    "true": lambda: True,
    "text": lambda: "2025-01-01T00:00:00Z",
    "nothing": lambda: None,
    "an unprintable value": Liar,
    "beyond what any calendar or JSON number holds": lambda: 10**310,
    "more digits than Python prints": lambda: 10**5000,
    "raises": clock_that_raises,
}


@pytest.mark.parametrize("clock", BAD_CLOCKS.values(), ids=BAD_CLOCKS)
def test_a_clock_that_says_anything_but_whole_milliseconds_is_a_bad_clock(
    clock: Callable[[], object],
) -> None:
    error = read_clock(clock).error
    assert error.code == "bad-clock"
    assert "clock" in error.message


def test_something_that_is_no_clock_is_a_bad_clock() -> None:
    assert read_clock(5).error.code == "bad-clock"


@given(st.integers(0, 2**53 - 1))
def test_every_time_that_javascript_counts_exactly_is_a_time(now_ms: int) -> None:
    assert read_clock(lambda: now_ms) == Ok(now_ms)


class Shy:
    """A port that raises when it is only looked at."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError("do not look")


@pytest.mark.parametrize("fs", [None, 5, "x", MemoryFs, object(), Shy(), Liar()], ids=range(7))
def test_what_is_no_file_port_is_refused_at_construction(fs: object) -> None:
    if fs is MemoryFs:  # the class has the operations: each call of them is an io error
        assert GuardedFs(fs).stat("a").error.code == "io"
        return
    with pytest.raises(ValueError, match=r"^fs: .* is not a file port: it has no stat$"):
        GuardedFs(fs)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_without_one_operation_is_no_file_port(operation: str) -> None:
    port = type("Port", (), {name: answers(Ok(None)) for name in OPERATIONS if name != operation})()
    with pytest.raises(ValueError, match=f"it has no {operation}$"):
        GuardedFs(port)


@pytest.mark.parametrize(
    ("place", "normal"), [("a", "a"), ("./a//b/", "a/b"), ("é § x", "é § x"), ("a/b:c", "a/b:c")]
)
def test_a_place_is_normalised(place: str, normal: str) -> None:
    assert checked_place("path", place) == checked_place("folder", place) == normal


IMPOSSIBLE = [None, 5, b"a", ["a"], "..", "/abs", "a/../b", "a\0b", "a\\b", "C:x", "\ud800", Liar()]


@pytest.mark.parametrize("setting", ["path", "folder"])
@pytest.mark.parametrize("place", IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_a_place_that_no_port_takes_is_refused_by_the_settings_name(
    setting: str, place: object
) -> None:
    with pytest.raises(ValueError, match=rf"^{setting}: .* is not a path inside the root: "):
        checked_place(setting, place)


@pytest.mark.parametrize("root", ["", ".", "./"])
def test_a_folder_may_be_the_root_and_a_file_may_not(root: str) -> None:
    assert checked_place("folder", root) == ""
    with pytest.raises(ValueError, match=r"does not name a file$"):
        checked_place("path", root)
