"""Finding exercises: the modules of the bank, by the ids in their names."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import iter_modules

from alembic_sim.teaching.exercises import bank
from alembic_sim.teaching.exercises.exercise import Exercise

_NAME = re.compile(r"e(\d\d)_(\d+)_")


def exercise_ids() -> tuple[str, ...]:
    """The ids of all exercises, in the order of the lessons. None of them is loaded."""
    return tuple(_modules())


def find_exercise(asked: object) -> Exercise | None:
    """The exercise called `03.1` (or `3.1`), None if there is none."""
    lesson, dot, number = str(asked).strip().partition(".")
    module = _modules().get(f"{lesson.zfill(2)}{dot}{number}")
    return None if module is None else _load(module)


def all_exercises() -> tuple[Exercise, ...]:
    """Every exercise, in the order of the lessons."""
    return tuple(_load(module) for module in _modules().values())


def _modules() -> dict[str, str]:
    """The modules of the bank by exercise id."""
    found = []
    for module in iter_modules(bank.__path__):
        name = _NAME.match(module.name)
        if name:
            found.append((int(name[1]), int(name[2]), f"{name[1]}.{name[2]}", module.name))
    return {exercise_id: module for _, _, exercise_id, module in sorted(found)}


def _load(module: str) -> Exercise:
    exercise: Exercise = import_module(f"{bank.__name__}.{module}").EXERCISE
    return exercise
