"""The closed form of falling within the horizon, against a walk over every idle day."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from alembic_sim.sim.forecast.horizon import REGRET_DAYS, fall_table


def walk(
    rate: float, hazard: float, window: int, head: int | None, days: int
) -> tuple[float, float]:
    """Falls and regrets by brute force: the probability of every (days left, alive) on every day.

    `head` is how many more quiet days the first fall takes; None for a skill that has no anchor.
    """
    event, stays = 1 - math.exp(-rate), math.exp(-hazard)
    quiet_month = 1.0  # no event in the days of regret, given up or not
    alive_then = 1.0
    for _ in range(REGRET_DAYS):
        quiet_month -= alive_then * event
        alive_then *= (1 - event) * stays
    now: dict[tuple[float, bool], float] = {(math.inf if head is None else head, True): 1.0}
    falls = regrets = 0.0
    for day in range(days + 1):
        if day:
            after: dict[tuple[float, bool], float] = {}
            for (left, alive), weight in now.items():
                cases = [(left - 1, 1.0)]
                if alive:
                    cases = [(float(window), event), (left - 1, 1 - event)]
                for left_then, share in cases:
                    for alive_now, kept in ((True, stays), (False, 1 - stays)):
                        if alive or not alive_now:
                            key = (left_then, alive_now)
                            part = share * (kept if alive else 1.0)
                            after[key] = after.get(key, 0.0) + weight * part
            now = after
        for left, alive in [key for key in now if key[0] <= 0]:
            weight = now.pop((left, alive))
            falls += weight
            regrets += weight * (1 - quiet_month) if alive else 0.0
    return falls, regrets


@settings(max_examples=60)
@given(
    st.sampled_from([1e-5, 0.01, 0.05, 0.3, 1.0, 5.0]),
    st.sampled_from([0.0, 1 / 500, 1 / 60, 0.2]),
    st.integers(0, 40),
    st.none() | st.integers(0, 45),
    st.integers(1, 40),
)
@example(0.3, 1 / 60, 0, None, 5)
@example(0.3, 1 / 60, 1, None, 5)
def test_it_equals_the_walk(
    rate: float, hazard: float, window: int, head: int | None, days: int
) -> None:
    table = fall_table(rate, hazard, window, days)
    at = days + 1 if head is None else min(head, days + 1)
    falls, regrets = walk(rate, hazard, window, head, days)
    assert table.falls[at] == pytest.approx(falls, abs=1e-9)
    assert table.regrets[at] == pytest.approx(regrets, abs=1e-9)


def test_who_is_never_used_falls_on_the_day_that_is_due_and_not_before() -> None:
    table = fall_table(1e-12, 0.0, 90, 50)
    assert table.falls[50] == pytest.approx(1.0, abs=1e-9)
    assert table.falls[51] == pytest.approx(0.0, abs=1e-9)
    assert table.regrets[50] == pytest.approx(0.0, abs=1e-9)


def test_a_daily_skill_does_not_fall_unless_it_is_given_up() -> None:
    assert fall_table(3.0, 0.0, 30, 180).falls[-1] < 1e-9
    assert fall_table(3.0, 1 / 60, 30, 180).falls[-1] > 0.9


def test_a_longer_window_archives_less_and_a_longer_horizon_more() -> None:
    by_window = [fall_table(0.05, 0.001, window, 180).falls[-1] for window in (14, 30, 90, 179)]
    assert by_window == sorted(by_window, reverse=True)
    by_horizon = [fall_table(0.05, 0.001, 30, days).falls[-1] for days in (30, 60, 180, 360)]
    assert by_horizon == sorted(by_horizon)


def test_a_window_counts_in_whole_days_rounded_up() -> None:
    assert fall_table(0.05, 0.01, 30.5, 60) == fall_table(0.05, 0.01, 31, 60)
    assert fall_table(0.05, 0.01, 30.0, 60) != fall_table(0.05, 0.01, 31, 60)


def test_a_window_beyond_the_horizon_is_no_work() -> None:
    assert fall_table(0.05, 0.001, 1e300, 10).falls[-1] == 0.0
