"""The closed loop on one sheet: a finished session makes the next one smarter, through a gate."""

from __future__ import annotations

from alembic_sim.hermes.learning.gate import DEFAULT_REVIEW_SCORE_THRESHOLD
from alembic_sim.teaching.palette import BUCKET_MARKS, GREEN, INK, MUTED, SHADE
from alembic_sim.teaching.svg import Svg, arrow, box, lines_of_words, marker, picture, words

STEPS = (
    ("Session", ("the agent works,", "a summary remains")),
    ("Propose", ("a reviewer names", "what may be kept")),
    ("Gate", ("approves a score of", "at least {threshold}")),
    ("Apply", ("the store writes it,", "durable at once")),
)
"""The stations of the loop in order, each with what happens there."""

_LEFT, _TOP, _WIDTH, _HEIGHT, _STEP = 16.0, 40.0, 148.0, 84.0, 173.0


def draw_closed_loop(threshold: float = DEFAULT_REVIEW_SCORE_THRESHOLD) -> Svg:
    """Session, propose, gate, apply, and the way back into the next session's prompt."""
    summary = (
        "The closed loop: a session leaves a summary; a reviewer proposes; the gate approves a "
        f"score of at least {threshold:g}; the store applies, or fails to; what was applied "
        "settles in the next session's prompt."
    )
    middle = _TOP + _HEIGHT / 2
    pieces: list[str] = []
    for place, (name, what) in enumerate(STEPS):
        x = _LEFT + place * _STEP
        told = [line.format(threshold=f"{threshold:g}") for line in what]
        pieces += [
            box(x, _TOP, _WIDTH, _HEIGHT, fill=SHADE),
            words(x + _WIDTH / 2, _TOP + 28, name, size=17, anchor="middle", bold=True),
            lines_of_words(x + _WIDTH / 2, _TOP + 51, told, size=12, anchor="middle", fill=INK),
        ]
        if place:
            pieces.append(arrow((x - _STEP + _WIDTH + 2, middle), (x - 3, middle)))
    pieces += [
        _way_out(2, "rejected", "the gate said no"),
        _way_out(3, "failed", "the store could not"),
    ]
    return picture("The closed loop", summary, 292, *pieces, _way_back())


def _way_out(place: int, bucket: str, why: str) -> str:
    """The arrow that leaves the loop below a station, to the bucket that remembers it."""
    x = _LEFT + place * _STEP + _WIDTH / 2
    bottom = _TOP + _HEIGHT
    return (
        arrow((x, bottom + 2), (x, bottom + 34), dashed=True)
        + marker(x - 46, bottom + 51, BUCKET_MARKS[bucket])
        + words(x - 33, bottom + 56, bucket, bold=True)
        + words(x, bottom + 74, why, size=12, anchor="middle", fill=MUTED)
    )


def _way_back() -> str:
    """The arrow that closes the loop, from what was applied to the next session."""
    start, end = _LEFT + 3 * _STEP + _WIDTH - 8, _LEFT + _WIDTH / 2
    top, low = _TOP + _HEIGHT, _TOP + _HEIGHT + 112
    return (
        arrow(
            (start, top + 2), (start, low), (end, low), (end, top + 3), stroke=GREEN, stroke_width=3
        )
        + marker(end + 26, low + 21, BUCKET_MARKS["applied"])
        + words(end + 40, low + 26, "settle:", bold=True)
        + words(end + 102, low + 26, "the next session's frozen snapshot shows what was applied")
    )
