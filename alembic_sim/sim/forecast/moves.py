"""What becomes of a skill that is not used again: every move to come, with its date.

The passes are one a day, the first of them now. Nothing is approximated: the rule itself is asked,
by bisection, so that the answer equals a replay of the curator day by day.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import dataclass

from alembic_sim.ports.clock import DAY_MS

LAST_MS = 253_402_300_799_999
"""The end of the year 9999, ms: no date lies beyond it, no pass is looked at after it."""

Step = Callable[[str, int], str]
"""One pass over one skill: its state and the time (ms) give the state after it."""


@dataclass(frozen=True, slots=True)
class Move:
    """One change of state, and the pass (ms) that makes it."""

    at_ms: int
    from_state: str
    to_state: str


def moves_if_unused(state: str, step: Step, now_ms: int) -> tuple[Move, ...]:
    """Every move from now on, in order; empty if there is none before the year 10000.

    Asks for a rule whose anchor stands still: a pass that leaves the state alone may be followed by
    one that moves it, and once one would move it every later one would.
    """
    moves: list[Move] = []
    day: int | None = _first_moving_day(state, step, now_ms, 0)
    while day is not None:
        at_ms = now_ms + day * DAY_MS
        moves.append(Move(at_ms, state, step(state, at_ms)))
        state = moves[-1].to_state
        day = _first_moving_day(state, step, now_ms, day + 1)
    return tuple(moves)


def _first_moving_day(state: str, step: Step, now_ms: int, day: int) -> int | None:
    """The first day from `day` on whose pass moves the state, None if no day's does."""

    def moves(on_day: int) -> bool:
        return step(state, now_ms + on_day * DAY_MS) != state

    last_day = (LAST_MS - now_ms) // DAY_MS
    if day > last_day:
        return None
    if moves(day):  # asked by itself: a reactivation is due at once, or never
        return day
    if not moves(last_day):
        return None
    return bisect_left(range(last_day), True, lo=day, key=moves)


def days_until(
    states: Collection[str], start: str, moves: tuple[Move, ...], now_ms: int
) -> int | None:
    """After how many days (0 is the first pass) the state is one of these; None if it never is."""
    first_ms = moves[0].at_ms if moves else None
    if start in states and first_ms != now_ms:
        return 0
    return next(
        ((move.at_ms - now_ms) // DAY_MS for move in moves if move.to_state in states), None
    )
