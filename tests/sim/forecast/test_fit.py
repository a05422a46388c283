"""A scenario fitted to a library: what goes in comes out, within the fit's stated limits."""

from __future__ import annotations

from random import Random

import pytest

from alembic_sim import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.fit import fit_scenario
from alembic_sim.sim.scenario import Scenario
from tests.sim.forecast.homes import NOW_MS, home

NOW = 20_000 * DAY_MS


def library(count: int, median: float, sigma: float, given_up: float | None) -> UsageSidecar:
    """Skills of the last 400 days as the scenario's own archetype would have them, uncurated."""
    chance = Random(5)
    records = {}
    for number in range(count):
        rate = median * chance.lognormvariate(0, sigma)
        birth = NOW - chance.randrange(400 * DAY_MS)
        end = birth + chance.expovariate(1 / given_up) * DAY_MS if given_up else NOW
        uses, last, at = 0, 0, birth + chance.expovariate(rate) * DAY_MS
        while at < min(end, NOW):
            uses, last, at = uses + 1, int(at), at + chance.expovariate(rate) * DAY_MS
        records[f"s{number:03d}"] = UsageRecord(
            created_by="agent",
            created_at=birth,
            last_activity_at=last,
            use_count=uses,
            pinned=number % 10 == 0,
        )
    return UsageSidecar(records)


@pytest.mark.parametrize(
    ("median", "sigma", "given_up"), [(0.05, 1.5, None), (0.2, 1.0, 120.0), (0.4, 0.5, 60.0)]
)
def test_the_population_that_made_a_library_is_found_again(
    median: float, sigma: float, given_up: float | None
) -> None:
    fitted = fit_scenario(library(300, median, sigma, given_up), NOW).expect("a scenario")
    [kind] = fitted.scenario.population
    assert (kind.name, kind.count, kind.agent_share) == ("agent", 300, 1.0)
    assert (kind.rate_per_day.median, kind.rate_per_day.sigma) == (median, sigma)
    assert kind.abandon_after_days == given_up
    assert kind.pinned_share == pytest.approx(0.1)
    # 300 births evenly over 400 days.
    assert fitted.scenario.arrivals_per_month == pytest.approx(300 / 400 * 30, rel=0.15)


def test_a_real_home_becomes_a_scenario_with_its_limits_said() -> None:
    fitted = fit_scenario(home(), NOW_MS).expect("a scenario")
    scenario = fitted.scenario
    assert Scenario.model_validate_json(scenario.model_dump_json()) == scenario
    assert [(kind.name, kind.count, kind.agent_share) for kind in scenario.population] == [
        ("agent", 15, 1.0),
        ("other", 10, 0.0),
    ]
    assert scenario.start == "2026-06-16T09:00:00.000Z"
    assert "agent: 11 of 15 skills seem given up already; here they begin anew" in fitted.limits
    assert any("weekdays" in limit for limit in fitted.limits)


def test_too_few_skills_say_no_rate_and_none_make_an_empty_population() -> None:
    few = fit_scenario(library(3, 0.4, 0.5, None), NOW).expect("a scenario")
    assert few.scenario.population[0].rate_per_day.median == 0.05
    assert any("fewer than 8 skills say no rate" in limit for limit in few.limits)
    none = fit_scenario(UsageSidecar(), NOW).expect("a scenario")
    assert [kind.count for kind in none.scenario.population] == [0]
    assert none.scenario.arrivals_per_month == 0


def test_damaged_records_are_left_out_and_told() -> None:
    fitted = fit_scenario(home("hermes_home_mixed"), NOW_MS).expect("a scenario")
    assert sum(kind.count for kind in fitted.scenario.population) == 11
    assert "1 damaged record is left out" in fitted.limits


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("skills", NOW), "library: 'skills'"),
        ((UsageSidecar(), 1.5), "now_ms: 1.5"),
        ((UsageSidecar(), True), "now_ms: True"),
        ((UsageSidecar(), 0), "start: '1970-01-01T00:00:00.000Z'"),
    ],
)
def test_bad_arguments_are_values(arguments: tuple, told: str) -> None:
    fitted = fit_scenario(*arguments)
    assert not fitted.ok
    assert fitted.error.code == "bad-argument"
    assert told in fitted.error.message
