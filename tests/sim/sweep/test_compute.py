"""compute: any work's rows, once each and by replica, whatever becomes of what runs it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.sim.sweep import compute as module
from alembic_sim.sim.sweep.compute import MAX_REPLICAS, check_compute, compute
from tests.sim.sweep.executors import InOrder, Refusing

Rows = tuple[tuple[int, str], ...]


def letters(replicas: range) -> Rows:
    """Two rows a replica, as two policies or three gates would give."""
    return tuple((replica, letter) for replica in replicas for letter in "ab")


def all_of(replicas: int) -> Rows:
    return letters(range(replicas))


@given(
    st.integers(1, 300),
    st.none() | st.integers(0, 70),
    st.sets(st.integers(0, 70)),
)
def test_every_row_is_there_once_and_by_replica_whatever_the_executor_loses(
    replicas: int, takes: int | None, lost: set[int]
) -> None:
    losing = InOrder(lambda n: BrokenProcessPool("gone") if n in lost else None)
    executor = losing if takes is None else Refusing(takes)
    assert compute(letters, replicas, executor, progress=False) == all_of(replicas)


def test_without_an_executor_the_work_is_done_replica_by_replica() -> None:
    """So an interrupt costs one replica at most."""
    asked: list[range] = []

    def work(replicas: range) -> Rows:
        asked.append(replicas)
        return letters(replicas)

    assert compute(work, 5, progress=False) == all_of(5)
    assert asked == [range(n, n + 1) for n in range(5)]


def test_the_order_in_which_the_parts_are_finished_does_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "as_completed", lambda futures: reversed(list(futures)))
    assert compute(letters, 200, InOrder(), progress=False) == all_of(200)


@pytest.mark.parametrize(("replicas", "tasks"), [(1, 1), (64, 64), (65, 33), (6400, 64)])
def test_an_executor_gets_sixty_four_tasks_at_most(replicas: int, tasks: int) -> None:
    executor = InOrder()
    compute(letters, replicas, executor, progress=False)
    assert executor.taken == tasks


def test_nothing_is_computed_twice() -> None:
    """What the executor finished is not done here again."""
    asked: list[int] = []

    def work(replicas: range) -> Rows:
        asked.extend(replicas)
        return letters(replicas)

    executor = InOrder(lambda n: BrokenProcessPool("gone") if n == 3 else None)
    compute(work, 100, executor, progress=False)
    assert sorted(asked) == list(range(100))


def test_processes_compute_it_too() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert compute(letters, 70, pool, progress=False) == all_of(70)


def interrupted_at(replica: int) -> Callable[[range], Rows]:
    def work(replicas: range) -> Rows:
        if replica in replicas:
            raise KeyboardInterrupt
        return letters(replicas)

    return work


@pytest.mark.parametrize("finished", [0, 1, 23])
def test_an_interrupt_keeps_what_is_finished(finished: int) -> None:
    assert compute(interrupted_at(finished), 70, progress=False) == all_of(finished)


def test_an_interrupt_after_a_loss_keeps_what_the_executor_finished() -> None:
    """Replica 7 was lost, and Ctrl-C comes while it is computed here."""
    executor = InOrder(lambda n: BrokenProcessPool("gone") if n == 7 else None)
    rows = compute(interrupted_at(7), 64, executor, progress=False)
    assert rows == tuple(row for row in all_of(64) if row[0] != 7)


def test_an_interrupt_while_waiting_cancels_what_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The task that is under way is finished by its thread; the other sixty-odd never begin."""
    interrupted = threading.Event()
    begun: list[range] = []

    def wait_for(futures: dict[Future[Rows], range]) -> Iterator[Future[Rows]]:
        first = next(iter(futures))
        first.result()
        yield first
        raise KeyboardInterrupt

    def work(replicas: range) -> Rows:
        begun.append(replicas)
        if len(begun) == 2:
            interrupted.wait(10)
        return letters(replicas)

    monkeypatch.setattr(module, "as_completed", wait_for)
    with ThreadPoolExecutor(1) as pool:
        rows = compute(work, 128, pool, progress=False)
        interrupted.set()
    assert rows == all_of(2)
    assert len(begun) <= 2


def test_a_bug_in_the_work_is_not_swallowed_with_the_dead_workers() -> None:
    """The executor's failure is taken for a loss; computed here, it is what it is."""

    def buggy(replicas: range) -> Rows:
        raise ZeroDivisionError

    for executor in (None, InOrder(lambda _n: ZeroDivisionError())):
        with pytest.raises(ZeroDivisionError):
            compute(buggy, 3, executor, progress=False)


def test_progress_is_told_on_stderr_and_only_when_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    compute(letters, 130, InOrder())
    told = capsys.readouterr()
    assert told.out == ""
    assert "130/130" in told.err
    compute(letters, 130, progress=False)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("replicas", "executor", "named"),
    [
        (0, None, "replicas: 0 is not from 1 to 100000"),
        (MAX_REPLICAS + 1, None, "replicas: 100001 is not from 1 to 100000"),
        (1.0, None, "replicas: 1.0"),
        (True, None, "replicas: True"),
        (1, "dask", "executor: 'dask'"),
    ],
)
def test_bad_arguments_are_named(replicas: object, executor: object, named: str) -> None:
    refused = check_compute(replicas, executor)
    assert refused.error.code == "bad-argument"
    assert named in refused.error.message


@pytest.mark.parametrize("replicas", [1, MAX_REPLICAS])
def test_an_executor_or_none_will_do(replicas: int) -> None:
    assert check_compute(replicas, None).ok
    assert check_compute(replicas, InOrder()).ok
