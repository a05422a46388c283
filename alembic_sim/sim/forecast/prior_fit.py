"""fit_prior: the prior that a library's own counts speak for (empirical Bayes).

Every candidate is tried: Gamma rates and wide lognormal ones, each with every hazard of being given
up. The Gamma alone is not enough: where rates are lognormal, middling chances to be archived came
out 0.1 too low under the best Gamma (`tests/sim/forecast/test_calibration.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from operator import add, mul
from typing import TypeVar

from alembic_sim.sim.forecast.usage_model import Evidence, likelihood_of
from alembic_sim.sim.forecast.usage_prior import (
    DEFAULT_PRIOR,
    GammaRates,
    LognormalRates,
    Rates,
    UsagePrior,
)

FEWEST_SKILLS = 8
"""With fewer skills of its own a library says too little about its prior."""

MOST_SKILLS = 300
"""A larger library is represented by an even sample of at most so many: it says the same."""

GAMMAS: tuple[Rates, ...] = tuple(
    GammaRates(shape, mean)
    for shape, mean in product(
        (0.25, 0.4, 0.6, 0.9, 1.3, 2.0), (0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.4, 1.0)
    )
)
LOGNORMALS: tuple[LognormalRates, ...] = tuple(
    LognormalRates(median, sigma)
    for median, sigma in product(
        (0.003, 0.006, 0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8), (0.25, 0.5, 1.0, 1.5, 2.0)
    )
)

_GIVEN_UP = (0.0, 1 / 1000, 1 / 500, 1 / 240, 1 / 120, 1 / 60)

# A narrow lognormal is not offered: a dozen skills would claim to know that all are used alike.
_CANDIDATES: tuple[Rates, ...] = (*GAMMAS, *(rates for rates in LOGNORMALS if rates.sigma >= 1))

Kind = TypeVar("Kind", bound=Rates)


def fit_prior(library: Sequence[Evidence]) -> UsagePrior:
    """The candidate under which this library's counts are most likely; for too few, the default."""
    if len(library) < FEWEST_SKILLS:
        return DEFAULT_PRIOR
    rates, hazard = most_likely(library, _CANDIDATES)
    return UsagePrior(rates, hazard, len(_sample(library)))


def most_likely(library: Sequence[Evidence], candidates: Sequence[Kind]) -> tuple[Kind, float]:
    """Which candidate, at which hazard a day, explains the counts best.

    Of equals the first one, with the smallest hazard: the fewest assumptions.
    """
    sample = _sample(library)
    scores: dict[tuple[int, float], float] = {}
    for hazard in _GIVEN_UP:
        found = [likelihood_of(evidence, hazard) for evidence in sample]
        either = [list(map(add, one.alive, one.given_up)) for one in found]
        scale = sum(one.log_scale for one in found)
        for index, candidate in enumerate(candidates):
            weights = candidate.weights()
            chances = [sum(map(mul, weights, likelihood)) for likelihood in either]
            scores[index, hazard] = scale + sum(map(math.log, chances))
    # Rounded, so that what differs in the last bit alone is equal.
    index, hazard = max(scores, key=lambda key: round(scores[key], 9))
    return candidates[index], hazard


def _sample(library: Sequence[Evidence]) -> Sequence[Evidence]:
    return library[:: -(-len(library) // MOST_SKILLS)]
