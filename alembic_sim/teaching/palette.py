"""The colours of every picture (Okabe and Ito, 2008), each paired with a shape.

Readers who do not tell two of the colours apart tell the shapes apart, and a print in grey still
reads: a colour never carries a meaning alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"

INK = "#222222"
"""Text and outlines."""
MUTED = "#555555"
"""Second-rank text: still 7 to 1 against the paper."""
FAINT = "#8A8A8A"
"""Outlines of what is not there or was not reached; never the only sign of it."""
PAPER = "#FFFFFF"
"""The background that every picture brings along."""
SHADE = "#F3F3F1"
"""A quiet surface on the paper."""

Shape = Literal["circle", "triangle", "square", "diamond", "cross"]


@dataclass(frozen=True, slots=True)
class Mark:
    """How one meaning looks everywhere: its colour, its shape, a tint to put text on."""

    colour: str
    shape: Shape
    tint: str


STATE_MARKS: dict[str, Mark] = {
    "active": Mark(GREEN, "circle", "#DDF2EB"),
    "stale": Mark(ORANGE, "triangle", "#FCF0D4"),
    "archived": Mark(BLUE, "square", "#D9EAF5"),
}
"""The three states of a skill."""

BUCKET_MARKS: dict[str, Mark] = {
    "applied": Mark(GREEN, "circle", "#DDF2EB"),
    "rejected": Mark(VERMILION, "diamond", "#FAE4D8"),
    "failed": Mark(PURPLE, "cross", "#F8E9F1"),
}
"""The three buckets of a learning step."""

TAKEN = BLUE
"""The path that a decision took; drawn thicker as well."""
