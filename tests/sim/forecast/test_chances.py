"""Counts of chances, and chances from beliefs."""

from __future__ import annotations

from itertools import product

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.sim.forecast.chances import count_of, policy_tables
from alembic_sim.sim.forecast.usage_model import Belief
from alembic_sim.sim.forecast.usage_prior import RATES

ODDS = [0.1, 0.5, 0.5, 0.9, 1.0]


def test_a_count_is_that_of_every_outcome_written_out() -> None:
    weights = [0.0] * 6
    for outcome in product([0, 1], repeat=5):
        weight = 1.0
        for came, p in zip(outcome, ODDS, strict=True):
            weight *= p if came else 1 - p
        weights[sum(outcome)] += weight
    mean = sum(number * weight for number, weight in enumerate(weights))
    spread = sum((number - mean) ** 2 * weight for number, weight in enumerate(weights))
    count = count_of(ODDS)
    assert count.mean == pytest.approx(mean)
    assert count.deviation == pytest.approx(spread**0.5)
    assert (sum(weights[: count.low]), sum(weights[: count.high])) < (0.1, 0.9)
    assert sum(weights[: count.low + 1]) >= 0.1
    assert sum(weights[: count.high + 1]) >= 0.9


def test_nothing_to_count_is_zero() -> None:
    assert count_of([]) == count_of([0.0, 0.0])
    assert (count_of([]).mean, count_of([]).high) == (0.0, 0)


def sure_of(index: int) -> Belief:
    return Belief(tuple(float(i == index) for i in range(len(RATES))), 0.0)


def test_a_known_rate_leaves_no_interval_and_an_unknown_one_does() -> None:
    tables = policy_tables(CuratorPolicy(30, 90), 0.0, 180)
    rare, often = sure_of(10), sure_of(100)
    known = tables.chance_of_archived(rare, 60)
    assert known.low == pytest.approx(known.p) == pytest.approx(known.high)
    assert tables.chance_of_archived(often, 60).p < 0.01
    mixed = Belief(tuple(map(lambda a, b: (a + b) / 2, rare.alive, often.alive)), 0.0)
    unknown = tables.chance_of_archived(mixed, 60)
    assert unknown.low < 0.01
    assert unknown.high > 0.98
    assert unknown.p == pytest.approx(0.5, abs=0.02)


def test_a_given_up_skill_falls_if_its_silence_ends_within_the_horizon() -> None:
    tables = policy_tables(CuratorPolicy(30, 90), 0.01, 100)
    gone = Belief((0.0,) * len(RATES), 1.0)
    assert [tables.chance_of_archived(gone, head).p for head in (0, 100, 101, None)] == [1, 1, 0, 0]
    assert tables.chance_of_regret(gone, 0) == 0.0


def test_an_interval_holds_its_probability() -> None:
    tables = policy_tables(CuratorPolicy(30, 90), 0.0, 180)
    # Nineteen to one it is as good as never used: the 80 % interval alone would leave the mean out.
    skewed = Belief((0.95, *([0.0] * (len(RATES) - 2)), 0.05), 0.0)
    chance = tables.chance_of_archived(skewed, 60)
    assert chance.low <= chance.p < 0.96 < chance.high


def test_with_the_archive_window_shorter_stale_is_never_reached_first() -> None:
    tables = policy_tables(CuratorPolicy(90, 30), 0.0, 180)
    assert tables.stale == tables.archived
    in_order = policy_tables(CuratorPolicy(30, 90), 0.0, 180)
    assert in_order.stale == tables.archived
