"""expected_counts: exact averages, which both engines' samples keep to."""

from __future__ import annotations

import math

import numpy as np
import pytest

from alembic_sim import DAY_MS, CuratorPolicy
from alembic_sim.sim.fast.lives import blocks_of
from alembic_sim.sim.fast.replay import replay_fast
from alembic_sim.sim.fast.run_fast import run_blocks
from alembic_sim.sim.oracle import ExpectedCount, expected_counts
from alembic_sim.sim.population import SkillLife, draw_population
from alembic_sim.sim.scenario import Archetype, CuratorPlan, Rate, Scenario
from alembic_sim.sim.trace import draw_trace
from tests.sim.fast.worlds import WORKDAYS, WORLDS

STATES = ("active", "stale", "archived")
POLICIES = (CuratorPolicy(14, 30), CuratorPolicy(20, 8), CuratorPolicy(0, 41.5))


def by_state(expected: tuple[ExpectedCount, ...], what: str) -> np.ndarray:
    """Rows are days, columns the three states."""
    return np.array([getattr(count, what) for count in expected]).reshape(-1, 3)


def worst_distance(sampled: np.ndarray, expected: tuple[ExpectedCount, ...]) -> float:
    """How many standard errors the average over the seeds is off, on the worst day and state."""
    mean, variance = by_state(expected, "mean"), by_state(expected, "variance")
    error = np.abs(sampled.mean(axis=0) - mean)
    standard_error = np.sqrt(variance / len(sampled))
    certain = variance < 1e-12
    assert error[certain].max(initial=0) < 1e-9, "what is certain is so in every sample"
    return float((error[~certain] / standard_error[~certain]).max())


@pytest.mark.parametrize("name", WORLDS)
def test_the_fast_engine_s_averages_are_within_four_standard_errors(name: str, seeds: int) -> None:
    scenario = WORLDS[name]
    skills = draw_population(scenario)
    runs = [
        run_blocks(
            scenario.model_copy(update={"seed": seed}), blocks_of(skills, scenario), POLICIES
        )
        for seed in range(seeds)
    ]
    for number, policy in enumerate(POLICIES):
        expected = expected_counts(scenario, skills, policy).expect("expectations")
        counts = np.array(
            [[(c.active, c.stale, c.archived) for c in run[number].counts] for run in runs]
        )
        assert worst_distance(counts, expected) < 4


def test_the_reference_engine_s_traces_are_within_four_standard_errors(seeds: int) -> None:
    """Its own draws, event by event; of this library every seed has the same skills."""
    kinds = (
        Archetype(name="office", count=12, rate_per_day=Rate(kind="fixed", median=0.1)),
        Archetype(name="home", count=12, rate_per_day=Rate(kind="fixed", median=0.3)),
    )
    whole = {"agent_share": 1.0, "pinned_share": 0.0, "weekdays": WORKDAYS}
    scenario = Scenario(
        days=42,
        population=tuple(kind.model_copy(update=whole) for kind in kinds),
        curator=CuratorPlan(interval_days=7),
    )
    policy = CuratorPolicy(6, 13)
    expected = expected_counts(scenario, draw_population(scenario), policy).expect("expectations")
    counts = []
    for seed in range(seeds):
        trace = draw_trace(scenario.model_copy(update={"seed": seed}))
        counts.append(replay_fast(trace, [policy]).expect("a replay")[0].counts)
    assert worst_distance(np.array(counts), after_passes(expected)) < 4


def after_passes(expected: tuple[ExpectedCount, ...]) -> tuple[ExpectedCount, ...]:
    return tuple(count for count in expected if (count.day + 1) % 7 == 0)


def one_skill(**life: object) -> SkillLife:
    return SkillLife("skill", 0.3, Scenario().start_ms, **life)


def test_one_skill_and_one_pass_by_hand() -> None:
    """After a week it is stale if it was used in the first five days and not in the last two."""
    expected = expected_counts(Scenario(days=7), [one_skill()], CuratorPolicy(2, 90))
    stale = math.exp(-0.3 * 2) * (1 - math.exp(-0.3 * 5))
    last = {count.state: count for count in expected.expect("expectations")[-3:]}
    # A millisecond on the cut-off counts as over it.
    assert last["stale"].mean == pytest.approx(stale, abs=1e-8)
    assert last["stale"].variance == pytest.approx(stale * (1 - stale), abs=1e-8)
    assert last["active"].mean == pytest.approx(1 - stale, abs=1e-8)
    assert last["archived"].mean == 0


def test_a_skill_that_is_nobody_s_business_is_active_for_certain() -> None:
    for life in (one_skill(pinned=True), one_skill(created_by="user")):
        expected = expected_counts(Scenario(days=60), [life], CuratorPolicy(1, 2))
        for count in expected.expect("expectations"):
            assert (count.mean, count.variance) == (float(count.state == "active"), 0)


def test_a_skill_born_as_a_day_ends_is_counted_on_that_day() -> None:
    """As both engines count it."""
    scenario = Scenario(days=3)
    skill = SkillLife("skill", 0.0, scenario.start_ms + DAY_MS)
    expected = expected_counts(scenario, [skill], CuratorPolicy()).expect("expectations")
    assert [count.mean for count in expected if count.state == "active"] == [1, 1, 1]
    late = SkillLife("late", 0.0, scenario.start_ms + DAY_MS + 1)
    expected = expected_counts(scenario, [late], CuratorPolicy()).expect("expectations")
    assert [count.mean for count in expected if count.state == "active"] == [0, 1, 1]


def test_what_the_fast_engine_cannot_do_the_oracle_cannot_either() -> None:
    scenario = Scenario.model_validate({"curator": {"order": "stale-first"}})
    refused = expected_counts(scenario, [one_skill()], CuratorPolicy())
    assert (refused.error.code, refused.error.field) == ("unsupported", "curator.order")
