"""Rhythm: a clock that runs with a skill's weekdays and bursts, so that its rate is constant.

By this clock a skill's uses are a Poisson process of one rate, whatever the day.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.population import BurstPattern, SkillLife
from alembic_sim.sim.scenario import EVERY_DAY

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rhythm:
    """The busy time at the beginning of each day and at the end of the last one, in ms.

    None: every day is as busy as any other, and busy time is the time itself.
    """

    busy_ms: Floats | None = field(repr=False)

    def busy(self, at_ms: Floats) -> Floats:
        """The busy time at these instants, in ms since the start."""
        if self.busy_ms is None:
            return at_ms
        return np.interp(at_ms, _days(self.busy_ms), self.busy_ms)

    def when(self, busy_ms: Floats) -> Floats:
        """The instants at which the busy time is this, in ms since the start."""
        if self.busy_ms is None:
            return busy_ms
        return np.interp(busy_ms, self.busy_ms, _days(self.busy_ms))


STEADY = Rhythm(None)


@lru_cache(maxsize=256)
def rhythm_of(
    weekdays: tuple[float, ...], bursts: BurstPattern | None, start_ms: int, days: int
) -> Rhythm:
    """The rhythm of a skill in a scenario that starts at `start_ms`."""
    if weekdays == EVERY_DAY and bursts is None:
        return STEADY
    one = SkillLife("one", 1.0, start_ms, weekdays=weekdays, bursts=bursts)
    factors = [one.rate_on(day, start_ms) for day in range(days)]
    return Rhythm(np.concatenate(([0.0], np.cumsum(factors) * DAY_MS)))


def _days(busy_ms: Floats) -> Floats:
    return np.arange(0, len(busy_ms) * DAY_MS, DAY_MS, dtype=np.float64)
