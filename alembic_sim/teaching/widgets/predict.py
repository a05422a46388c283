"""Predict: a question before the run; the difference afterwards, without scolding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.shorten import shorten
from alembic_sim.teaching.palette import BLUE, GREEN, INK, MUTED, Mark
from alembic_sim.teaching.svg import (
    Svg,
    fit,
    in_lines,
    lines_of_words,
    marker,
    picture,
    tag,
    text_width,
    words,
    wrap,
)
from alembic_sim.teaching.widgets.checked import check_list, check_one_of, check_text
from alembic_sim.teaching.widgets.controls import Choice, Control, TextBox
from alembic_sim.teaching.widgets.shell import COLUMNS, Shell

NOT_ANSWERED = "not answered yet"
UNSET = ...
"""No prediction, or no actual value yet: as the lessons write it."""

_YOURS, _ACTUAL = Mark(BLUE, "triangle", "#D9EAF5"), Mark(GREEN, "circle", "#DDF2EB")
_ROW = 26.0


@dataclass(frozen=True, slots=True)
class PredictState:
    """A question; its options, or None for a free number; what was said, and what came out.

    `given` is the option chosen, `typed` the number's text as the learner wrote it.
    """

    question: str
    options: tuple[object, ...] | None = None
    given: object = UNSET
    typed: str = ""
    actual: object = UNSET

    def __post_init__(self) -> None:
        check_text("question", self.question)
        if self.options is None:
            if self.given is not UNSET:
                raise ValueError("given: there are no options to choose from; answer a number")
        else:
            check_list("options", self.options, "possible answers")
            check_one_of("given", self.given, [UNSET, *self.options])
        if not isinstance(self.typed, str):
            raise ValueError(f"typed: {shorten(self.typed)} is not a text")

    @property
    def prediction(self) -> object:
        """What the learner predicts; `...` as long as that is nothing, or not a number."""
        return read_number(self.typed) if self.options is None else self.given


def read_number(text: str) -> object:
    """The number in the text (also with a decimal comma), or `...` if it holds none."""
    plain = text.strip().replace(",", ".").replace("−", "-")
    for read in (int, float):
        try:
            number = read(plain)
        except ValueError:
            continue
        return number if abs(number) < 1e15 else UNSET  # NaN and ∞ are no predictions either
    return UNSET


def label(value: object) -> str:
    """A value as the picture and the words say it; a whole number in figures, also as a float."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(round(value))
    return shorten(value)


def compared(state: PredictState) -> str:
    """The actual value beside the prediction, in one sentence."""
    mine, actual = state.prediction, state.actual
    said = f"The engine says {label(actual)}"
    if mine is UNSET:
        return f"{said}. Your prediction: {_given(state)}."
    if _same(mine, actual):
        return f"{said}, as you predicted."
    return f"{said}; you predicted {label(mine)}{_distance(mine, actual)}."


def render_predict(state: PredictState) -> Svg:
    """The question with its options; the prediction, and beside it what came out.

    A plain list, no boxes: the control stands below the picture, and nothing else can be clicked.
    """
    asked = wrap(state.question, 640, size=16)
    y = 24 + len(asked) * 20.8
    pieces = [lines_of_words(24, 34, asked, size=16, fill=INK)]
    for text, mine, real in _answers(state):
        pieces.append(_answer(y, text, mine, real))
        y += _ROW
    pieces.append(words(24, y + 24, fit(_said(state), 575, size=14), size=14, bold=True))
    # Short enough that a long question does not push the answer out of a stored output.
    summary = f"{fit(state.question, 640)} {_said(state)}"
    return picture("A prediction", summary, y + 38, *pieces)


def _said(state: PredictState) -> str:
    if state.actual is not UNSET:
        return compared(state)
    return f"Your prediction: {_given(state)}."


def _given(state: PredictState) -> str:
    """The prediction in words, or what is missing."""
    if state.prediction is not UNSET:
        return label(state.prediction)
    if state.options is None and state.typed.strip():
        return f"{shorten(state.typed, 40)} is not a number yet"
    return NOT_ANSWERED


