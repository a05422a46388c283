"""draw_population: the skills of a scenario, each with its rate, its birth and its end.

Every skill draws from a stream of its own, so that one more skill changes none of the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.scenario import EVERY_DAY, Archetype, Bursts, Rate, Scenario
from alembic_sim.sim.seeds import derive

DAYS_PER_MONTH = 30
_EPOCH_WEEKDAY = 3  # 1970-01-01 was a Thursday


@dataclass(frozen=True, slots=True)
class BurstPattern:
    """A skill's bursts: day d is one of them if `(d + phase) % every_days < lasts_days`."""

    every_days: int
    lasts_days: int
    factor: float
    phase: int


@dataclass(frozen=True, slots=True)
class SkillLife:
    """One skill as the world knows it: what it is used for is decided here, not by the curator.

    `birth_ms` is when it is made; from `abandon_ms` on (None: never) it is not used any more.
    `weekdays` are seven factors of the rate, Monday first.
    """

    name: str
    rate_per_day: float
    birth_ms: int
    abandon_ms: int | None = None
    created_by: str = "agent"
    pinned: bool = False
    weekdays: tuple[float, ...] = EVERY_DAY
    bursts: BurstPattern | None = None

    @property
    def managed(self) -> bool:
        """True if the curator may move it."""
        return self.created_by == "agent" and not self.pinned

    def rate_on(self, day: int, start_ms: int) -> float:
        """The rate on a day of the scenario that starts at `start_ms`, in events a day."""
        factor = self.weekdays[weekday(start_ms + day * DAY_MS)]
        burst = self.bursts
        if burst is not None and (day + burst.phase) % burst.every_days < burst.lasts_days:
            factor *= burst.factor
        return self.rate_per_day * factor


def weekday(at_ms: int) -> int:
    """The day of the week (UTC) of an instant: 0 is Monday.

    >>> weekday(0)
    3
    """
    return (at_ms // DAY_MS + _EPOCH_WEEKDAY) % 7


def draw_population(scenario: Scenario) -> tuple[SkillLife, ...]:
    """Every skill of the scenario in the order of birth: those of day 0, then the arrivals."""
    return (*_settlers(scenario), *_arrivals(scenario))


def _settlers(scenario: Scenario) -> Iterator[SkillLife]:
    for archetype in scenario.population:
        for number in range(1, archetype.count + 1):
            name = f"{archetype.name}-{number:04d}"
            yield _skill(scenario, archetype, name, scenario.start_ms)


def _arrivals(scenario: Scenario) -> Iterator[SkillLife]:
    """Later skills: exponential gaps, each of an archetype chosen in proportion to its count."""
    if scenario.arrivals_per_month == 0:
        return
    chance = Random(derive(scenario.seed, "arrivals"))
    numbers = {archetype.name: archetype.count for archetype in scenario.population}
    shares = [archetype.count for archetype in scenario.population]
    if not any(shares):  # a library that begins empty grows by all its archetypes alike
        shares = [1 for _ in shares]
    per_ms = scenario.arrivals_per_month / DAYS_PER_MONTH / DAY_MS
    at = scenario.start_ms + chance.expovariate(per_ms)
    while at < scenario.end_ms:
        [archetype] = chance.choices(scenario.population, shares)
        numbers[archetype.name] += 1
        name = f"{archetype.name}-{numbers[archetype.name]:04d}"
        yield _skill(scenario, archetype, name, int(at))
        at += chance.expovariate(per_ms)


def _skill(scenario: Scenario, archetype: Archetype, name: str, birth_ms: int) -> SkillLife:
    chance = Random(derive(scenario.seed, "skill", name))
    rate = _rate(archetype.rate_per_day, chance.gauss(0, 1))
    by_agent = chance.random() < archetype.agent_share
    pinned = chance.random() < archetype.pinned_share
    idle_after = chance.expovariate(1)
    mean = archetype.abandon_after_days
    return SkillLife(
        name,
        rate,
        birth_ms,
        None if mean is None else birth_ms + int(idle_after * mean * DAY_MS),
        "agent" if by_agent else "user",
        pinned,
        archetype.weekdays,
        _bursts(archetype.bursts, chance.random()),
    )


def _rate(rate: Rate, normal: float) -> float:
    return rate.median if rate.kind == "fixed" else rate.median * math.exp(rate.sigma * normal)


def _bursts(bursts: Bursts | None, draw: float) -> BurstPattern | None:
    if bursts is None:
        return None
    phase = int(draw * bursts.every_days)
    return BurstPattern(bursts.every_days, bursts.lasts_days, bursts.factor, phase)
