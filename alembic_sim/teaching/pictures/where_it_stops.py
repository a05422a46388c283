"""Where learning steps ended: which station stopped each, and what got through to the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.learning.types import LearnError, LearnOutcome
from alembic_sim.result import Result
from alembic_sim.teaching.palette import BLUE, BUCKET_MARKS, FAINT, INK, MUTED, ORANGE, Mark
from alembic_sim.teaching.svg import (
    Svg,
    box,
    lines_of_words,
    marker,
    picture,
    words,
    wrap,
)

_STOP, _QUIET = Mark(ORANGE, "triangle", "#FCF0D4"), Mark(BLUE, "square", "#D9EAF5")


@dataclass(frozen=True, slots=True)
class _Station:
    """A place where a step can end: its name, what it asks, how it is marked."""

    name: str
    asks: str
    mark: Mark


STATIONS: dict[str, _Station] = {
    "proposer-error": _Station("Err, proposer", "no reply, or no JSON array", _STOP),
    "invalid-proposal": _Station("Err, proposal", "a bad shape", _STOP),
    "gate-error": _Station("Err, gate", "it could not judge", _STOP),
    "nothing": _Station("Ok, quiet", "the empty array", _QUIET),
    "rejected": _Station("Ok, rejected", "the gate said no", BUCKET_MARKS["rejected"]),
    "failed": _Station("Ok, failed", "the store said no", BUCKET_MARKS["failed"]),
    "applied": _Station("Ok, applied", "it is on disk", BUCKET_MARKS["applied"]),
}
"""In the order in which a reply meets them."""

_LEFT, _NAMES, _ROOM, _SIZE = 16.0, 236.0, 400.0, 12.0


def where_it_stopped(step: Result[LearnOutcome, LearnError]) -> str:
    """The last station that the step reached: a key of `STATIONS`."""
    if not step.ok:
        return step.error.code if step.error.code in STATIONS else "proposer-error"
    for bucket in ("applied", "failed", "rejected"):
        if getattr(step.value, bucket):
            return bucket
    return "nothing"


def draw_where_it_stops(steps: Mapping[str, Result[LearnOutcome, LearnError]]) -> Svg:
    """The named steps, each at the station where it ended; a station without any stays pale."""
    ended: dict[str, list[str]] = {key: [] for key in STATIONS}
    for name, step in steps.items():
        ended[where_it_stopped(step)].append(name)
    pieces, y = [], 16.0
    for key, names in ended.items():
        lines = wrap(", ".join(names), _ROOM, size=_SIZE) or ("none",)
        height = max(44.0, 20 + len(lines) * _SIZE * 1.3)
        pieces.append(_row(y, height, STATIONS[key], len(names), lines))
        y += height + 6
    counts = ", ".join(f"{len(names)} {key}" for key, names in ended.items() if names)
    summary = f"{len(steps)} steps ended: {counts or 'none'}."
    return picture("Where each step ends", summary, y + 10, *pieces)


def _row(y: float, height: float, station: _Station, count: int, lines: Sequence[str]) -> str:
    some = count > 0
    return (
        box(_LEFT, y, 668, height, fill=station.mark.tint if some else "none",
            stroke=station.mark.colour if some else FAINT, stroke_width=1.5 if some else 1,
            dashed=not some)
        + marker(_LEFT + 18, y + 22, station.mark, size=6)
        + words(_LEFT + 34, y + 19, station.name, size=14, bold=some, fill=INK if some else MUTED)
        + words(_LEFT + 34, y + 35, station.asks, size=11, fill=MUTED)
        + lines_of_words(_NAMES, y + 25, lines, size=_SIZE, fill=INK if some else MUTED)
        + words(672, y + 28, f"{count}", size=18, anchor="end", bold=some,
                fill=INK if some else MUTED)
    )  # fmt: skip
