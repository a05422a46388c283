"""Flashcards: try to remember, then flip (seed 5: active recall fixes more than reading again)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alembic_sim.shorten import shorten
from alembic_sim.teaching.palette import FAINT, GREEN, INK, MUTED, ORANGE, PAPER, SHADE, Mark
from alembic_sim.teaching.svg import (
    Svg,
    box,
    line,
    lines_of_words,
    marker,
    picture,
    tag,
    words,
    wrap,
)
from alembic_sim.teaching.widgets.checked import (
    check_list,
    check_one_of,
    check_switch,
    check_text,
    check_whole,
)
from alembic_sim.teaching.widgets.controls import Button
from alembic_sim.teaching.widgets.shell import Shell

Card = tuple[str, str]
"""A question and its answer."""

KNEW, NOT_YET = Mark(GREEN, "circle", "#DDF2EB"), Mark(ORANGE, "triangle", "#FCF0D4")
_WIDTH, _SIZE, _MOST_MARKS = 612.0, 16.0, 24


@dataclass(frozen=True, slots=True)
class FlashcardsState:
    """The cards, the one on show, whether it is flipped, and the learner's mark for each.

    A mark is True (knew it), False (not yet) or None.
    """

    cards: tuple[Card, ...]
    place: int = 0
    flipped: bool = False
    marks: tuple[bool | None, ...] = ()

    def __post_init__(self) -> None:
        check_list("cards", self.cards, "(question, answer) pairs")
        for number, card in enumerate(self.cards):
            if not isinstance(card, list | tuple) or len(card) != 2:
                why = "is not a (question, answer) pair"
                raise ValueError(f"cards[{number}]: {shorten(card)} {why}")
            check_text(f"cards[{number}].question", card[0])
            check_text(f"cards[{number}].answer", card[1])
        check_whole("place", self.place, 0, len(self.cards) - 1)
        check_switch("flipped", self.flipped)
        if not isinstance(self.marks, tuple) or len(self.marks) > len(self.cards):
            raise ValueError(f"marks: {shorten(self.marks)} is not a tuple of one mark a card")
        for mark in self.marks:
            check_one_of("marks", mark, [True, False, None])

    def mark(self, place: int) -> bool | None:
        """The learner's mark for a card; None if there is none yet."""
        return self.marks[place] if place < len(self.marks) else None


def render_flashcards(state: FlashcardsState) -> Svg:
    """The card's question; the answer only once it is flipped."""
    lines_each = [[len(_lines(text)) for text in card] for card in state.cards]
    # One height for all cards and both sides: flipping moves nothing else on the page.
    asked, told = (max(counts) for counts in zip(*lines_each, strict=True))
    question, answer = state.cards[state.place]
    fold = 74 + asked * _SIZE * 1.3
    bottom = fold + 34 + told * _SIZE * 1.3
    pieces = [
        words(24, 34, f"Card {state.place + 1} of {len(state.cards)}", size=14, bold=True),
        _marks(state),
        box(16, 50, 668, bottom - 50, fill=SHADE if state.flipped else PAPER, stroke_width=2),
        lines_of_words(44, 80, _lines(question), size=_SIZE, fill=INK),
        line((44, fold), (656, fold), stroke=FAINT, stroke_width=1, dashed=not state.flipped),
    ]
    if state.flipped:
        pieces.append(lines_of_words(44, fold + 28, _lines(answer), size=_SIZE, fill=INK))
    else:
        hint = "Say your answer aloud, then flip the card."
        pieces.append(words(44, fold + 28, hint, size=13, italic=True, fill=MUTED))
    pieces.append(_known(state, bottom + 24))
    return picture("Flashcards", _summary(state), bottom + 38, *pieces)


def _known(state: FlashcardsState, y: float) -> str:
    """How many cards are known; at the end, how to go on."""
    if _all_known(state):
        return marker(30, y - 5, KNEW, size=6) + words(44, y, _end(state), size=14, bold=True)
    told = f"{state.marks.count(True)} of {len(state.cards)} known"
    return words(44, y, told, size=13, fill=MUTED)


