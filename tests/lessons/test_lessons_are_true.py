"""Every lesson is whole, clean, canonical, and says what a fresh run says, byte for byte.

nbval (configured in pyproject.toml) compares each cell's output besides; what it cannot see is
checked here.
"""

from __future__ import annotations

import pytest

from alembic_sim.teaching.lessons.build import rebuild, what_changed
from alembic_sim.teaching.lessons.canonical import canonical_text
from alembic_sim.teaching.lessons.catalog import LessonFile, written_lessons
from alembic_sim.teaching.lessons.lesson_form import lesson_findings
from alembic_sim.teaching.lessons.notebook import parse_notebook, read_notebook

LESSONS = written_lessons()


@pytest.fixture(params=LESSONS, ids=lambda file: str(file.lesson.stem))
def lesson(request: pytest.FixtureRequest) -> LessonFile:
    file: LessonFile = request.param
    return file


def test_there_are_lessons_to_check() -> None:
    assert LESSONS
    assert LESSONS[0].lesson.number == 0


def test_nothing_is_found_that_needs_mending(lesson: LessonFile) -> None:
    notebook = read_notebook(lesson.path).expect("a lesson is a notebook")
    assert [one.text() for one in lesson_findings(notebook, lesson.lesson)] == []


def test_the_file_is_in_canonical_form(lesson: LessonFile) -> None:
    text = lesson.path.read_bytes().decode("utf-8")
    assert text == canonical_text(parse_notebook(text).expect("a lesson is a notebook"))


def test_a_second_run_elsewhere_gives_the_same_bytes(lesson: LessonFile) -> None:
    # Another time zone and another order of sets than those of the run that built it.
    elsewhere = {"TZ": "Pacific/Chatham", "PYTHONHASHSEED": "1", "LC_ALL": "C"}
    rebuilt = rebuild(lesson.path, environment=elsewhere).expect("the lesson runs")
    assert [difference.text() for difference in what_changed(rebuilt)] == []
