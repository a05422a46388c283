"""The rule of `next_state` with one thing changed: for comparing, never for curating.

The taught function has no switches; whoever wants another rule takes another function.
"""

from __future__ import annotations

import math

from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord


def stale_first(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    """`next_state` with its first two tests swapped: an old active skill takes the small step."""
    anchor = record.last_activity_at if record.last_activity_at > 0 else math.inf
    if anchor <= stale_cutoff and record.state == "active":
        return "stale"
    if anchor <= archive_cutoff and record.state != "archived":
        return "archived"
    if anchor > stale_cutoff and record.state == "stale":
        return "active"
    return record.state


def zero_anchor(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    """`next_state` taking 0 literally: what was never used is older than anything."""
    return _anchored_at(record.last_activity_at, record, stale_cutoff, archive_cutoff)


def created_at_anchor(
    record: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> SkillState:
    """`next_state` as the ancestor anchors it: what was never used ages from its creation.

    A record that does not say when it was created is as new as can be.
    """
    anchor = record.last_activity_at or record.created_at or math.inf
    return _anchored_at(anchor, record, stale_cutoff, archive_cutoff)


def _anchored_at(
    anchor: float, record: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> SkillState:
    if anchor <= archive_cutoff and record.state != "archived":
        return "archived"
    if anchor <= stale_cutoff and record.state == "active":
        return "stale"
    if anchor > stale_cutoff and record.state == "stale":
        return "active"
    return record.state
