"""Lesson 02's right answers are the store's: another store would expect others."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim import MemoryStore
from alembic_sim.teaching.exercises.bank import e02_1_room, e02_2_replace, e02_3_two_views
from alembic_sim.teaching.exercises.checking import NotPassed, judge
from tests.teaching.exercises.answers import written


class Roomy(MemoryStore):
    """A store that allows one character more."""

    def __init__(self, *given: Any, memory_char_limit: int = 2200) -> None:
        super().__init__(*given, memory_char_limit=memory_char_limit + 1)


class Blunt(MemoryStore):
    """A store that says yes, changes nothing and never freezes."""

    def apply(self, target: Any, op: Any) -> Any:
        self.load()
        return super().apply_batch(target, [])


@pytest.mark.parametrize(
    ("module", "store"),
    [(e02_1_room, Roomy), (e02_2_replace, Blunt), (e02_3_two_views, Blunt)],
)
def test_with_another_store_the_solution_is_wrong(
    module: Any, store: type[MemoryStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MemoryStore", store)
    exercise = module.EXERCISE
    assert isinstance(judge(exercise, written(exercise, exercise.solution)), NotPassed)


@pytest.mark.parametrize(
    ("entries", "limit", "room"),
    [
        ([], 2200, 2200),
        (["n" * 10], 2200, 2187),
        (["tea", "milk"], 14, 1),
        (["tea", "milk"], 13, 0),
        (["tea"], 2, 0),
    ],
)
def test_the_room_that_is_left_is_what_the_store_takes(
    entries: list[str], limit: int, room: int
) -> None:
    assert e02_1_room.reference(entries, limit) == room


def test_the_store_says_how_a_replace_ends() -> None:
    entries = ["tea", "green tea"]
    assert e02_2_replace.reference(entries, "tea", "soup") == ["soup", "green tea"]
    assert e02_2_replace.reference(entries, "gre", "tea") == ["tea"]
    assert e02_2_replace.reference(["green tea", "black tea"], "tea", "soup") == "ambiguous"
    assert e02_2_replace.reference(entries, "milk", "soup") == "no-match"


def test_the_prompt_lags_by_the_writes_of_its_own_session() -> None:
    sessions = [["tea"], ["milk"], ["tea", "bread", "bread"]]
    assert e02_3_two_views.reference(sessions) == (["tea", "milk"], 1)
