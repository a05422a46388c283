"""Exercise: everything that is to be known about one exercise, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from alembic_sim.teaching.exercises.comparing import same
from alembic_sim.teaching.exercises.telling import tell

T = TypeVar("T")

Case = tuple[Any, ...]
"""One input: the arguments of one call."""

Function = Callable[..., object]
"""What a learner writes."""


class Pick(Protocol):
    """Chance, as a generator of cases sees it. The first option is the simplest one."""

    def __call__(self, options: Sequence[T]) -> T:
        """One of the options, each about equally often; a failing case is shrunk to the first."""
        ...

    def some(self, make: Callable[[], T], at_most: int) -> list[T]:
        """A few made things, from none to `at_most`; a failing case is shrunk to few."""
        ...


class ChangedArgument(Exception):
    """The learner's function changed what it was given."""


def call_with(function: Function, case: Case) -> object:
    """What the function gives back for the case; it gets a copy of its own to play with.

    Raises `ChangedArgument` if it left that copy changed: its caller would be surprised.
    """
    arguments = deepcopy(case)
    answer = function(*arguments)
    if not same(case, arguments):
        raise ChangedArgument
    return answer


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A plausible mistake, its source, and the input on which `check` must show it to fail."""

    mistake: str
    source: str
    smallest: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """A function to write, and how it is judged.

    `stub` is the cell to edit as a learner finds it, `todo` one line on what is missing there.
    `reference` gives the right answers: it asks the engine, and is never a table. `examples` are
    tried first, simple ones first; then come the cases that `generate` makes. `learnt` is
    said to who passed, and `engine` names the place in the source to compare with.

    `observe` says what a function does on a case: for most it is what comes back. `show_case` and
    `show_answer` spell a case and an answer where Python's own spelling is hard to read; neither
    may raise, whatever the answer is.
    """

    id: str
    title: str
    signature: str
    task: str
    todo: str
    stub: str
    hints: tuple[str, str, str]
    solution: str
    wrong_answers: tuple[WrongAnswer, ...]
    reference: Function
    example: Case
    examples: tuple[Case, ...]
    generate: Callable[[Pick], Case]
    learnt: str
    engine: str
    observe: Callable[[Function, Case], object] = call_with
    show_case: Callable[[Case], str] | None = None
    show_answer: Callable[[object], str] = tell

    @property
    def function(self) -> str:
        """The name of the function to write."""
        return self.signature.partition("(")[0]

    @property
    def lesson(self) -> int:
        """The number of the lesson that it belongs to."""
        return int(self.id.partition(".")[0])

    def show(self, case: Case) -> str:
        """The case as a call that a learner can read, and mostly paste."""
        if self.show_case is not None:
            return self.show_case(case)
        return f"{self.function}({', '.join(map(tell, case))})"

    def expected(self, case: Case) -> object:
        """What is to be observed for the case."""
        return self.observe(self.reference, case)
