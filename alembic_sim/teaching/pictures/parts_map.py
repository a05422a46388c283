"""The map of the parts: memory, learning and the curator, and what passes between them."""

from __future__ import annotations

from alembic_sim.teaching.palette import GREEN, INK, MUTED, ORANGE, PURPLE
from alembic_sim.teaching.svg import Svg, arrow, box, line, lines_of_words, picture, tag, words

_AGENT = ("The agent's session", ("reads its prompt,", "uses and writes skills"))

PARTS = (
    (
        "Memory",
        "keeps",
        ("MEMORY.md and USER.md,", "bounded; frozen in the", "prompt, durable on disk"),
        "lesson 02",
        PURPLE,
    ),
    (
        "Learning",
        "lets in",
        ("propose, gate, apply:", "nothing is written that", "the gate has not approved"),
        "lessons 01, 03, 04, 11",
        GREEN,
    ),
    (
        "Curator",
        "puts away",
        ("reads cold telemetry, moves", "idle skills to stale and to", "archived, deletes nothing"),
        "lessons 05 to 08",
        ORANGE,
    ),
)
"""The three parts: name, its duty in a word or two, how, where it is taught, colour."""

_LEFT, _WIDTH, _STEP, _TOP, _HEIGHT = 16.0, 208.0, 230.0, 170.0, 132.0


def draw_parts_map() -> Svg:
    """The agent above, the three parts below, and on each arrow what it carries."""
    summary = (
        "Three parts around a session. Memory keeps notes and gives the next prompt. Learning lets "
        "a summary's proposals in through a gate and writes to memory. The curator reads how long "
        "skills were idle and puts them away without deleting."
    )
    pieces = [
        box(_LEFT, 18, 2 * _STEP + _WIDTH, 62),
        words(350, 44, _AGENT[0], size=17, anchor="middle", bold=True),
        words(350, 66, " ".join(_AGENT[1]), size=13, anchor="middle", fill=MUTED),
    ]
    for place, part in enumerate(PARTS):
        pieces.append(_part(_LEFT + place * _STEP, *part))
    pieces += [
        _carried(0, "the snapshot", "in the prompt", up=True),
        _carried(1, "the summary of", "a finished session", up=False),
        _carried(2, "use, view, patch:", "a count and a time", up=False),
        arrow((_LEFT + _STEP - 2, 240), (_LEFT + _WIDTH + 3, 240), stroke_width=2),
    ]
    return picture("The parts of the loop", summary, 342, *pieces, _writes())


def _part(x: float, name: str, duty: str, how: tuple[str, ...], taught: str, colour: str) -> str:
    return (
        box(x, _TOP, _WIDTH, _HEIGHT)
        + tag("rect", x=x + 1, y=_TOP + 1, width=_WIDTH - 2, height=8, rx=4, fill=colour)
        + words(x + 14, _TOP + 35, name, size=17, bold=True)
        + words(x + _WIDTH - 14, _TOP + 35, duty, anchor="end", fill=INK, italic=True)
        + lines_of_words(x + 14, _TOP + 60, how, size=12.5, fill=INK)
        + words(x + 14, _TOP + _HEIGHT - 12, taught, size=12, fill=MUTED)
    )


def _carried(place: int, first: str, second: str, *, up: bool) -> str:
    """The arrow between the session and a part, with what it carries beside it."""
    x = _LEFT + place * _STEP + 32
    ends = ((x, _TOP - 3), (x, 83)) if up else ((x, 82), (x, _TOP - 3))
    return arrow(*ends, stroke_width=2) + lines_of_words(x + 14, 121, (first, second), size=12.5)


def _writes() -> str:
    """The legend of the only arrow between two parts."""
    x = _LEFT + _WIDTH + 11
    label = "only approved entries are written"
    return line((x, 246), (x, 314), stroke=MUTED, dashed=True) + words(
        x, 328, label, size=12.5, anchor="middle", fill=MUTED
    )
