"""What a record says of its skill's past: how many events in how many days, the last one when."""

from __future__ import annotations

from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.usage_model import Evidence

ARCHIVED_AFTER_DAYS = 90
"""An archived skill cannot be used any more. When it was archived is not in the record: it is taken
to be so many days after its last activity."""


def evidence_of(record: UsageRecord, now_ms: int) -> Evidence:
    """The past of the skill as the usage model wants it; of a record at odds with itself, the best.

    A birth after the first sign of life is moved to it, activity in the future is taken as now's,
    and counts without a readable time say how often, not when.
    """
    events = count_events(record)
    last_ms, birth_ms = min(record.last_activity_at, now_ms), record.created_at
    if record.state == "archived":
        archived_ms = max(last_ms, birth_ms) + ARCHIVED_AFTER_DAYS * DAY_MS
        now_ms = min(now_ms, archived_ms)
    if birth_ms == 0:  # unknown: what is left is the silence since the last event
        return Evidence(0, 0.0, (now_ms - last_ms) / DAY_MS if last_ms else 0.0)
    birth_ms = min(birth_ms, last_ms or birth_ms, now_ms)
    age_days = (now_ms - birth_ms) / DAY_MS
    if last_ms == 0:
        return Evidence(events, age_days if events else 0.0, age_days)
    return Evidence(max(events, 1), (last_ms - birth_ms) / DAY_MS, age_days)


def count_events(record: UsageRecord) -> int:
    """Uses, views and patches together: each of them is activity."""
    return record.use_count + record.view_count + record.patch_count
