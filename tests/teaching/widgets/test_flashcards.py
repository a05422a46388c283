"""Flashcards keep the answer back, and come back to what is not known yet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching import Flashcards
from alembic_sim.teaching.widgets.flashcards import render_flashcards
from tests.teaching.svg_reading import all_words
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
    widget = pressed(Flashcards(CARDS), "flip", "knew", "flip", "not_yet", "flip", "knew")
    assert widget.state.place == 1
    assert widget.summary.endswith("(knew it 2, not yet 1)")
    assert pressed(widget, "flip", "not_yet").state.place == 1


def test_when_all_are_known_it_stays_and_says_so_and_how_to_go_on() -> None:
    widget = pressed(Flashcards(CARDS), "flip", "knew", "flip", "knew", "flip")
    assert "2 of 3 known" in all_words(render_flashcards(widget.state))
    widget.press("knew")
    assert (widget.state.place, widget.state.flipped) == (2, True)
    assert widget.summary.endswith("All 3 known. “Start again” begins anew.")
    end = "All 3 known. “Start again” begins anew."
    assert end in all_words(render_flashcards(widget.state))
    assert end not in all_words(render_flashcards(pressed(widget, "reset").state))


def test_only_a_flipped_card_can_be_marked() -> None:
    widget = Flashcards(CARDS)
    named = {button.description: button for button in buttons(widget)}
    marks = [named["Knew it"], named["Not yet"]]
    assert pressed(widget, "knew", "not_yet").state == Flashcards(CARDS).state
    assert [button.disabled for button in marks] == [True, True]
    widget.press("flip")
    assert [button.disabled for button in marks] == [False, False]
    widget.press("knew")
    assert [button.disabled for button in marks] == [True, True]
    assert [named[one].disabled for one in ("Flip", "Start again")] == [False, False]


def buttons(widget: Flashcards) -> list[Any]:
    rows = [row for row in widget.live().children if hasattr(row, "children")]
    return [button for row in rows for button in row.children]


def test_starting_again_forgets_the_marks() -> None:
    widget = pressed(Flashcards(CARDS), "flip", "knew")
    assert widget.state.marks
    assert pressed(widget, "reset").state == Flashcards(CARDS).state


def test_flipping_moves_nothing_else_on_the_page() -> None:
    sheets = {render_flashcards(pressed(Flashcards(CARDS), *moves).state).markup.split(">")[0]
              for moves in ((), ("flip",), ("flip", "knew"), ("flip", "knew") * 3)}  # fmt: skip
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
