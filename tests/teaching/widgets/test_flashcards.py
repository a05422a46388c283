"""Flashcards keep the answer back, and come back to what is not known yet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching import Flashcards
from alembic_sim.teaching.widgets.flashcards import render_flashcards
from tests.teaching.widgets.samples import CARDS, pressed

BUTTONS = ["flip", "next", "back", "knew", "not_yet", "reset"]


@given(st.lists(st.sampled_from(BUTTONS), max_size=15))
def test_the_answer_is_nowhere_in_what_is_stored_until_the_card_is_flipped(
    moves: list[str],
) -> None:
    cards = [(f"question {n}?", f"secret {n}") for n in range(3)]
    widget = pressed(Flashcards(cards), *moves)
    stored = str(widget._repr_mimebundle_()) + widget.live().children[-1].value
    assert ("secret" in stored) is widget.state.flipped
    assert f"question {widget.state.place}?" in stored


def test_flipping_shows_the_answer_and_flipping_again_hides_it() -> None:
    widget = pressed(Flashcards(CARDS), "flip")
    assert widget.summary == "Card 1 of 3: Who is not asked? Answer: The proposer."
    assert pressed(widget, "flip").summary == "Card 1 of 3: Who is not asked?"


def test_the_next_card_lies_on_its_question() -> None:
    assert pressed(Flashcards(CARDS), "flip", "next").summary == "Card 2 of 3: A score of 0.7?"


def test_after_the_last_card_comes_the_first() -> None:
    assert pressed(Flashcards(CARDS), *["next"] * 3).state.place == 0
    assert pressed(Flashcards(CARDS), "back").state.place == 2


def test_a_known_card_does_not_come_back() -> None:
    widget = pressed(Flashcards(CARDS), "knew", "not_yet", "knew")
    assert widget.state.place == 1
    assert widget.summary.endswith("(knew it 2, not yet 1)")
    assert pressed(widget, "not_yet").state.place == 1


def test_when_all_are_known_it_stays() -> None:
    widget = pressed(Flashcards(CARDS), "knew", "knew", "flip", "knew")
    assert (widget.state.place, widget.state.flipped) == (2, True)
    assert widget.summary.endswith("(knew it 3, not yet 0)")


def test_starting_again_forgets_the_marks() -> None:
    assert pressed(Flashcards(CARDS), "knew", "reset").state == Flashcards(CARDS).state


def test_flipping_moves_nothing_else_on_the_page() -> None:
    sheets = {render_flashcards(pressed(Flashcards(CARDS), *moves).state).markup.split(">")[0]
              for moves in ((), ("flip",), ("next", "flip"))}  # fmt: skip
    heights = {sheet.split('height="')[1].split('"')[0] for sheet in sheets}
    assert len(heights) == 1


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ([], r"cards: \[\] is not a list of \(question, answer\) pairs"),
        ([("alone",)], r"cards\[0\]: \('alone',\) is not a \(question, answer\) pair"),
        (["ab"], r"cards\[0\]: 'ab' is not a \(question, answer\) pair"),
        ([("q", " ")], r"cards\[0\].answer: ' ' is not a text that is not blank"),
    ],
)
def test_impossible_cards_are_refused_by_place(cards: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Flashcards(cards)  # type: ignore[arg-type]
