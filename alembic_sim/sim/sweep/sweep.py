"""sweep: a grid of policies over many replicas of a scenario, on whatever can run the work."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import Executor, Future, as_completed
from importlib import import_module
from itertools import product

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.fast.support import FastError, bad_argument, check_request
from alembic_sim.sim.scenario import LearningPlan, Scenario
from alembic_sim.sim.sweep.replica import SweepRow, run_replicas
from alembic_sim.sim.sweep.table import Sweep

MAX_REPLICAS = 100_000
_CHUNKS = 64
"""Tasks that a sweep is cut into for an executor: enough to spread, few enough to cost nothing."""

Rows = tuple[SweepRow, ...]


def policy_grid(stale: Sequence[float], archive: Sequence[float]) -> tuple[CuratorPolicy, ...]:
    """Every stale window with every archive window. Raises `ValueError` for one that is none.

    >>> [policy.archive_after_days for policy in policy_grid([30], [60, 90])]
    [60, 90]
    """
    return tuple(CuratorPolicy(*windows) for windows in product(stale, archive))


def library_only(scenario: Scenario) -> Scenario:
    """The scenario without its learning loop, which touches no skill and no sidecar."""
    return scenario.model_copy(update={"learning": LearningPlan()})


def sweep(
    scenario: Scenario,
    grid: Sequence[CuratorPolicy],
    replicas: int,
    executor: Executor | None = None,
    progress: bool = True,
) -> Result[Sweep, FastError]:
    """A row for each policy and replica: what the policy makes of that replica's library.

    The rows do not depend on the executor, nor the first k replicas on how many follow. What an
    executor loses is computed here. An interrupt (Ctrl-C, or the kernel's stop button) ends the
    sweep with the rows that are finished. `unsupported` names a field that needs the reference
    engine.
    """
    checked = _check(scenario, grid, replicas, executor)
    if not checked.ok:
        return checked
    policies = tuple(grid)
    rows: list[SweepRow] = []
    bar = import_module("tqdm").tqdm(total=replicas, disable=not progress, unit="replica")
    parts = _parts(scenario, policies, replicas, executor)
    try:
        for part in parts:
            rows += part
            bar.update(len(part) // len(policies))
    except KeyboardInterrupt:
        pass  # what is finished is kept: the table says that it is not complete
    finally:
        parts.close()
        bar.close()
    return Ok(Sweep(scenario, policies, replicas, tuple(rows)))


def _check(
    scenario: Scenario, grid: object, replicas: object, executor: object
) -> Result[None, FastError]:
    if isinstance(replicas, bool) or not isinstance(replicas, int):
        return bad_argument(f"replicas: {shorten(replicas)} is not a whole number")
    if not 1 <= replicas <= MAX_REPLICAS:
        return bad_argument(f"replicas: {replicas} is not from 1 to {MAX_REPLICAS}")
    if not isinstance(executor, Executor | None):
        return bad_argument(f"executor: {shorten(executor)} is not a concurrent.futures.Executor")
    return check_request(scenario, grid)


def _parts(
    scenario: Scenario,
    policies: tuple[CuratorPolicy, ...],
    replicas: int,
    executor: Executor | None,
) -> Generator[Rows, None, None]:
    """The rows, some replicas at a time, as they are finished."""
    if executor is None:
        lost = [range(number, number + 1) for number in range(replicas)]
    else:
        lost = yield from _parts_of(executor, scenario, policies, replicas)
    for chunk in lost:
        yield run_replicas(scenario, policies, chunk)


def _parts_of(
    executor: Executor, scenario: Scenario, policies: tuple[CuratorPolicy, ...], replicas: int
) -> Generator[Rows, None, list[range]]:
    """What the executor finishes; returns the replicas that it lost, or would not take."""
    size = -(-replicas // _CHUNKS)
    chunks = [range(n, min(n + size, replicas)) for n in range(0, replicas, size)]
    futures: dict[Future[Rows], range] = {}
    lost: list[range] = []
    try:
        for number, chunk in enumerate(chunks):
            try:
                futures[executor.submit(run_replicas, scenario, policies, chunk)] = chunk
            except RuntimeError:  # broken, or shut down: it takes no more
                lost += chunks[number:]
                break
        for future in as_completed(futures):
            try:
                part = future.result()
            except Exception:  # a dead worker has many names; a bug of ours shows again below
                lost.append(futures[future])
            else:
                yield part
    finally:
        for future in futures:
            future.cancel()
    return lost
