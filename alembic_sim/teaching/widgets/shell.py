"""Shell: connects controls to a pure picture, and is a still picture where nothing can move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from html import escape
from typing import Any, Generic, TypeVar

from alembic_sim.shorten import shorten
from alembic_sim.teaching.svg import Svg, in_lines
from alembic_sim.teaching.widgets import optional
from alembic_sim.teaching.widgets.controls import Button, Control, Kit, Live, kit_of

S = TypeVar("S")

MAX_REPR_CHARS = 160
"""A stored output keeps the widget's words on one line of at most this many characters."""

COLUMNS = 64
"""The width of a widget's printed words: a page of 1024 px with a side bar has room for 66."""

_VIEW = (
    '<style>{still}</style><div style="position:relative">{picture}'
    '<p role="status" style="{unseen}">{words}</p></div>'
)
_STILL = (
    ".jupyter-widgets-disconnected::before{display:none!important}"
    ".alembic-still{display:none!important}"
    ".alembic-still.jupyter-widgets-disconnected{display:block!important}"
)
"""A widget that was saved and opened again has no kernel behind it: ipywidgets marks each of its
controls with a broken chain in red, as if it were damaged. We say it in words (`Kit.still`)."""
_UNSEEN = (
    "position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%);"
    "white-space:nowrap"
)
"""The picture already says in print what the words say: they are for those who hear the page."""


class Shell(Generic[S]):
    """A widget: a frozen state, a pure `render`, controls that change a field each, and actions.

    Rows of `controls` are laid out above the picture, or below one that comes first: a question
    stands above the box for its answer. From code: `change(field=value)`, `press(action)`,
    `show(state)`, and `text()` to read it; all work without ipywidgets, whose models are made when
    the widget is first displayed.
    """

    def __init__(
        self,
        state: S,
        render: Callable[[S], Svg],
        controls: Sequence[Sequence[Control]] = (),
        actions: Mapping[str, Callable[[S], S]] | None = None,
        *,
        picture_first: bool = False,
    ) -> None:
        self._state = state
        self._render = render
        self._rows = controls
        self._actions = dict(actions or {})
        self._picture_first = picture_first
        self._live: dict[str, Live] = {}
        self._view: Any = None
        self._root: Any = None

    @property
    def state(self) -> S:
        """What the picture shows now: a frozen value."""
        return self._state

    def text(self) -> str:
        """What the picture shows now, in words, to print: the lines fit a narrow page."""
        return in_lines(self.summary, COLUMNS)

    @property
    def summary(self) -> str:
        """The same words on one line."""
        return _one_line(self._render(self._state))

    def change(self, **values: object) -> None:
        """Shows the state with these fields replaced, as if the learner had moved the controls.

        Raises `ValueError` for a field that the widget does not have, or a value that it refuses.
        """
        names = [field.name for field in fields(self._state)]  # type: ignore[arg-type]
        for name in values:
            if name not in names:
                self._refuse(name, "field", names)
        self.show(self.changed(values))

    def changed(self, values: Mapping[str, object]) -> S:
        """The state with these fields replaced; a widget whose fields hang together says how."""
        return replace(self._state, **values)  # type: ignore[type-var]

    def press(self, action: str) -> None:
        """Does what the button does. Raises `ValueError` for a button that is not there."""
        if action not in self._actions:
            self._refuse(action, "button", sorted(self._actions))
        self.show(self._actions[action](self._state))

    def show(self, state: S) -> None:
        """Shows another state; the controls follow."""
        self._state = state
        for name, live in self._live.items():
            if name not in self._actions:
                live.show(getattr(state, name))
        self._rest()
        if self._view is not None:
            self._view.value = self._html()

    def _rest(self) -> None:
        """Switches those buttons off that rest while they would change nothing."""
        for control in (control for controls in self._rows for control in controls):
            if isinstance(control, Button) and control.rests and control.name in self._live:
                [face] = self._live[control.name].faces
                face.widget.disabled = self._actions[control.name](self._state) == self._state

    def live(self) -> Any:
        """The ipywidget, to lay out beside others; None where ipywidgets is not installed."""
        if self._root is None and optional.ipywidgets is not None:
            self._build(kit_of(optional.ipywidgets))
        return self._root

    def _build(self, kit: Kit) -> None:
        """Every model in a fixed order, so that a lesson built twice is the same file."""
        rows = []
        for controls in self._rows:
            built = [control.build(kit) for control in controls]
            self._live |= {
                control.name: live for control, live in zip(controls, built, strict=True)
            }
            boxes = [face.widget for live in built for face in live.faces]
            rows.append(kit.row(boxes))
        self._view = kit.make("HTML", value=self._html())
        shown = [self._view, *rows] if self._picture_first else [*rows, self._view]
        self._root = kit.make("VBox", children=[kit.still(), *shown])
        self.show(self._state)
        for control in (control for controls in self._rows for control in controls):
            self._connect(control)

    def _connect(self, control: Control) -> None:
        live = self._live[control.name]
        if isinstance(control, Button):
            [face] = live.faces
            face.widget.on_click(lambda _button: self.press(control.name))
        else:
            live.on_change(lambda value: self._moved(control.name, value))

    def _moved(self, name: str, value: object) -> None:
        """What a learner's hand did; a value that the state refuses is put back, never raised."""
        before = getattr(self._state, name)
        if type(value) is type(before) and value == before:
            return  # this is the echo of what `show` has just put there
        try:
            self.show(self.changed({name: value}))
        except ValueError:
            self.show(self._state)

    def _refuse(self, name: object, kind: str, allowed: Sequence[str]) -> None:
        whose = type(self).__name__
        known = ", ".join(allowed) or "none"
        raise ValueError(f"{shorten(name)} is not a {kind} of {whose}; there are: {known}")

    def _html(self) -> str:
        picture = self._render(self._state)
        # The picture shrinks with a narrow page. Assistive technology is told of every change; the
        # words may come from data, and are escaped.
        style = '<svg style="display:block;max-width:100%;height:auto" '
        return _VIEW.format(
            picture=picture.markup.replace("<svg ", style, 1),
            words=escape(_one_line(picture)),
            unseen=_UNSEEN,
            still=_STILL,
        )

    def __repr__(self) -> str:
        told = f"{type(self).__name__}: {self.summary}"
        return told if len(told) <= MAX_REPR_CHARS else f"{told[: MAX_REPR_CHARS - 1]}…"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """The live widget, and beside it the still picture and its words for every other viewer."""
        bundle: dict[str, Any] = dict(self._render(self._state)._repr_mimebundle_())
        root = self.live()
        if root is not None:
            bundle |= root._repr_mimebundle_()
        return bundle | {"text/plain": repr(self)}


def _one_line(picture: Svg) -> str:
    return " ".join(picture.summary.split())
