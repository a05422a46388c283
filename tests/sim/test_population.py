"""Skills are drawn one by one, each from its own stream."""

from __future__ import annotations

import math
from collections import Counter
from statistics import median

import pytest

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.population import BurstPattern, SkillLife, draw_population, weekday
from alembic_sim.sim.scenario import Archetype, Bursts, Rate, Scenario


def one_kind(days: int = 30, seed: int = 0, arrivals: float = 0, **kind: object) -> Scenario:
    archetype = Archetype(**kind)  # type: ignore[arg-type]
    return Scenario(seed=seed, days=days, population=(archetype,), arrivals_per_month=arrivals)


def test_the_same_seed_draws_the_same_skills_and_another_one_others() -> None:
    assert draw_population(one_kind(seed=1)) == draw_population(one_kind(seed=1))
    assert draw_population(one_kind(seed=1)) != draw_population(one_kind(seed=2))


def test_one_more_skill_changes_none_of_the_others() -> None:
    few, many = (draw_population(one_kind(count=count)) for count in (5, 6))
    assert many[:5] == few


def test_a_fixed_rate_is_every_skill_s_and_a_lognormal_one_has_its_median_and_spread() -> None:
    fixed = draw_population(one_kind(count=9, rate_per_day=Rate(kind="fixed", median=0.3)))
    assert {skill.rate_per_day for skill in fixed} == {0.3}
    drawn = draw_population(one_kind(count=4000, rate_per_day=Rate(median=0.3, sigma=1.5)))
    logs = [math.log(skill.rate_per_day) for skill in drawn]
    # The standard error of a median is 1.25 sigma / sqrt(n), that of a deviation sigma / sqrt(2n).
    assert median(logs) == pytest.approx(math.log(0.3), abs=4 * 1.25 * 1.5 / math.sqrt(4000))
    mean = sum(logs) / 4000
    spread = math.sqrt(sum((one - mean) ** 2 for one in logs) / 4000)
    assert spread == pytest.approx(1.5, abs=4 * 1.5 / math.sqrt(8000))


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_shares_are_those_asked_for(share: float) -> None:
    skills = draw_population(one_kind(count=2000, agent_share=share, pinned_share=1 - share))
    by_agent = sum(skill.created_by == "agent" for skill in skills)
    pinned = sum(skill.pinned for skill in skills)
    margin = 4 * math.sqrt(2000 * share * (1 - share))
    assert by_agent == pytest.approx(2000 * share, abs=margin)
    assert pinned == pytest.approx(2000 * (1 - share), abs=margin)
    assert {skill.created_by for skill in skills} <= {"agent", "user"}


def test_skills_are_given_up_after_an_exponential_time_or_never() -> None:
    assert {skill.abandon_ms for skill in draw_population(one_kind(count=9))} == {None}
    scenario = one_kind(count=2000, abandon_after_days=50)
    days = [
        ((skill.abandon_ms or 0) - scenario.start_ms) / DAY_MS
        for skill in draw_population(scenario)
    ]
    assert sum(days) / 2000 == pytest.approx(50, abs=4 * 50 / math.sqrt(2000))
    over_mean = sum(day > 50 for day in days) / 2000
    assert over_mean == pytest.approx(math.exp(-1), abs=4 * math.sqrt(0.37 * 0.63 / 2000))


def test_arrivals_come_at_their_rate_within_the_run_with_names_of_their_own() -> None:
    scenario = one_kind(days=300, count=3, arrivals=60)
    skills = draw_population(scenario)
    late = skills[3:]
    assert len(late) == pytest.approx(600, abs=4 * math.sqrt(600))
    births = [skill.birth_ms for skill in late]
    assert births == sorted(births)
    assert all(scenario.start_ms <= birth < scenario.end_ms for birth in births)
    assert len({skill.name for skill in skills}) == len(skills)
    assert late[0].name == "skill-0004"
    months = Counter((birth - scenario.start_ms) // DAY_MS // 30 for birth in births)
    assert min(months[month] for month in range(10)) > 60 - 4 * math.sqrt(60)


def test_arrivals_are_of_the_kinds_in_their_proportions() -> None:
    kinds = (Archetype(name="a", count=90), Archetype(name="b", count=10))
    scenario = Scenario(days=300, population=kinds, arrivals_per_month=100)
    late = draw_population(scenario)[100:]
    share = sum(skill.name.startswith("a-") for skill in late) / len(late)
    assert share == pytest.approx(0.9, abs=4 * math.sqrt(0.09 / len(late)))


def test_a_library_that_begins_empty_grows_by_all_kinds() -> None:
    kinds = (Archetype(name="a", count=0), Archetype(name="b", count=0))
    late = draw_population(Scenario(days=300, population=kinds, arrivals_per_month=30))
    assert {skill.name[0] for skill in late} == {"a", "b"}


@pytest.mark.parametrize(
    ("day", "number"), [(0, 3), (1, 4), (3, 6), (4, 0), (20_089, 2)]
)  # 2025-01-01 was a Wednesday
def test_weekdays_count_from_monday(day: int, number: int) -> None:
    assert weekday(day * DAY_MS) == number


def test_the_rate_of_a_day_follows_weekday_and_burst() -> None:
    skill = SkillLife(
        "a", 0.5, 0, weekdays=(1, 1, 1, 1, 1, 0, 2), bursts=BurstPattern(5, 2, 10, phase=1)
    )
    start_ms = 4 * DAY_MS  # a Monday
    rates = [skill.rate_on(day, start_ms) for day in range(7)]
    assert rates == [5.0, 0.5, 0.5, 0.5, 5.0, 0.0, 1.0]


def test_phases_of_bursts_are_spread_over_all_days() -> None:
    bursts = Bursts(every_days=4, lasts_days=1, factor=2)
    skills = draw_population(one_kind(count=200, bursts=bursts))
    assert {skill.bursts.phase for skill in skills if skill.bursts} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("created_by", "pinned", "managed"),
    [("agent", False, True), ("agent", True, False), ("user", False, False)],
)
def test_the_curator_may_move_the_agent_s_unpinned_skills(
    created_by: str, pinned: bool, managed: bool
) -> None:
    assert SkillLife("a", 1, 0, created_by=created_by, pinned=pinned).managed is managed
