"""The three idle bands on a line of time, and where skills' anchors fall on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.palette import FAINT, INK, MUTED, SHADE, STATE_MARKS
from alembic_sim.teaching.probing import EXAMPLE_NOW, Change, Decide, Timeline, idle_words
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    line,
    marker,
    picture,
    shorten,
    tag,
    text_width,
    words,
)

_LEFT, _NOW, _INFINITY, _RIGHT = 24.0, 572.0, 640.0, 684.0
_BAND_TOP, _BAND_HEIGHT, _FIRST_ROW, _ROW = 64.0, 62.0, 186.0, 28.0


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
    rows = list((records or {}).items())
    pieces = [
        *(_band(band, later, horizon) for band, later in pairwise((*bands, None)) if band),
        *(_edge(before, band, horizon) for before, band in pairwise(bands)),
        _scale(horizon),
        *(_row(place, name, record, timeline, horizon) for place, (name, record) in enumerate(rows)),
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


def _edge(before: Change, band: Change, horizon: int) -> str:
    """A cut-off: its line, and a point in the shape of the band that owns the very edge."""
    x = _x(band.idle_ms / DAY_MS, horizon)
    name = {"stale": "stale cut-off", "archived": "archive cut-off"}.get(band.state, band.state)
    label = f"{idle_words(band.idle_ms)} exactly: {band.state}"
    return (
        line((x, _BAND_TOP - 12), (x, _BAND_TOP + _BAND_HEIGHT + 6), stroke_width=2)
        + words(x, _BAND_TOP - 34, name, size=13, anchor="middle", bold=True)
        + words(x, _BAND_TOP - 18, label, size=12, anchor="middle", fill=MUTED)
        + marker(x, _BAND_TOP + _BAND_HEIGHT, STATE_MARKS[band.state], size=5)
    )


def _scale(horizon: int) -> str:
    """The line of time under the bands, labelled in idle days, and +∞ beyond a gap."""
    y = _BAND_TOP + _BAND_HEIGHT
    step = 30 * max(1, round(horizon / 180))
    ticks = "".join(
        line((_x(day, horizon), y), (_x(day, horizon), y + 7))
        + words(_x(day, horizon), y + 22, f"{day}", size=12, anchor="middle", fill=MUTED)
        for day in range(step, horizon, step)
    )
    beyond = box(
        _INFINITY - 24, _BAND_TOP, _RIGHT - _INFINITY + 24, _BAND_HEIGHT, fill=SHADE, dashed=True
    )
    return (
        line((_LEFT, y), (_NOW + 10, y), stroke_width=2)
        + arrow((_NOW + 10, y), (_RIGHT, y), stroke_width=2, dashed=True)
        + line((_NOW, y), (_NOW, y + 7))
        + words(_NOW, y + 22, "now", size=12, anchor="middle", bold=True)
        + words(_LEFT, y + 40, "← older: idle days", size=12, fill=MUTED)
        + beyond
        + words(_INFINITY + 10, _BAND_TOP + 38, "+∞", size=20, anchor="middle", bold=True)
        + words(_RIGHT, _BAND_TOP - 18, "newer than anything", size=12, anchor="end", fill=MUTED)
        + words(_RIGHT, y + 40, "newer →", size=12, anchor="end", fill=MUTED)
    )


def _row(
    place: int, name: str, record: UsageRecord, timeline: Timeline, horizon: int
) -> str:
    """One record: a thread down from the line of time, its next state's shape, its name."""
    x, y = _anchor_x(record, timeline, horizon), _FIRST_ROW + place * _ROW
    label = f"{name}: {_verdict(record, timeline)}"
    on_right = x < (_LEFT + _RIGHT) / 2
    room = _RIGHT - x - 16 if on_right else x - _LEFT - 16
    text = shorten(label, room, size=13)
    return (
        line((x, _BAND_TOP + _BAND_HEIGHT), (x, y - 8), stroke=FAINT, dashed=True)
        + marker(x, y, STATE_MARKS[timeline.after(record)])
        + words(
            x + 14 if on_right else x - 14,
            y + 5,
            text,
            size=13,
            anchor="start" if on_right else "end",
            fill=INK,
        )
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
