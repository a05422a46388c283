"""The picture of `IdleTimeline`: one skill's anchor on a ruler of fixed length, and the verdict.

The ruler never changes its scale, so that only what the learner moves is seen to move.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.palette import FAINT, INK, MUTED, SHADE, STATE_MARKS, TAKEN
from alembic_sim.teaching.pictures.next_state_flow import Path
from alembic_sim.teaching.probing import Change, Timeline
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    line,
    lines_of_words,
    marker,
    picture,
    polygon,
    tag,
    text_width,
    words,
    words_on_paper,
    wrap,
)

MAX_IDLE_DAYS = 150
"""The length of the ruler."""

_LEFT, _NOW, _INFINITY, _RIGHT = 24.0, 574.0, 645.0, 684.0
_TOP, _HEIGHT = 44.0, 54.0
_AXIS = _TOP + _HEIGHT
_PANEL, _ROW = 184.0, 29.0
_TEST_LABELS: dict[SkillState, str] = {
    "archived": "archive",
    "stale": "stale",
    "active": "used again",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One skill judged once: the record, who judged it, the path taken, the reason in words."""

    record: UsageRecord
    timeline: Timeline
    path: Path
    reason: str


def draw_idle_ruler(judged: Judged, summary: str) -> Svg:
    """The bands with the two cut-offs and the anchor; below them the state, tests and reason."""
    bands = judged.timeline.changes(MAX_IDLE_DAYS)
    pieces = [
        *(_band(band, later) for band, later in zip_longest(bands, bands[1:])),
        box(_INFINITY - 36, _TOP, 76, _HEIGHT, fill=SHADE, dashed=True),
        *_cutoffs(judged.timeline),
        _stem(judged),
        *(_band_name(band, later) for band, later in zip_longest(bands, bands[1:])),
        _infinity(),
        _scale(),
        _anchor(judged),
        _answer(judged),
        _branches(judged.path),
        _reason(judged.reason),
    ]
    return picture("Idle timeline", summary, 306, *pieces)


def _x(idle_days: float) -> float:
    return _NOW - (_NOW - _LEFT) * idle_days / MAX_IDLE_DAYS


def _span(band: Change, later: Change | None) -> tuple[float, float]:
    """From where to where a band reaches; the oldest runs on beyond the left edge."""
    return (_x(later.idle_ms / DAY_MS) if later else _LEFT), _x(band.idle_ms / DAY_MS)


def _band(band: Change, later: Change | None) -> str:
    """What an active skill becomes, by idle time."""
    left, right = _span(band, later)
    mark = STATE_MARKS[band.state]
    width = right - left
    return tag(
        "rect", x=left, y=_TOP, width=width, height=_HEIGHT, fill=mark.tint, stroke=mark.colour
    )


def _band_name(band: Change, later: Change | None) -> str:
    """The band's name where there is room for it, on a strip that no line strikes through."""
    left, right = _span(band, later)
    mark, named = STATE_MARKS[band.state], text_width(band.state, size=13) + 26
    if named > right - left - 8:
        return ""
    start, y = (left + right - named) / 2, _TOP + 17
    return (
        tag("rect", x=start, y=y - 12, width=named, height=16, fill=mark.tint)
        + marker(start + 8, y - 4, mark, size=5)
        + words(start + 20, y, band.state, size=13)
    )


def _infinity() -> str:
    middle = _INFINITY + 2
    return (
        words(middle, _TOP + 17, "+∞", size=15, anchor="middle", bold=True)
        + words_on_paper(middle, _AXIS + 20, "newer than", size=12, anchor="middle", fill=MUTED)
        + words_on_paper(middle, _AXIS + 35, "any cut-off", size=12, anchor="middle", fill=MUTED)
    )


def _scale() -> str:
    ticks = "".join(
        line((_x(day), _AXIS), (_x(day), _AXIS + 6))
        + words_on_paper(_x(day), _AXIS + 20, f"{day}", size=12, anchor="middle", fill=MUTED)
        for day in range(30, MAX_IDLE_DAYS, 30)
    )
    return (
        line((_LEFT, _AXIS), (_NOW, _AXIS), stroke_width=2)
        + ticks
        + words_on_paper(_NOW, _AXIS + 20, "now", size=12, anchor="middle")
        + words_on_paper(_LEFT + 3, _AXIS + 20, "← idle days", size=12, fill=MUTED)
    )


