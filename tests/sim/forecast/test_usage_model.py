"""What is believed of a skill: the closed forms that the grid has to meet, and the fit."""

from __future__ import annotations

import math
from random import Random

import pytest

from alembic_sim.sim.forecast.usage_model import (
    DEFAULT_PRIOR,
    FEWEST_SKILLS,
    MOST_SKILLS,
    RATES,
    Evidence,
    UsagePrior,
    believe,
    fit_prior,
)


@pytest.mark.parametrize(
    ("events", "age"), [(0, 20), (1, 20), (3, 90), (12, 300), (60, 300), (0, 400)]
)
@pytest.mark.parametrize("ahead", [14, 30, 90])
def test_without_giving_up_the_silence_to_come_is_the_gamma_poisson_one(
    events: int, age: float, ahead: float
) -> None:
    prior = UsagePrior(shape=0.5, mean_rate=0.05, given_up_per_day=0.0)
    belief = believe(Evidence(events, age * 0.8 if events else 0.0, age), prior)
    rate_days = prior.shape / prior.mean_rate
    exactly = ((rate_days + age) / (rate_days + age + ahead)) ** (prior.shape + events)
    pairs = zip(belief.alive, RATES, strict=True)
    silent = sum(weight * math.exp(-rate * ahead) for weight, rate in pairs)
    assert silent == pytest.approx(exactly, abs=0.006)
    assert belief.mean_rate() == pytest.approx((prior.shape + events) / (rate_days + age), rel=0.02)
    assert belief.given_up == 0.0


def test_being_given_up_is_the_integral_over_its_day() -> None:
    prior = UsagePrior(shape=0.8, mean_rate=0.1, given_up_per_day=1 / 100)
    events, last, age = 9, 60.0, 120.0
    b, a = prior.shape / prior.mean_rate, prior.shape
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
    prior = UsagePrior(0.5, 0.05, 1 / 240)
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
def test_no_past_overflows_or_vanishes(past: Evidence, hazard: float) -> None:
    belief = believe(past, UsagePrior(0.5, 0.05, hazard))
    assert sum(belief.alive) + belief.given_up == pytest.approx(1.0)
    assert all(0 <= weight <= 1 for weight in belief.alive)


def lived(chance: Random, given_up_days: float | None) -> Evidence:
    """One skill's past from the model itself: Gamma(1.3, mean 0.12)."""
    rate, age = chance.gammavariate(1.3, 0.12 / 1.3), chance.uniform(30, 400)
    until = min(age, chance.expovariate(1 / given_up_days)) if given_up_days else age
    last, events, at = 0.0, 0, chance.expovariate(rate)
    while at < until:
        last, events, at = at, events + 1, at + chance.expovariate(rate)
    return Evidence(events, last, age)


def test_the_prior_that_made_a_library_is_found_again() -> None:
    chance = Random(7)
    never = fit_prior([lived(chance, None) for _ in range(250)])
    assert (never.given_up_per_day, never.mean_rate, never.fitted_to) == (0.0, 0.12, 250)
    soon = fit_prior([lived(chance, 60) for _ in range(250)])
    assert soon.given_up_per_day == pytest.approx(1 / 60)


def test_a_handful_of_skills_gets_the_default_and_a_crowd_is_sampled() -> None:
    chance = Random(1)
    past = [lived(chance, None) for _ in range(2 * MOST_SKILLS + 1)]
    assert fit_prior(past[: FEWEST_SKILLS - 1]) is DEFAULT_PRIOR
    assert fit_prior(past[:FEWEST_SKILLS]).fitted_to == FEWEST_SKILLS
    assert fit_prior(past).fitted_to == len(past[::3])
