"""Clocks: the one that reads the wall clock, and the one that lessons and tests turn by hand."""

from __future__ import annotations

import time

from alembic_sim.iso import iso_from_ms, ms_from_iso
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok


class SystemClock:
    """The wall clock. Only the command line chooses it."""

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000


class FakeClock:
    """A clock that stands still until it is told to move.

    Raises `ValueError` if `start` is neither integer milliseconds nor an ISO instant.
    """

    def __init__(self, start: str | int = "2025-01-01T00:00:00Z") -> None:
        self._now_ms = _instant(start)

    def __call__(self) -> int:
        return self._now_ms

    def advance(self, *, days: float = 0, hours: float = 0, minutes: float = 0, ms: int = 0) -> int:
        """The new time, in ms. A negative amount turns the clock back, as real clocks do."""
        self._now_ms += round(days * DAY_MS + hours * 3_600_000 + minutes * 60_000) + ms
        return self._now_ms

    def set(self, instant: str | int) -> int:
        """The new time, in ms: jumps to an instant."""
        self._now_ms = _instant(instant)
        return self._now_ms

    def sleep(self, ms: int) -> None:
        """Waits by advancing: what is injected wherever real code would sleep."""
        self._now_ms += ms

    def __repr__(self) -> str:
        return f"FakeClock({iso_from_ms(self._now_ms)!r})"


def _instant(value: str | int) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match ms_from_iso(value):
        case Ok(ms):
            return ms
        case Err(why):
            raise ValueError(why.message)