def _answers(state: PredictState) -> list[tuple[str, bool, bool]]:
    """The lines of the list, each with "is it mine?" and "did it come out?".

    Without options there is none until the engine's number is known: the box holds the learner's.
    """
    mine, actual = state.prediction, state.actual
    values = state.options
    if values is None:
        known = [value for value in (mine, actual) if value is not UNSET]
        values = () if actual is UNSET else tuple(known[:1] if _same(mine, actual) else known)
    return [
        (
            label(value),
            mine is not UNSET and _same(value, mine),
            actual is not UNSET and _same(value, actual),
        )
        for value in values
    ]


def _answer(y: float, text: str, mine: bool, real: bool) -> str:
    """One possible answer; a triangle is the learner's, a circle what came out."""
    marks = [mark for mark, here in ((_YOURS, mine), (_ACTUAL, real)) if here]
    shown = fit(text, 400, size=14)
    if not marks:
        return tag("circle", cx=42, cy=y + 13, r=2.5, fill=MUTED) + words(62, y + 18, shown)
    first = 42 - 8 * (len(marks) - 1)
    shapes = [marker(first + 16 * place, y + 13, mark, size=6) for place, mark in enumerate(marks)]
    aside = 62 + text_width(shown, size=14) + 16
    whose = words(aside, y + 18, _whose(mine, real), size=12, fill=MUTED)
    return "".join([*shapes, words(62, y + 18, shown), whose])


def _whose(mine: bool, real: bool) -> str:
    """What the marks of an answer mean."""
    names = ["your prediction"] * mine + ["the engine"] * real
    return " and ".join(names)


def _same(one: object, other: object) -> bool:
    """Equal, where True is not 1; a number within rounding."""
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))
    try:
        return bool(one == other)
    except Exception:  # the actual value may be anything, also what cannot be compared
        return False


def _distance(mine: object, actual: object) -> str:
    """How far apart two numbers are."""
    numbers = [n for n in (mine, actual) if isinstance(n, int | float) and not isinstance(n, bool)]
    if len(numbers) < 2:
        return ""
    apart = abs(numbers[0] - numbers[1])
    return f", {_figures(apart)} {'less' if numbers[0] < numbers[1] else 'more'}"


def _figures(number: float) -> str:
    """A difference in figures, rounded to six places; `:g` would write a large one as 1e+09."""
    rounded = round(number, 6)
    return label(rounded) if rounded else f"{number:g}"


class Predict(Shell[PredictState]):
    """The widget. `Predict("Which bucket?", ["applied", "rejected", "failed"])`; without options
    the answer is a number. `answer(value)` from code, `reveal(actual)` once it is known.
    """

    def __init__(self, question: str, options: Sequence[object] | None = None) -> None:
        if options is not None:
            check_list("options", options, "possible answers")
        state = PredictState(question, None if options is None else tuple(options))
        super().__init__(state, render_predict, [[_control(state)]], picture_first=True)

    def answer(self, value: object) -> None:
        """Records the prediction, as if the learner had chosen or typed it; `...` takes it back.

        Raises `ValueError` for what is not an option, or not a number.
        """
        if self.state.options is not None:
            self.change(given=value)
            return
        number = read_number(str(value)) if value is not UNSET else UNSET
        if value is not UNSET and (isinstance(value, bool) or number is UNSET):
            raise ValueError(f"answer: {shorten(value)} is not a number")
        self.change(typed="" if value is UNSET else str(value))

    def reveal(self, actual: object) -> None:
        """Prints the actual value beside the prediction, and shows both in the picture."""
        self.change(actual=actual)
        print(in_lines(compared(self.state), COLUMNS))


def _control(state: PredictState) -> Control:
    if state.options is None:
        return TextBox("typed", "Your number")
    pairs = [(NOT_ANSWERED, UNSET), *((label(option), option) for option in state.options)]
    return Choice("given", "Your prediction", pairs, width="38em")
