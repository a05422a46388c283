"""The picture of `LibraryChart`: a line for each state, solid up to the day that is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from alembic_sim.sim.figures import DayCount
from alembic_sim.teaching.palette import FAINT, INK, MUTED, SHADE, STATE_MARKS, Mark
from alembic_sim.teaching.svg import (
    Point,
    Svg,
    fit,
    line,
    lines_of_words,
    marker,
    number,
    picture,
    tag,
    words,
    wrap_to,
)

_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 560.0, 62.0, 300.0
_KEY = 584.0
_STEPS = (1, 2, 5, 10, 20, 30, 60, 90, 180, 360, 720)
_SHADED = "shaded: eight of ten libraries of this kind"
_UNKNOWN = Mark("#FFFFFF", "cross", "#FFFFFF")
_MARKS: dict[str, Mark] = {**STATE_MARKS, "unknown": _UNKNOWN}


@dataclass(frozen=True, slots=True)
class StateBand:
    """Where eight of ten libraries are, in skills of one state: (after days, low, high)."""

    state: str
    edges: tuple[tuple[int, float, float], ...]

    def at(self, after_days: int) -> tuple[float, float]:
        """The latest edges that are not in the future; the first ones before that."""
        past = [edge for edge in self.edges if edge[0] <= after_days] or self.edges[:1]
        return past[-1][1:]


@dataclass(frozen=True)
class LibraryMoment:
    """The counts of all days, how many days are over, the passes' days, and two lines of words."""

    counts: tuple[DayCount, ...]
    after_days: int
    pass_days: tuple[int, ...]
    title: str
    said: str
    bands: tuple[StateBand, ...] = ()

    @property
    def shown(self) -> DayCount:
        return self.counts[self.after_days - 1]

    @cached_property
    def states(self) -> list[str]:
        """The states that get a line: `unknown` only where a skill ever was."""
        lost = any(count.unknown for count in self.counts)
        return ["active", "stale", "archived", *(["unknown"] if lost else [])]

    @cached_property
    def most(self) -> int:
        """The highest count of any state on any day, at least 1."""
        counted = [_skills(count, state) for count in self.counts for state in self.states]
        edges = [math.ceil(high) for band in self.bands for _day, _low, high in band.edges]
        return max(1, *counted, *edges)


def draw_library(moment: LibraryMoment, summary: str) -> Svg:
    """The chart with its key at the right: the key's numbers are those of the day shown."""
    said = wrap_to(moment.said, 668, 2, size=13)
    pieces = [
        words(16, 30, fit(moment.title, 668, size=16), size=16, bold=True),
        _axes(moment),
        _passes(moment),
        *(_band(moment, band) for band in moment.bands),
        words(_LEFT + 60, _TOP - 12, _SHADED, size=12, fill=MUTED) if moment.bands else "",
        *(_state_line(moment, state) for state in moment.states),
        _now(moment),
        *(_key(moment, row, state) for row, state in enumerate(moment.states)),
        lines_of_words(16, _BOTTOM + 64, said, size=13, fill=INK),
    ]
    return picture("A library over time", summary, _BOTTOM + 94, *pieces)


def _skills(count: DayCount, state: str) -> int:
    found: int = getattr(count, state)
    return found


