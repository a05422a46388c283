"""The Clock port: the only way the engine learns what time it is."""

from __future__ import annotations

from typing import Protocol

DAY_MS = 86_400_000
"""Milliseconds in a day; every day is a UTC day."""

MAX_SAFE_INTEGER = 2**53 - 1
"""The largest time or count that every reader of our JSON takes exactly (JavaScript's bound)."""


class Clock(Protocol):
    """A zero-argument callable returning integer milliseconds since the Unix epoch (seed 5 §08)."""

    def __call__(self) -> int: ...
