"""A scenario knows its bounds, and who can simulate what it asks for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from alembic_sim.sim.scenario import (
    Archetype,
    Bursts,
    CuratorPlan,
    LearningPlan,
    Rate,
    Scenario,
    SimFaults,
)
from alembic_sim.sim.scenario_file import allowed_values

PARTS: tuple[type[BaseModel], ...] = (
    Scenario,
    Archetype,
    Rate,
    Bursts,
    CuratorPlan,
    LearningPlan,
    SimFaults,
)


def every_field() -> Iterator[tuple[str, FieldInfo]]:
    for part in PARTS:
        for name, about in part.model_fields.items():
            yield f"{part.__name__}.{name}", about


@pytest.mark.parametrize(
    ("name", "about"), [*every_field()], ids=[name for name, _ in every_field()]
)
def test_every_field_says_what_it_is_what_it_allows_and_who_supports_it(
    name: str, about: FieldInfo
) -> None:
    assert about.description
    assert allowed_values(about)
    extra = about.json_schema_extra
    assert isinstance(extra, dict)
    assert set(extra["engines"]) <= {"reference", "fast"}  # type: ignore[arg-type]
    assert "reference" in extra["engines"]  # type: ignore[operator]


def test_the_defaults_are_the_seed_s() -> None:
    scenario = Scenario()
    assert scenario.days == 180
    plan = scenario.curator
    assert (plan.interval_days, plan.stale_after_days, plan.archive_after_days) == (7, 30, 90)
    assert (plan.anchor, plan.order) == ("infinity", "archive-first")
    [kind] = scenario.population
    assert (kind.count, kind.agent_share, kind.pinned_share) == (100, 0.8, 0.05)
    assert kind.rate_per_day == Rate(kind="lognormal", median=0.05, sigma=1.5)
    assert scenario.faults == SimFaults(clock_jump_days=0, missed_probability=0)
    learning = scenario.learning
    assert (learning.sessions_per_day, learning.proposals_per_session) == (0, 2)
    assert (learning.true_share, learning.reviewer_noise) == (0.6, 20)
    assert learning.gate == "threshold"
    assert learning.gate_threshold == 0.7
    assert (learning.memory_char_limit, learning.user_char_limit) == (2200, 1375)


def test_the_last_day_ends_where_the_days_end() -> None:
    scenario = Scenario(start="2025-01-01", days=2)
    assert scenario.start_ms == 1_735_689_600_000
    assert scenario.end_ms - scenario.start_ms == 2 * 86_400_000


@pytest.mark.parametrize(
    "field",
    [
        {"days": 0},
        {"days": 3651},
        {"days": True},
        {"days": 1.5},
        {"days": "180"},
        {"seed": -1},
        {"seed": 2**53},
        {"start": "yesterday"},
        {"start": "1999-12-31T23:59:59Z"},
        {"start": "2200-01-01"},
        {"name": "A"},
        {"name": "a\n"},
        {"population": ()},
        {"population": (Archetype(), Archetype())},
        {"arrivals_per_month": float("nan")},
        {"arrivals_per_month": float("inf")},
        {"unheard_of": 1},
    ],
    ids=str,
)
def test_what_is_out_of_bounds_is_a_value_error(field: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(field))):
        Scenario(**field)  # type: ignore[arg-type]


def test_a_list_may_stand_for_a_tuple_and_the_scenario_keeps_a_tuple() -> None:
    scenario = Scenario(population=[Archetype(weekdays=[1, 1, 1, 1, 1, 0, 0])])  # type: ignore[arg-type]
    assert isinstance(scenario.population, tuple)
    assert scenario.population[0].weekdays == (1, 1, 1, 1, 1, 0, 0)
