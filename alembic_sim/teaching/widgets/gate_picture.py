"""The picture of `GateDial`: scores on a line, the threshold across it, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.hermes.learning.js_number import js_number
from alembic_sim.teaching.palette import FAINT, GREEN, INK, MUTED, SHADE, VERMILION, Mark
from alembic_sim.teaching.svg import (
    Svg,
    box,
    fit,
    line,
    marker,
    picture,
    tag,
    words,
    words_on_paper,
)

TRUE_MARK = Mark(GREEN, "circle", "#DDF2EB")
FALSE_MARK = Mark(VERMILION, "cross", "#FAE4D8")

_LEFT, _RIGHT, _SPACE, _TALLEST = 40.0, 660.0, 15.0, 7
_LISTED = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """One proposal, whether it is a true lesson, and whether the gate lets it settle."""

    text: str
    score: float
    true: bool
    settles: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """The exact counts of one threshold."""

    true_settles: int
    false_settles: int
    true_lost: int
    false_lost: int

    def precision(self) -> str:
        """Of what settles, how much is true: `6/7 = 0.86`."""
        return _share(self.true_settles, self.true_settles + self.false_settles, "nothing settles")

    def recall(self) -> str:
        """Of what is true, how much settles."""
        return _share(self.true_settles, self.true_settles + self.true_lost, "nothing is true")


def tally(judged: Sequence[Judgement]) -> Tally:
    """Counted one by one."""

    def count(true: bool, settles: bool) -> int:
        return sum(one.true is true and one.settles is settles for one in judged)

    return Tally(count(True, True), count(False, True), count(True, False), count(False, False))


def _share(part: int, whole: int, none: str) -> str:
    return f"{part}/{whole} = {part / whole:.2f}" if whole else f"no value: {none}"


def draw_gate_dial(judged: Sequence[Judgement], threshold: float, summary: str) -> Svg:
    """True lessons above the line, false ones below; right of the threshold it settles."""
    columns = _columns(judged)
    above = min(_TALLEST, max([0, *(sum(one.true for one in column) for column in columns)]))
    below = min(_TALLEST, max([0, *(sum(not one.true for one in column) for column in columns)]))
    axis = 66 + above * _SPACE
    bottom = axis + 26 + below * _SPACE
    pieces = [
        _settling(threshold, 36, bottom),
        _threshold(threshold, bottom),
        _scale(axis),
        *(_column(column, axis) for column in columns),
        _table(tally(judged), bottom + 34),
        _list(judged, bottom + 34),
    ]
    return picture("The gate's threshold", summary, bottom + 172, *pieces)


def _x(score: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * score


def _columns(judged: Sequence[Judgement]) -> list[list[Judgement]]:
    """Those whose marks would touch, together: they are piled up."""
    columns: list[list[Judgement]] = []
    for one in sorted(judged, key=lambda one: (one.score, not one.true, one.text)):
        if columns and _x(one.score) - _x(columns[-1][0].score) < 13:
            columns[-1].append(one)
        else:
            columns.append([one])
    return columns


def _column(column: Sequence[Judgement], axis: float) -> str:
    pieces = []
    for true, step, first in ((True, -_SPACE, axis - 14), (False, _SPACE, axis + 34)):
        piled = [one for one in column if one.true is true]
        for place, one in enumerate(piled[:_TALLEST]):
            y = first + place * step
            if place == _TALLEST - 1 and len(piled) > _TALLEST:
                more = f"+{len(piled) - _TALLEST + 1}"
                pieces.append(words(_x(one.score), y + 4, more, size=12, anchor="middle"))
            else:
                pieces.append(marker(_x(one.score), y, TRUE_MARK if true else FALSE_MARK, size=6))
    return "".join(pieces)


def _settling(threshold: float, top: float, bottom: float) -> str:
    """The ground on which a lesson settles."""
    x, right = _x(threshold), _RIGHT + 16
    return tag("rect", x=x, y=top, width=right - x, height=bottom - top, fill=SHADE)


def _scale(axis: float) -> str:
    ticks = "".join(
        line((_x(tenth / 10), axis), (_x(tenth / 10), axis + 5))
        + words(_x(tenth / 10), axis + 18, f"{tenth / 10:g}", size=11, anchor="middle", fill=MUTED)
        for tenth in range(0, 11, 2)
    )
    return line((_x(0), axis), (_x(1), axis)) + ticks


def _threshold(threshold: float, bottom: float) -> str:
    x = _x(threshold)
    left = (
        words(x - 10, 54, "← lost", size=12, anchor="end", fill=MUTED) if threshold > 0.09 else ""
    )
    right = words(x + 10, 54, "settles →", size=12, fill=MUTED) if threshold < 0.94 else ""
    label = f"threshold {js_number(threshold)}: that and above"
    anchor = "start" if threshold < 0.15 else "end" if threshold > 0.85 else "middle"
    return (
        line((x, 34), (x, bottom), stroke_width=2.5)
        + words_on_paper(x, 24, label, size=14, anchor=anchor)
        + left
        + right
    )


def _table(counts: Tally, y: float) -> str:
    """The four counts, and the two shares made of them."""
    rows = (
        (TRUE_MARK, "true lessons", counts.true_settles, counts.true_lost),
        (FALSE_MARK, "false lessons", counts.false_settles, counts.false_lost),
    )
    pieces = [
        words(170, y, "settle", size=12, anchor="middle", fill=MUTED),
        words(228, y, "lost", size=12, anchor="middle", fill=MUTED),
    ]
    for place, (mark, name, settle, lost) in enumerate(rows):
        middle = y + 26 + place * 30
        pieces += [
            marker(30, middle - 5, mark, size=6),
            words(44, middle, name, size=13),
            box(144, middle - 19, 52, 26, fill=SHADE, stroke=FAINT, stroke_width=1, rounding=4),
            box(202, middle - 19, 52, 26, stroke=FAINT, stroke_width=1, rounding=4),
            words(170, middle, f"{settle}", size=16, anchor="middle", bold=True),
            words(228, middle, f"{lost}", size=16, anchor="middle"),
        ]
    return "".join(
        [
            *pieces,
            words(24, y + 90, f"Precision: {counts.precision()}", size=14, bold=True),
            words(24, y + 112, f"Recall: {counts.recall()}", size=14, bold=True),
        ]
    )


def _list(judged: Sequence[Judgement], y: float) -> str:
    """The two kinds of mistake, by name: what hardens in memory, what is never learnt."""
    by_score = sorted(judged, key=lambda one: (-one.score, one.text))
    false = [one for one in by_score if one.settles and not one.true]
    lost = [one for one in by_score if one.true and not one.settles]
    return _named(y, FALSE_MARK, "False, and settles", false) + _named(
        y + 74, TRUE_MARK, "True, and lost", lost
    )


def _named(y: float, mark: Mark, title: str, some: Sequence[Judgement]) -> str:
    x = 296.0
    told = [f"{js_number(one.score)}  {one.text}" for one in some]
    if len(told) > _LISTED:
        told = [*told[: _LISTED - 1], f"and {len(told) - _LISTED + 1} more"]
    pieces = [
        marker(x + 6, y - 4, mark, size=6),
        words(x + 20, y, f"{title}: {len(some) or 'none'}", size=13, bold=True, fill=INK),
    ]
    pieces += [
        words(x + 20, y + 18 + 16 * row, fit(text, 360), size=12) for row, text in enumerate(told)
    ]
    return "".join(pieces)
