"""The source of a function as a lesson shows it: as it stands, every line whole."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

# What is printed is broken at the page's edge, in the middle of a word. This scrolls, as the cells
# that are written in do.
_STYLE = "overflow-x:auto;white-space:pre;word-break:normal;margin:0;padding:0 5px"


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """A piece of Python to look at."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        shown = f'<pre style="{_STYLE}">{escape(self.text, quote=False)}\n</pre>'
        return {"text/html": shown, "text/plain": self.text}


def source_of(function: Callable[..., object]) -> Source:
    """The function's own source."""
    return Source(inspect.getsource(function).rstrip("\n"))
