"""The prior that a library speaks for."""

from __future__ import annotations

import math
from random import Random

import pytest

from alembic_sim.sim.forecast.prior_fit import (
    FEWEST_SKILLS,
    LOGNORMALS,
    MOST_SKILLS,
    fit_prior,
    most_likely,
)
from alembic_sim.sim.forecast.usage_model import Evidence
from alembic_sim.sim.forecast.usage_prior import DEFAULT_PRIOR, GammaRates, LognormalRates


def lived(chance: Random, given_up_days: float | None, lognormal: bool = False) -> Evidence:
    """One skill's past from the model itself: Gamma(1.3, mean 0.12), or lognormal(0.05, 1.5)."""
    gamma, wide = chance.gammavariate(1.3, 0.12 / 1.3), chance.lognormvariate(math.log(0.05), 1.5)
    rate, age = wide if lognormal else gamma, chance.uniform(30, 400)
    until = min(age, chance.expovariate(1 / given_up_days)) if given_up_days else age
    last, events, at = 0.0, 0, chance.expovariate(rate)
    while at < until:
        last, events, at = at, events + 1, at + chance.expovariate(rate)
    return Evidence(events, last, age)


def test_the_prior_that_made_a_library_is_found_again() -> None:
    chance = Random(7)
    never = fit_prior([lived(chance, None) for _ in range(250)])
    assert isinstance(never.rates, GammaRates)
    assert (never.given_up_per_day, never.rates.mean, never.fitted_to) == (0.0, 0.12, 250)
    soon = fit_prior([lived(chance, 60) for _ in range(250)])
    assert soon.given_up_per_day == pytest.approx(1 / 60)


def test_rates_that_spread_wider_than_any_gamma_are_found_to_be_lognormal() -> None:
    chance = Random(7)
    found = fit_prior([lived(chance, 120, lognormal=True) for _ in range(250)])
    assert found.rates == LognormalRates(0.05, 1.5)
    assert found.given_up_per_day == pytest.approx(1 / 120)


def test_few_skills_that_are_used_alike_do_not_pass_for_certain_of_it() -> None:
    alike = [Evidence(5, 95, 100)] * FEWEST_SKILLS
    rates = fit_prior(alike).rates
    assert rates.shape <= 2 if isinstance(rates, GammaRates) else rates.sigma >= 1


def test_of_candidates_that_explain_alike_the_first_with_the_smallest_hazard_is_taken() -> None:
    nothing = [Evidence(0, 0.0, 0.0)] * FEWEST_SKILLS
    assert most_likely(nothing, LOGNORMALS) == (LOGNORMALS[0], 0.0)


def test_a_handful_of_skills_gets_the_default_and_a_crowd_is_sampled() -> None:
    chance = Random(1)
    past = [lived(chance, None) for _ in range(2 * MOST_SKILLS + 1)]
    assert fit_prior(past[: FEWEST_SKILLS - 1]) is DEFAULT_PRIOR
    assert fit_prior(past[:FEWEST_SKILLS]).fitted_to == FEWEST_SKILLS
    assert fit_prior(past).fitted_to == len(past[::3])
