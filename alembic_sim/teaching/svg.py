"""Svg: a picture that is text, and a sentence that says the same thing.

Every helper returns a piece of markup; `picture` puts the pieces on a sheet of its own light
paper, so that it reads the same on JupyterLab's light and dark themes. No piece carries an `id`:
several pictures may be inlined in one page, and their ids would meet.
"""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from alembic_sim.teaching.palette import INK, MUTED, PAPER, Mark

WIDTH = 700
"""The width of a lesson's pictures, in px: it fits JupyterLab beside an open side bar."""

COLUMNS = 72
"""The width of what is printed: past it, a page of 1024 px breaks lines in the middle of words."""

LINE_HEIGHT = 1.3
"""The distance between two lines of text, in font sizes."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, repr=False)
class Svg:
    """A finished picture: `markup` is the SVG document, `summary` tells it in words."""

    markup: str
    summary: str

    def text(self) -> str:
        """What the picture shows, in words, to print where a picture cannot be seen."""
        return in_lines(self.summary)

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The picture for a notebook, the words for everything else (a diff, a terminal, nbval).

        JupyterLab shows an SVG output without its words and as wide as it is, and leaves it out of
        a notebook that it does not trust. An image in HTML has alternative text, shrinks with the
        page, and shows everywhere.
        """
        return {"text/html": image(self), "text/plain": self.summary}


def image(picture: Svg) -> str:
    """The picture as an HTML image that holds all of it: nothing is fetched."""
    return (
        f"<img alt={quoteattr(picture.summary)} style='max-width:100%;height:auto' "
        f"src='{_IN_ADDRESS}{html.escape(_address(picture.markup), quote=False)}'/>"
    )


_IN_ADDRESS = "data:image/svg+xml;charset=utf-8,"


def _address(markup: str) -> str:
    """The markup as it may stand in an address, between single quotes, and still be read.

    An address loses its line ends; here they only keep a stored picture readable in a diff.
    """
    for sign, written in (("%", "%25"), ("#", "%23"), ("'", "%27"), ("\t", "%09"), ("\r", "%0D")):
        markup = markup.replace(sign, written)
    return markup.replace("\n", "%0A\n")


