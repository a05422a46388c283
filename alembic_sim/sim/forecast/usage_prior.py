"""What is held of a skill before its counts are seen: how often skills are used, when given up.

Rates follow a Gamma or a lognormal distribution. Both put most skills near zero and a few far
above; a lognormal reaches further up. Which of them, and with which parameters, the library itself
says (`prior_fit.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

RATES: tuple[float, ...] = tuple(1e-5 * math.pow(1e8, step / 127) for step in range(128))
"""The grid of rates, in events a day, evenly spaced in the logarithm."""


@dataclass(frozen=True, slots=True)
class GammaRates:
    """Rates from a Gamma distribution: `shape` has no unit, `mean` is in events a day."""

    shape: float
    mean: float

    def __str__(self) -> str:
        return f"Gamma(shape {self.shape:g}, mean {self.mean:g} a day)"

    def weights(self) -> tuple[float, ...]:
        """The density on the grid of `RATES`, summing to 1."""
        return _gamma_weights(self.shape, self.mean)

    def to_json(self) -> dict[str, object]:
        return {"rates": "gamma", "shape": self.shape, "mean_per_day": self.mean}


@dataclass(frozen=True, slots=True)
class LognormalRates:
    """Rates whose logarithm is normal: `median` in events a day, `sigma` in natural logarithms."""

    median: float
    sigma: float

    def __str__(self) -> str:
        return f"lognormal(median {self.median:g} a day, sigma {self.sigma:g})"

    def weights(self) -> tuple[float, ...]:
        """The density on the grid of `RATES`, summing to 1."""
        return _lognormal_weights(self.median, self.sigma)

    def to_json(self) -> dict[str, object]:
        return {"rates": "lognormal", "median_per_day": self.median, "sigma": self.sigma}


Rates = GammaRates | LognormalRates
"""How the rates of a library's skills are distributed."""


@dataclass(frozen=True, slots=True)
class UsagePrior:
    """The prior, learnt from `fitted_to` skills; `given_up_per_day` is a hazard (0: never)."""

    rates: Rates
    given_up_per_day: float
    fitted_to: int = 0

    def to_json(self) -> dict[str, object]:
        return {
            **self.rates.to_json(),
            "given_up_per_day": self.given_up_per_day,
            "fitted_to_skills": self.fitted_to,
        }


DEFAULT_PRIOR = UsagePrior(GammaRates(shape=0.5, mean=0.05), given_up_per_day=1 / 240)
"""A use in three weeks on average, most skills much less; given up after eight months."""


@cache
def _gamma_weights(shape: float, mean: float) -> tuple[float, ...]:
    # The density of log λ: λ^shape · exp(-λ · shape / mean).
    raw = _unscaled([shape * math.log(rate) - rate * shape / mean for rate in RATES])
    # The first rate stands for all below it too: a geometric series, as the density falls there.
    raw[0] /= 1 - (RATES[0] / RATES[1]) ** shape
    return _scaled(raw)


@cache
def _lognormal_weights(median: float, sigma: float) -> tuple[float, ...]:
    return _scaled(_unscaled([-0.5 * (math.log(rate / median) / sigma) ** 2 for rate in RATES]))


def _unscaled(logs: Sequence[float]) -> list[float]:
    top = max(logs)
    return [math.exp(max(log - top, -700.0)) for log in logs]


def _scaled(raw: Sequence[float]) -> tuple[float, ...]:
    total = sum(raw)
    return tuple(weight / total for weight in raw)
