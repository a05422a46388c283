"""Clocks: the one that reads the wall clock, and the one that lessons and tests turn by hand."""

from __future__ import annotations

import time

from alembic_sim.guarded import ClockError
from alembic_sim.iso import iso_from_ms, ms_from_iso
from alembic_sim.ports.clock import DAY_MS, MAX_SAFE_INTEGER
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

_HOUR_MS, _MINUTE_MS = 3_600_000, 60_000


class SystemClock:
    """The wall clock. Only the command line chooses it."""

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000


class FakeClock:
    """A clock that stands still until it is told to move.

    Raises `ValueError` if `start` is neither integer milliseconds nor an ISO instant.
    """

    def __init__(self, start: str | int = "2025-01-01T00:00:00Z") -> None:
        match _instant(start):
            case Ok(ms):
                self._now_ms = ms
            case Err(why):
                raise ValueError(why.message)

    def __call__(self) -> int:
        return self._now_ms

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, ms: float = 0
    ) -> Result[int, ClockError]:
        """The new time, in ms, or `bad-time`: then the clock stands where it stood.

        A negative amount turns the clock back, as real clocks do.
        """
        amounts = {"days": days, "hours": hours, "minutes": minutes, "ms": ms}
        for name, amount in amounts.items():
            if not _is_time(amount):
                why = f"{name}: {shorten(amount)} is not an amount of time"
                return Err(ClockError("bad-time", why))
        passed = round(days * DAY_MS + hours * _HOUR_MS + minutes * _MINUTE_MS + ms)
        return self.set(self._now_ms + passed)

    def set(self, instant: str | int) -> Result[int, ClockError]:
        """The new time, in ms, or `bad-time`: jumps to an instant."""
        wanted = _instant(instant)
        if wanted.ok:
            self._now_ms = wanted.value
        return wanted

    def sleep(self, ms: float) -> Result[int, ClockError]:
        """Waits by advancing: what is injected wherever real code would sleep."""
        return self.advance(ms=ms)

    def __repr__(self) -> str:
        return f"FakeClock({iso_from_ms(self._now_ms)!r})"


def _instant(value: str | int) -> Result[int, ClockError]:
    if _is_time(value) and isinstance(value, int):
        return Ok(value)
    match ms_from_iso(value):
        case Ok(ms):
            return Ok(ms)
        case Err(why):
            return Err(ClockError("bad-time", why.message))


def _is_time(ms: object) -> bool:
    if isinstance(ms, bool) or not isinstance(ms, int | float):
        return False
    return -MAX_SAFE_INTEGER <= ms <= MAX_SAFE_INTEGER  # NaN fails both
