"""IdleTimeline: drag the idle days and watch the anchor cross the bands (seed 5 §09)."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.teaching.pictures.next_state_flow import path_taken
from alembic_sim.teaching.probing import EXAMPLE_NOW, Timeline, idle_skill, never_used_skill
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_one_of, check_switch, check_whole
from alembic_sim.teaching.widgets.controls import Choice, Slider, Switch
from alembic_sim.teaching.widgets.idle_ruler import MAX_IDLE_DAYS, Judged, draw_idle_ruler
from alembic_sim.teaching.widgets.rules import ORDERS, order_choices
from alembic_sim.teaching.widgets.shell import Shell


@dataclass(frozen=True, slots=True)
class IdleTimelineState:
    """An active agent's skill, the policy and the order of the tests; days are whole, 0–150."""

    idle_days: int = 0
    never_used: bool = False
    stale_after_days: int = 30
    archive_after_days: int = 90
    order: str = "archive-first"

    def __post_init__(self) -> None:
        for field in ("idle_days", "stale_after_days", "archive_after_days"):
            check_whole(field, getattr(self, field), 0, MAX_IDLE_DAYS)
        check_switch("never_used", self.never_used)
        check_one_of("order", self.order, list(ORDERS))

    def record(self) -> UsageRecord:
        """The skill that the timeline judges."""
        return never_used_skill() if self.never_used else idle_skill(self.idle_days)

    def judged(self) -> Judged:
        """The skill judged by `next_state`, or by its variant."""
        order, record = ORDERS[self.order], self.record()
        policy = CuratorPolicy(self.stale_after_days, self.archive_after_days)
        timeline = Timeline(EXAMPLE_NOW, policy, order.decide)
        path = path_taken(record, timeline.after(record), order.tests)
        return Judged(record, timeline, path, _reason(self, path.answer))


def render_idle_timeline(state: IdleTimelineState) -> Svg:
    """The ruler with the skill's anchor; the words name its state and the test that decided."""
    judged = state.judged()
    return draw_idle_ruler(judged, _verdict(state, judged))


def _verdict(state: IdleTimelineState, judged: Judged) -> str:
    path = judged.path
    before = judged.record.state
    moved = f"stays {before}" if path.answer == before else f"{before} → {path.answer}"
    test = "no test says yes" if path.yes is None else f"test {path.yes + 1} says yes"
    who = "never used" if state.never_used else f"idle {state.idle_days} d"
    return f"{who}: {moved}, {test}: {judged.reason}."


def _reason(state: IdleTimelineState, answer: str) -> str:
    """The comparison that decided, in days; what is left over when no test said yes is younger."""
    if state.never_used:
        return "its anchor is +∞, newer than any cut-off"
    idle = f"{state.idle_days}"
    match answer:
        case "archived":
            return f"{idle} ≥ {state.archive_after_days} days"
        case "stale":
            return f"{idle} ≥ {state.stale_after_days} days"
        case _:
            return f"{idle} < {min(state.stale_after_days, state.archive_after_days)} days"


class IdleTimeline(Shell[IdleTimelineState]):
    """The widget; start it anywhere, e.g. `IdleTimeline(idle_days=45)`.

    Its sliders run as the ruler does, with "now" at the right end.
    """

    def __init__(
        self,
        idle_days: int = 0,
        never_used: bool = False,
        stale_after_days: int = 30,
        archive_after_days: int = 90,
        order: str = "archive-first",
    ) -> None:
        super().__init__(
            IdleTimelineState(idle_days, never_used, stale_after_days, archive_after_days, order),
            render_idle_timeline,
            [
                [Slider("idle_days", "Idle days", 0, MAX_IDLE_DAYS, mirrored=True)],
                [Slider("stale_after_days", "Stale after (days)", 0, MAX_IDLE_DAYS, mirrored=True)],
                [
                    Slider(
                        "archive_after_days",
                        "Archived after (days)",
                        0,
                        MAX_IDLE_DAYS,
                        mirrored=True,
                    )
                ],
                [
                    Choice("order", "Order of the tests", order_choices()),
                    Switch("never_used", "Never used (anchor +∞)"),
                ],
            ],
        )
