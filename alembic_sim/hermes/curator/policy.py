"""CuratorPolicy: after how many idle days a skill is stale, and after how many it is archived."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.shorten import shorten


@dataclass(frozen=True, slots=True)
class CuratorPolicy:
    """The two windows, in days of 24 h UTC (fractions allowed, archive < stale too).

    Raises `ValueError` for a window that is negative, infinite or not a number.
    """

    stale_after_days: float = 30
    archive_after_days: float = 90

    def __post_init__(self) -> None:
        for name in ("stale_after_days", "archive_after_days"):
            days = getattr(self, name)
            is_number = isinstance(days, int | float) and not isinstance(days, bool)
            if not (is_number and 0 <= days <= sys.float_info.max):  # NaN fails both
                raise ValueError(f"{name}: {shorten(days)} is not a finite number of days ≥ 0")

    def cutoffs(self, now_ms: int) -> tuple[float, float]:
        """The instants (stale, archive) in ms: activity at or before one is over that window.

        A `now_ms` that is no time gives NaN, which no activity is before or after: nothing moves.
        """
        if isinstance(now_ms, bool) or not isinstance(now_ms, int | float):
            return math.nan, math.nan
        return now_ms - self.stale_after_days * DAY_MS, now_ms - self.archive_after_days * DAY_MS

    def to_json(self) -> dict[str, float]:
        """The windows as strict JSON values; a whole number of days as 30, not as 30.0."""
        days = {
            "stale_after_days": self.stale_after_days,
            "archive_after_days": self.archive_after_days,
        }
        return {name: int(n) if float(n).is_integer() else n for name, n in days.items()}