def _all_known(state: FlashcardsState) -> bool:
    return state.marks.count(True) == len(state.cards)


def _end(state: FlashcardsState) -> str:
    return f"All {len(state.cards)} known. “Start again” begins anew."


def _summary(state: FlashcardsState) -> str:
    question, answer = state.cards[state.place]
    card = f"Card {state.place + 1} of {len(state.cards)}: {question}"
    told = f"{card} Answer: {answer}" if state.flipped else card
    if _all_known(state):
        return f"{told} {_end(state)}"
    knew, not_yet = state.marks.count(True), state.marks.count(False)
    return f"{told} (knew it {knew}, not yet {not_yet})" if knew or not_yet else told


def _lines(text: str) -> tuple[str, ...]:
    return wrap(text, _WIDTH, size=_SIZE)


def _marks(state: FlashcardsState) -> str:
    """One mark a card, from the left; the card on show lies on a line."""
    shown = range(min(len(state.cards), _MOST_MARKS))
    left = 676 - 20 * len(shown)
    pieces = []
    for place in shown:
        x = left + 20 * place
        match state.mark(place):
            case None:
                pieces.append(tag("circle", cx=x, cy=28, r=6, fill=PAPER, stroke=FAINT))
            case mark:
                pieces.append(marker(x, 28, KNEW if mark else NOT_YET, size=6))
        if place == state.place:
            pieces.append(line((x - 7, 41), (x + 7, 41), stroke_width=2.5))
    return "".join(pieces)


def _flip(state: FlashcardsState) -> FlashcardsState:
    return replace(state, flipped=not state.flipped)


def _next(state: FlashcardsState) -> FlashcardsState:
    """The next card, after the last one the first."""
    return replace(state, place=(state.place + 1) % len(state.cards), flipped=False)


def _back(state: FlashcardsState) -> FlashcardsState:
    return replace(state, place=(state.place - 1) % len(state.cards), flipped=False)


def _marked(state: FlashcardsState, mark: bool) -> FlashcardsState:
    """The card marked, and on to the next one that is not known; none left: it stays.

    Who has not seen the answer cannot say whether it was known: before the flip nothing happens.
    """
    if not state.flipped:
        return state
    marks = [state.mark(place) for place in range(len(state.cards))]
    marks[state.place] = mark
    marked = replace(state, marks=tuple(marks))
    around = [(state.place + step) % len(marks) for step in range(1, len(marks) + 1)]
    unknown = [place for place in around if marks[place] is not True]
    return replace(marked, place=unknown[0], flipped=False) if unknown else marked


def _knew(state: FlashcardsState) -> FlashcardsState:
    return _marked(state, True)


def _not_yet(state: FlashcardsState) -> FlashcardsState:
    return _marked(state, False)


def _reset(state: FlashcardsState) -> FlashcardsState:
    return FlashcardsState(state.cards)


class Flashcards(Shell[FlashcardsState]):
    """The widget. `Flashcards([("A score of exactly 0.7?", "Approved: the edge is inclusive.")])`.

    Its words hold the question alone until the card is flipped: a stored output gives nothing away.
    """

    def __init__(self, cards: Sequence[Card]) -> None:
        check_list("cards", cards, "(question, answer) pairs")
        super().__init__(
            FlashcardsState(tuple(cards)),
            render_flashcards,
            [
                [Button("flip", "Flip"), Button("back", "Back"), Button("next", "Next")],
                [
                    Button("knew", "Knew it", rests=True),
                    Button("not_yet", "Not yet", rests=True),
                    Button("reset", "Start again"),
                ],
            ],
            {
                "flip": _flip,
                "next": _next,
                "back": _back,
                "knew": _knew,
                "not_yet": _not_yet,
                "reset": _reset,
            },
        )
