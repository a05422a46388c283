"""The controls of a lesson's widget, as values: which field of a state each moves, and its label.

`build` makes ipywidgets' own controls out of one. Without that package nothing is built, and the
state can still be changed from code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from alembic_sim.teaching.svg import readable

Handler = Callable[[Any], None]

_LABEL_WIDTH = "11em"
_BOX_WIDTH, _SLIDER_WIDTH, _TEXT_WIDTH, _BUTTON_WIDTH = "18em", "19em", "24em", "8.5em"
"""A slider and its box fit beside each other on a page of 1024 px with JupyterLab's side bar open;
two texts, or a slider with its box and a switch, above a picture of full width.
"""


class Kit:
    """ipywidgets, and the layouts and styles that a kernel's controls share.

    Every one of them is a model of its own, more than a kilobyte in a stored notebook: sharing
    them keeps a lesson's file small.
    """

    def __init__(self, ipywidgets: Any) -> None:
        self._ipywidgets = ipywidgets
        self._shared: dict[object, Any] = {}

    def make(
        self, kind: str, *, label: str = "", aligned: bool = False, width: str = "", **traits: Any
    ) -> Any:
        """An ipywidget of this class; `aligned` labels stand in one column left of the controls."""
        made_from = getattr(self._ipywidgets, kind)
        layout = {"width": width} if width else {}
        traits["layout"] = self._share(width, lambda: self._ipywidgets.Layout(**layout))
        if label:
            # Without a tooltip of its own, ipywidgets shows "null" when the pointer rests on it.
            traits["description"] = traits["tooltip"] = readable(label)
        style = made_from.class_traits().get("style")
        if style is not None:
            column = {"description_width": _LABEL_WIDTH} if aligned else {}
            traits["style"] = self._share((style.klass, aligned), lambda: style.klass(**column))
        return made_from(**traits)

    def still(self) -> Any:
        """What a widget that cannot move any more says above all else; else it is hidden."""

        def make() -> Any:
            note = self.make("Label", value="A still picture: run its cell, and it moves.")
            note.add_class("alembic-still")
            return note

        return self._share("still", make)

    def row(self, boxes: Sequence[Any]) -> Any:
        """The boxes side by side, or below each other on a narrow page."""
        if len(boxes) == 1:
            return boxes[0]
        layout = self._share("row", lambda: self._ipywidgets.Layout(flex_flow="row wrap"))
        return self._ipywidgets.HBox(children=boxes, layout=layout)

    def _share(self, key: object, make: Callable[[], Any]) -> Any:
        """The model of this key; a new one if a learner has closed it."""
        if key not in self._shared or self._shared[key].comm is None:
            self._shared[key] = make()
        return self._shared[key]


@cache
def kit_of(ipywidgets: Any) -> Kit:
    """The kernel's one kit."""
    return Kit(ipywidgets)


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Face:
    """One ipywidget that stands for a field: which trait it is, and how it writes the value."""

    widget: Any
    trait: str = "value"
    write: Callable[[Any], Any] = _same
    read: Callable[[Any], Any] = _same


@dataclass(frozen=True, slots=True)
class Live:
    """A control on the page: several faces (a slider and its box) of the same field."""

    faces: tuple[Face, ...]

    def show(self, value: object) -> None:
        """Puts the value into every face."""
        for face in self.faces:
            written = face.write(value)
            if getattr(face.widget, face.trait) != written:
                setattr(face.widget, face.trait, written)

    def on_change(self, handler: Handler) -> None:
        """Calls `handler(value)` when the learner moves a face."""

        def listen(face: Face) -> None:
            face.widget.observe(lambda change: handler(face.read(change["new"])), names=face.trait)

        for face in self.faces:
            listen(face)


@dataclass(frozen=True, slots=True)
class Control(ABC):
    """One field of a state, or one action, with the label that the learner reads."""

    name: str
    label: str

    @abstractmethod
    def build(self, kit: Kit) -> Live:
        """The control on the page."""


@dataclass(frozen=True, slots=True)
class Slider(Control):
    """A whole number by dragging, with a box to type it in.

    A slider's handle has no name that a screen reader could say; the box has. `mirrored` puts the
    low end on the right, as pictures do whose time runs to the right: the slider then holds the
    number's negative.
    """

    low: int
    high: int
    mirrored: bool = False

    def build(self, kit: Kit) -> Live:
        low, high = (-self.high, -self.low) if self.mirrored else (self.low, self.high)
        turn: Callable[[Any], Any] = (lambda value: -value) if self.mirrored else _same
        box = kit.make(
            "BoundedIntText",
            label=self.label,
            aligned=True,
            min=self.low,
            max=self.high,
            value=self.low,
            width=_BOX_WIDTH,
        )
        slider = kit.make(
            "IntSlider",
            min=low,
            max=high,
            value=turn(self.low),
            readout=False,
            width=_SLIDER_WIDTH,
        )
        return Live((Face(box), Face(slider, write=turn, read=turn)))


@dataclass(frozen=True, slots=True)
class Fraction(Control):
    """A number from 0 to 1 by dragging, with a box to type it in."""

    step: float = 0.01

    def build(self, kit: Kit) -> Live:
        bounds: dict[str, Any] = {"min": 0.0, "max": 1.0, "value": 0.0, "step": self.step}
        box = kit.make(
            "BoundedFloatText", label=self.label, aligned=True, width=_BOX_WIDTH, **bounds
        )
        slider = kit.make("FloatSlider", readout=False, width=_SLIDER_WIDTH, **bounds)
        # A dragged 0.7 must be the 0.7 of the code, not 0.7000000000000001.
        return Live((Face(box), Face(slider, read=lambda value: round(value, 6))))


@dataclass(frozen=True, slots=True)
class Choice(Control):
    """One of a few values, each with its own text."""

    options: Sequence[tuple[str, object]]
    width: str = _TEXT_WIDTH

    def build(self, kit: Kit) -> Live:
        values = [value for _text, value in self.options]
        dropdown = kit.make(
            "Dropdown",
            label=self.label,
            aligned=True,
            options=[readable(text) for text, _value in self.options],
            width=self.width,
        )

        def place(value: object) -> int:
            # By place, not by value: True is not 1, and two texts may look alike.
            same = [type(one) is type(value) and one == value for one in values]
            return same.index(True)

        return Live((Face(dropdown, "index", place, lambda index: values[index]),))


@dataclass(frozen=True, slots=True)
class Switch(Control):
    """Yes or no."""

    def build(self, kit: Kit) -> Live:
        made = kit.make(
            "Checkbox", label=self.label, value=False, indent=False, width="max-content"
        )
        return Live((Face(made),))


@dataclass(frozen=True, slots=True)
class TextBox(Control):
    """A line of text that the learner types."""

    def build(self, kit: Kit) -> Live:
        made = kit.make("Text", label=self.label, aligned=True, value="", width=_TEXT_WIDTH)
        return Live((Face(made, write=readable),))


@dataclass(frozen=True, slots=True)
class Button(Control):
    """An action: pressing it does what the widget's `press(name)` does.

    One that `rests` cannot be pressed on the page while it would change nothing.
    """

    rests: bool = False

    def build(self, kit: Kit) -> Live:
        return Live((Face(kit.make("Button", label=self.label, width=_BUTTON_WIDTH)),))
