"""GateChoice: a gate that a sweep tries, as a value and as people write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from alembic_sim.hermes.learning.js_number import js_number
from alembic_sim.result import Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.fast.support import FastError, bad_argument
from alembic_sim.sim.scenario import LearningPlan

GATES_ALLOWED = "a threshold from 0 to 1, 'board' or 'none'"


@dataclass(frozen=True, slots=True)
class GateChoice:
    """What stands between the reviewer and the memory; `threshold` is the lowest score approved.

    `none` writes every proposal at once. `no-learning` proposes nothing: what every gate is
    measured against.
    """

    kind: Literal["threshold", "board", "none", "no-learning"]
    threshold: float = 0.0

    @property
    def name(self) -> str:
        """`0.7`, `board`, `none`, `no learning`."""
        if self.kind == "threshold":
            return js_number(self.threshold)
        return self.kind.replace("-", " ")

    def plan(self, plan: LearningPlan) -> LearningPlan:
        """The plan with this gate: how the reference engine is asked the same question."""
        return plan.model_copy(update={"gate": self.kind, "gate_threshold": self.threshold})


NO_GATE = GateChoice("none")
NO_LEARNING = GateChoice("no-learning")


def gate_choice(raw: object) -> Result[GateChoice, FastError]:
    """The gate that a text or a number names: `"0.7"`, `0.7`, `"board"`, `"none"`.

    >>> gate_choice("0.7").expect("a gate") == gate_choice(0.7).expect("a gate")
    True
    >>> gate_choice("7").error.message
    "'7' is not a threshold from 0 to 1, 'board' or 'none'"
    """
    if isinstance(raw, GateChoice):
        return Ok(raw)
    if raw == "board":
        return Ok(GateChoice("board"))
    if raw == "none":
        return Ok(NO_GATE)
    threshold = _number(raw)
    if threshold is None or not 0 <= threshold <= 1:
        return bad_argument(f"{shorten(raw)} is not {GATES_ALLOWED}")
    return Ok(GateChoice("threshold", threshold))


def _number(raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        return float(raw)
    except (ValueError, OverflowError):
        return None
