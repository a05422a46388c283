"""The ancestor's curator as one pure rule, held to what the real one did.

It differs from Alembic's `next_state` in three things: what was never active ages from its creation
(`created_at`, and without that it is always new); a skill with `use_count` 0 has a grace floor,
nothing moves it before the stale window is over, not even a shorter archive window; and it takes
records as they come: a truthy `pinned` pins, a state it does not know is no obstacle to the
archive, microseconds count. A `use_count` that is no number raises, and the pass stops there.
[ancestor] Hermes Agent 0.18; the two ways to name an author and the order of the tests are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.shorten import shorten

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_ACTIVITY = ("last_used_at", "last_viewed_at", "last_patched_at")


@dataclass(frozen=True, slots=True)
class AncestorRecord:
    """What the ancestor's curator sees of one skill. Instants are microseconds since 1970.

    `never_used` is None where its `use_count` cannot be read as a number: it raises there.
    """

    curated: bool
    pinned: bool
    state: str
    active_us: int | None
    created_us: int | None
    never_used: bool | None

    @property
    def raises(self) -> bool:
        """True if a pass that comes to this record stops with an exception."""
        return self.curated and not self.pinned and self.never_used is None


def ancestor_next_state(
    record: AncestorRecord, state: str, policy: CuratorPolicy, now_ms: int
) -> str:
    """The state after one pass of the ancestor, from `state`. Cut-offs are inclusive, as ours."""
    if not record.curated or record.pinned or record.never_used is None:
        return state
    stale_ms, archive_ms = policy.cutoffs(now_ms)
    # Without any date it is anchored at now: as new as can be.
    anchor_us = record.active_us if record.active_us is not None else record.created_us
    anchor_ms = now_ms if anchor_us is None else anchor_us / 1000
    if record.never_used and anchor_ms > stale_ms:  # the grace floor
        return "active" if state == "stale" else state
    if anchor_ms <= archive_ms and state != "archived":
        return "archived"
    if anchor_ms <= stale_ms and state == "active":
        return "stale"
    if anchor_ms > stale_ms and state == "stale":
        return "active"
    return state


def read_ancestor_record(raw: Mapping[str, object]) -> AncestorRecord:
    """The record as the ancestor reads it out of its own file."""
    active = [us for us in map(_us, map(raw.get, _ACTIVITY)) if us is not None]
    state = raw.get("state", "active")
    return AncestorRecord(
        curated=raw.get("created_by") == "agent" or raw.get("agent_created") is True,
        pinned=bool(raw.get("pinned", False)),
        state=state if isinstance(state, str) else shorten(state),
        active_us=max(active, default=None),
        created_us=_us(raw.get("created_at")),
        never_used=_never_used(raw.get("use_count", 0)),
    )


def as_ancestor_record(record: UsageRecord) -> AncestorRecord:
    """One of our records as the ancestor would hold it."""
    return AncestorRecord(
        curated=record.created_by == "agent",
        pinned=record.pinned,
        state=record.state,
        active_us=record.last_activity_at * 1000 or None,
        created_us=record.created_at * 1000 or None,
        never_used=record.use_count == 0,
    )


def _us(value: object) -> int | None:
    """The instant in microseconds; no zone means UTC; None for what cannot be read."""
    if not isinstance(value, str):
        return None
    try:
        when = datetime.fromisoformat(value)
    except ValueError:
        return None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when
    return (when - _EPOCH) // _US


def _never_used(use_count: object) -> bool | None:
    """True if the count is 0, or is nothing; None if the ancestor's `int()` raises on it."""
    if not use_count:
        return True
    if not isinstance(use_count, int | float | str):
        return None
    try:
        return int(use_count) == 0
    except (ValueError, OverflowError):
        return None
