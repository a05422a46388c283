"""What a lesson calls: exercise, check, hint, solution. Each prints, and gives nothing back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import isfunction

from alembic_sim.teaching.exercises.answering import (
    hint_lines,
    solution_lines,
    task_lines,
    verdict_lines,
)
from alembic_sim.teaching.exercises.catalog import all_exercises, exercise_ids, find_exercise
from alembic_sim.teaching.exercises.checking import (
    NOT_GIVEN,
    NotPassed,
    Passed,
    Verdict,
    judge,
)
from alembic_sim.teaching.exercises.exercise import Exercise
from alembic_sim.teaching.exercises.progress import home_folder, note_attempt
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
    if callable(exercise_id) and function is NOT_GIVEN:
        _print([f"Name the exercise first, then your function: {_call_with(exercise_id)}"])
        return
    found = _find(exercise_id)
    if found is None:
        return
    try:
        verdict = judge(found, function)
    except KeyboardInterrupt:
        _print([f"{found.id} was stopped before the check was done."])
        return
    _print(verdict_lines(found, verdict, _not_written_down(found, verdict)))


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
        ids, told = ", ".join(exercise_ids()), tell(asked)
        why = (
            f"There is no exercise {told}"
            if isinstance(asked, str)
            else f"An exercise is named by a text, and not by {told}"
        )
        _print([f'{why}. Name one as in exercise("03.1"): {ids}'])
    return found


def _call_with(function: Callable[..., object]) -> str:
    """The call of `check` that this function was written for, as far as its name tells."""
    name = function.__name__ if isfunction(function) else None  # a class may forbid the question
    meant = next((one for one in all_exercises() if one.function == name), None)
    return f'check("{meant.id}", {name})' if meant else 'check("03.1", my_gate)'


def _not_written_down(exercise: Exercise, verdict: Verdict) -> str | None:
    """Counts the attempt, if it was one; why it could not be written down, if it could not."""
    if not isinstance(verdict, Passed | NotPassed):
        return None
    noted, home = note_attempt(exercise.id, isinstance(verdict, Passed)), home_folder()
    if noted.ok:
        return None
    return noted.error.message if home is None else f"{home}: {noted.error.message}"


def _print(lines: Iterable[str]) -> None:
    print("\n".join(lines))
