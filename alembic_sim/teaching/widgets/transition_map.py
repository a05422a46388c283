"""TransitionMap: which skill moved when, a row for each; a slider takes the run back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from alembic_sim.shorten import shorten
from alembic_sim.sim.run import Run
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_whole
from alembic_sim.teaching.widgets.controls import Button, Slider
from alembic_sim.teaching.widgets.shell import Shell
from alembic_sim.teaching.widgets.skill_lives import Life, lives_of
from alembic_sim.teaching.widgets.transition_picture import ROWS, LivesMoment, draw_lives


@dataclass(frozen=True, slots=True)
class TransitionMapState:
    """The skills that move in a run, how many of its days have passed, and the first row shown."""

    name: str
    days: int
    moved: tuple[Life, ...]
    after_days: int
    first_row: int = 0

    def __post_init__(self) -> None:
        check_whole("after_days", self.after_days, 1, self.days)
        check_whole("first_row", self.first_row, 0, max(0, len(self.moved) - 1))

    @property
    def shown(self) -> tuple[Life, ...]:
        """Those that have a row now."""
        return self.moved[self.first_row : self.first_row + ROWS]

    @property
    def move_days(self) -> tuple[int, ...]:
        """After how many days a skill got another state, over the whole run."""
        days = {-int(-since // 1) for life in self.moved for since, _state in life.states[1:]}
        return tuple(sorted(days))


def render_transition_map(state: TransitionMapState) -> Svg:
    """A row for each skill that the run moves: its states up to the day, and its uses."""
    title = f"{state.name}, after {state.after_days} of {state.days} days"
    moment = LivesMoment(title, _which(state), state.days, state.after_days)
    return draw_lives(moment, state.shown, f"{title}. {_which(state)} {_told(state)}".strip())


def _which(state: TransitionMapState) -> str:
    """Which rows are shown."""
    if not state.moved:
        return "No skill moves in this run."
    first, last = state.first_row + 1, state.first_row + len(state.shown)
    return f"Skills {first} to {last} of the {len(state.moved)} that move in this run."


def _told(state: TransitionMapState) -> str:
    """Who moved when, by name, up to the day that is shown."""
    told = [
        f"{life.name}: {', '.join(f'{what} after {since:.0f}' for since, what in moves)}"
        for life in state.shown
        if (moves := life.until(state.after_days)[1:])
    ]
    if not told:
        return "None of them has moved yet." if state.moved else ""
    return f"Moved so far: {'; '.join(told)}."


def _back(state: TransitionMapState) -> TransitionMapState:
    """At the last move before, or at the first day."""
    earlier = [day for day in state.move_days if day < state.after_days]
    return replace(state, after_days=max(earlier, default=1))


def _next(state: TransitionMapState) -> TransitionMapState:
    """At the next move, or at the end."""
    later = [day for day in state.move_days if day > state.after_days]
    return replace(state, after_days=min(later, default=state.days))


def _up(state: TransitionMapState) -> TransitionMapState:
    return replace(state, first_row=max(0, state.first_row - ROWS))


def _down(state: TransitionMapState) -> TransitionMapState:
    below = state.first_row + ROWS
    return replace(state, first_row=below) if below < len(state.moved) else state


_ACTIONS: dict[str, Callable[[TransitionMapState], TransitionMapState]] = {
    "back": _back,
    "next": _next,
    "up": _up,
    "down": _down,
}


class TransitionMap(Shell[TransitionMapState]):
    """The widget: `TransitionMap(run)`, or `TransitionMap(run, after_days=90)`.

    It opens at the run's end; the slider, or `back` and `next`, take the run to another day, `up`
    and `down` show other rows.
    """

    def __init__(self, run: Run, after_days: int | None = None) -> None:
        if not isinstance(run, Run):
            raise ValueError(f"run: {shorten(run)} is not a Run, as simulate gives it")
        days = run.scenario.days
        moved = tuple(life for life in lives_of(run) if life.moves)
        super().__init__(
            TransitionMapState(
                run.scenario.name, days, moved, days if after_days is None else after_days
            ),
            render_transition_map,
            [
                [Slider("after_days", "After (days)", 1, days)],
                [
                    Button("back", "Move before", rests=True),
                    Button("next", "Next move", rests=True),
                    Button("up", "Rows above", rests=True),
                    Button("down", "Rows below", rests=True),
                ],
            ],
            _ACTIONS,
        )