def _cutoffs(timeline: Timeline) -> list[str]:
    """The two cut-offs as handles above the ruler; close together they turn away from each other.

    A smaller window lies further right.
    """
    windows = {
        "archived": timeline.policy.archive_after_days,
        "stale": timeline.policy.stale_after_days,
    }
    right, left = sorted(windows, key=lambda name: (windows[name], name != "stale"))
    return [
        _cutoff(
            left, windows[left], "end" if windows[left] < MAX_IDLE_DAYS * 0.75 else "start", 16
        ),
        _cutoff(right, windows[right], "start", 32),
    ]


def _cutoff(name: str, days: float, anchor: str, y: float) -> str:
    x, mark = _x(days), STATE_MARKS[name]
    label = f"{'archive' if name == 'archived' else 'stale'} cut-off: {days:g} d"
    aside = x + 12 if anchor == "start" else x - 12
    handle = polygon(
        (x - 6, y - 10), (x + 6, y - 10), (x + 6, y - 3), (x, y + 4), (x - 6, y - 3),
        fill=mark.colour, stroke=INK, stroke_width=1,
    )  # fmt: skip
    return (
        line((x, y), (x, _AXIS + 6), stroke_width=2)
        + handle
        + words_on_paper(aside, y, label, size=12, anchor=anchor)
    )


def _anchor_x(judged: Judged) -> float:
    if judged.record.last_activity_at == 0:
        return _INFINITY + 2
    return _x((judged.timeline.now - judged.record.last_activity_at) / DAY_MS)


def _stem(judged: Judged) -> str:
    """From the anchor's mark down to its label; at +∞ other words stand between the two."""
    if judged.record.last_activity_at == 0:
        return ""
    x = _anchor_x(judged)
    return line((x, _TOP + 36), (x, _AXIS + 42), stroke_width=2)


def _anchor(judged: Judged) -> str:
    """The skill: its next state's shape where its anchor lies, with what it stands for."""
    days = (judged.timeline.now - judged.record.last_activity_at) / DAY_MS
    never = judged.record.last_activity_at == 0
    label = "anchor: never used" if never else f"anchor: idle {days:g} d"
    x, half = _anchor_x(judged), text_width(label, size=14) / 2
    middle = min(max(x, _LEFT + half), _RIGHT - half)
    return marker(x, _TOP + 36, STATE_MARKS[judged.path.answer], size=9) + words_on_paper(
        middle, _AXIS + 56, label, size=14, anchor="middle"
    )


def _heading(x: float, text: str) -> str:
    return words(x, _PANEL + 8, text, size=12, fill=MUTED)


def _answer(judged: Judged) -> str:
    """The state before and after one pass."""
    before, after = judged.record.state, judged.path.answer
    y = _PANEL + 44
    if before == after:
        drawn = _state(_LEFT, y, after)
        return _heading(_LEFT, "One pass leaves it") + drawn
    return (
        _heading(_LEFT, "One pass makes it")
        + _state(_LEFT, y, before)
        + arrow((_LEFT + 60, y + 18), (_LEFT + 60, y + 34), stroke=TAKEN, stroke_width=2)
        + _state(_LEFT, y + 54, after)
    )


def _state(x: float, y: float, state: SkillState) -> str:
    mark = STATE_MARKS[state]
    return (
        box(x, y - 17, 128, 34, fill=mark.tint, stroke=mark.colour, rounding=17)
        + marker(x + 22, y, mark)
        + words(x + 40, y + 5, state, size=15, bold=True)
    )


def _branches(path: Path) -> str:
    """The tests in order: what each said, and which was not asked."""
    x = 196.0
    rows = []
    for place, test in enumerate(path.order):
        y = _PANEL + 34 + place * _ROW
        asked, yes = place <= path.noes, place == path.yes
        said = "yes" if yes else "no" if asked else "not asked"
        ink = INK if asked else MUTED
        rows.append(
            box(
                x,
                y - 17,
                206,
                24,
                fill=SHADE if yes else "none",
                stroke=TAKEN if yes else FAINT,
                stroke_width=3 if yes else 1,
                dashed=not asked,
                rounding=6,
            )
            + words(x + 10, y, f"{place + 1}  {_TEST_LABELS[test]}?", size=13, bold=yes, fill=ink)
            + words(x + 196, y, said, size=13, anchor="end", bold=yes, fill=ink)
        )
    return _heading(x, "The tests, in order") + "".join(rows)


def _reason(reason: str) -> str:
    lines = wrap(reason, 236, size=15)
    return _heading(440, "The reason") + lines_of_words(440, _PANEL + 34, lines, size=15, fill=INK)
