"""Lesson 09's right answers are the engine's: another engine would expect others."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import simulate
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim import figures
from alembic_sim.sim.scenario_file import load_scenario
from alembic_sim.sim.sweep.sweep import library_only, policy_grid, sweep
from alembic_sim.sim.sweep.table import Spread, Sweep
from alembic_sim.teaching.exercises.bank import (
    e09_1_the_regret,
    e09_2_the_same_libraries,
    e09_3_the_choice,
)
from alembic_sim.teaching.exercises.checking import NotPassed, judge
from tests.teaching.exercises.answers import written


def nobody_is_missed(*arguments: Any) -> Any:
    return replace(figures.library_figures(*arguments), regretted=0)


@pytest.mark.parametrize(
    ("module", "holder", "name", "broken"),
    [
        (e09_1_the_regret, e09_1_the_regret, "library_figures", nobody_is_missed),
        (e09_2_the_same_libraries, Sweep, "difference", lambda *_: Spread(1, 1)),
        (e09_3_the_choice, e09_3_the_choice, "best_of", lambda scores: scores[-1]),
    ],
)
def test_with_another_engine_the_solution_is_wrong(
    module: Any, holder: Any, name: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holder, name, broken)
    exercise = module.EXERCISE
    assert isinstance(judge(exercise, written(exercise, exercise.solution)), NotPassed)


def test_the_solution_finds_the_regret_of_a_whole_run() -> None:
    """Days with fractions: a real run archives and needs skills at any instant."""
    run = simulate(library_only(load_scenario("quiet-team").expect("shipped"))).expect("it runs")
    solution: Any = written(e09_1_the_regret.EXERCISE, e09_1_the_regret.EXERCISE.solution)
    archived = [(c.name, c.at_ms / DAY_MS) for c in run.transitions if c.to_state == "archived"]
    needed = [(event.name, event.at_ms / DAY_MS) for event in run.trace.events]
    assert solution(archived, needed) == run.library.regretted == 2


def test_the_solution_finds_the_difference_of_a_whole_sweep() -> None:
    scenario = library_only(load_scenario("quiet-team").expect("shipped"))
    one, other = policy_grid([30], [60, 90])
    table = sweep(scenario, [one, other], replicas=5, progress=False).expect("it runs")
    columns = [[row.run.figures.archived for row in table.rows_of(p)] for p in (one, other)]
    solution: Any = written(
        e09_2_the_same_libraries.EXERCISE, e09_2_the_same_libraries.EXERCISE.solution
    )
    found = table.difference(one, other, "archived")
    assert solution(*columns) == (round(found.mean, 1), round(found.deviation, 1))


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=9))
def test_the_difference_is_that_of_the_pairs(pairs: list[tuple[int, int]]) -> None:
    apart = [a - b for a, b in pairs]
    found = e09_2_the_same_libraries.reference([a for a, _ in pairs], [b for _, b in pairs])
    assert found == (
        pytest.approx(mean(apart), abs=0.0501),
        pytest.approx(stdev(apart), abs=0.0501),
    )


@pytest.mark.parametrize(
    ("rows", "choice"),
    [
        ([("14/30", 20, 12), ("30/90", 9, 0)], "30/90"),
        ([("14/30", 20, 4), ("30/90", 9, 0)], "14/30"),
        ([("30/60", 8, 0), ("30/90", 8, 0)], "30/60"),
    ],
)
def test_the_choice_is_the_verdict_of_a_forecast(
    rows: list[tuple[str, int, int]], choice: str
) -> None:
    assert e09_3_the_choice.reference(rows) == choice
