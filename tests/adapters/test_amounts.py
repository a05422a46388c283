"""A bound that is no whole number is refused as a value, by every adapter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alembic_sim import DiskFs, FaultyFs, MemoryFs
from tests.meddled_fs import Liar

ADAPTERS: dict[str, Callable[[Path], Any]] = {
    "MemoryFs": lambda _root: MemoryFs(),
    "DiskFs": DiskFs,
    "FaultyFs": lambda root: FaultyFs(DiskFs(root)),
}
BAD = [-5, "5", True, 1.5, 5.0, float("nan"), float("inf"), [5], b"5", Liar()]


@pytest.fixture(params=ADAPTERS)
def fs(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made = ADAPTERS[request.param](tmp_path)
    made.write_text("a.txt", "hello").expect("a file")
    return made


@pytest.mark.parametrize("bound", BAD, ids=range(len(BAD)))
def test_reading_with_an_impossible_bound_is_an_err(fs: Any, bound: Any) -> None:
    error = fs.read("a.txt", bound).error
    assert (error.code, "is not a whole number ≥ 0" in error.message) == ("io", True)


@pytest.mark.parametrize("deadline", [*BAD, None], ids=range(len(BAD) + 1))
def test_waiting_for_an_impossible_time_is_an_err(fs: Any, deadline: Any) -> None:
    error = fs.lock("a.txt", deadline).error
    assert (error.code, "is not a whole number ≥ 0" in error.message) == ("io", True)


@pytest.mark.parametrize("amount", [2**63, 10**400, 10**5000], ids=range(3))
def test_a_number_of_any_size_is_a_bound(fs: Any, amount: int) -> None:
    assert fs.read("a.txt", amount).value == b"hello"
    with fs.lock("a.txt", amount).value:
        pass


def test_a_lock_that_is_held_is_refused_with_any_deadline() -> None:
    fs = MemoryFs()
    with fs.lock("a.txt", 0).value:
        assert fs.lock("a.txt", 10**5000).error.code == "lock-timeout"


def test_a_deadline_of_any_size_is_waited_for(tmp_path: Path) -> None:
    """Years as a deadline, on a clock that jumps past them."""
    times = iter([0.0, 1.0, float("inf")])
    fs = DiskFs(tmp_path, monotonic=lambda: next(times), sleep=lambda _s: None)
    with DiskFs(tmp_path).lock("a.txt", 0).value:
        assert fs.lock("a.txt", 10**400).error.code == "lock-timeout"


@pytest.mark.parametrize(
    "call",
    [
        lambda fs: fs.read(Liar(), -5),
        lambda fs: fs.write(Liar(), "text"),
        lambda fs: fs.append(10**5000, 5),
        lambda fs: fs.lock(Liar(), None),
        lambda fs: fs.write_text(Liar(), 5),
        lambda fs: fs.read_text(10**5000),
    ],
    ids=range(6),
)
def test_where_path_and_argument_are_both_impossible_the_path_is_named(fs: Any, call: Any) -> None:
    assert call(fs).error.code == "outside-root"
