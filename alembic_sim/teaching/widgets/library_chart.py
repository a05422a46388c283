"""LibraryChart: a simulated library by state over the days; a slider takes the run back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.shorten import shorten
from alembic_sim.sim.figures import DayCount, StateChange
from alembic_sim.sim.run import Run
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_whole
from alembic_sim.teaching.widgets.controls import Button, Slider
from alembic_sim.teaching.widgets.library_picture import LibraryMoment, draw_library
from alembic_sim.teaching.widgets.shell import Shell

_NAMED = 3
"""So many moved skills are named in the words; of more, the number says enough."""


@dataclass(frozen=True, slots=True)
class LibraryChartState:
    """A finished run, and how many of its days have passed: 1 to all of them."""

    run: Run
    after_days: int

    def __post_init__(self) -> None:
        if not isinstance(self.run, Run):
            raise ValueError(f"run: {shorten(self.run)} is not a Run, as simulate gives it")
        check_whole("after_days", self.after_days, 1, self.run.scenario.days)

    @property
    def count(self) -> DayCount:
        """The library at that time."""
        return self.run.counts[self.after_days - 1]

    @property
    def pass_days(self) -> tuple[int, ...]:
        """After how many days the curator passed, pass by pass, over the whole run."""
        return tuple(_days_until(self.run, turn.at_ms) for turn in self.run.trace.passes)

    @property
    def last_pass(self) -> int | None:
        """After how many days the last pass was, None before the first one."""
        return max((day for day in self.pass_days if day <= self.after_days), default=None)

    @property
    def moved(self) -> tuple[StateChange, ...]:
        """What the last pass moved, in the order of its report."""
        last = self.last_pass
        return tuple(c for c in self.run.transitions if _days_until(self.run, c.at_ms) == last)


def render_library_chart(state: LibraryChartState) -> Svg:
    """The counts by state so far, what is still to come as a thin line, and the last pass's moves.

    It is the run's own counts that are drawn: nothing is simulated again.
    """
    scenario, said = state.run.scenario, _last_pass(state)
    title = f"{scenario.name}, after {state.after_days} of {scenario.days} days"
    moment = LibraryMoment(state.run.counts, state.after_days, state.pass_days, title, said)
    return draw_library(moment, f"{title}: {_counted(state.count)}. {said}")


def _days_until(run: Run, at_ms: int) -> int:
    """How many days have passed when that instant is over; a day's last instant belongs to it."""
    return -((run.scenario.start_ms - at_ms) // DAY_MS)


def _counted(count: DayCount) -> str:
    told = f"{count.active} active, {count.stale} stale, {count.archived} archived"
    return f"{told}, {count.unknown} unknown" if count.unknown else told


def _last_pass(state: LibraryChartState) -> str:
    if state.last_pass is None:
        return "No pass yet."
    moved = state.moved
    told = [f"{one.name} {one.from_state} → {one.to_state}" for one in moved[:_NAMED]]
    if len(moved) > _NAMED:
        told.append(f"{len(moved) - _NAMED} more")
    return f"Last pass, after {state.last_pass} days: {', '.join(told) or 'no skill moved'}."


def _back(state: LibraryChartState) -> LibraryChartState:
    """At the pass before, or at the first day."""
    earlier = [day for day in state.pass_days if day < state.after_days]
    return replace(state, after_days=max(earlier, default=1))


def _next(state: LibraryChartState) -> LibraryChartState:
    """At the next pass, or at the end."""
    later = [day for day in state.pass_days if day > state.after_days]
    return replace(state, after_days=min(later, default=state.run.scenario.days))


_ACTIONS: dict[str, Callable[[LibraryChartState], LibraryChartState]] = {
    "back": _back,
    "next": _next,
}


class LibraryChart(Shell[LibraryChartState]):
    """The widget: `LibraryChart(run)`, or `LibraryChart(run, after_days=90)`.

    It opens at the run's end; the slider, or `back` and `next`, take the run to another day.
    """

    def __init__(self, run: Run, after_days: int | None = None) -> None:
        if not isinstance(run, Run):
            raise ValueError(f"run: {shorten(run)} is not a Run, as simulate gives it")
        days = run.scenario.days
        super().__init__(
            LibraryChartState(run, days if after_days is None else after_days),
            render_library_chart,
            [
                [Slider("after_days", "After (days)", 1, days)],
                [
                    Button("back", "Pass before", rests=True),
                    Button("next", "Next pass", rests=True),
                ],
            ],
            _ACTIONS,
        )
