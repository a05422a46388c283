"""Propose, gate, apply, with the three buckets of one real learning step."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.hermes.learning.types import LearnError, LearnOutcome, ReviewProposal
from alembic_sim.hermes.memory.operations import Add, Remove, Replace
from alembic_sim.teaching.palette import BUCKET_MARKS, INK, MUTED, SHADE
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    fit,
    lines_of_words,
    marker,
    picture,
    text_width,
    words,
    words_on_paper,
    wrap_to,
)

SHOWN_PER_BUCKET = 2
"""How many entries of a bucket are written out; the others are counted."""

_LEFT, _WIDTH, _RIGHT, _BUCKET = 16.0, 214.0, 308.0, 376.0
_TOP, _HEIGHT, _STEP = 18.0, 70.0, 118.0
_MOST_LINES = {"rejected": 4, "failed": 4, "applied": 2}

Entry = tuple[str, str]
"""What a bucket holds: the proposed text, and the reason given (empty if applied)."""


def draw_gate_pipeline(learnt: LearnOutcome | LearnError | None = None) -> Svg:
    """The stations of the kernel and what lies in each bucket; without an outcome, the plan alone.

    An error shows its `partial` buckets, and at the first station why the step stopped.
    """
    outcome = learnt.partial if isinstance(learnt, LearnError) else learnt
    stopped = learnt if isinstance(learnt, LearnError) else None
    pieces = [
        _station(0, "Propose", ("a list of raw proposals,", "untrusted until validated")),
        _station(1, "Gate", ("one verdict a proposal:", "approved, or why not")),
        _station(2, "Apply", ("the store writes it,", "or says why it cannot")),
        _stop(stopped),
        _filled(_RIGHT, _TOP + _STEP - 4, _BUCKET, "rejected", _entries(outcome, "rejected")),
        _filled(_RIGHT, _TOP + 2 * _STEP - 4, _BUCKET, "failed", _entries(outcome, "failed")),
        _filled(_LEFT, _TOP + 3 * _STEP, 668, "applied", _entries(outcome, "applied")),
    ]
    return picture("Propose, gate, apply", _summary(outcome, stopped), 464, *pieces)


def _summary(outcome: LearnOutcome | None, stopped: LearnError | None) -> str:
    if outcome is None:
        return (
            "Raw proposals are validated, then the gate decides on each one: no means rejected. "
            "Approved ones go to the store: what it cannot write is failed, the rest is applied. "
            "An invalid proposal or a broken gate stops the whole step."
        )
    counts = ", ".join(f"{len(getattr(outcome, bucket))} {bucket}" for bucket in BUCKET_MARKS)
    if stopped is None:
        return f"One learning step: {counts}."
    left = len(stopped.remaining)
    return f"A learning step that stopped ({stopped.code}): {counts}, {left} not decided."


def _entries(outcome: LearnOutcome | None, bucket: str) -> Sequence[Entry] | None:
    if outcome is None:
        return None
    if bucket == "applied":
        return [(_told(proposal), "") for proposal in outcome.applied]
    return [(_told(one.proposal), one.reason) for one in getattr(outcome, bucket)]


def _told(proposal: ReviewProposal) -> str:
    """What was proposed, on one line."""
    match proposal.op:
        case Add(content):
            return content
        case Replace(old_text, content):
            return f"{old_text} → {content}"
        case Remove(old_text):
            return f"remove {old_text}"


def _station(place: int, name: str, what: Sequence[str]) -> str:
    y = _TOP + place * _STEP
    middle, bottom, right = y + _HEIGHT / 2, y + _HEIGHT, _LEFT + _WIDTH
    onward, aside = (("valid", "bad"), ("yes", "no"), ("written", "no"))[place]
    return (
        box(_LEFT, y, _WIDTH, _HEIGHT, fill=SHADE)
        + words(_LEFT + 14, y + 25, name, size=16, bold=True)
        + lines_of_words(_LEFT + 14, y + 44, what, size=12, fill=INK)
        + arrow((_LEFT + 60, bottom + 2), (_LEFT + 60, y + _STEP - 3), stroke_width=2)
        + words_on_paper(_LEFT + 72, bottom + 21, onward, size=12)
        + arrow((right + 2, middle), (_RIGHT - 3, middle), dashed=True)
        + words_on_paper(right + 20, middle + 5, aside, size=12)
    )


def _stop(stopped: LearnError | None) -> str:
    """The way out at the first station: the whole step fails closed."""
    y = _TOP
    said = (
        [f"Err({stopped.code}): the whole step stops", stopped.message]
        if stopped
        else ["Err: the whole step stops", "nothing after it is decided; partial says what was"]
    )
    return (
        box(_RIGHT, y, _BUCKET, _HEIGHT, dashed=stopped is None)
        + words(_RIGHT + 14, y + 26, fit(said[0], _BUCKET - 28, size=14), bold=True)
        + words(_RIGHT + 14, y + 46, fit(said[1], _BUCKET - 28), size=12, fill=MUTED)
    )


def _filled(x: float, y: float, width: float, name: str, entries: Sequence[Entry] | None) -> str:
    """A bucket: its mark, its count, the first entries with their reasons."""
    mark, (why, kept), most = BUCKET_MARKS[name], _SAID[name], _MOST_LINES[name]
    frame = (
        box(x, y, width, 47 + most * 15.6, fill=mark.tint, stroke=mark.colour)
        + marker(x + 20, y + 21, mark)
        + words(x + 36, y + 26, name, size=15, bold=True)
        + words(x + 112, y + 26, why, size=12, fill=MUTED)
    )
    if entries is None:
        return frame + words(x + 14, y + 56, kept, size=12)
    count = f"{len(entries)}"
    return (
        frame
        + words(x + width - 14, y + 28, count, size=20, anchor="end", bold=True)
        + lines_of_words(x + 14, y + 49, _first(entries, width - 28, most), size=12, fill=INK)
    )


_SAID = {
    "rejected": ("the gate said no", "kept with the gate's reason; the step goes on"),
    "failed": (
        "the gate said yes, the store could not",
        "kept with the store's reason; the step goes on",
    ),
    "applied": ("durable now, visible next session", "an entry that was there already counts too"),
}
"""Of each bucket: why something lands in it, and what is kept."""


def _first(entries: Sequence[Entry], width: float, most: int) -> list[str]:
    """The first entries in at most `most` lines, with room for the reason beside a long text.

    A single one has half of the lines for its text, and half for the reason.
    """
    half = most // SHOWN_PER_BUCKET
    if len(entries) == 1:
        text, reason = entries[0]
        lines = wrap_to(f"“{text}”", width, half if reason else most)
        return [*lines, *wrap_to(reason, width, half)]
    more = len(entries) - SHOWN_PER_BUCKET
    tails = [""] * (SHOWN_PER_BUCKET - 1) + [f" (and {more} more)" if more > 0 else ""]
    shown: list[str] = []
    for (text, reason), tail in zip(entries, tails, strict=False):
        room = width - text_width(tail, size=12)
        told = f"“{fit(text, room * 0.9)}”" + (f": {reason}" if reason else "")
        lines = wrap_to(told, room, half)
        shown += [*lines[:-1], lines[-1] + tail]
    return shown
