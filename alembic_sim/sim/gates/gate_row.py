"""GateRow: what one gate came to in one replica of the scenario's sessions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from alembic_sim.sim.arms import TASKS_PER_SESSION
from alembic_sim.sim.gates.gate_choice import GateChoice
from alembic_sim.sim.learning_figures import LAST_SESSIONS


@dataclass(frozen=True, slots=True)
class Learnt:
    """The sessions of one replica through one gate, as `ArmFigures` counts them.

    `successes` holds a byte a session: how many of its tasks succeeded.
    """

    successes: bytes
    true_proposed: int
    false_proposed: int
    true_rejected: int
    false_approved: int
    refused_for_budget: int
    true_kept: int
    false_settled: int
    memory_chars: int
    user_chars: int

    @property
    def success(self) -> float:
        """The share of tasks that succeeded."""
        return fmean(self.successes) / TASKS_PER_SESSION

    @property
    def success_at_end(self) -> float:
        """The share of tasks that succeeded in the last 20 sessions."""
        return fmean(self.successes[-LAST_SESSIONS:]) / TASKS_PER_SESSION


@dataclass(frozen=True, slots=True)
class GateRow:
    """One gate over one replica; `simulate` with this seed and gate gives it again."""

    replica: int
    seed: int
    gate: GateChoice
    learnt: Learnt

    def tidy(self) -> dict[str, str | int | float]:
        """The row's figures by name, flat; counts are of proposals or of lessons."""
        found = self.learnt
        return {
            "gate": self.gate.name,
            "replica": self.replica,
            "seed": self.seed,
            "sessions": len(found.successes),
            "success": found.success,
            "success_at_end": found.success_at_end,
            "true_proposed": found.true_proposed,
            "false_proposed": found.false_proposed,
            "true_rejected": found.true_rejected,
            "false_approved": found.false_approved,
            "refused_for_budget": found.refused_for_budget,
            "true_kept": found.true_kept,
            "false_settled": found.false_settled,
            "memory_chars": found.memory_chars,
            "user_chars": found.user_chars,
        }
