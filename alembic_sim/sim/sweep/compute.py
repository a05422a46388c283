"""compute: the same work for many replicas, on whatever can run it; what gets lost is run here."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, as_completed
from importlib import import_module
from typing import TypeVar

from alembic_sim.result import Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.fast.support import FastError, bad_argument

MAX_REPLICAS = 100_000
_CHUNKS = 64
"""Tasks that an executor is given: enough to spread, few enough to cost nothing."""

Row = TypeVar("Row")
Work = Callable[[range], tuple[Row, ...]]
"""The rows of some replicas, the same wherever it runs; it is pickled when processes run it."""


def check_compute(replicas: object, executor: object) -> Result[None, FastError]:
    """Ok if these can be computed, by this executor or, if it is None, in this process."""
    if isinstance(replicas, bool) or not isinstance(replicas, int):
        return bad_argument(f"replicas: {shorten(replicas)} is not a whole number")
    if not 1 <= replicas <= MAX_REPLICAS:
        return bad_argument(f"replicas: {replicas} is not from 1 to {MAX_REPLICAS}")
    if not isinstance(executor, Executor | None):
        return bad_argument(f"executor: {shorten(executor)} is not a concurrent.futures.Executor")
    return Ok(None)


def compute(
    work: Work[Row], replicas: int, executor: Executor | None = None, progress: bool = True
) -> tuple[Row, ...]:
    """The rows of all replicas, by replica, whatever computed them and in whatever order.

    What an executor loses is computed here. An interrupt (Ctrl-C, or the kernel's stop button)
    ends it with the rows of the replicas that are finished. Progress is told on stderr.
    """
    parts: dict[int, tuple[Row, ...]] = {}
    bar = import_module("tqdm").tqdm(total=replicas, disable=not progress, unit="replica")
    finished = _finished(work, replicas, executor)
    try:
        for chunk, rows in finished:
            parts[chunk.start] = rows
            bar.update(len(chunk))
    except KeyboardInterrupt:
        pass  # what is finished is kept; that it is not all, the caller sees
    finally:
        finished.close()
        bar.close()
    return tuple(row for _start, rows in sorted(parts.items()) for row in rows)


Part = tuple[range, tuple[Row, ...]]


def _finished(
    work: Work[Row], replicas: int, executor: Executor | None
) -> Generator[Part[Row], None, None]:
    """Some replicas at a time with their rows, as they are finished."""
    if executor is None:
        lost = [range(number, number + 1) for number in range(replicas)]
    else:
        lost = yield from _finished_by(executor, work, replicas)
    for chunk in lost:
        yield chunk, work(chunk)


def _finished_by(
    executor: Executor, work: Work[Row], replicas: int
) -> Generator[Part[Row], None, list[range]]:
    """What the executor finishes; returns the replicas that it lost, or would not take."""
    size = -(-replicas // _CHUNKS)
    chunks = [range(n, min(n + size, replicas)) for n in range(0, replicas, size)]
    futures: dict[Future[tuple[Row, ...]], range] = {}
    lost: list[range] = []
    try:
        for number, chunk in enumerate(chunks):
            try:
                futures[executor.submit(work, chunk)] = chunk
            except RuntimeError:  # broken, or shut down: it takes no more
                lost += chunks[number:]
                break
        for future in as_completed(futures):
            try:
                rows = future.result()
            except Exception:  # a dead worker has many names; a bug of ours shows again above
                lost.append(futures[future])
            else:
                yield futures[future], rows
    finally:
        for future in futures:
            future.cancel()
    return lost
