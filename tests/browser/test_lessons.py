"""Lessons as a learner opens them, runs them, and comes back to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alembic_sim.teaching.exercises.progress import home_folder
from alembic_sim.teaching.lessons.catalog import find_lesson
from tests.browser.lessons_in_browser import Lesson, exercise_of
from tests.browser.notebook_page import NotebookPage
from tests.cli.test_lab import RunningLab

each_lesson = pytest.mark.parametrize("number", range(10))
one_exercise_each = pytest.mark.parametrize(
    ("number", "exercise_id"),
    [
        (1, "01.3"),
        (2, "02.2"),
        (3, "03.3"),
        (4, "04.3"),
        (5, "05.3"),
        (6, "06.1"),
        (7, "07.1"),
        (8, "08.2"),
        (9, "09.1"),
    ],
)


@each_lesson
def test_a_fresh_lesson_shows_every_stored_picture_before_anything_runs(
    number: int, lesson: Callable[[int], Lesson]
) -> None:
    sight = lesson(number).first_sight
    assert sight.complaints == []
    assert sight.stored_pictures > 3
    assert sight.seen_pictures == sight.stored_pictures
    assert sight.without_words == 0


@each_lesson
def test_on_a_narrow_page_no_printed_line_is_broken_and_no_picture_is_cut_off(
    number: int, lesson: Callable[[int], Lesson]
) -> None:
    sight = lesson(number).narrow
    assert sight.broken_lines == []
    assert sight.cut_off == []


def test_a_lesson_that_jupyterlab_does_not_trust_shows_its_still_pictures_too(
    lab: RunningLab, open_notebook: Callable[[str], NotebookPage]
) -> None:
    """As on Binder, or in any JupyterLab that did not sign it: nobody ever ran this file there."""
    path = find_lesson("06").expect("a lesson of ours").path
    document = json.loads(path.read_text(encoding="utf-8"))
    document["cells"].pop()
    strange = lab.folder / "not_trusted.ipynb"
    strange.write_text(json.dumps(document), encoding="utf-8")
    cells = json.loads(lab.ask(f"/api/contents/{strange.name}"))["content"]["cells"]
    assert not any(cell["metadata"].get("trusted") for cell in cells)
    page = open_notebook(strange.name)
    page.wait_for_pictures()
    page.screenshots("lesson-06-not-trusted")
    assert page.seen_pictures() == page.stored_pictures() > 3
    assert page.without_words() == 0


@each_lesson
def test_all_cells_run_and_nothing_goes_wrong(number: int, lesson: Callable[[int], Lesson]) -> None:
    page = lesson(number).page
    assert page.errors() == []
    assert page.complaints() == []
    assert page.seen_pictures() == page.stored_pictures()


@each_lesson
def test_no_picture_and_no_row_of_controls_is_cut_off(
    number: int, lesson: Callable[[int], Lesson]
) -> None:
    assert lesson(number).page.cut_off() == []


@one_exercise_each
def test_an_exercise_fails_with_its_smallest_case_and_passes_once_it_is_right(
    number: int, exercise_id: str, lesson: Callable[[int], Lesson]
) -> None:
    opened = lesson(number)
    exercise = exercise_of(exercise_id)
    wrong = exercise.wrong_answers[0]

    untouched = opened.check(exercise_id).output
    assert f"{exercise_id} not answered yet" in untouched

    told = " ".join(opened.answer(exercise_id, wrong.source).split())
    opened.page.screenshot(f"exercise-{exercise_id}-fails", opened.check(exercise_id).box)
    assert f"{exercise_id} not passed yet. The smallest case that fails:" in told
    assert " ".join(wrong.smallest.split()) in told
    assert "expected" in told
    assert "got" in told
    assert exercise.hints[0] in told

    told = opened.answer(exercise_id, exercise.solution)
    opened.page.screenshot(f"exercise-{exercise_id}-passes", opened.check(exercise_id).box)
    assert f"{exercise_id} passed" in told
    assert "not passed" not in told

    own_file = json.loads((home() / "progress.json").read_text(encoding="utf-8"))
    assert own_file[exercise_id] == {"tried": 2, "passed": 1}


def home() -> Path:
    """The learner's data folder, which the lab's kernels share with this test."""
    folder = home_folder()
    assert folder is not None
    return folder


def test_widgets_live_on_when_the_page_is_reloaded(lesson: Callable[[int], Lesson]) -> None:
    page = lesson(6).page
    page.save()
    page.reload()
    assert page.complaints() == []
    timeline = page.widget("Idle days")
    timeline.type("Idle days", "100")
    timeline.shows("anchor: idle 100 d")


def test_a_lesson_that_was_run_and_saved_shows_its_pictures_the_next_day(
    open_notebook: Callable[[str], NotebookPage], lesson: Callable[[int], Lesson]
) -> None:
    page = lesson(6).page
    page.save()
    copy = page.file.with_name("the_next_day.ipynb")
    copy.write_text(page.file.read_text(encoding="utf-8"), encoding="utf-8")
    next_day = open_notebook(copy.name)
    next_day.wait_for_kernel()
    next_day.wait_for_pictures()
    next_day.screenshot("lesson-06-next-day")
    assert next_day.complaints() == []
    assert next_day.seen_pictures() == next_day.stored_pictures()
    # There is no kernel behind the widgets now. That is no damage, and is said in words.
    assert next_day.red_marks() == 0
    still = next_day.page.get_by_text("A still picture: run its cell, and it moves.")
    assert still.first.is_visible()
    assert not page.page.get_by_text("A still picture: run its cell").first.is_visible()
