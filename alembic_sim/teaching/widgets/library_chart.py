"""LibraryChart: a simulated library by state over the days; a slider takes the run back.

Given a sweep too, it shows where eight of ten libraries of the same kind lie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.shorten import shorten
from alembic_sim.sim.figures import DayCount, StateChange
from alembic_sim.sim.run import Run
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_whole
from alembic_sim.teaching.widgets.controls import Button, Slider
from alembic_sim.teaching.widgets.library_picture import LibraryMoment, StateBand, draw_library
from alembic_sim.teaching.widgets.run_days import days_until, pass_days
from alembic_sim.teaching.widgets.shell import Shell

if TYPE_CHECKING:  # a sweep needs numpy; this chart does not
    from alembic_sim.sim.sweep.table import Sweep

_NAMED = 3
"""So many moved skills are named in the words; of more, the number says enough."""


@dataclass(frozen=True, slots=True)
class LibraryChartState:
    """A finished run, how many of its days have passed (1 to all), and the bands around it."""

    run: Run
    after_days: int
    bands: tuple[StateBand, ...] = ()

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
        return pass_days(self.run)

    @property
    def last_pass(self) -> int | None:
        """After how many days the last pass was, None before the first one."""
        return max((day for day in self.pass_days if day <= self.after_days), default=None)

    @property
    def moved(self) -> tuple[StateChange, ...]:
        """What the last pass moved, in the order of its report."""
        last = self.last_pass
        return tuple(c for c in self.run.transitions if days_until(self.run, c.at_ms) == last)


def render_library_chart(state: LibraryChartState) -> Svg:
    """The counts by state so far, what is still to come as a thin line, and the last pass's moves.

    It is the run's own counts that are drawn: nothing is simulated again.
    """
    scenario, said = state.run.scenario, _last_pass(state)
    title = f"{scenario.name}, after {state.after_days} of {scenario.days} days"
    moment = LibraryMoment(
        state.run.counts, state.after_days, state.pass_days, title, said, state.bands
    )
    return draw_library(moment, f"{title}: {_counted(state.count)}. {_around(state)}{said}")


def _around(state: LibraryChartState) -> str:
    """Where eight of ten other libraries are at that time; nothing without bands."""
    told = [
        f"{low:.0f} to {high:.0f} {band.state}"
        for band in state.bands
        for low, high in [band.at(state.after_days)]
    ]
    return f"In eight of ten libraries: {', '.join(told)}. " if told else ""


def _checked(sweep: object) -> Sweep:
    """The sweep, if it is one. Whoever holds one has loaded its module, and numpy with it."""
    from alembic_sim.sim.sweep.table import Sweep

    if not isinstance(sweep, Sweep) or not sweep.rows:
        raise ValueError(f"sweep: {shorten(sweep)} is not a Sweep with a finished replica")
    return sweep


def bands_of(sweep: Sweep, run: Run) -> tuple[StateBand, ...]:
    """The bands of the sweep under the run's own policy, a day being counted when it is over."""
    plan = run.scenario.curator
    policy = CuratorPolicy(plan.stale_after_days, plan.archive_after_days)
    if policy not in sweep.policies or sweep.scenario.days != run.scenario.days:
        why = f"{shorten(sweep)} does not hold {run.scenario.days} days of {shorten(policy)}"
        raise ValueError(f"sweep: {why}")
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    return tuple(
        StateBand(
            state, tuple((one.day + 1, one.low, one.high) for one in sweep.bands(policy, state))
        )
        for state in states
    )


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
    """The widget: `LibraryChart(run)`, or `LibraryChart(run, after_days=90, sweep=table)`.

    It opens at the run's end; the slider, or `back` and `next`, take the run to another day. The
    sweep has the run's scenario and policy: each state gets its band, eight of ten replicas.
    """

    def __init__(self, run: Run, after_days: int | None = None, sweep: Sweep | None = None) -> None:
        if not isinstance(run, Run):
            raise ValueError(f"run: {shorten(run)} is not a Run, as simulate gives it")
        days = run.scenario.days
        super().__init__(
            LibraryChartState(
                run,
                days if after_days is None else after_days,
                () if sweep is None else bands_of(_checked(sweep), run),
            ),
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
