"""How often a skill is used, judged by its counts and its age: a Gamma-Poisson model.

A skill's events (uses, views and patches together) are a Poisson process at a rate of its own,
λ events a day, with the prior λ ~ Gamma(shape, mean). For good, it is given up at a constant hazard
δ a day from its birth on, after which nothing happens to it any more: without that, a skill used
daily that has lain still for two months would be promised back by next week. (With δ = 0 this is
the plain Gamma-Poisson; with it, the model known from customers who leave, Pareto/NBD with a fixed
hazard: Schmittlein, Morrison and Colombo, "Counting your customers", 1987.)

Of n events in an age of T days, the last at L days, the likelihood of λ is

    λⁿ · ( exp(-(λ+δ)T)  +  δ/(λ+δ) · (exp(-(λ+δ)L) - exp(-(λ+δ)T)) )
              still alive                 given up since the last event

The rate is a grid of 128 values from 10⁻⁵ to 10³ events a day, so that every integral is a sum.
The prior is one of 288 candidates: the one that makes the whole library's counts most likely
(empirical Bayes); a library of fewer than `FEWEST_SKILLS` skills takes `DEFAULT_PRIOR`.

Limits: weekdays, bursts and seasons are averaged out; the chosen prior is taken as certain; and
where rates spread wider than any Gamma (lognormally, say), middling chances to be archived come out
up to 0.1 too low.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import add, mul

RATES: tuple[float, ...] = tuple(1e-5 * math.pow(1e8, step / 127) for step in range(128))
"""The grid of rates, in events a day, evenly spaced in the logarithm."""

FEWEST_SKILLS = 8
"""With fewer skills of its own a library says too little about its prior."""

MOST_SKILLS = 300
"""A larger library is represented by an even sample of at most so many: it says the same."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a skill's past: `events` in `age_days`, the last `last_days` after birth.

    With no event `last_days` is 0. `events` is 0 too where the birth is not known: then only the
    silence since the last event counts, with that event as the beginning.
    """

    events: int
    last_days: float
    age_days: float

    @property
    def silent_days(self) -> float:
        """The days since the last event, or since birth."""
        return self.age_days - self.last_days


@dataclass(frozen=True, slots=True)
class UsagePrior:
    """What is held of a skill before its counts are seen, learnt from `fitted_to` skills.

    `shape` has no unit, `mean_rate` is in events a day, `given_up_per_day` a hazard (0: never).
    """

    shape: float
    mean_rate: float
    given_up_per_day: float
    fitted_to: int = 0

    def to_json(self) -> dict[str, object]:
        return {
            "rate_gamma_shape": self.shape,
            "rate_gamma_mean_per_day": self.mean_rate,
            "given_up_per_day": self.given_up_per_day,
            "fitted_to_skills": self.fitted_to,
        }


DEFAULT_PRIOR = UsagePrior(shape=0.5, mean_rate=0.05, given_up_per_day=1 / 240)
"""A use in three weeks on average, most skills much less; given up after eight months."""

_SHAPES = (0.25, 0.4, 0.6, 0.9, 1.3, 2.0)
_MEANS = (0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.4, 1.0)
_GIVEN_UP = (0.0, 1 / 1000, 1 / 500, 1 / 240, 1 / 120, 1 / 60)


@dataclass(frozen=True, slots=True)
class Belief:
    """What is held after the counts: weights over `RATES` if still alive, and of being given up.

    `alive` and `given_up` sum to 1.
    """

    alive: tuple[float, ...]
    given_up: float

    def mean_rate(self) -> float:
        """The expected events a day from now on; a given-up skill has none."""
        return math.fsum(map(mul, self.alive, RATES))


def believe(evidence: Evidence, prior: UsagePrior) -> Belief:
    """The posterior of one skill: its prior times its likelihood, on the grid."""
    weights = _gamma_weights(prior.shape, prior.mean_rate)
    return believe_with(evidence, weights, prior.given_up_per_day)


def believe_with(evidence: Evidence, weights: tuple[float, ...], given_up_per_day: float) -> Belief:
    """The same for a prior given as weights over `RATES`."""
    likelihood = _likelihood(evidence, given_up_per_day)
    posterior = list(map(mul, weights, likelihood.alive))
    gone = sum(map(mul, weights, likelihood.given_up))
    total = sum(posterior) + gone
    return Belief(tuple(weight / total for weight in posterior), gone / total)


def fit_prior(library: Sequence[Evidence]) -> UsagePrior:
    """The candidate under which this library's counts are most likely."""
    if len(library) < FEWEST_SKILLS:
        return DEFAULT_PRIOR
    gammas = list(product(_SHAPES, _MEANS))
    best, hazard = most_likely(library, [_gamma_weights(*gamma) for gamma in gammas])
    return UsagePrior(*gammas[best], hazard, len(_sample(library)))


def most_likely(
    library: Sequence[Evidence], candidates: Sequence[tuple[float, ...]]
) -> tuple[int, float]:
    """Which candidate (weights over `RATES`), at which hazard a day, explains the counts best.

    Of equals the first one, with the smallest hazard: the fewest assumptions.
    """
    sample = _sample(library)
    scores: dict[tuple[int, float], float] = {}
    for hazard in _GIVEN_UP:
        found = [_likelihood(evidence, hazard) for evidence in sample]
        either = [list(map(add, one.alive, one.given_up)) for one in found]
        scale = sum(one.log_scale for one in found)
        for index, weights in enumerate(candidates):
            chances = [sum(map(mul, weights, likelihood)) for likelihood in either]
            scores[index, hazard] = scale + sum(map(math.log, chances))
    return max(scores, key=lambda candidate: scores[candidate])


def _sample(library: Sequence[Evidence]) -> Sequence[Evidence]:
    return library[:: -(-len(library) // MOST_SKILLS)]


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """Of one skill's past, for every rate, divided by exp(`log_scale`): the largest is 1."""

    alive: tuple[float, ...]
    given_up: tuple[float, ...]
    log_scale: float


def _likelihood(evidence: Evidence, hazard: float) -> _Likelihood:
    """How likely the past is at every rate, alive until now and given up since the last event.

    In logarithms up to the last step: thousands of events, or of silent days, underflow otherwise.
    """
    events, last, silent = evidence.events, evidence.last_days, evidence.silent_days
    alive: list[float] = []
    given_up: list[float] = []
    for rate in RATES:
        both = rate + hazard
        until_last = events * math.log(rate) - both * last
        alive.append(until_last - both * silent)
        gone = hazard / both * -math.expm1(-both * silent)
        given_up.append(until_last + math.log(gone) if gone > 0 else -math.inf)
    scale = max(*alive, *given_up)
    return _Likelihood(
        tuple(math.exp(log - scale) for log in alive),
        tuple(math.exp(log - scale) for log in given_up),
        scale,
    )


@cache
def _gamma_weights(shape: float, mean_rate: float) -> tuple[float, ...]:
    """The Gamma density on the grid, summing to 1."""
    # The density of log λ: λ^shape · exp(-λ · shape / mean).
    logs = [shape * math.log(rate) - rate * shape / mean_rate for rate in RATES]
    top = max(logs)
    raw = [math.exp(max(log - top, -700.0)) for log in logs]
    # The first rate stands for all below it too: a geometric series, as the density falls there.
    raw[0] /= 1 - (RATES[0] / RATES[1]) ** shape
    total = sum(raw)
    return tuple(weight / total for weight in raw)
