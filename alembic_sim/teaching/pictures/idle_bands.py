"""The three idle bands on a line of time, and where skills' anchors fall on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise, zip_longest

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.palette import FAINT, MUTED, SHADE, STATE_MARKS
from alembic_sim.teaching.probing import EXAMPLE_NOW, Change, Decide, Timeline, idle_words
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    fit,
    line,
    lines_of_words,
    marker,
    picture,
    tag,
    text_width,
    words,
    words_on_paper,
)

_LEFT, _NOW, _INFINITY, _RIGHT = 24.0, 572.0, 640.0, 684.0
_BAND_TOP, _BAND_HEIGHT, _FIRST_ROW, _ROW = 64.0, 62.0, 176.0, 28.0
_LABEL_WIDTH = 150.0


def draw_idle_bands(
    records: Mapping[str, UsageRecord] | None = None,
    *,
    now: int = EXAMPLE_NOW,
    policy: CuratorPolicy | None = None,
    decide: Decide = next_state,
) -> Svg:
    """The bands of an active skill, and one row a record with its anchor and its next state.

    Time runs to the right, so an older anchor lies further left, `anchor ≤ cut-off` means "on it or
    left of it", and a skill that was never used lies right of now, at +∞.
    """
    timeline = Timeline(now, policy or CuratorPolicy(), decide)
    windows = (timeline.policy.stale_after_days, timeline.policy.archive_after_days)
    horizon = 30 * max(2, math.ceil(max(windows) / 18))
    bands = timeline.changes(horizon)
    edges = [_x(band.idle_ms / DAY_MS, horizon) for band in bands[1:]]
    crowded = any(newer - older < _LABEL_WIDTH for newer, older in pairwise(edges))
    rows = list((records or {}).items())
    pieces = [
        *(_band(band, later, horizon) for band, later in zip_longest(bands, bands[1:])),
        *(_edge(before, band, crowded, horizon) for before, band in pairwise(bands)),
        _infinity(),
        *(_thread(place, record, timeline, horizon) for place, (_, record) in enumerate(rows)),
        _scale(horizon),
        *(_row(place, *row, timeline, horizon) for place, row in enumerate(rows)),
    ]
    height = _FIRST_ROW - 8 + _ROW * len(rows)
    summary = _summary(bands, rows, timeline)
    return picture("The three idle bands", summary, height, *pieces)


def _summary(
    bands: tuple[Change, ...], rows: list[tuple[str, UsageRecord]], timeline: Timeline
) -> str:
    told = ", ".join(f"{band.state} from {idle_words(band.idle_ms)}" for band in bands)
    skills = "".join(f" {name}: {_verdict(record, timeline)}." for name, record in rows)
    return f"An active skill by idle time: {told}.{skills}"


def _x(idle_days: float, horizon: int) -> float:
    return _NOW - (_NOW - _LEFT) * idle_days / horizon


def _band(band: Change, later: Change | None, horizon: int) -> str:
    """One band with its name; the oldest one runs on beyond the left edge."""
    newest = _x(band.idle_ms / DAY_MS, horizon)
    oldest = _x(later.idle_ms / DAY_MS, horizon) if later else _LEFT
    mark, middle = STATE_MARKS[band.state], (newest + oldest) / 2
    named = text_width(band.state, size=15) + 30
    pieces = [
        tag(
            "rect",
            x=oldest,
            y=_BAND_TOP,
            width=newest - oldest,
            height=_BAND_HEIGHT,
            fill=mark.tint,
            stroke=mark.colour,
        )
    ]
    if named < newest - oldest:
        y = _BAND_TOP + _BAND_HEIGHT / 2
        pieces += [
            marker(middle - named / 2 + 10, y, mark),
            words(middle - named / 2 + 24, y + 5, band.state, size=15, bold=True),
        ]
    return "".join(pieces)


def _edge(before: Change, band: Change, crowded: bool, horizon: int) -> str:
    """A cut-off: its line, and a point in the shape of the band that owns the very edge."""
    x = _x(band.idle_ms / DAY_MS, horizon)
    name = {"stale": "stale cut-off", "archived": "archive cut-off"}.get(band.state, band.state)
    whole = band.idle_ms % DAY_MS == 0
    label = f"{'at exactly' if whole else 'from'} {idle_words(band.idle_ms)}: {band.state}"
    # Two cut-offs close together turn their labels away from each other.
    anchor = "middle" if not crowded else "start" if before.idle_ms == 0 else "end"
    return (
        line((x, _BAND_TOP - 12), (x, _BAND_TOP + _BAND_HEIGHT + 6), stroke_width=2)
        + words(x, _BAND_TOP - 34, name, size=13, anchor=anchor, bold=True)
        + words(x, _BAND_TOP - 18, label, size=12, anchor=anchor, fill=MUTED)
        + marker(x, _BAND_TOP + _BAND_HEIGHT, STATE_MARKS[band.state], size=5)
    )


def _scale(horizon: int) -> str:
    """The line of time under the bands, labelled in idle days."""
    y = _BAND_TOP + _BAND_HEIGHT
    step = next(days for days in _TICKS if horizon <= 6 * days)
    ticks = "".join(
        line((_x(day, horizon), y), (_x(day, horizon), y + 7))
        + words_on_paper(_x(day, horizon), y + 22, f"{day}", size=12, anchor="middle", fill=MUTED)
        for day in range(step, horizon, step)
        if _x(day, horizon) > _LEFT + 100  # there it says what the numbers are
    )
    return (
        line((_LEFT, y), (_NOW + 10, y), stroke_width=2)
        + arrow((_NOW + 10, y), (_RIGHT, y), stroke_width=2, dashed=True)
        + ticks
        + line((_NOW, y), (_NOW, y + 7))
        + words_on_paper(_NOW, y + 22, "now", size=12, anchor="middle")
        + words_on_paper(_LEFT + 6, y + 22, "← idle days", size=12, fill=MUTED)
    )


_TICKS = (10, 30, 60, 90, 180, 365, *(365 * 2**power for power in range(1, 40)))
"""Round distances between two labels of the scale, in days."""


def _infinity() -> str:
    """The place beyond every instant, where the anchor of a never-used skill lies."""
    x, width = _INFINITY - 34, 78.0
    return (
        box(x, _BAND_TOP, width, _BAND_HEIGHT, fill=SHADE, dashed=True)
        + words(_INFINITY + 5, _BAND_TOP + 24, "+∞", size=18, anchor="middle", bold=True)
        + lines_of_words(
            _INFINITY + 5, _BAND_TOP + 41, ("newer than", "anything"), size=11, anchor="middle"
        )
    )


def _thread(place: int, record: UsageRecord, timeline: Timeline, horizon: int) -> str:
    """The thread on which a record hangs from its place in time."""
    x = _anchor_x(record, timeline, horizon)
    bottom = _FIRST_ROW + place * _ROW - 8
    return line((x, _BAND_TOP + _BAND_HEIGHT), (x, bottom), stroke=FAINT, dashed=True)


def _row(place: int, name: str, record: UsageRecord, timeline: Timeline, horizon: int) -> str:
    """One record: its next state's shape below its anchor, and its verdict in words."""
    x, y = _anchor_x(record, timeline, horizon), _FIRST_ROW + place * _ROW
    on_right = x < (_LEFT + _RIGHT) / 2
    room = (_RIGHT - x if on_right else x - _LEFT) - 14
    text = fit(f"{name}: {_verdict(record, timeline)}", room, size=13)
    side, anchor = (14, "start") if on_right else (-14, "end")
    return marker(x, y, STATE_MARKS[timeline.after(record)]) + words_on_paper(
        x + side, y + 5, text, anchor=anchor
    )


def _anchor_x(record: UsageRecord, timeline: Timeline, horizon: int) -> float:
    if timeline.is_never_old(record):
        return _INFINITY + 10
    idle_days = (timeline.now - record.last_activity_at) / DAY_MS
    return min(max(_x(idle_days, horizon), _LEFT), _NOW + 16)


def _verdict(record: UsageRecord, timeline: Timeline) -> str:
    """Its idle time and what one pass makes of it, e.g. `idle 45 d, active → stale`."""
    if record.last_activity_at > 0:
        idle = f"idle {idle_words(timeline.now - record.last_activity_at)}"
    else:
        idle = "never used"
    after = timeline.after(record)
    moved = after if after == record.state else f"{record.state} → {after}"
    return f"{idle}, {moved}"
