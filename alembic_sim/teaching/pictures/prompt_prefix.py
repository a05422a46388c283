"""What a model server reads anew in each request: all that follows the first changed character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from alembic_sim.teaching.palette import BLUE, INK, MUTED, ORANGE, Mark
from alembic_sim.teaching.svg import Svg, box, fit, marker, picture, words

KEPT, ANEW = Mark(BLUE, "square", "#D9EAF5"), Mark(ORANGE, "triangle", "#FCF0D4")

_LEFT, _BAR, _LONGEST, _ROW, _TOP = 16.0, 100.0, 420.0, 30.0, 56.0


def read_anew(requests: Sequence[str]) -> tuple[int, ...]:
    """Of each request, how many characters follow its common beginning with the one before.

    >>> read_anew(["rules hi", "rules hi there", "rule hi there"])
    (8, 6, 9)
    """
    return tuple(
        len(after) - _common_start(before, after) for before, after in pairwise(["", *requests])
    )


def _common_start(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def draw_prompt_prefix(sessions: Mapping[str, Sequence[str]]) -> Svg:
    """The requests of each named session as bars, as long as their texts.

    The blue part begins as the request before did, and need not be read again.
    """
    longest = max((len(one) for requests in sessions.values() for one in requests), default=1)
    pieces, y, said = [_legend()], _TOP, []
    for name, requests in sessions.items():
        anew = read_anew(requests)
        total = f"{sum(anew):,} characters read anew in all"
        pieces.append(words(_LEFT, y + 14, fit(name, 330, size=15), size=15, bold=True))
        pieces.append(words(684, y + 14, total, size=13, anchor="end", fill=INK))
        y += 24
        for place, (request, new) in enumerate(zip(requests, anew, strict=True), start=1):
            pieces.append(_request(y, place, len(request), new, longest))
            y += _ROW
        y += 18
        counts = ", ".join(f"{new:,}" for new in anew)
        said.append(f"{name}: {counts} characters read anew, {sum(anew):,} in all")
    return picture("What is read anew in each request", ". ".join(said) + ".", y, *pieces)


def _legend() -> str:
    return (
        marker(_LEFT + 8, 26, KEPT)
        + words(_LEFT + 24, 31, "begins as the request before: kept", size=13)
        + marker(_LEFT + 308, 26, ANEW)
        + words(_LEFT + 324, 31, "read anew", size=13)
    )


def _request(y: float, place: int, length: int, new: int, longest: int) -> str:
    scale = _LONGEST / max(1, longest)
    kept = (length - new) * scale
    return (
        words(_LEFT, y + 16, f"request {place}", size=13, fill=MUTED)
        + _part(_BAR, y, kept, KEPT)
        + _part(_BAR + kept, y, new * scale, ANEW)
        + words(_BAR + length * scale + 10, y + 16, f"{new:,} of {length:,}", size=13)
    )


def _part(x: float, y: float, width: float, mark: Mark) -> str:
    """A stretch of a request; its mark stands in it where there is room."""
    if width < 1:
        return ""
    frame = box(x, y, width, 22, fill=mark.tint, stroke=mark.colour, rounding=3)
    return frame + (marker(x + width / 2, y + 11, mark, size=6) if width > 20 else "")
