"""Blocks of skills: as likely as the reference engine's population, and busy when it is busy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.fast.lives import BLOCK, Lives, blocks_of, draw_blocks
from alembic_sim.sim.fast.rhythm import STEADY, rhythm_of
from alembic_sim.sim.population import BurstPattern, SkillLife, draw_population
from alembic_sim.sim.scenario import Archetype, Bursts, Rate, Scenario
from tests.sim.fast.worlds import WORKDAYS, WORLDS

START_MS = Scenario().start_ms


def columns(blocks: list[Lives]) -> dict[str, np.ndarray]:
    names = ("rate_per_ms", "birth_ms", "abandon_ms", "managed")
    return {name: np.concatenate([getattr(lives, name) for lives in blocks]) for name in names}


def test_given_skills_become_columns_in_their_order() -> None:
    scenario = WORLDS["infinity"]
    skills = draw_population(scenario)
    [lives] = blocks_of(skills, scenario)
    for number, skill in enumerate(skills):
        assert lives.rate_per_ms[number] == skill.rate_per_day / DAY_MS
        assert lives.birth_ms[number] == skill.birth_ms - START_MS
        never = skill.abandon_ms is None
        assert lives.abandon_ms[number] == (np.inf if never else skill.abandon_ms - START_MS)
        assert lives.managed[number] == skill.managed


@pytest.mark.parametrize("day", [0.0, 0.5, 3.25, 19.0, 63.9, 100.0])
def test_the_clock_of_a_skill_has_run_through_the_rates_of_its_days(day: float) -> None:
    scenario = WORLDS["infinity"]
    skills = draw_population(scenario)
    [lives] = blocks_of(skills, scenario)
    busy = lives.busy(np.full(len(skills), day * DAY_MS)) * lives.rate_per_ms
    for skill, expected in zip(skills, busy.tolist(), strict=True):
        rates = [skill.rate_on(d, START_MS) for d in range(scenario.days)]
        whole = int(day)
        part = (day - whole) * rates[whole] if whole < scenario.days else 0
        assert expected == pytest.approx(sum(rates[:whole]) + part)


def test_some_skills_clocks_are_read_each_at_an_instant_of_its_own() -> None:
    scenario = WORLDS["infinity"]
    [lives] = blocks_of(draw_population(scenario), scenario)
    some = np.array([3, 40, 55, 61])
    at_ms = np.array([1.5, 30.25, 44.0, 80.0]) * DAY_MS
    expected = [
        lives.busy(np.full(len(lives), at))[skill] for skill, at in zip(some, at_ms, strict=True)
    ]
    assert lives.busy_of(some, at_ms).tolist() == expected


@given(st.floats(0, 30, exclude_max=True), st.integers(0, 9))
def test_when_undoes_busy_wherever_there_is_anything_to_do(day: float, phase: int) -> None:
    bursts = BurstPattern(10, 2, 5.0, phase)
    rhythm = rhythm_of(WORKDAYS, bursts, START_MS, 30)
    at_ms = np.array([day * DAY_MS])
    life = SkillLife("one", 1.0, START_MS, weekdays=WORKDAYS, bursts=bursts)
    if life.rate_on(int(day), START_MS):
        assert rhythm.when(rhythm.busy(at_ms))[0] == pytest.approx(at_ms[0], abs=0.01)


def test_every_day_alike_needs_no_clock_of_its_own() -> None:
    assert rhythm_of((1.0,) * 7, None, START_MS, 30) is STEADY


def test_drawn_skills_are_as_likely_as_the_reference_engine_s() -> None:
    """Thousands of each: shares and quantiles agree to a few standard errors."""
    kinds = (
        Archetype(
            name="a", count=3 * BLOCK, rate_per_day=Rate(median=0.2, sigma=0.5), agent_share=0.3
        ),
        Archetype(name="b", count=BLOCK, abandon_after_days=20.0, pinned_share=0.4),
    )
    scenario = Scenario(days=60, population=kinds, arrivals_per_month=BLOCK)
    drawn = columns(list(draw_blocks(scenario)))
    [*others] = blocks_of(draw_population(scenario), scenario)
    other = columns(others)
    assert abs(len(drawn["birth_ms"]) - 6 * BLOCK) < 4 * (2 * BLOCK) ** 0.5
    for name in drawn:
        for low in (0.1, 0.25, 0.5, 0.75, 0.9):
            threshold = np.quantile(other[name].astype(float), low, method="lower")
            share = (drawn[name] <= threshold).mean()
            expected = (other[name] <= threshold).mean()
            assert share == pytest.approx(expected, abs=4 * (0.5 / len(other[name])) ** 0.5), name


def test_arrivals_to_an_empty_library_are_of_all_kinds_alike() -> None:
    kinds = tuple(
        Archetype(name=name, count=0, rate_per_day=Rate(kind="fixed", median=rate))
        for name, rate in (("a", 0.1), ("b", 0.2))
    )
    scenario = Scenario(days=30, population=kinds, arrivals_per_month=2000)
    rates = columns(list(draw_blocks(scenario)))["rate_per_ms"] * DAY_MS
    assert sorted(set(rates.round(9).tolist())) == [0.1, 0.2]
    assert (rates < 0.15).mean() == pytest.approx(0.5, abs=0.05)


def test_bursts_begin_at_any_day_of_their_cycle() -> None:
    bursts = Bursts(every_days=10, lasts_days=1, factor=50.0)
    kind = Archetype(count=1000, rate_per_day=Rate(kind="fixed", median=0.01), bursts=bursts)
    [lives] = draw_blocks(Scenario(days=10, population=(kind,)))
    busy = np.diff([lives.busy(np.full(1000, float(day * DAY_MS))) for day in range(11)], axis=0)
    bursting = (busy > DAY_MS * 1.5).sum(axis=1)
    assert bursting.sum() == 1000
    assert bursting.min() > 60


def test_no_block_depends_on_another_one_or_repeats_it() -> None:
    whole = Scenario(population=(Archetype(count=2 * BLOCK),))
    first, second = draw_blocks(whole)
    [alone] = draw_blocks(Scenario(population=(Archetype(count=BLOCK),)))
    assert (first.rate_per_ms == alone.rate_per_ms).all()
    assert (first.rate_per_ms != second.rate_per_ms).all()
