"""Reads a finished picture back, as a test or a screen reader sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import combinations
from urllib.parse import unquote
from xml.etree import ElementTree

from alembic_sim.teaching.svg import Svg, text_width

NAMESPACE = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Text:
    """One line of text and the room that it takes at most."""

    words: str
    left: float
    top: float
    right: float
    bottom: float


def parse(svg: Svg) -> ElementTree.Element:
    """The document; raises if it is not well-formed."""
    return ElementTree.fromstring(svg.markup)


def held(html: str) -> str:
    """The document that an HTML image holds, as a browser takes it from there."""
    [image] = _Images(html).images
    kind, comma, address = (image["src"] or "").partition(",")
    assert (kind, comma) == ("data:image/svg+xml;charset=utf-8", ",")
    bare = re.sub("[\t\n\r]", "", address)  # an address has no line ends
    return unquote(bare.partition("#")[0], errors="strict")


class _Images(HTMLParser):
    """The images of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.images: list[dict[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "img"
        self.images.append(dict(attrs))


def texts(svg: Svg) -> list[Text]:
    """Every line of text in the order of drawing."""
    found = []
    for element in parse(svg).iter(f"{NAMESPACE}text"):
        words, size = element.text or "", float(element.get("font-size", "14"))
        width = text_width(words, size=size, bold=element.get("font-weight") == "bold")
        left = float(element.get("x", "0"))
        left -= {"start": 0.0, "middle": width / 2, "end": width}[
            element.get("text-anchor", "start")
        ]
        baseline = float(element.get("y", "0"))
        found.append(Text(words, left, baseline - 0.74 * size, left + width, baseline + 0.2 * size))
    return found


def all_words(svg: Svg) -> str:
    """What the picture says, one line of text a line."""
    return "\n".join(text.words for text in texts(svg))


def overlapping(svg: Svg) -> list[tuple[str, str]]:
    """Pairs of texts that are written over one another."""
    return [
        (one.words, other.words)
        for one, other in combinations(texts(svg), 2)
        if one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    ]


def outside(svg: Svg) -> list[str]:
    """Texts that leave the sheet."""
    root = parse(svg)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    return [
        text.words
        for text in texts(svg)
        if text.left < 0 or text.right > width or text.top < 0 or text.bottom > height
    ]
