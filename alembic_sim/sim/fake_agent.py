"""FakeAgent: it succeeds or fails by what its prompt holds, and by nothing else.

What there is to learn is a small world: eight kinds of tasks, and for each of them habits that help
and habits that hurt. Which is which, no model and no gate is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from types import MappingProxyType

from alembic_sim.hermes.memory.operations import MemoryTarget

TASK_KINDS = ("build", "test", "deploy", "review", "migrate", "debug", "report", "answer")
_ABOUT_THE_USER = ("report", "answer")

BASE_SUCCESS = 0.5
"""How often a task succeeds when the prompt says nothing about its kind."""
HELP, HARM = 0.35, 0.25
"""What one true lesson takes off the failures that are left, one false one off the successes."""

_HELPS = (
    "read the whole message before you change anything",
    "run the smallest case that fails before the large ones",
    "change one thing at a time and measure again",
    "write down what you expect before you look at what comes",
)
_HURTS = (
    "skip the checks whenever the change looks small",
    "take the first explanation that fits and go on",
    "repeat the step until it passes once",
    "take the newest version of every part without a look",
)
_PLACES = ("parser", "server", "client", "schema", "queue", "cache")


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing that may be remembered about a kind of task, and whether it is true."""

    kind: str
    content: str
    is_true: bool
    target: MemoryTarget


def _lessons() -> tuple[Lesson, ...]:
    return tuple(
        Lesson(
            kind,
            f"{kind.capitalize()} tasks, {place}: {habit}.",
            is_true,
            "user" if kind in _ABOUT_THE_USER else "memory",
        )
        for kind in TASK_KINDS
        for is_true, habits in ((True, _HELPS), (False, _HURTS))
        for habit in habits
        for place in _PLACES
    )


LESSONS = _lessons()
"""All that can be learnt: 192 true lessons and 192 false ones, many more than a memory holds."""

LESSON_OF = MappingProxyType({lesson.content: lesson for lesson in LESSONS})
"""Each lesson by its text."""

_SORTS = {
    is_true: tuple(lesson for lesson in LESSONS if lesson.is_true is is_true)
    for is_true in (True, False)
}
_TEXTS = MappingProxyType(
    {
        (kind, is_true): frozenset(
            one.content for one in LESSONS if one.kind == kind and one.is_true is is_true
        )
        for kind, is_true in product(TASK_KINDS, (True, False))
    }
)


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do. It succeeds if `draw`, from [0, 1), is below the agent's chance."""

    kind: str
    draw: float


class FakeAgent:
    """An agent whose success is a function of the prompt and the task."""

    def chance(self, prompt: str, kind: str) -> float:
        """The probability of success: true lessons of this kind help, false ones hurt.

        >>> FakeAgent().chance("", "deploy")
        0.5
        >>> FakeAgent().chance("Test tasks, cache: repeat the step until it passes once.", "test")
        0.375
        """
        lines = set(prompt.split("\n"))
        helping = len(lines & _TEXTS.get((kind, True), frozenset()))
        hurting = len(lines & _TEXTS.get((kind, False), frozenset()))
        failing = (1 - BASE_SUCCESS) * (1 - HELP) ** helping
        return (1 - failing) * float((1 - HARM) ** hurting)

    def work(self, prompt: str, task: Task) -> bool:
        """True if the task succeeds."""
        return task.draw < self.chance(prompt, task.kind)


def draw_task(chance: Random) -> Task:
    """A task of any kind, all kinds alike."""
    return Task(TASK_KINDS[int(chance.random() * len(TASK_KINDS))], chance.random())


def draw_lesson(chance: Random, true_share: float) -> Lesson:
    """A lesson: true with probability `true_share`, and any one of its sort."""
    is_true = chance.random() < true_share
    sort = _SORTS[is_true]
    return sort[int(chance.random() * len(sort))]
