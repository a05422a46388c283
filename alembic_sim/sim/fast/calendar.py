"""Calendar: when the passes are, and the intervals between them, in ms since the start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.fast.rhythm import Floats
from alembic_sim.sim.scenario import Scenario


@dataclass(frozen=True, eq=False)
class Calendar:
    """Interval k goes from `begins[k]` up to `ends[k]`, which is when pass k is.

    The last interval may end without a pass, with the scenario. A pass at an instant comes before
    the uses at that instant, as in `draw_trace`.
    """

    start_ms: int
    begins: Floats
    ends: Floats
    passes: int
    days: int
    interval_days: int

    @property
    def end_ms(self) -> float:
        """When the scenario ends."""
        return float(self.days * DAY_MS)

    def bounds(self, policy: CuratorPolicy) -> tuple[Floats, Floats]:
        """For each pass the bounds (stale, archive): an anchor below one is over that window."""
        return _bounds(self, policy)


def below(cutoff: float) -> float:
    """The instant below which an anchor is at or before the cut-off: an anchor is a whole ms.

    Windows may be so long that the cut-off is minus infinity.

    >>> below(29.0), below(29.5), below(-math.inf)
    (30.0, 30.0, -inf)
    """
    return math.floor(cutoff) + 1.0 if math.isfinite(cutoff) else cutoff


def calendar_of(scenario: Scenario) -> Calendar:
    """The scenario's own."""
    return _calendar(scenario.start_ms, scenario.days, scenario.curator.interval_days)


@lru_cache(maxsize=16)
def _calendar(start_ms: int, days: int, interval_days: int) -> Calendar:
    end, step = days * DAY_MS, interval_days * DAY_MS
    begins = np.arange(0, end, step, dtype=np.float64)
    return Calendar(
        start_ms,
        begins,
        np.minimum(begins + step, end),
        days // interval_days,
        days,
        interval_days,
    )


@lru_cache(maxsize=256)
def _bounds(calendar: Calendar, policy: CuratorPolicy) -> tuple[Floats, Floats]:
    turns = calendar.ends[: calendar.passes].astype(np.int64) + calendar.start_ms
    stale, archive = bounds_at(policy, turns.tolist())
    return stale - calendar.start_ms, archive - calendar.start_ms


def bounds_at(policy: CuratorPolicy, passes_ms: Sequence[int]) -> tuple[Floats, Floats]:
    """The bounds (stale, archive) of passes at these instants: one an anchor is below or not."""
    cutoffs = [policy.cutoffs(at_ms) for at_ms in passes_ms]
    stale, archive = np.array([[*map(below, pair)] for pair in cutoffs]).reshape(-1, 2).T
    return stale, archive
