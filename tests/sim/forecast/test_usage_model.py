"""What is believed of a skill: the closed forms that the grid has to meet."""

from __future__ import annotations

import math

import pytest

from alembic_sim.sim.forecast.usage_model import Evidence, believe
from alembic_sim.sim.forecast.usage_prior import RATES, GammaRates, LognormalRates, UsagePrior


@pytest.mark.parametrize(
    ("events", "age"), [(0, 20), (1, 20), (3, 90), (12, 300), (60, 300), (0, 400)]
)
@pytest.mark.parametrize("ahead", [14, 30, 90])
def test_without_giving_up_the_silence_to_come_is_the_gamma_poisson_one(
    events: int, age: float, ahead: float
) -> None:
    rates = GammaRates(shape=0.5, mean=0.05)
    prior = UsagePrior(rates, given_up_per_day=0.0)
    belief = believe(Evidence(events, age * 0.8 if events else 0.0, age), prior)
    rate_days = rates.shape / rates.mean
    exactly = ((rate_days + age) / (rate_days + age + ahead)) ** (rates.shape + events)
    pairs = zip(belief.alive, RATES, strict=True)
    silent = sum(weight * math.exp(-rate * ahead) for weight, rate in pairs)
    assert silent == pytest.approx(exactly, abs=0.006)
    assert belief.mean_rate() == pytest.approx((rates.shape + events) / (rate_days + age), rel=0.02)
    assert belief.given_up == 0.0


def test_being_given_up_is_the_integral_over_its_day() -> None:
    prior = UsagePrior(GammaRates(shape=0.8, mean=0.1), given_up_per_day=1 / 100)
    events, last, age = 9, 60.0, 120.0
    b, a = 0.8 / 0.1, 0.8
    steps = 20_000
    width = (age - last) / steps
    gone = sum(
        width * 0.01 * math.exp(-0.01 * s) * (b + s) ** -(a + events)
        for s in (last + (i + 0.5) * width for i in range(steps))
    )
    here = math.exp(-0.01 * age) * (b + age) ** -(a + events)
    belief = believe(Evidence(events, last, age), prior)
    assert belief.given_up == pytest.approx(gone / (gone + here), abs=1e-3)


def test_a_daily_skill_that_has_lain_still_for_two_months_is_given_up() -> None:
    prior = UsagePrior(GammaRates(0.5, 0.05), 1 / 240)
    assert believe(Evidence(200, 200, 260), prior).given_up > 0.999
    assert believe(Evidence(200, 259.5, 260), prior).given_up < 0.01


@pytest.mark.parametrize(
    "past",
    [
        Evidence(0, 0, 0),
        Evidence(3, 0, 10),
        Evidence(5000, 10, 210),
        Evidence(2**53 - 1, 300, 301),
        Evidence(2**53 - 1, 0, 0),
        Evidence(0, 0, 1e6),
    ],
)
@pytest.mark.parametrize("hazard", [0.0, 1 / 60])
@pytest.mark.parametrize("rates", [GammaRates(0.5, 0.05), LognormalRates(0.05, 1.0)])
def test_no_past_overflows_or_vanishes(
    past: Evidence, hazard: float, rates: GammaRates | LognormalRates
) -> None:
    belief = believe(past, UsagePrior(rates, hazard))
    assert sum(belief.alive) + belief.given_up == pytest.approx(1.0)
    assert all(0 <= weight <= 1 for weight in belief.alive)
