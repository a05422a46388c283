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
