"""Exercises are found by their ids."""

from __future__ import annotations

import pytest

from alembic_sim.teaching.exercises.catalog import all_exercises, exercise_ids, find_exercise


def test_the_ids_are_those_in_the_names_of_the_modules_and_in_order() -> None:
    assert exercise_ids() == tuple(exercise.id for exercise in all_exercises())
    assert list(exercise_ids()) == sorted(
        exercise_ids(), key=lambda one: tuple(map(int, one.split(".")))
    )


@pytest.mark.parametrize("asked", ["03.1", "3.1", " 03.1 "])
def test_an_exercise_is_found_by_its_id(asked: str) -> None:
    found = find_exercise(asked)
    assert found is not None
    assert found.id == "03.1"


@pytest.mark.parametrize("asked", ["", ".", "03", "3", "03.", ".1", "99.1", "03.1.1", "../03.1"])
def test_what_is_no_id_is_not_found(asked: str) -> None:
    assert find_exercise(asked) is None
