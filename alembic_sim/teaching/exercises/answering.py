"""What is printed: the task, the answer of `check` in at most six lines, a hint, the solution."""

from __future__ import annotations

from textwrap import wrap

from alembic_sim.teaching.exercises.checking import (
    NotAnswered,
    NotPassed,
    NotProved,
    Passed,
    Verdict,
)
from alembic_sim.teaching.exercises.exercise import Exercise
from alembic_sim.teaching.exercises.telling import cut, told_apart

WIDTH = 92
"""Of the prose. Inputs and answers are wider: JupyterLab wraps them where it must."""

VALUE_WIDTH = 130


def task_lines(exercise: Exercise) -> list[str]:
    """The task: what to write, an example, and where to go from here."""
    answer = exercise.show_answer(exercise.expected(exercise.example))
    return [
        f"Exercise {exercise.id} · {exercise.title}",
        *(line for text in exercise.task.strip().split("\n\n") for line in _wrapped(text)),
        *_wrapped(_todo(exercise)),
        f"Example: {exercise.show(exercise.example)}",
        f"   gives {answer}",
        f'Check it with check("{exercise.id}", {exercise.function}). '
        f'Stuck? hint("{exercise.id}", 1)',
    ]


def verdict_lines(exercise: Exercise, verdict: Verdict) -> list[str]:
    """The answer of `check`, six lines at the most."""
    match verdict:
        case Passed():
            agrees = f"{exercise.function} agrees with the engine on every case tried"
            return [
                f"{exercise.id} passed: {agrees}.",
                exercise.learnt,
                f"Compare it with the engine's own: {exercise.engine}",
            ]
        case NotAnswered(why):
            return [
                f"{exercise.id} not answered yet: {why}.",
                *_wrapped(_todo(exercise)),
                f'The whole task: exercise("{exercise.id}"). A hint: hint("{exercise.id}", 1)',
            ]
        case NotPassed(case, expected, got):
            expected, got = told_apart(expected, got, VALUE_WIDTH)
            return [
                f"{exercise.id} not passed yet. The smallest case that fails:",
                f"  input     {cut(case, VALUE_WIDTH)}",
                f"  expected  {expected}",
                f"  got       {got}",
                f"Hint 1 of 3: {exercise.hints[0]}",
                f'For the next one: hint("{exercise.id}", 2)',
            ]
        case NotProved():
            return [
                f"{exercise.id} not proved yet: the examples pass, but hypothesis is missing, "
                "which looks for more cases.",
                "Install it (pip install hypothesis) and check again.",
            ]


def hint_lines(exercise: Exercise, number: int) -> list[str]:
    """One of the three hints, and how to get the next."""
    following = f'hint("{exercise.id}", {number + 1})' if number < 3 else ""
    return [
        *_wrapped(f"Hint {number} of 3: {exercise.hints[number - 1]}"),
        f"The next one: {following}" if following else f'To see it done: solution("{exercise.id}")',
    ]


def solution_lines(exercise: Exercise) -> list[str]:
    """One way to write it."""
    return [
        f"# {exercise.id} · one way to write {exercise.function}",
        *exercise.solution.strip("\n").split("\n"),
    ]


def _todo(exercise: Exercise) -> str:
    return f"To do: write {exercise.signature}. {exercise.todo}"


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
