"""What is printed: the task, the answer of `check` in at most six lines, a hint, the solution."""

from __future__ import annotations

import re
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
from alembic_sim.teaching.svg import COLUMNS

_CASE, _EXPECTED, _GOT = "  input     ", "  expected  ", "  got       "


def task_lines(exercise: Exercise) -> list[str]:
    """The task: what to write, an example, and where to go from here."""
    answer = exercise.show_answer(exercise.expected(exercise.example))
    return [
        f"Exercise {exercise.id} · {exercise.title}",
        *(line for text in exercise.task.strip().split("\n\n") for line in _wrapped(text)),
        *_wrapped(_todo(exercise)),
        *_code("Example: ", exercise.show(exercise.example)),
        *_code("   gives ", answer),
        *_wrapped(
            f'Check it with check("{exercise.id}", {exercise.function}). '
            f'Stuck? hint("{exercise.id}", 1)'
        ),
    ]


def verdict_lines(
    exercise: Exercise, verdict: Verdict, not_written: str | None = None
) -> list[str]:
    """The answer of `check`: at most six lines of at most `COLUMNS` characters.

    `not_written` says why the attempt is not in the learner's file, if it could not be counted.
    """
    match verdict:
        case Passed(printed):
            return [
                *_passed(exercise, printed, not_written),
                *_wrapped(exercise.learnt),
                *_wrapped(f"Compare it with the engine's own: {exercise.engine}"),
            ]
        case NotAnswered(why):
            return [
                *_wrapped(f"{exercise.id} not answered yet: {why}."),
                *_wrapped(_todo(exercise)),
                f'The whole task: exercise("{exercise.id}"). A hint: hint("{exercise.id}", 1)',
            ]
        case NotPassed(case, expected, got, printed):
            failed = "not passed yet" if not_written is None else "not passed yet, nor written down"
            return [
                f"{exercise.id} {failed}. The smallest case that fails:",
                *_case_lines(case, expected, got),
                *(_unseen_print(exercise) if printed else _first_hint(exercise)),
            ]
        case NotProved():
            return [
                *_wrapped(
                    f"{exercise.id} not proved yet: the examples pass, but hypothesis is missing, "
                    "which looks for more cases."
                ),
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


def _passed(exercise: Exercise, printed: bool, not_written: str | None) -> list[str]:
    """One line, or two."""
    passed = f"{exercise.id} passed{' (what it printed is not shown)' if printed else ''}"
    if not_written is None:
        agrees = f"{exercise.function} agrees with the engine on every case tried"
        return _wrapped(f"{passed}: {agrees}.")
    why = f"{passed}, but could not be written down: {not_written}"
    return wrap(why, COLUMNS, max_lines=2, placeholder=" …")


def _unseen_print(exercise: Exercise) -> list[str]:
    """Two lines in place of the hint: who prints is looking for the mistake already."""
    return [
        "What it printed is not shown: call it on this input in a cell.",
        f'A hint: hint("{exercise.id}", 1)',
    ]


def _case_lines(case: str, expected: str, got: str) -> list[str]:
    """Three lines; what needs two of them leaves one for the other two, or is cut."""
    shown, answers = _code(_CASE, case), _code(_GOT, got)
    together = f"{_CASE}{case}  expected {expected}"
    if len(answers) == 2 and len(together) <= COLUMNS:
        return [together, *answers]
    together = f"{_EXPECTED}{expected}  got {got}"
    if len(shown) == 2 and len(together) <= COLUMNS:
        return [*shown, together]
    room = COLUMNS - len(_CASE)
    expected, got = told_apart(expected, got, room)
    return [f"{_CASE}{cut(case, room)}", f"{_EXPECTED}{expected}", f"{_GOT}{got}"]


def _first_hint(exercise: Exercise) -> list[str]:
    """Two lines: the hint, and how to get the next one."""
    hinted, following = f"Hint 1 of 3: {exercise.hints[0]}", f'Next: hint("{exercise.id}", 2)'
    if len(hinted) <= COLUMNS:
        return [hinted, following]
    return _wrapped(f"{hinted} {following}")


def _code(before: str, text: str) -> list[str]:
    """The text over several lines where one is too short for it: never cut within a name."""
    lines = [before]
    for piece in re.split(r"(?<=[,;:] )|(?<=\w\()|(?<=[a-z)}] )", text):
        if len(lines[-1] + piece.rstrip()) > COLUMNS:
            lines.append("    ")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _wrapped(text: str) -> list[str]:
    return wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False)
