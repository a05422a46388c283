"""Why Alembic and the ancestor would do different things to one skill: the cause, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.sim.forecast.ancestor import AncestorRecord

Cause = Literal[
    "ancestor-stops",
    "damaged-record",
    "old-timestamp",
    "never-active",
    "grace-floor",
    "microseconds",
]

CAUSES: Mapping[Cause, str] = MappingProxyType(
    {
        "ancestor-stops": "a use_count that is no number ends the ancestor's pass there: neither"
        " that skill nor any later one by name is looked at",
        "damaged-record": "Alembic leaves a damaged record alone; the ancestor reads what it can",
        "old-timestamp": "activity dated before 1970 counts as absent here; for the ancestor it is"
        " very old",
        "never-active": "never used, viewed or patched: Alembic takes it for as new as can be"
        " (its anchor is +∞), so it stays active; the ancestor counts its age from created_at",
        "grace-floor": "use_count is 0: the ancestor moves nothing before the stale window is"
        " over, even where the archive window is shorter",
        "microseconds": "Alembic floors the last activity to milliseconds, the ancestor keeps"
        " microseconds: a pass on the edge falls on either side",
    }
)
"""Every cause, in the order in which it is looked for, and what it means."""


def cause_of_difference(
    record: UsageRecord | None,
    ancestor: AncestorRecord | None,
    stopped: bool,
    policy: CuratorPolicy,
) -> Cause:
    """The cause of two courses that differ. `record` is None where Alembic cannot read it.

    `stopped` says that the ancestor's pass ends before or at this skill.
    """
    if stopped:
        return "ancestor-stops"
    if record is None or ancestor is None:
        return "damaged-record"
    if record.last_activity_at == 0:
        return "never-active" if ancestor.active_us is None else "old-timestamp"
    if ancestor.never_used and policy.archive_after_days < policy.stale_after_days:
        return "grace-floor"
    return "microseconds"
