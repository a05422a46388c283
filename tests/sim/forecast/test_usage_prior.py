"""The distributions of rates on the grid."""

from __future__ import annotations

import math

import pytest

from alembic_sim.sim.forecast.usage_prior import RATES, GammaRates, LognormalRates, UsagePrior


def mean(weights: tuple[float, ...]) -> float:
    return math.fsum(weight * rate for weight, rate in zip(weights, RATES, strict=True))


@pytest.mark.parametrize("shape", [0.25, 0.6, 2.0])
@pytest.mark.parametrize("rate", [0.01, 0.2, 1.0])
def test_a_gamma_has_its_mean_and_its_variance(shape: float, rate: float) -> None:
    weights = GammaRates(shape, rate).weights()
    assert sum(weights) == pytest.approx(1)
    assert mean(weights) == pytest.approx(rate, rel=0.01)
    square = math.fsum(weight * r**2 for weight, r in zip(weights, RATES, strict=True))
    assert square - rate**2 == pytest.approx(rate**2 / shape, rel=0.05)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("median", [0.01, 0.2])
def test_a_lognormal_has_its_median_and_its_spread(median: float, sigma: float) -> None:
    weights = LognormalRates(median, sigma).weights()
    logs = [math.log(rate) for rate in RATES]
    middle = math.fsum(weight * log for weight, log in zip(weights, logs, strict=True))
    spread = math.fsum(weight * (x - middle) ** 2 for weight, x in zip(weights, logs, strict=True))
    assert sum(weights) == pytest.approx(1)
    assert math.exp(middle) == pytest.approx(median, rel=0.02)
    assert math.sqrt(spread) == pytest.approx(sigma, rel=0.03)


def test_the_rates_below_the_grid_are_not_lost() -> None:
    # Of Gamma(0.25, mean 0.01) so much lies below 1e-5: (rate · 25) ** 0.25 / Γ(1.25).
    below = (1e-5 * 25) ** 0.25 / math.gamma(1.25)
    step = math.log(RATES[1] / RATES[0])
    assert GammaRates(0.25, 0.01).weights()[0] == pytest.approx(below, rel=step)


def test_a_prior_says_what_it_is() -> None:
    gamma, wide = GammaRates(0.6, 0.07), LognormalRates(0.05, 1.5)
    assert str(gamma) == "Gamma(shape 0.6, mean 0.07 a day)"
    assert str(wide) == "lognormal(median 0.05 a day, sigma 1.5)"
    assert UsagePrior(gamma, 0.01, 9).to_json() == {
        "rates": "gamma",
        "shape": 0.6,
        "mean_per_day": 0.07,
        "given_up_per_day": 0.01,
        "fitted_to_skills": 9,
    }
    assert UsagePrior(wide, 0.0).to_json() == {
        "rates": "lognormal",
        "median_per_day": 0.05,
        "sigma": 1.5,
        "given_up_per_day": 0.0,
        "fitted_to_skills": 0,
    }
