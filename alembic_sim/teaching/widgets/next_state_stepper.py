"""NextStateStepper: one record through the tests of `next_state`, branch by branch (seed 5 §05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.teaching.palette import FAINT, STATE_MARKS
from alembic_sim.teaching.pictures.next_state_flow import Path, draw_next_state_flow, path_taken
from alembic_sim.teaching.probing import (
    EXAMPLE_NOW,
    STATES,
    Timeline,
    idle_skill,
    never_used_skill,
)
from alembic_sim.teaching.svg import Svg, box, marker, words
from alembic_sim.teaching.widgets.checked import check_one_of, check_switch, check_whole
from alembic_sim.teaching.widgets.controls import Button, Choice, Slider, Switch
from alembic_sim.teaching.widgets.idle_ruler import MAX_IDLE_DAYS
from alembic_sim.teaching.widgets.rules import ORDERS, order_choices
from alembic_sim.teaching.widgets.shell import Shell

THE_CASE = ("idle_days", "never_used", "state", "order", "stale_after_days", "archive_after_days")
"""The fields that make another case: changing one starts again, without a prediction."""


@dataclass(frozen=True, slots=True)
class NextStateStepperState:
    """An agent's skill, the rule it meets, how many tests were asked, and the learner's guess."""

    idle_days: int = 120
    never_used: bool = False
    state: SkillState = "active"
    order: str = "archive-first"
    stale_after_days: int = 30
    archive_after_days: int = 90
    prediction: SkillState | None = None
    steps: int = 0

    def __post_init__(self) -> None:
        for field in ("idle_days", "stale_after_days", "archive_after_days"):
            check_whole(field, getattr(self, field), 0, MAX_IDLE_DAYS)
        check_switch("never_used", self.never_used)
        check_one_of("state", self.state, STATES)
        check_one_of("order", self.order, list(ORDERS))
        check_one_of("prediction", self.prediction, [None, *STATES])
        check_whole("steps", self.steps, 0, len(STATES))

    def record(self) -> UsageRecord:
        """The skill to judge."""
        if self.never_used:
            return never_used_skill(self.state)
        return idle_skill(self.idle_days, state=self.state)

    def policy(self) -> CuratorPolicy:
        """The two windows."""
        return CuratorPolicy(self.stale_after_days, self.archive_after_days)

    def path(self) -> Path:
        """The path that the record takes, read off the real answer."""
        order, record = ORDERS[self.order], self.record()
        timeline = Timeline(EXAMPLE_NOW, self.policy(), order.decide)
        return path_taken(record, timeline.after(record), order.tests)

    def asked(self) -> int:
        """How many of the record's tests are shown as answered: never more than it takes."""
        return min(self.steps, last_step(self))


def last_step(state: NextStateStepperState) -> int:
    """How many tests this record is asked before the answer is known."""
    path = state.path()
    return path.noes + (path.yes is not None)


def render_next_state_stepper(state: NextStateStepperState) -> Svg:
    """The flowchart as far as it was stepped, with the prediction beside it."""
    order = ORDERS[state.order]
    drawn = draw_next_state_flow(
        state.record(),
        policy=state.policy(),
        decide=order.decide,
        order=order.tests,
        steps=state.steps,
    )
    beside, told = _prediction_box(state), drawn.summary
    if state.asked() == last_step(state):
        beside += words(676, 39, "All steps done", size=13, anchor="end")
        told += " All steps done."
    if state.prediction is not None:
        told += f" {_compared(state)}"
    return Svg(drawn.markup.removesuffix("</svg>") + beside + "\n</svg>", told)


def _compared(state: NextStateStepperState) -> str:
    """The prediction; beside the answer once that is known."""
    if state.prediction is None:
        return "Your prediction: not answered yet."
    if state.asked() < last_step(state):
        return f"Your prediction: {state.prediction}."
    if state.prediction == state.path().answer:
        return f"You predicted {state.prediction}: so it is."
    return f"You predicted {state.prediction}: look at the test that decided."


def _prediction_box(state: NextStateStepperState) -> str:
    """In the free corner below the answers."""
    x, y = 284.0, 372.0
    known = state.prediction is not None
    said, told = _compared(state).split(": ")
    mark = marker(x + 24, y + 20, STATE_MARKS[state.prediction]) if state.prediction else ""
    aside = 42 if mark else 16
    return (
        box(x, y, 392, 40, stroke=FAINT, dashed=not known)
        + mark
        + words(x + aside, y + 25, f"{said}: {told.removesuffix('.')}", size=13)
    )


def _step(state: NextStateStepperState) -> NextStateStepperState:
    return replace(state, steps=min(state.asked() + 1, last_step(state)))


def _back(state: NextStateStepperState) -> NextStateStepperState:
    return replace(state, steps=max(state.asked() - 1, 0))


def _reset(state: NextStateStepperState) -> NextStateStepperState:
    return replace(state, steps=0, prediction=None)


class NextStateStepper(Shell[NextStateStepperState]):
    """The widget: predict, then step. `NextStateStepper(idle_days=45, state="stale")`.

    Its slider runs as that of `IdleTimeline` does, with "now" at the right end.
    """

    def __init__(
        self,
        idle_days: int = 120,
        never_used: bool = False,
        state: SkillState = "active",
        order: str = "archive-first",
        stale_after_days: int = 30,
        archive_after_days: int = 90,
    ) -> None:
        super().__init__(
            NextStateStepperState(
                idle_days, never_used, state, order, stale_after_days, archive_after_days
            ),
            render_next_state_stepper,
            [
                [
                    Slider("idle_days", "Idle days", 0, MAX_IDLE_DAYS, mirrored=True),
                    Switch("never_used", "Never used"),
                ],
                [
                    Choice("state", "State before the pass", [(s, s) for s in STATES]),
                    Choice("order", "Order of the tests", order_choices()),
                ],
                [
                    Choice(
                        "prediction",
                        "Your prediction",
                        [("not answered yet", None), *((s, s) for s in STATES)],
                    )
                ],
                [
                    Button("step", "Step", rests=True),
                    Button("back", "Back"),
                    Button("reset", "Reset"),
                ],
            ],
            {"step": _step, "back": _back, "reset": _reset},
        )

    def changed(self, values: Mapping[str, object]) -> NextStateStepperState:
        another_case = any(name in THE_CASE for name in values)
        fresh = {"steps": 0, "prediction": None} if another_case else {}
        return replace(self.state, **{**fresh, **values})  # type: ignore[arg-type]
