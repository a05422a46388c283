"""Chances: a skill's chance to fall with its 80 % interval, and how many of a library will."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.forecast.horizon import FallTable, fall_table
from alembic_sim.sim.forecast.usage_model import Belief
from alembic_sim.sim.forecast.usage_prior import RATES

LOW, HIGH = 0.1, 0.9
"""The ends of an 80 % interval."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability, and between which it lies with 80 %, given what is not known of the skill.

    What is not known is its rate and whether it has been given up. All three are from 0 to 1. The
    interval is widened to hold `p` itself, which a few far cases can draw out of the 80 %.
    """

    p: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        return {"p": _rounded(self.p), "low": _rounded(self.low), "high": _rounded(self.high)}


@dataclass(frozen=True, slots=True)
class Count:
    """How many skills: the expected number, its standard deviation, and an 80 % interval."""

    mean: float
    deviation: float
    low: int
    high: int

    def to_json(self) -> dict[str, float]:
        return {
            "mean": _rounded(self.mean),
            "deviation": _rounded(self.deviation),
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True)
class PolicyTables:
    """What a policy does within the horizon to a skill of each of the `RATES`."""

    stale: tuple[FallTable, ...]
    archived: tuple[FallTable, ...]
    horizon_days: int

    def chance_of_stale(self, belief: Belief, head: int | None) -> Chance:
        """The chance to be stale or archived at any pass; `head` as in `chance_of_archived`."""
        return self._chance([table.falls for table in self.stale], belief, head)

    def chance_of_archived(self, belief: Belief, head: int | None) -> Chance:
        """The chance to be archived; unused, it would be after `head` days (None: never)."""
        return self._chance([table.falls for table in self.archived], belief, head)

    def chance_of_regret(self, belief: Belief, head: int | None) -> float:
        """The chance to be archived and needed again within `REGRET_DAYS` after that."""
        at = self._index(head)
        rows = zip(belief.alive, self.archived, strict=True)
        return _share(sum(weight * table.regrets[at] for weight, table in rows))

    def _chance(
        self, tables: Sequence[Sequence[float]], belief: Belief, head: int | None
    ) -> Chance:
        at = self._index(head)
        # A skill that is given up falls for certain, if the silence is long enough.
        gone = (1.0 if at <= self.horizon_days else 0.0, belief.given_up)
        cases = [(table[at], w) for table, w in zip(tables, belief.alive, strict=True)]
        cases = sorted([*cases, gone])
        p = sum(value * weight for value, weight in cases)
        low, high = min(p, _quantile(cases, LOW)), max(p, _quantile(cases, HIGH))
        return Chance(_share(p), _share(low), _share(high))

    def _index(self, head: int | None) -> int:
        beyond = self.horizon_days + 1
        return beyond if head is None else min(head, beyond)


@lru_cache(maxsize=4)  # a slider, or a second question, asks for the same again
def policy_tables(
    policy: CuratorPolicy, given_up_per_day: float, horizon_days: int
) -> PolicyTables:
    """The tables of one policy, for every rate of the grid."""

    def tables(window_days: float) -> tuple[FallTable, ...]:
        return tuple(fall_table(r, given_up_per_day, window_days, horizon_days) for r in RATES)

    archive = tables(policy.archive_after_days)
    # With archive < stale a skill is archived without ever having been stale.
    is_shorter = policy.stale_after_days < policy.archive_after_days
    stale = tables(policy.stale_after_days) if is_shorter else archive
    return PolicyTables(stale, archive, horizon_days)


def count_of(chances: Iterable[float]) -> Count:
    """How many of these come true, each by itself: the Poisson-binomial distribution, exactly."""
    weights = [1.0]
    mean = variance = 0.0
    for p in chances:
        mean, variance = mean + p, variance + p * (1 - p)
        not_one, one = [w * (1 - p) for w in weights], [w * p for w in weights]
        weights = [a + b for a, b in zip([*not_one, 0.0], [0.0, *one], strict=True)]
    cases = [(float(number), weight) for number, weight in enumerate(weights)]
    low, high = int(_quantile(cases, LOW)), int(_quantile(cases, HIGH))
    return Count(mean, math.sqrt(max(variance, 0.0)), low, high)


def _quantile(cases: Sequence[tuple[float, float]], share: float) -> float:
    """The smallest value that holds so much of the weight at or below it; cases are sorted."""
    so_far = accumulate(weight for _value, weight in cases)
    # Sums of weights are not exact: an edge is met a hair before it.
    enough = (total >= share - 1e-12 for total in so_far)
    return next(
        value for (value, _weight), is_enough in zip(cases, enough, strict=True) if is_enough
    )


def _share(value: float) -> float:
    """The sum of rounded terms, kept where a probability lies."""
    return min(1.0, max(0.0, value))


def _rounded(value: float) -> float:
    return round(value, 6)
