"""`alembic-sim progress`: which exercises are passed, tried, or still to come."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    DirOption,
    JsonOption,
    data_folder,
    fail,
    print_json,
    print_line,
    warn,
)
from alembic_sim.result import Err
from alembic_sim.teaching.exercises.catalog import all_exercises
from alembic_sim.teaching.exercises.exercise import Exercise
from alembic_sim.teaching.exercises.progress import (
    FILE,
    Attempts,
    Progress,
    read_progress,
    reset_progress,
)
from alembic_sim.teaching.lessons.catalog import CURRICULUM


def progress(
    folder: DirOption = None,
    as_json: JsonOption = False,
    reset: Annotated[
        bool, typer.Option("--reset", help="Forget every attempt: begin an empty file.")
    ] = False,
) -> None:
    """Show which exercises you passed, tried, or have not tried yet.

    The counts are in one file of yours, and go nowhere.
    """
    home = data_folder(folder)
    if reset:
        begun = reset_progress(home)
        if isinstance(begun, Err):
            fail(f"{home / FILE} was not reset: {begun.error.message}")
    found = read_progress(DiskFs(home))
    if as_json:
        print_json(_document(home / FILE, found))
    else:
        for line in _lines(home / FILE, found):
            print_line(line)
    if found.problem is not None:
        warn(
            f"warning: {home / FILE} cannot be read ({found.problem}), so nothing counts as tried. "
            "Mend it, or begin a new one with --reset"
        )


def _lines(file: Path, found: Progress) -> Iterator[str]:
    yield f"Progress in {file.as_posix()}"
    for number, exercises in _by_lesson():
        passed = sum(1 for exercise in exercises if found.of(exercise.id).passed)
        yield f"Lesson {number:02d} · {_claim(number)} · {passed} of {len(exercises)} passed"
        width = max(len(exercise.title) for exercise in exercises)
        for exercise in exercises:
            told = _told(found.of(exercise.id))
            yield f"  {exercise.id}  {exercise.title:{width}}  {told}"


def _document(file: Path, found: Progress) -> dict[str, object]:
    return {
        "file": file.as_posix(),
        "lessons": [
            {
                "lesson": f"{number:02d}",
                "claim": _claim(number),
                "exercises": [
                    {
                        "id": exercise.id,
                        "title": exercise.title,
                        "state": _state(found.of(exercise.id)),
                        "tried": found.of(exercise.id).tried,
                        "passed": found.of(exercise.id).passed,
                    }
                    for exercise in exercises
                ],
            }
            for number, exercises in _by_lesson()
        ],
    }


def _by_lesson() -> Iterator[tuple[int, list[Exercise]]]:
    for number, group in groupby(all_exercises(), key=lambda exercise: exercise.lesson):
        yield number, list(group)


def _claim(number: int) -> str:
    return next(lesson.claim for lesson in CURRICULUM if lesson.number == number)


def _state(attempts: Attempts) -> str:
    if attempts.passed:
        return "passed"
    return "tried" if attempts.tried else "not yet"


def _told(attempts: Attempts) -> str:
    state = _state(attempts)
    if state == "not yet":
        return state
    return f"{state} ({attempts.tried} {'check' if attempts.tried == 1 else 'checks'})"
