"""Lesson: a lesson's page, what it showed before anything ran, and how its exercises are done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alembic_sim.teaching.exercises.catalog import find_exercise
from alembic_sim.teaching.exercises.exercise import Exercise
from alembic_sim.teaching.lessons.catalog import find_lesson
from tests.browser.notebook_page import Cell, NotebookPage


@dataclass(frozen=True)
class FirstSight:
    """What a learner meets: the pictures that should be there, those that are, complaints."""

    stored_pictures: int
    seen_pictures: int
    complaints: list[str]
    without_words: int


@dataclass(frozen=True)
class NarrowSight:
    """What does not fit where the page is narrow: on a projector, say."""

    broken_lines: list[str]
    cut_off: list[str]


@dataclass(frozen=True)
class Lesson:
    """A lesson that was looked at and then run whole."""

    number: int
    page: NotebookPage
    first_sight: FirstSight
    narrow: NarrowSight

    def answer(self, exercise_id: str, source: str) -> str:
        """What the check says once the source stands in the exercise's cell, and both have run."""
        cell = self.page.cell(f"def {exercise_of(exercise_id).function}(")
        cell.write(source.strip("\n"))
        cell.run()
        check = self.check(exercise_id)
        check.run()
        return check.output

    def check(self, exercise_id: str) -> Cell:
        """The cell that checks the exercise."""
        return self.page.cell(f'check("{exercise_id}", {exercise_of(exercise_id).function})')


def exercise_of(exercise_id: str) -> Exercise:
    """The exercise with its solution and its plausible wrong answers."""
    exercise = find_exercise(exercise_id)
    assert exercise is not None
    return exercise


def open_lesson(open_notebook: Callable[[str], NotebookPage], number: int) -> Lesson:
    """Opens the lesson, keeps what it shows at first sight, runs all its cells."""
    name = find_lesson(f"{number:02}").expect("a lesson of ours").path.name
    page = open_notebook(name)
    page.wait_for_kernel()
    page.wait_for_pictures()
    page.screenshots(f"lesson-{number:02}-fresh")
    sight = FirstSight(
        page.stored_pictures(),
        page.seen_pictures(),
        page.complaints(),
        page.without_words(),
    )
    page.run_all()
    page.screenshots(f"lesson-{number:02}-run")
    narrow = NarrowSight(
        page.broken_lines_when_narrow(f"lesson-{number:02}-narrow"),
        page.cut_off_when_narrow(),
    )
    return Lesson(number, page, sight, narrow)
