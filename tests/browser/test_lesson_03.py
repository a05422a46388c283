"""Lesson 03 in the learner's hands: the loop, stepped; the gate, turned; a prediction; a card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lessons_in_browser import Lesson
from tests.browser.notebook_page import NotebookPage


@pytest.fixture
def page(lesson: Callable[[int], Lesson]) -> NotebookPage:
    return lesson(3).page


def test_the_loop_steps_forward_and_back_and_starts_again(page: NotebookPage) -> None:
    loop = page.widget("Next proposal")
    loop.press("Reset")
    loop.shows("Press Step: the first one.")
    loop.press("Step")
    loop.shows("Proposal 1 of 4", "is it worth keeping?")
    loop.press("Step")
    loop.shows("yes: score 0.9 ≥ threshold 0.7")
    loop.press("Back")
    loop.shows("is it worth keeping?")
    for place in (1, 2, 3):
        loop.press("Next proposal")
        loop.shows(f"Proposal {place} of 4")
    loop.shows("refused: MEMORY.md holds 30 of 60 characters")
    page.screenshot("lesson-03-loop", loop.output)
    loop.press("Back")
    loop.press("Reset")
    loop.shows("Press Step: the first one.")


def test_more_room_lets_the_long_note_in(page: NotebookPage) -> None:
    loop = page.widget("Next proposal")
    loop.press("Reset")
    for place in (1, 2, 3):
        loop.press("Next proposal")
        loop.shows(f"Proposal {place} of 4")
    loop.drag("Memory limit (chars)", to=0.9)
    loop.shows("added: MEMORY.md holds 93 of 2")  # where exactly a drag ends differs
    loop.type("Memory limit (chars)", "60")
    loop.shows("refused: MEMORY.md holds 30 of 60 characters")


def test_the_gate_is_turned_by_drag_by_key_and_by_typing(page: NotebookPage) -> None:
    dial = page.widget("Gate's threshold")
    dial.drag("Gate's threshold", to=0.2)
    dial.shows("threshold 0.2: that and above")
    dial.handle("Gate's threshold").press("ArrowRight")
    dial.shows("threshold 0.21: that and above")
    assert dial.box("Gate's threshold").input_value() == "0.21"
    dial.type("Gate's threshold", "0.7")
    dial.shows("threshold 0.7: that and above", "Precision: 6/7 = 0.86", "Recall: 6/8 = 0.75")
    page.screenshot("lesson-03-dial", dial.output)


def test_a_prediction_from_a_list_is_compared_with_the_engine(page: NotebookPage) -> None:
    where = page.cell('"In which bucket does the long note end?"')
    where.run()
    where.widget.shows("Your prediction: not answered yet.")
    where.widget.choose("Your prediction", "rejected")
    where.widget.shows("Your prediction: rejected.")
    reveal = page.cell("where.reveal(")
    reveal.run()
    where.widget.shows("The engine says failed; you predicted rejected.")
    assert "The engine says failed; you predicted rejected." in reveal.output
    page.screenshot("lesson-03-prediction", where.widget.output)


def test_a_prediction_in_numbers_is_typed(page: NotebookPage) -> None:
    price = page.cell("How many of the six true lessons")
    price.run()
    price.widget.type("Your number", "three")
    price.widget.shows("is not a number yet")
    price.widget.type("Your number", "3")
    price.widget.shows("Your prediction: 3.")
    page.cell("price.reveal(").run()
    price.widget.shows("The engine says 3, as you predicted.")


def test_a_prediction_in_a_cell_is_written_in_place_of_the_dots(page: NotebookPage) -> None:
    mine = page.cell("my_prediction_2 =")
    mine.write("my_prediction_2 = True")
    mine.run()
    revealed = page.cell("reveal(my_prediction_2")
    revealed.run()
    assert "The engine says True, as you predicted." in revealed.output


def test_a_card_is_flipped_and_its_answer_stays_hidden_until_then(page: NotebookPage) -> None:
    cards = page.widget("Flip")
    cards.shows("Card 1 of", "Say your answer aloud, then flip the card.")
    hidden = cards.words()
    cards.press("Flip")
    cards.gone("Say your answer aloud")
    assert len(cards.words()) > len(hidden)
    page.screenshot("lesson-03-card", cards.output)
    cards.press("Knew it")
    cards.shows("Card 2 of", "Say your answer aloud")
    cards.press("Back")
    cards.shows("Card 1 of")
    cards.press("Start again")
    cards.shows("Card 1 of")
