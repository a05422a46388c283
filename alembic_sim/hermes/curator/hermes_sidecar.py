"""The ancestor's `.usage.json` read as records of ours: strictly one way, it is never written.

Hermes Agent keeps ISO timestamps, three of them a skill (used, viewed, patched), and says who made
a skill in one of two ways. Alembic keeps one number and one author.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import get_args

from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.skill_name import shown_name
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.hermes.curator.usage_store import UsageError, UsageReceipt
from alembic_sim.iso import ms_from_iso
from alembic_sim.ports.clock import MAX_SAFE_INTEGER, Clock
from alembic_sim.result import Err, Result
from alembic_sim.shorten import shorten

_ACTIVITY = ("last_used_at", "last_viewed_at", "last_patched_at")
_COUNTS = ("use_count", "view_count", "patch_count")


@dataclass(frozen=True, slots=True)
class HermesReading:
    """The ancestor's file in our terms, and what could not be read (a line each)."""

    sidecar: UsageSidecar
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadOnlyUsage:
    """The ancestor's records as the curator reads them; every change is refused, `read-only`."""

    sidecar: UsageSidecar
    clock: Clock

    def load(self) -> UsageSidecar:
        return self.sidecar

    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]:
        why = f"{name} belongs to a Hermes home, which is never written: use a dry run"
        return Err(UsageError("read-only", why))


def read_hermes_sidecar(document: Mapping[str, object]) -> HermesReading:
    """The records of a parsed `.usage.json`; a damaged one is invalid and hides no other.

    Last activity is the newest of the three timestamps as instants, floored to ms; one that
    cannot be read counts as absent and is reported.
    """
    records: dict[str, UsageRecord] = {}
    invalid: dict[str, object] = {}
    why_invalid: dict[str, str] = {}
    warnings: list[str] = []
    for name, raw in document.items():
        why = _damage(raw)
        if isinstance(raw, Mapping) and why is None:
            records[name], odd = _record(raw)
            told = shown_name(name)
            warnings += [f"{told}: {field} counts as absent: {seen}" for field, seen in odd]
        else:
            invalid[name], why_invalid[name] = raw, why or "not a record"
    sidecar = UsageSidecar(
        MappingProxyType(records), MappingProxyType(invalid), MappingProxyType(why_invalid)
    )
    return HermesReading(sidecar, tuple(warnings))


def _damage(raw: object) -> str | None:
    """Why the record cannot be trusted: the field, what it holds, what is allowed."""
    if not isinstance(raw, Mapping):
        return f"{shorten(raw)} is not a record"
    if raw.get("state", "active") not in get_args(SkillState):
        return f"state: {shorten(raw['state'])} is not active, stale or archived"
    if not isinstance(raw.get("pinned", False), bool):
        return f"pinned: {shorten(raw['pinned'])} is not true or false"
    for count in _COUNTS:
        value = raw.get(count, 0)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not (is_whole and 0 <= value <= MAX_SAFE_INTEGER):
            return f"{count}: {shorten(value)} is not a whole number from 0 to 2^53 - 1"
    return None


def _record(raw: Mapping[str, object]) -> tuple[UsageRecord, list[tuple[str, str]]]:
    """The record, and its timestamps that cannot be read (field, what it holds)."""
    instants: dict[str, int] = {}
    odd: list[tuple[str, str]] = []
    for field in (*_ACTIVITY, "created_at"):
        value = raw.get(field)
        read = ms_from_iso(value)
        if read.ok and read.value >= 0:
            instants[field] = read.value
        elif value is not None:
            odd.append((field, shorten(value)))
    author = raw.get("created_by")
    by_agent = author == "agent" or raw.get("agent_created") is True
    counts = {count: raw.get(count, 0) for count in _COUNTS}
    record = UsageRecord.model_validate(
        {
            **counts,
            "created_at": instants.get("created_at", 0),
            "created_by": "agent" if by_agent else author if isinstance(author, str) else None,
            "last_activity_at": max(instants.get(field, 0) for field in _ACTIVITY),
            "pinned": raw.get("pinned", False),
            "state": raw.get("state", "active"),
        }
    )
    return record, odd
