"""Lesson 07 in the learner's hands: predict, then step; swap the tests; see what differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lessons_in_browser import Lesson
from tests.browser.notebook_page import NotebookPage


@pytest.fixture
def page(lesson: Callable[[int], Lesson]) -> NotebookPage:
    return lesson(7).page


def test_a_learner_predicts_then_steps_to_the_answer(page: NotebookPage) -> None:
    stepper = page.widget("State before the pass")
    stepper.press("Reset")
    stepper.type("Idle days", "5")
    stepper.choose("State before the pass", "stale")
    stepper.shows("stale, idle 5 d", "Your prediction: not answered yet")
    stepper.choose("Your prediction", "archived")
    stepper.shows("Your prediction: archived")
    for _ in range(3):
        stepper.press("Step")
    stepper.shows("You predicted archived: look at the test that decided")
    page.screenshot("lesson-07-stepper", stepper.output)
    stepper.press("Back")
    stepper.shows("Your prediction: archived")
    stepper.press("Reset")
    stepper.shows("Your prediction: not answered yet")


def test_another_case_starts_again_without_a_prediction(page: NotebookPage) -> None:
    stepper = page.widget("State before the pass")
    stepper.choose("Your prediction", "stale")
    stepper.shows("Your prediction: stale")
    stepper.drag("Idle days", to=0.5)
    stepper.shows("idle 75 d", "Your prediction: not answered yet")
    assert stepper.chosen("Your prediction") == "not answered yet"


def test_with_stale_first_no_band_of_an_active_skill_is_archived(page: NotebookPage) -> None:
    timeline = page.widget("Archived after (days)")
    timeline.choose("Order of the tests", "archive first (real)")
    timeline.type("Idle days", "120")
    timeline.shows("archived", "120 ≥ 90 days")
    timeline.choose("Order of the tests", "stale first (variant)")
    timeline.shows("120 ≥ 30 days")
    timeline.gone("archived")
    page.screenshot("lesson-07-stale-first", timeline.output)


def test_the_list_opens_by_space_and_answers_to_the_arrow_keys(page: NotebookPage) -> None:
    timeline = page.widget("Archived after (days)")
    timeline.choose("Order of the tests", "archive first (real)")
    timeline.shows("120 ≥ 90 days")
    timeline.box("Order of the tests").focus()
    for key in ("Space", "ArrowDown", "Enter"):
        page.page.keyboard.press(key)
    timeline.shows("120 ≥ 30 days")


def test_only_what_differs_is_left_when_it_is_asked_for(page: NotebookPage) -> None:
    compare = page.widget("Only what differs")
    assert "=" in compare.words()
    compare.box("Only what differs").check()
    compare.gone("=")
    compare.shows("≠")
    compare.box("Only what differs").uncheck()
    compare.shows("=")
