"""What a lesson calls: exercise, check, hint, solution. Each prints, and gives nothing back."""

from __future__ import annotations

from collections.abc import Iterable

from alembic_sim.teaching.exercises.answering import (
    hint_lines,
    solution_lines,
    task_lines,
    verdict_lines,
)
from alembic_sim.teaching.exercises.catalog import exercise_ids, find_exercise
from alembic_sim.teaching.exercises.checking import NOT_GIVEN, NotPassed, Passed, judge
from alembic_sim.teaching.exercises.exercise import Exercise
from alembic_sim.teaching.exercises.progress import note_attempt
from alembic_sim.teaching.exercises.telling import tell


def exercise(exercise_id: str) -> None:
    """Prints the task of an exercise: `exercise("03.1")`."""
    found = _find(exercise_id)
    if found is not None:
        _print(task_lines(found))


def check(exercise_id: str, function: object = NOT_GIVEN) -> None:
    """Prints whether the function passes, else the smallest case on which it is wrong.

    `check("03.1", my_gate)`. Never raises, and says "passed" only of what was proved.
    """
    found = _find(exercise_id)
    if found is None:
        return
    try:
        verdict = judge(found, function)
    except KeyboardInterrupt:
        _print([f"{found.id} was stopped before the check was done."])
        return
    if isinstance(verdict, Passed | NotPassed):
        note_attempt(found.id, isinstance(verdict, Passed))
    _print(verdict_lines(found, verdict))


def hint(exercise_id: str, number: int = 1) -> None:
    """Prints one of three hints, from a nudge to nearly the answer: `hint("03.1", 2)`."""
    found = _find(exercise_id)
    if found is None:
        return
    if type(number) is not int or not 1 <= number <= 3:
        _print([f'There are three hints: hint("{found.id}", 1), 2 and 3, not {tell(number)}.'])
        return
    _print(hint_lines(found, number))


def solution(exercise_id: str) -> None:
    """Prints one right answer: `solution("03.1")`."""
    found = _find(exercise_id)
    if found is not None:
        _print(solution_lines(found))


def _find(asked: object) -> Exercise | None:
    found = find_exercise(asked) if isinstance(asked, str) else None
    if found is None:
        ids = ", ".join(exercise_ids())
        _print([f'There is no exercise {tell(asked)}. Name one as in exercise("03.1"): {ids}'])
    return found


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines))
