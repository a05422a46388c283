"""What several tests of the exercises share: functions made from source, and who said what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alembic_sim.teaching.exercises.answering import verdict_lines
from alembic_sim.teaching.exercises.catalog import all_exercises
from alembic_sim.teaching.exercises.checking import judge
from alembic_sim.teaching.exercises.exercise import Exercise, WrongAnswer

EXERCISES = all_exercises()


def written(exercise: Exercise, source: str) -> Callable[..., object]:
    """The learner's function, as running the cell defines it."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(source, namespace)
    function = namespace[exercise.function]
    assert callable(function)
    return function


def answer(exercise: Exercise, function: object) -> list[str]:
    """What `check` prints."""
    return verdict_lines(exercise, judge(exercise, function))


def wrong_answers() -> Iterator[tuple[Exercise, WrongAnswer]]:
    for exercise in EXERCISES:
        for wrong in exercise.wrong_answers:
            yield exercise, wrong
