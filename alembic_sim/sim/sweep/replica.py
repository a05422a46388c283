"""run_replicas: some replicas of a sweep, the same wherever they are run. What a worker is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.fast.fast_run import FastRun
from alembic_sim.sim.fast.lives import draw_blocks
from alembic_sim.sim.fast.run_fast import run_blocks
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.seeds import derive


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One policy over one replica of the scenario; `run_fast` at the run's seed gives it again."""

    replica: int
    run: FastRun

    def tidy(self) -> dict[str, int | float]:
        """The row's figures by name, flat; counts are of skills."""
        run, found = self.run, self.run.figures
        young, middle, old = found.false_comfort
        return {
            **run.policy.to_json(),
            "replica": self.replica,
            "seed": run.seed,
            "skills": found.skills,
            "active": found.skills - found.stale - found.archived,
            "stale": found.stale,
            "archived": found.archived,
            "regretted": found.regretted,
            "archived_in_use": found.archived_in_use,
            "false_comfort_under_30_days": young,
            "false_comfort_30_to_90_days": middle,
            "false_comfort_over_90_days": old,
            "active_to_stale": sum(run.moves.active_to_stale),
            "stale_to_active": sum(run.moves.stale_to_active),
            "active_to_archived": sum(run.moves.active_to_archived),
            "stale_to_archived": sum(run.moves.stale_to_archived),
            "use": run.uses.use,
            "view": run.uses.view,
            "patch": run.uses.patch,
            "missed": run.uses.missed,
        }


def replica_seed(seed: int, replica: int) -> int:
    """The seed of a replica: the same one however many replicas there are. It fits a scenario."""
    return derive(seed, "replica", replica) >> 11


def run_replicas(
    scenario: Scenario, policies: tuple[CuratorPolicy, ...], replicas: Iterable[int]
) -> tuple[SweepRow, ...]:
    """The rows of these replicas, policy by policy: within one, all policies meet the same uses."""
    rows = []
    for replica in replicas:
        seed = replica_seed(scenario.seed, replica)
        world = scenario.model_copy(update={"seed": seed})
        rows += [SweepRow(replica, run) for run in run_blocks(world, draw_blocks(world), policies)]
    return tuple(rows)
