"""Every number of a scenario has its bounds, and both of them hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import BaseModel, ValidationError

from alembic_sim.sim.scenario import (
    Archetype,
    Bursts,
    CuratorPlan,
    LearningPlan,
    Rate,
    Scenario,
    SimFaults,
)

WHOLE, REAL = 1, 1e-6

# The part, the field, its lowest and its highest value, and the smallest step beyond them.
BOUNDS: list[tuple[type[BaseModel], str, float, float, float]] = [
    (Scenario, "seed", 0, 2**53 - 1, WHOLE),
    (Scenario, "days", 1, 3650, WHOLE),
    (Scenario, "arrivals_per_month", 0, 100_000, REAL),
    (Archetype, "count", 0, 1_000_000, WHOLE),
    (Archetype, "abandon_after_days", 1e-9, 100_000, REAL),
    (Archetype, "agent_share", 0, 1, REAL),
    (Archetype, "pinned_share", 0, 1, REAL),
    (Rate, "median", 0, 1000, REAL),
    (Rate, "sigma", 0, 5, REAL),
    (Bursts, "every_days", 1, 3650, WHOLE),
    (Bursts, "lasts_days", 1, 3650, WHOLE),
    (Bursts, "factor", 0, 1000, REAL),
    (CuratorPlan, "interval_days", 1, 3650, WHOLE),
    (CuratorPlan, "stale_after_days", 0, 36_500, REAL),
    (CuratorPlan, "archive_after_days", 0, 36_500, REAL),
    (LearningPlan, "sessions_per_day", 0, 24, REAL),
    (LearningPlan, "proposals_per_session", 0, 50, WHOLE),
    (LearningPlan, "true_share", 0, 1, REAL),
    (LearningPlan, "reviewer_noise", 0, 100, WHOLE),
    (LearningPlan, "gate_threshold", 0, 1, REAL),
    (LearningPlan, "memory_char_limit", 0, 100_000, WHOLE),
    (LearningPlan, "user_char_limit", 0, 100_000, WHOLE),
    (SimFaults, "clock_jump_day", 0, 3650, WHOLE),
    (SimFaults, "clock_jump_days", -3650, 3650, REAL),
    (SimFaults, "corrupt_sidecar_day", 0, 3650, WHOLE),
    (SimFaults, "missed_probability", 0, 1, REAL),
]
BURSTS = {"every_days": 9, "lasts_days": 2, "factor": 3.0}


def made(part: type[BaseModel], field: str, value: object) -> BaseModel:
    return part(**{**(BURSTS if part is Bursts else {}), field: value})


@pytest.mark.parametrize(
    ("part", "field", "low", "high", "step"),
    BOUNDS,
    ids=[f"{part.__name__}.{field}" for part, field, *_ in BOUNDS],
)
def test_both_bounds_are_allowed_and_nothing_beyond_them(
    part: type[BaseModel], field: str, low: float, high: float, step: float
) -> None:
    for value in (low, high):
        assert getattr(made(part, field, value), field) == value
    for value in (low - step, high + step, float("nan"), float("inf"), str(low), None):
        optional = getattr(part(**BURSTS if part is Bursts else {}), field) is None
        if value is None and optional:
            continue
        with pytest.raises(ValidationError, match=field):
            made(part, field, value)


def numbers(part: type[BaseModel]) -> Iterator[str]:
    schema = part.model_json_schema()["properties"]
    for name, about in schema.items():
        kinds = {one.get("type") for one in [about, *about.get("anyOf", [])]}
        if kinds & {"integer", "number"}:
            yield name


@pytest.mark.parametrize(
    "part", [Scenario, Archetype, Rate, Bursts, CuratorPlan, LearningPlan, SimFaults]
)
def test_no_number_is_left_out_of_the_table(part: type[BaseModel]) -> None:
    assert {*numbers(part)} == {field for owner, field, *_ in BOUNDS if owner is part}


def test_factors_of_weekdays_are_bounded_too() -> None:
    for factor, ok in ((0.0, True), (100.0, True), (-1e-6, False), (100.000001, False)):
        weekdays = (factor, *(1.0,) * 6)
        if ok:
            assert Archetype(weekdays=weekdays).weekdays == weekdays
        else:
            with pytest.raises(ValidationError, match="weekdays"):
                Archetype(weekdays=weekdays)


@pytest.mark.parametrize(
    ("part", "field", "ok", "bad"),
    [
        (Scenario, "name", "a" * 40, "a" * 41),
        (Scenario, "name", "0-a", "-a"),
        (Scenario, "shows", "x" * 200, "x" * 201),
        (Scenario, "start", "2199-12-31T23:59:59Z", "2200-01-01T00:00:00Z"),
        (Scenario, "start", "2000-01-01T00:00:00Z", "1999-12-31T23:59:59Z"),
        (Rate, "kind", "fixed", "uniform"),
        (CuratorPlan, "anchor", "created-at", "created_at"),
        (CuratorPlan, "order", "stale-first", "stale"),
        (LearningPlan, "gate", "board", "quorum"),
    ],
)
def test_texts_have_their_bounds(part: type[BaseModel], field: str, ok: str, bad: str) -> None:
    assert getattr(made(part, field, ok), field) == ok
    with pytest.raises(ValidationError, match=field):
        made(part, field, bad)


def test_there_are_at_most_fifty_archetypes() -> None:
    kinds = tuple(Archetype(name=f"a{number}") for number in range(51))
    assert len(Scenario(population=kinds[:50]).population) == 50
    with pytest.raises(ValidationError, match="population"):
        Scenario(population=kinds)
