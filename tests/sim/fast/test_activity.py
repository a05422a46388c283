"""Activity: whether a skill was used in a window is as likely as its rate makes it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.fast.activity import Activity, draw_activity
from alembic_sim.sim.fast.calendar import calendar_of
from alembic_sim.sim.fast.lives import COUNTED, blocks_of, stream
from alembic_sim.sim.population import BurstPattern, SkillLife
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from tests.sim.fast.worlds import WORKDAYS

DAYS, RATE, TABLES = 100, 0.03, 20
LIVES = {
    "steady": {},
    "office": {"weekdays": WORKDAYS, "bursts": BurstPattern(12, 3, 4.0, 5)},
    "abandoned": {"abandon_ms": Scenario().start_ms + 61 * DAY_MS},
}


def activities(skill: SkillLife, interval_days: int) -> list[Activity]:
    """Some twenty thousand times the same skill."""
    scenario = Scenario(days=DAYS, curator=CuratorPlan(interval_days=interval_days))
    [lives] = blocks_of([skill] * 1000, scenario)
    return [
        draw_activity(lives, calendar_of(scenario), 1.0, stream(1, COUNTED, number))
        for number in range(TABLES)
    ]


def expected_uses(skill: SkillLife, begin: float, end: float) -> float:
    """The integral of its rate, in days since the start: summed over hours."""
    start_ms = Scenario().start_ms
    last = math.inf if skill.abandon_ms is None else (skill.abandon_ms - start_ms) / DAY_MS
    hours = np.arange(begin, min(end, last, DAYS), 1 / 24)
    return sum(skill.rate_on(int(hour), start_ms) for hour in hours.tolist()) / 24


@pytest.mark.parametrize("life", LIVES)
@pytest.mark.parametrize(
    ("interval_days", "after_pass", "window_days"),
    [(7, 2, 30), (7, 6, 28), (7, 11, 30), (10, 3, 33), (45, 0, 30), (45, 1, 30), (3, 0, 1)],
)
def test_a_use_in_a_window_after_a_pass_is_as_likely_as_the_rate_says(
    life: str, interval_days: int, after_pass: int, window_days: int
) -> None:
    """Windows inside one interval, over many, past the end, and past the skill's own end."""
    skill = SkillLife("skill", RATE, Scenario().start_ms, **LIVES[life])
    skills = np.arange(1000)
    turns = np.full(1000, after_pass)
    used = sum(
        int(one.used_between(skills, turns, window_days * DAY_MS).sum())
        for one in activities(skill, interval_days)
    )
    begin = (after_pass + 1) * interval_days
    chance = -math.expm1(-expected_uses(skill, begin, begin + window_days))
    tries = 1000 * TABLES
    assert used / tries == pytest.approx(
        chance, abs=4 * math.sqrt(chance * (1 - chance) / tries) + 1e-12
    )


@pytest.mark.parametrize("life", LIVES)
def test_all_uses_are_as_many_as_the_rate_says(life: str) -> None:
    skill = SkillLife("skill", RATE, Scenario().start_ms, **LIVES[life])
    uses = sum(one.uses for one in activities(skill, 7))
    expected = 1000 * TABLES * expected_uses(skill, 0, DAYS)
    assert uses == pytest.approx(expected, abs=4 * math.sqrt(expected))


def test_the_last_use_is_never_after_the_interval_and_never_goes_back() -> None:
    skill = SkillLife("skill", 0.5, Scenario().start_ms + DAY_MS, **LIVES["office"])
    for one in activities(skill, 7)[:3]:
        assert (one.last_ms < one.calendar.ends[:, None]).all()
        assert (np.diff(one.last_ms, axis=0) >= 0).all()
        assert one.last_ms[one.last_ms > 0].min() >= DAY_MS


FIRST_PASS = 45 * DAY_MS
WINDOW = 30 * DAY_MS


@pytest.mark.parametrize(
    ("last_ms", "earlier", "used"),
    [
        (FIRST_PASS, False, False),  # at the pass itself: what it saw is not needed again
        (FIRST_PASS + 1, False, True),
        (FIRST_PASS + WINDOW, False, True),
        (FIRST_PASS + WINDOW + 1, False, False),
        (FIRST_PASS + WINDOW + 1, True, True),
        (FIRST_PASS, True, False),  # nothing came after that, so nothing in between either
    ],
)
def test_a_window_begins_after_its_pass_and_ends_with_its_last_millisecond(
    last_ms: int, earlier: bool, used: bool
) -> None:
    """The window is inside one interval: a last use behind it hides whether there was another."""
    scenario = Scenario(days=90, curator=CuratorPlan(interval_days=45))
    [lives] = blocks_of([SkillLife("skill", RATE, scenario.start_ms)], scenario)
    activity = Activity(
        lives,
        lives.rate_per_ms,
        calendar_of(scenario),
        np.array([[0.0], [last_ms]]),
        1,
        np.array([0.0 if earlier else np.inf]),
    )
    first = np.array([0])
    assert activity.used_between(first, first, WINDOW).tolist() == [used]


def test_a_window_over_whole_intervals_begins_after_its_pass_too() -> None:
    scenario = Scenario(days=90, curator=CuratorPlan(interval_days=15))
    [lives] = blocks_of([SkillLife("skill", RATE, scenario.start_ms)], scenario)
    calendar, first = calendar_of(scenario), np.array([0])
    for last_ms, used in ((15 * DAY_MS, False), (15 * DAY_MS + 1, True)):
        table = np.array([[0.0], *[[float(last_ms)]] * 5])
        activity = Activity(lives, lives.rate_per_ms, calendar, table, 1, np.array([np.inf]))
        assert activity.used_between(first, first, WINDOW).tolist() == [used]
