"""check: the examples first, then generated cases; the outcome is a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alembic_sim.teaching.exercises.calling import Answered, Caller, Trouble
from alembic_sim.teaching.exercises.comparing import same
from alembic_sim.teaching.exercises.exercise import Case, Exercise
from alembic_sim.teaching.exercises.searching import smallest_failing
from alembic_sim.teaching.exercises.telling import tell


@dataclass(frozen=True, slots=True)
class Passed:
    """The function agreed with the engine on every case; `printed`: and printed on some."""

    printed: bool = False


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """Nothing is written yet, as `why` says."""

    why: str


@dataclass(frozen=True, slots=True)
class NotPassed:
    """The smallest case on which the function is wrong: the call, the right answer, its answer.

    `printed` says whether it also printed something on that case.
    """

    case: str
    expected: str
    got: str
    printed: bool = False


@dataclass(frozen=True, slots=True)
class NotProved:
    """All examples pass, but hypothesis is not installed: nobody looked further."""


Verdict = Passed | NotAnswered | NotPassed | NotProved

NOT_GIVEN = object()
"""Stands for the function that somebody forgot to hand to `check`."""


def judge(exercise: Exercise, function: object, caller: Caller | None = None) -> Verdict:
    """What is to be said of the learner's function. Never raises but for the stop button."""
    if function is NOT_GIVEN:
        return NotAnswered(
            f'give your function as well: check("{exercise.id}", {exercise.function})'
        )
    if function is ... or function is None:
        return NotAnswered(f"{exercise.function} is {tell(function)}, not a function")
    if not callable(function):
        why = f"this is {tell(function)}; give the function itself: {exercise.function}"
        return NotAnswered(f"{why}, without brackets")
    trial = _Trial(exercise, function, caller or Caller())
    failing: list[Case] = []
    for case in exercise.examples:
        if trial.fails(case):
            failing.append(case)
        if failing and not trial.blank:
            return trial.not_passed(failing[0])
    if trial.blank:
        return NotAnswered(trial.why_blank())
    try:
        found = smallest_failing(exercise.generate, trial.fails)
    except ImportError:
        return NotProved()
    return Passed(trial.printed) if found is None else trial.not_passed(found)


class _Trial:
    """One function under examination; `blank` as long as nothing but a stub was seen of it.

    `printed` says whether it printed on any case.
    """

    def __init__(self, exercise: Exercise, function: Callable[..., object], caller: Caller) -> None:
        self.blank = True
        self.printed = False
        self._exercise = exercise
        self._function = function
        self._caller = caller
        self._returned: object = None

    def fails(self, case: Case) -> bool:
        # Without time left the search is to end, not to blame whatever case comes next.
        return not self._caller.out_of_time and not self._right(case, self._outcome(case))

    def not_passed(self, case: Case) -> NotPassed:
        outcome = self._outcome(case)
        got, again = self._tell(outcome), self._tell(self._outcome(case))
        if got != again or self._right(case, outcome):
            got = f"not the same each time. Keep nothing between two calls: {got}"
        expected = self._exercise.show_answer(self._exercise.expected(case))
        return NotPassed(self._exercise.show(case), expected, got, outcome.printed)

    def why_blank(self) -> str:
        if self.printed:
            return f"{self._exercise.function} prints, and gives nothing back. Use return"
        if self._returned is ...:
            return f"{self._exercise.function} still gives back the three dots"
        return f"{self._exercise.function} gives nothing back"

    def _outcome(self, case: Case) -> Answered | Trouble:
        def watched(*arguments: object) -> object:
            self._returned = self._function(*arguments)
            self.blank = self.blank and _is_blank(self._returned)
            return self._returned

        outcome = self._caller.call(lambda: self._exercise.observe(watched, case))
        self.printed = self.printed or outcome.printed
        if isinstance(outcome, Trouble):
            self.blank = self.blank and outcome.unwritten
        return outcome

    def _right(self, case: Case, outcome: Answered | Trouble) -> bool:
        match outcome:
            case Answered(value):
                return same(self._exercise.expected(case), value)
            case Trouble():
                return False

    def _tell(self, outcome: Answered | Trouble) -> str:
        match outcome:
            case Answered(value):
                return self._exercise.show_answer(value)
            case Trouble(what):
                return what


def _is_blank(returned: object) -> bool:
    return returned is None or returned is ... or returned is NotImplemented
