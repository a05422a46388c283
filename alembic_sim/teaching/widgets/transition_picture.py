"""The picture of `TransitionMap`: a row for each skill, its states as bars, its uses as ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.teaching.palette import FAINT, INK, MUTED, PAPER, SHADE, STATE_MARKS, Mark
from alembic_sim.teaching.svg import Svg, fit, line, marker, picture, tag, words
from alembic_sim.teaching.widgets.library_picture import tick_step
from alembic_sim.teaching.widgets.skill_lives import Life

ROWS = 10
"""So many skills are shown at a time."""

_LEFT, _RIGHT, _TOP, _ROW, _BAR = 128.0, 556.0, 76.0, 30.0, 12.0
_BOTTOM = _TOP + ROWS * _ROW
_NOW_COLUMN = 576.0
_MARKS: dict[str, Mark] = {**STATE_MARKS, "unknown": Mark(PAPER, "cross", PAPER)}
_MISSED = Mark("#CC79A7", "diamond", "#F8E9F1")


@dataclass(frozen=True, slots=True)
class LivesMoment:
    """The title, which rows these are, the days of the run, and how many of them are over."""

    title: str
    rows: str
    days: int
    after_days: int

    def x(self, after_days: float) -> float:
        """Where that time lies."""
        return _LEFT + (_RIGHT - _LEFT) * after_days / self.days


def draw_lives(moment: LivesMoment, lives: Sequence[Life], summary: str) -> Svg:
    """The rows with the day that is shown as a line through them; what is to come is left blank."""
    now = moment.x(moment.after_days)
    pieces = [
        words(16, 30, fit(moment.title, 668, size=16), size=16, bold=True),
        words(16, 52, moment.rows, size=12, fill=MUTED),
        _axis(moment),
        words(_NOW_COLUMN, _TOP - 6, "state on that day", size=12, fill=MUTED),
        *(_row(moment, place, life) for place, life in enumerate(lives)),
        line((now, _TOP - 4), (now, _BOTTOM), stroke=INK, stroke_width=1),
        _key(),
    ]
    return picture("Who moved when", summary, _BOTTOM + 84, *pieces)


def _axis(moment: LivesMoment) -> str:
    pieces = [line((_LEFT, _BOTTOM), (_RIGHT, _BOTTOM), stroke=INK)]
    for day in range(0, moment.days + 1, tick_step(moment.days, 6)):
        x = moment.x(day)
        pieces.append(line((x, _TOP), (x, _BOTTOM + 5), stroke=SHADE, stroke_width=1))
        pieces.append(words(x, _BOTTOM + 22, f"{day}", size=12, anchor="middle", fill=MUTED))
    pieces.append(words(_RIGHT + 24, _BOTTOM + 22, "days", size=12, fill=MUTED))
    return "".join(pieces)


def _row(moment: LivesMoment, place: int, life: Life) -> str:
    y = _TOP + place * _ROW + _ROW / 2 + 2
    states = life.until(moment.after_days)
    ends = [*(since for since, _state in states[1:]), moment.after_days]
    bars = [
        _bar(moment, y, since, until, state)
        for (since, state), until in zip(states, ends, strict=False)  # not made yet: an end only
    ]
    marks = [marker(moment.x(since), y, _MARKS[state], size=5) for since, state in states[1:]]
    name = words(16, y + 4, fit(life.name, _LEFT - 24, size=12), size=12)
    return name + "".join(bars) + _uses(moment, y, life) + "".join(marks) + _state_now(y, states)


def _bar(moment: LivesMoment, y: float, since: float, until: float, state: str) -> str:
    mark = _MARKS[state]
    left, right = moment.x(max(0, since)), moment.x(until)
    return tag(
        "rect",
        x=left,
        y=y - _BAR / 2,
        width=max(0, right - left),
        height=_BAR,
        fill=mark.tint,
        stroke=FAINT if state == "unknown" else mark.colour,
        stroke_width=1,
    )


def _uses(moment: LivesMoment, y: float, life: Life) -> str:
    """A tick above the bar for each use; a diamond for one that found the skill archived.

    Uses closer together than a pixel share a tick.
    """
    places = {round(moment.x(one)) for one in life.used if one <= moment.after_days}
    ticks = "".join(
        line((x, y - _BAR / 2 - 6), (x, y - _BAR / 2), stroke_width=1.5) for x in sorted(places)
    )
    missed = [one for one in life.missed if one <= moment.after_days]
    return ticks + "".join(marker(moment.x(one), y, _MISSED, size=4) for one in missed)


def _state_now(y: float, states: Sequence[tuple[float, str]]) -> str:
    if not states:
        return words(_NOW_COLUMN + 16, y + 4, "not made yet", size=12, fill=MUTED)
    state = states[-1][1]
    return marker(_NOW_COLUMN + 6, y, _MARKS[state], size=5) + words(
        _NOW_COLUMN + 20, y + 4, state, size=12
    )


def _key() -> str:
    y = _BOTTOM + 54
    pieces, x = [], 22.0
    for state, mark in STATE_MARKS.items():
        pieces += [marker(x, y, mark, size=5), words(x + 12, y + 4, f"→ {state}", size=12)]
        x += 100
    pieces += [
        line((x, y - 6), (x, y + 4), stroke_width=1.5),
        words(x + 10, y + 4, "a use", size=12),
        marker(x + 74, y, _MISSED, size=4),
        words(x + 86, y + 4, "needed, but archived", size=12),
    ]
    return "".join(pieces)
