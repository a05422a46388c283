"""GateSummary: what one gate comes to over many replicas, as numbers and as a line of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from alembic_sim.sim.gates.gate_choice import GateChoice
from alembic_sim.sim.gates.gate_row import Learnt
from alembic_sim.sim.scenario import LearningPlan
from alembic_sim.sim.sweep.spread import Spread, spread_of


@dataclass(frozen=True, slots=True)
class GateSummary:
    """What one gate comes to over the finished replicas.

    `success_at_end`, `true_rejected`, `false_approved`, `memory_fill` and `user_fill` are shares:
    of the tasks of the last 20 sessions, of the true proposals, of the false ones, of the
    characters that a file may hold; None if there is nothing to take a share of. The others are
    lessons that the memory holds at the end, and proposals.
    """

    gate: GateChoice
    success_at_end: Spread
    true_kept: Spread
    false_settled: Spread
    true_rejected: Spread | None
    false_approved: Spread | None
    refused_for_budget: Spread
    memory_fill: Spread | None
    user_fill: Spread | None

    @property
    def name(self) -> str:
        """`0.7`, `board`, `none`, `no learning`."""
        return self.gate.name

    def to_json(self) -> dict[str, object]:
        """The gate's name and each spread by its name."""
        spreads = {one.name: getattr(self, one.name) for one in fields(self)[1:]}
        return {
            "gate": self.name,
            **{name: None if one is None else one.to_json() for name, one in spreads.items()},
        }


def summarise(gate: GateChoice, found: Sequence[Learnt], plan: LearningPlan) -> GateSummary:
    """The summary of one replica or more."""
    return GateSummary(
        gate=gate,
        success_at_end=spread_of([one.success_at_end for one in found]),
        true_kept=spread_of([one.true_kept for one in found]),
        false_settled=spread_of([one.false_settled for one in found]),
        true_rejected=_share(found, lambda one: (one.true_rejected, one.true_proposed)),
        false_approved=_share(found, lambda one: (one.false_approved, one.false_proposed)),
        refused_for_budget=spread_of([one.refused_for_budget for one in found]),
        memory_fill=_share(found, lambda one: (one.memory_chars, plan.memory_char_limit)),
        user_fill=_share(found, lambda one: (one.user_chars, plan.user_char_limit)),
    )


def _share(found: Sequence[Learnt], part_of: Callable[[Learnt], tuple[int, int]]) -> Spread | None:
    """The part of the whole in each replica that has any; None if none has."""
    shares = [part / whole for part, whole in map(part_of, found) if whole]
    return spread_of(shares) if shares else None


COLUMNS = (
    "gate",
    "succeed at end",
    "true kept",
    "false settled",
    "true rejected",
    "false approved",
    "over budget",
    "MEMORY.md full",
)
"""The heads of the gates' table."""


def table_line(summary: GateSummary) -> tuple[str, ...]:
    """A gate's line of the table, as texts."""
    return (
        summary.name,
        percent(summary.success_at_end),
        str(summary.true_kept),
        str(summary.false_settled),
        percent(summary.true_rejected),
        percent(summary.false_approved),
        str(summary.refused_for_budget),
        percent(summary.memory_fill),
    )


def percent(share: Spread | None) -> str:
    """A share in percent, with a decimal below ten; a dash if there is none.

    >>> percent(Spread(0.716, 0.05)), percent(Spread(0.04, 0.012)), percent(None)
    ('72 ± 5%', '4.0 ± 1.2%', '–')
    """
    if share is None:
        return "–"
    return f"{replace(share, mean=100 * share.mean, deviation=100 * share.deviation)}%"
