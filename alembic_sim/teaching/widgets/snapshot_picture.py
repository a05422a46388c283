"""The picture of `SnapshotView`: three columns of the same entries, the prompt's one frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.teaching.palette import BLUE, FAINT, GREEN, INK, MUTED, ORANGE, PAPER, SHADE, Mark
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    fit,
    lines_of_words,
    marker,
    picture,
    tag,
    words,
    wrap_to,
)

_LEFT, _COLUMN, _GAP, _TOP, _ROW = 16.0, 208.0, 22.0, 74.0, 40.0
MOST_ROWS, MOST_SESSIONS = 6, 7
FROZEN, DURABLE, LIVE = (
    Mark(BLUE, "square", "#D9EAF5"),
    Mark(GREEN, "circle", "#DDF2EB"),
    Mark(ORANGE, "diamond", "#FCF0D4"),
)


@dataclass(frozen=True, slots=True)
class SnapshotMoment:
    """One moment of a session: the three views of memory, and what was done last.

    `written` counts the writes of each session so far.
    """

    written: tuple[int, ...]
    prompt: tuple[str, ...]
    disk: tuple[str, ...]
    live: tuple[str, ...]
    behind: int
    said: str


def draw_snapshot(moment: SnapshotMoment, notes: int, summary: str) -> Svg:
    """Sessions above, the three columns below, the last event at the bottom."""
    rows = min(max(notes, 2), MOST_ROWS)
    bottom = _TOP + 52 + rows * _ROW
    pieces = [
        _sessions(moment.written),
        _column(0, FROZEN, "Prompt", "frozen for the session", moment.prompt, rows),
        _column(1, DURABLE, "Disk", "durable at once", moment.disk, rows),
        _column(2, LIVE, "Live entries", "what the store answers", moment.live, rows),
        _missing(moment, rows),
        _behind(moment, bottom + 12),
        words(_LEFT, bottom + 72, fit(moment.said, 668, size=13), size=13),
    ]
    return picture("Prompt, disk and live entries", summary, bottom + 86, *pieces)


def _x(column: int) -> float:
    return _LEFT + column * (_COLUMN + _GAP)


def _sessions(written: Sequence[int]) -> str:
    """The sessions so far, the newest at the right end where there are many."""
    first = max(0, len(written) - MOST_SESSIONS)
    pieces = []
    for place, count in enumerate(written[first:]):
        number = first + place + 1
        now = number == len(written)
        x = _LEFT + place * 94
        pieces.append(
            box(x, 14, 84, 40, fill=SHADE if now else PAPER, stroke=INK if now else FAINT,
                stroke_width=2.5 if now else 1)
            + words(x + 42, 31, f"session {number}", size=12, anchor="middle", bold=now)
            + words(x + 42, 46, f"{count} written", size=11, anchor="middle", fill=MUTED)
        )  # fmt: skip
        if number > first + 1:
            pieces.append(arrow((x - 9, 34), (x - 1, 34), stroke=FAINT, stroke_width=1))
    return "".join(pieces)


def _column(
    column: int, mark: Mark, title: str, about: str, entries: Sequence[str], rows: int
) -> str:
    x, hidden = _x(column), max(0, len(entries) - rows)
    frame = (
        box(x, _TOP, _COLUMN, 52 + rows * _ROW, fill=mark.tint, stroke=mark.colour)
        + marker(x + 18, _TOP + 20, mark, size=6)
        + words(x + 34, _TOP + 25, title, size=15, bold=True)
        + words(x + 14, _TOP + 42, about, size=12, fill=MUTED)
        + words(x + _COLUMN - 14, _TOP + 27, f"{len(entries)}", size=20, anchor="end", bold=True)
    )
    return frame + "".join(_entry(x, row, text) for row, text in enumerate(entries[hidden:]))


def _entry(x: float, row: int, text: str) -> str:
    y, lines = _TOP + 50 + row * _ROW, wrap_to(text, _COLUMN - 30, 2)
    return box(
        x + 8, y, _COLUMN - 16, _ROW - 6, stroke=FAINT, stroke_width=1, rounding=4
    ) + lines_of_words(x + 16, y + (22 if len(lines) < 2 else 14), lines, size=12, fill=INK)


def _missing(moment: SnapshotMoment, rows: int) -> str:
    """In the prompt's column, empty places for what the next session will see."""
    unseen = len([entry for entry in moment.disk if entry not in moment.prompt])
    first = min(len(moment.prompt), rows)
    x = _x(0)
    return "".join(
        box(x + 8, _TOP + 50 + row * _ROW, _COLUMN - 16, _ROW - 6, stroke=FAINT, stroke_width=1,
            fill="none", dashed=True, rounding=4)
        + words(x + 16, _TOP + 72 + row * _ROW, "not before the next session", size=12, fill=MUTED)
        for row in range(first, min(first + unseen, rows))
    )  # fmt: skip


def _behind(moment: SnapshotMoment, y: float) -> str:
    """How many writes of this session the prompt does not know of."""
    count = moment.behind
    text = (
        "the prompt is up to date"
        if count == 0
        else "writes of this session that the prompt does not know of"
    )
    return (
        tag("rect", x=_LEFT, y=y, width=668, height=34, rx=6, fill=SHADE)
        + words(_LEFT + 14, y + 22, f"behind: {count}", size=15, bold=True)
        + words(_LEFT + 110, y + 22, text, size=13, fill=MUTED)
    )
