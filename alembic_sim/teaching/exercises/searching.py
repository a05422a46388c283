"""The smallest failing case that hypothesis finds; the only place that loads hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from alembic_sim.teaching.exercises.exercise import Case, Pick

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

T = TypeVar("T")

MAX_EXAMPLES = 200

Choices = list[int]
"""The numbers of the options that were picked, in order: they make the case again."""


def smallest_failing(
    generate: Callable[[Pick], Case],
    fails: Callable[[Case], bool],
    max_examples: int = MAX_EXAMPLES,
) -> Case | None:
    """The smallest generated case that fails, None if none does; the same one on every run.

    Raises `ImportError` where hypothesis is not installed.
    """
    choices = _search(generate, fails, max_examples)
    if choices is None:
        return None
    return generate(_Replayed(_lowered(generate, fails, choices)))


def _search(
    generate: Callable[[Pick], Case], fails: Callable[[Case], bool], max_examples: int
) -> Choices | None:
    """The choices that make the smallest failing case which hypothesis finds."""
    from hypothesis import HealthCheck, Phase, Verbosity, find, settings
    from hypothesis.errors import NoSuchExample
    from hypothesis.strategies import composite

    seen: list[Choices] = []

    @composite
    def drawn(draw: DrawFn) -> tuple[Case, Choices]:
        pick = _Drawn(draw)
        return generate(pick), pick.choices

    def failing(made: tuple[Case, Choices]) -> bool:
        case, choices = made
        if not fails(case):
            return False
        seen.append(choices)
        return True

    repeatable = settings(
        max_examples=max_examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    try:
        _case, choices = find(drawn(), failing, settings=repeatable)
    except NoSuchExample:
        return None
    except Exception:
        # A function that answers differently each time, or has no time left, confuses the search.
        # What failed has failed, though it may not be the smallest.
        if not seen:
            raise
        return seen[-1]
    return choices


def _lowered(
    generate: Callable[[Pick], Case], fails: Callable[[Case], bool], choices: Choices
) -> Choices:
    """The choices, each one the first option that still fails.

    hypothesis lowers one bit of a choice at a time, and may stop at 8 where 7 would do.
    """
    for place, number in enumerate(choices):
        for smaller in range(number):
            tried = [*choices[:place], smaller, *choices[place + 1 :]]
            if fails(generate(_Replayed(tried))):
                return _lowered(generate, fails, tried)
    return choices


class _Drawn:
    """Picks by drawing booleans, and nothing but booleans.

    Into the numbers that it draws, hypothesis mixes constants of whatever modules are loaded, and
    writes those down in a folder below the current one. Booleans are spared both: everybody gets
    the same cases, and a learner's folder stays as it is.
    """

    def __init__(self, draw: DrawFn) -> None:
        from hypothesis.strategies import booleans

        self._coin: Callable[[], bool] = lambda: draw(booleans())
        self.choices: Choices = []

    def __call__(self, options: Sequence[T]) -> T:
        number = 0
        for _ in range((len(options) - 1).bit_length()):
            number = 2 * number + self._coin()
        self.choices.append(number % len(options))
        return options[self.choices[-1]]

    def some(self, make: Callable[[], T], at_most: int) -> list[T]:
        made: list[T] = []
        while len(made) < at_most:
            self.choices.append(int(self._coin() or self._coin()))  # often more than one
            if not self.choices[-1]:
                break
            made.append(make())
        return made


class _Replayed:
    """Picks again what was picked before; the first option where nothing was."""

    def __init__(self, choices: Choices) -> None:
        self._choices = iter(choices)

    def __call__(self, options: Sequence[T]) -> T:
        number = next(self._choices, 0)
        return options[number if number < len(options) else 0]

    def some(self, make: Callable[[], T], at_most: int) -> list[T]:
        made: list[T] = []
        while len(made) < at_most and next(self._choices, 0):
            made.append(make())
        return made
