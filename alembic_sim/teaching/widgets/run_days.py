"""The days of a run, as its pictures count them: after how many of them something has happened."""

from __future__ import annotations

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.run import Run


def days_until(run: Run, at_ms: int) -> int:
    """How many days have passed when that instant is over; a day's last instant belongs to it."""
    return -((run.scenario.start_ms - at_ms) // DAY_MS)


def pass_days(run: Run) -> tuple[int, ...]:
    """After how many days the curator passed, pass by pass, over the whole run."""
    return tuple(days_until(run, turn.at_ms) for turn in run.trace.passes)
