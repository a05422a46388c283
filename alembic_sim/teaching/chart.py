"""chart: a plot of matplotlib as a lesson shows it, with its point in words."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alembic_sim.teaching.svg import WIDTH

if TYPE_CHECKING:  # loaded when a chart is drawn
    from matplotlib.axes import Axes

_DOTS_PER_INCH = 100
_HEIGHT = 400
_COLOURS = 64
"""So many are plenty for a plot, and its file is a quarter as large."""


@dataclass(frozen=True, slots=True, repr=False)
class Chart:
    """A finished plot: its pixels as PNG, and what they show in words."""

    png: bytes = field(repr=False)
    words: str

    def __repr__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        """The pixels and the words; the words also as the alternative text of a web page.

        nbval compares no pixels, and JupyterLab gives them no alternative text: a lesson prints the
        numbers that a chart shows.
        """
        data = {"image/png": base64.b64encode(self.png).decode("ascii"), "text/plain": self.words}
        return data, {"image/png": {"alt": self.words}}


def chart(plot: Callable[[Axes], object], words: str) -> Chart:
    """What `plot` draws on an Axes of a lesson's width. Needs matplotlib, and no display."""
    from matplotlib.figure import Figure
    from PIL import Image  # it comes with matplotlib

    inches = (WIDTH / _DOTS_PER_INCH, _HEIGHT / _DOTS_PER_INCH)
    figure = Figure(figsize=inches, dpi=_DOTS_PER_INCH, layout="constrained")
    plot(figure.subplots())
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    pixels = Image.open(drawn).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    small = io.BytesIO()
    pixels.save(small, format="png", optimize=True)
    return Chart(small.getvalue(), words)