def _x(moment: LibraryMoment, after_days: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * after_days / len(moment.counts)


def _y(moment: LibraryMoment, skills: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * skills / moment.most


def tick_step(length: int, most: int) -> int:
    """The distance of an axis's numbers: so that at most `most` of them follow 0."""
    return next((step for step in _STEPS if length <= step * most), -(-length // most))


def _axes(moment: LibraryMoment) -> str:
    days, skills = len(moment.counts), moment.most
    pieces = [line((_LEFT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM), stroke=INK)]
    for count in range(0, skills + 1, tick_step(skills, 5)):
        y = _y(moment, count)
        pieces.append(line((_LEFT, y), (_RIGHT, y), stroke=SHADE, stroke_width=1))
        pieces.append(words(_LEFT - 8, y + 4, f"{count}", size=12, anchor="end", fill=MUTED))
    for day in range(0, days + 1, tick_step(days, 6)):
        pieces.append(
            words(_x(moment, day), _BOTTOM + 22, f"{day}", size=12, anchor="middle", fill=MUTED)
        )
    pieces.append(words(_LEFT - 8, _TOP - 12, "skills", size=12, fill=MUTED))
    pieces.append(words(_RIGHT + 24, _BOTTOM + 22, "days", size=12, fill=MUTED))
    return "".join(pieces)


def _passes(moment: LibraryMoment) -> str:
    """A tick at the axis for each pass, as far as single ticks can be told apart."""
    if len(moment.pass_days) > 120:
        return ""
    ticks = (_x(moment, day) for day in moment.pass_days)
    return "".join(
        line((x, _BOTTOM), (x, _BOTTOM + 6), stroke=MUTED, stroke_width=1) for x in ticks
    )


def _band(moment: LibraryMoment, band: StateBand) -> str:
    """The band of one state over the whole run, edged so that it reads in grey too."""
    high = [(_x(moment, day), _y(moment, high)) for day, _low, high in band.edges]
    low = [(_x(moment, day), _y(moment, low)) for day, low, _high in band.edges]
    around = " ".join(f"{number(x)},{number(y)}" for x, y in [*high, *reversed(low)])
    colour = _MARKS[band.state].colour
    edges = (line(*edge, stroke=colour, stroke_width=1) for edge in (high, low))
    return tag("polygon", points=around, fill=colour, fill_opacity="0.18") + "".join(edges)


def _state_line(moment: LibraryMoment, state: str) -> str:
    """The state's steps: thick so far, thin and dashed afterwards; its shape along the way."""
    now, days = moment.after_days, len(moment.counts)
    mark = _MARKS[state]
    stroke = FAINT if state == "unknown" else mark.colour
    past = line(*_steps(moment, state, 1, now), stroke=stroke, stroke_width=3)
    future = ""
    if now < days:
        future = line(*_steps(moment, state, now, days), stroke=stroke, dashed=True)
    on_the_way = [
        day for day in range(tick_step(days, 6), now, tick_step(days, 6)) if now - day > 4
    ]
    shapes = "".join(
        marker(_x(moment, day), _y(moment, _skills(moment.counts[day - 1], state)), mark, size=4)
        for day in on_the_way
    )
    return future + past + shapes


def _steps(moment: LibraryMoment, state: str, first: int, last: int) -> Sequence[Point]:
    """The corners of the line between two days; a count holds until the next one is taken."""
    counts = [_skills(moment.counts[day - 1], state) for day in range(first, last + 1)]
    points = [(_x(moment, first), _y(moment, counts[0]))]
    for place in range(1, len(counts)):
        if counts[place] != counts[place - 1]:
            x = _x(moment, first + place)
            points += [(x, _y(moment, counts[place - 1])), (x, _y(moment, counts[place]))]
    return [*points, (_x(moment, last), _y(moment, counts[-1]))]


def _now(moment: LibraryMoment) -> str:
    """The day that is shown: a line from top to bottom, and each state's shape on it."""
    x = _x(moment, moment.after_days)
    shapes = (
        marker(x, _y(moment, _skills(moment.shown, state)), _MARKS[state], size=7)
        for state in moment.states
    )
    return line((x, _TOP - 6), (x, _BOTTOM), stroke=INK, stroke_width=1) + "".join(shapes)


def _key(moment: LibraryMoment, row: int, state: str) -> str:
    tall = 62 if moment.bands else 44
    y, mark = _TOP + 14 + row * (tall + 8), _MARKS[state]
    around = [band.at(moment.after_days) for band in moment.bands if band.state == state]
    return (
        tag("rect", x=_KEY, y=y - 18, width=104, height=tall, rx=6, fill=mark.tint)
        + "".join(
            words(_KEY + 8, y + 37, f"band {low:.0f} to {high:.0f}", size=12, fill=MUTED)
            for low, high in around
        )
        + marker(_KEY + 14, y + 4, mark, size=6)
        + words(_KEY + 28, y + 5, f"{_skills(moment.shown, state)}", size=18, bold=True)
        + words(_KEY + 28, y + 20, state, size=12, fill=INK)
    )
