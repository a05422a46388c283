"""How often a skill is used, judged by its counts and its age: a Poisson process, and an end.

A skill's events (uses, views and patches together) are a Poisson process at a rate of its own,
λ events a day, with a prior that the library itself speaks for (`usage_prior.py`). For good, it is
given up at a constant hazard δ a day from its birth on, after which nothing happens to it any more:
without that, a skill used daily that has lain still for two months would be promised back by next
week. (With a Gamma prior and δ = 0 this is the plain Gamma-Poisson; with δ, the model known from
customers who leave, Pareto/NBD with a fixed hazard: Schmittlein, Morrison and Colombo, "Counting
your customers", 1987.)

Of n events in an age of T days, the last at L days, the likelihood of λ is

    λⁿ · ( exp(-(λ+δ)T)  +  δ/(λ+δ) · (exp(-(λ+δ)L) - exp(-(λ+δ)T)) )
              still alive                 given up since the last event

The rate is a grid of 128 values from 10⁻⁵ to 10³ events a day, so that every integral is a sum.

Limits: weekdays, bursts and seasons are averaged out, and the chosen prior is taken as certain.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul

from alembic_sim.sim.forecast.usage_prior import RATES
from alembic_sim.sim.forecast.usage_prior import UsagePrior as UsagePrior


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
    weights = prior.rates.weights()
    likelihood = likelihood_of(evidence, prior.given_up_per_day)
    posterior = list(map(mul, weights, likelihood.alive))
    gone = sum(map(mul, weights, likelihood.given_up))
    total = sum(posterior) + gone
    return Belief(tuple(weight / total for weight in posterior), gone / total)


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Of one skill's past, for every rate, divided by exp(`log_scale`): the largest is 1."""

    alive: tuple[float, ...]
    given_up: tuple[float, ...]
    log_scale: float


def likelihood_of(evidence: Evidence, hazard: float) -> Likelihood:
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
    return Likelihood(
        tuple(math.exp(log - scale) for log in alive),
        tuple(math.exp(log - scale) for log in given_up),
        scale,
    )
