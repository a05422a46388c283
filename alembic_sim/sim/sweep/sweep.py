"""sweep: a grid of policies over many replicas of a scenario, on whatever can run the work."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import product

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Ok, Result
from alembic_sim.sim.fast.support import FastError, check_request
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.scenario import library_only as library_only
from alembic_sim.sim.sweep.compute import check_compute, compute
from alembic_sim.sim.sweep.replica import run_replicas
from alembic_sim.sim.sweep.table import Sweep


def policy_grid(stale: Sequence[float], archive: Sequence[float]) -> tuple[CuratorPolicy, ...]:
    """Every stale window with every archive window. Raises `ValueError` for one that is none.

    >>> [policy.archive_after_days for policy in policy_grid([30], [60, 90])]
    [60, 90]
    """
    return tuple(CuratorPolicy(*windows) for windows in product(stale, archive))


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
    engine; the sessions are left out, for they use no skill of the library (`sweep_gates` is
    about them).

    >>> swept = sweep(Scenario(), policy_grid([30], [60, 90]), replicas=5, progress=False).value
    >>> [summary.name for summary in swept.summaries], len(swept.rows)
    (['30/60', '30/90'], 10)
    """
    world = library_only(scenario) if isinstance(scenario, Scenario) else scenario
    checked = check_compute(replicas, executor)
    if checked.ok:
        checked = check_request(world, grid)
    if not checked.ok:
        return checked
    policies = tuple(grid)
    rows = compute(partial(run_replicas, world, policies), replicas, executor, progress)
    return Ok(Sweep(world, policies, replicas, rows))