def in_lines(text: str, columns: int = COLUMNS) -> str:
    """The text in lines of at most `columns`, all but the first one indented; no word is cut."""
    lines = textwrap.wrap(
        text, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


def picture(title: str, summary: str, height: float, *pieces: str, width: float = WIDTH) -> Svg:
    """The pieces on one sheet, `width` by `height` px; `title` and `summary` for screen readers."""
    summary = readable(summary)
    head = tag("title", escape(readable(title))) + tag("desc", escape(summary))
    paper = tag("rect", x=0, y=0, width=width, height=height, rx=8, fill=PAPER)
    markup = tag(
        "svg",
        "\n".join(["", head, paper, *(piece for piece in pieces if piece), ""]),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_label=f"{title}. {summary}",
        font_family="Helvetica, Arial, sans-serif",
    )
    return Svg(markup, summary)


def tag(name: str, content: str = "", **attributes: str | float | None) -> str:
    """One element; `content` is markup already. Attribute `stroke_width` becomes `stroke-width`."""
    given = "".join(
        f" {key.replace('_', '-')}={quoteattr(_attribute(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def readable(text: str) -> str:
    """The text with what XML forbids (control characters, lone surrogates) made visible as `�`."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """The number with at most one decimal: the same picture gives the same bytes everywhere."""
    rounded = f"{value:.1f}".removesuffix(".0")
    return "0" if rounded == "-0" else rounded


def words(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 14,
    anchor: str = "start",
    bold: bool = False,
    italic: bool = False,
    fill: str = INK,
) -> str:
    """One line of text with its baseline at `y`; the text is data and is escaped."""
    return tag(
        "text",
        escape(readable(text)),
        x=x,
        y=y,
        font_size=size,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        font_style="italic" if italic else None,
        fill=fill,
    )


def words_on_paper(
    x: float, y: float, text: str, *, size: float = 13, anchor: str = "start", fill: str = INK
) -> str:
    """One line of text on a strip of paper, so that lines drawn before do not strike it through."""
    width = text_width(text, size=size) + 6
    left = x - 3 - {"start": 0.0, "middle": width / 2 - 3, "end": width - 6}[anchor]
    strip = tag("rect", x=left, y=y - size, width=width, height=size * LINE_HEIGHT, fill=PAPER)
    return strip + words(x, y, text, size=size, anchor=anchor, fill=fill)


def lines_of_words(
    x: float,
    y: float,
    lines: Sequence[str],
    *,
    size: float = 12,
    anchor: str = "start",
    fill: str = MUTED,
) -> str:
    """Several lines of text, one below the other, the first baseline at `y`."""
    step = size * LINE_HEIGHT
    return "".join(
        words(x, y + row * step, line, size=size, anchor=anchor, fill=fill)
        for row, line in enumerate(lines)
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    *,
    fill: str = PAPER,
    stroke: str = INK,
    stroke_width: float = 1.5,
    dashed: bool = False,
    rounding: float = 8,
) -> str:
    """A rectangle with rounded corners."""
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=rounding,
        fill=fill,
        stroke=stroke,
        stroke_width=stroke_width,
        stroke_dasharray="5 4" if dashed else None,
    )


def line(*points: Point, stroke: str = INK, stroke_width: float = 1.5, dashed: bool = False) -> str:
    """Straight strokes from point to point."""
    return tag(
        "polyline",
        points=_points(points),
        fill="none",
        stroke=stroke,
        stroke_width=stroke_width,
        stroke_dasharray="5 4" if dashed else None,
    )


def polygon(*points: Point, fill: str = PAPER, stroke: str = INK, stroke_width: float = 1.5) -> str:
    """A closed shape through the points."""
    return tag(
        "polygon", points=_points(points), fill=fill, stroke=stroke, stroke_width=stroke_width
    )


def arrow(
    *points: Point, stroke: str = INK, stroke_width: float = 1.5, dashed: bool = False
) -> str:
    """Straight strokes from point to point, with a head at the last one."""
    return line(*points, stroke=stroke, stroke_width=stroke_width, dashed=dashed) + _head(
        points[-2], points[-1], stroke, stroke_width
    )


def curved_arrow(
    start: Point,
    bend: Point,
    end: Point,
    *,
    stroke: str = INK,
    stroke_width: float = 1.5,
    dashed: bool = False,
) -> str:
    """One curved stroke pulled towards `bend`, with a head at `end`."""
    path = "M{} {}Q{} {} {} {}".format(*(number(part) for part in (*start, *bend, *end)))
    stroke_of_it = tag(
        "path",
        d=path,
        fill="none",
        stroke=stroke,
        stroke_width=stroke_width,
        stroke_dasharray="5 4" if dashed else None,
    )
    return stroke_of_it + _head(bend, end, stroke, stroke_width)


def marker(x: float, y: float, mark: Mark, *, size: float = 7) -> str:
    """The mark's shape in its colour, centred at (x, y): the shape says what the colour says."""
    if mark.shape == "circle":
        return tag("circle", cx=x, cy=y, r=size, fill=mark.colour, stroke=INK, stroke_width=1)
    corners = ((x + size * dx, y + size * dy) for dx, dy in _CORNERS[mark.shape])
    return polygon(*corners, fill=mark.colour, stroke=INK, stroke_width=1)


_CORNERS: dict[str, tuple[Point, ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "triangle": ((0, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "cross": (
        (-1, -0.5), (-0.5, -1), (0, -0.5), (0.5, -1), (1, -0.5), (0.5, 0),
        (1, 0.5), (0.5, 1), (0, 0.5), (-0.5, 1), (-1, 0.5), (-0.5, 0),
    ),
}  # fmt: skip


def fit(text: str, width: float, *, size: float = 12) -> str:
    """The text on one line, cut with an ellipsis where it would pass `width` px."""
    flat = " ".join(text.split())
    if text_width(flat, size=size) <= width:
        return flat
    while flat and text_width(flat + "…", size=size) > width:
        flat = flat[:-1]
    return flat.rstrip() + "…"


def wrap(text: str, width: float, *, size: float = 12) -> tuple[str, ...]:
    """The text in lines of at most `width` px; a longer word is cut."""
    lines: list[str] = []
    for word in (fit(word, width, size=size) for word in text.split()):
        if lines and text_width(f"{lines[-1]} {word}", size=size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def wrap_to(text: str, width: float, most: int, *, size: float = 12) -> tuple[str, ...]:
    """The text in at most `most` lines; what does not fit is cut with an ellipsis."""
    lines = wrap(text, width, size=size)
    if len(lines) <= most:
        return lines
    return (*lines[: most - 1], fit(" ".join(lines[most - 1 :]), width, size=size))


def text_width(text: str, *, size: float, bold: bool = False) -> float:
    """The width in px that the text needs at most, in any common sans-serif font.

    The figures are those of DejaVu Sans, the widest in use: what fits there fits elsewhere.
    """
    return (
        size
        * (1.12 if bold else 1)
        * sum(_CHARACTER_WIDTHS.get(character, 0.66) for character in text)
    )


_CHARACTER_WIDTHS = {
    **dict.fromkeys("ijl'|", 0.28),
    **dict.fromkeys(" .,·", 0.32),
    **dict.fromkeys("ftr:;/\\()[]-!`", 0.41),
    **dict.fromkeys('acekosvxyz*"', 0.6),
    **dict.fromkeys("w", 0.82),
    **dict.fromkeys("mMW%@—…", 1.0),
    **dict.fromkeys("≤≥<>=+_→", 0.84),
}


def _attribute(value: str | float) -> str:
    return readable(value) if isinstance(value, str) else number(value)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _head(start: Point, end: Point, colour: str, stroke_width: float) -> str:
    """An arrow head at `end`, pointing away from `start`."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    length = 6 + 2 * stroke_width

    def corner(turn: float) -> Point:
        return end[0] - length * math.cos(angle + turn), end[1] - length * math.sin(angle + turn)

    return polygon(end, corner(0.42), corner(-0.42), fill=colour, stroke=colour, stroke_width=1)
