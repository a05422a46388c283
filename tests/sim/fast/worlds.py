"""Scenarios that between them use everything the fast engine can do."""

from __future__ import annotations

from alembic_sim.sim.scenario import Archetype, Bursts, CuratorPlan, Rate, Scenario, SimFaults

WORKDAYS = (1.5, 1.5, 1.5, 1.5, 1.0, 0.0, 0.0)
POPULATION = (
    Archetype(name="steady", count=30, rate_per_day=Rate(median=0.1, sigma=1.0)),
    Archetype(
        name="office",
        count=20,
        rate_per_day=Rate(median=0.2),
        weekdays=WORKDAYS,
        abandon_after_days=40.0,
    ),
    Archetype(
        name="bursty",
        count=10,
        rate_per_day=Rate(kind="fixed", median=0.05),
        weekdays=WORKDAYS,
        bursts=Bursts(every_days=20, lasts_days=3, factor=8.0),
    ),
    Archetype(name="dead", count=3, rate_per_day=Rate(kind="fixed", median=0)),
)


def world(anchor: str = "infinity", interval_days: int = 7, missed: float = 0) -> Scenario:
    """Sixty-three skills and ten more a month, for a hundred days."""
    return Scenario(
        days=100,
        population=POPULATION,
        arrivals_per_month=10,
        curator=CuratorPlan.model_validate({"interval_days": interval_days, "anchor": anchor}),
        faults=SimFaults(missed_probability=missed),
    )


WORLDS = {
    "infinity": world(),
    "created-at": world("created-at", interval_days=5),
    "zero": world("zero", interval_days=10),
    "missed": world(interval_days=3, missed=0.5),
    "long-interval": world("created-at", interval_days=45, missed=0.2),
}
