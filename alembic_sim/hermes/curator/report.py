"""CuratorReport: what one pass did, every skill in exactly one of two lists (seed 5 §06)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import DAY_MS

if TYPE_CHECKING:  # deciding needs no pydantic: it is loaded by whoever reads a file
    from alembic_sim.hermes.curator.usage_record import SkillState

SkipReason = Literal["not-agent-created", "pinned", "no-change", "invalid-record"]


@dataclass(frozen=True, slots=True)
class Transition:
    """One skill that moved."""

    name: str
    from_state: SkillState
    to_state: SkillState


@dataclass(frozen=True, slots=True)
class Skipped:
    """One skill that did not move, and why."""

    name: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class NeverActive:
    """[ours] An agent's skill that was never used, viewed or patched: the price of the +∞ anchor.

    `age_days` is whole days since its creation, None if that is not recorded; below 0 if that is
    later than now.
    """

    name: str
    age_days: int | None


@dataclass(frozen=True, slots=True)
class CuratorReport:
    """The pass as two lists, sorted by name. A dry run gives the same report as the real one.

    [ours] `never_active` and `future_activity` (stamped later than now: a clock was wrong) warn
    about skills that the rules leave alone. `archivable` counts those that a pass could archive at
    all, before this one: what `guard_pass` measures a plan against.
    """

    transitioned: tuple[Transition, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    never_active: tuple[NeverActive, ...] = ()
    future_activity: tuple[str, ...] = ()
    archivable: int = 0

    def to_json(self) -> dict[str, object]:
        """The report as strict JSON values."""
        return {
            "transitioned": [
                {"name": t.name, "from": t.from_state, "to": t.to_state} for t in self.transitioned
            ],
            "skipped": [{"name": s.name, "reason": s.reason} for s in self.skipped],
            "never_active": [{"name": n.name, "age_days": n.age_days} for n in self.never_active],
            "future_activity": list(self.future_activity),
        }


@dataclass(frozen=True, slots=True)
class CuratorError:
    """Why the pass stopped; `partial` holds what was already saved, and nothing else."""

    code: str
    message: str
    partial: CuratorReport = field(default_factory=CuratorReport)


def never_active(sidecar: UsageSidecar, now_ms: int) -> tuple[NeverActive, ...]:
    """The agent's unarchived skills without any activity, by name, with their age."""
    return tuple(
        NeverActive(name, (now_ms - record.created_at) // DAY_MS if record.created_at else None)
        for name, record in sorted(sidecar.records.items())
        if record.created_by == "agent"
        and record.last_activity_at == 0
        and record.state != "archived"
    )


def age_in_words(age_days: int | None) -> str:
    """A skill's age as a person reads it."""
    if age_days is None:
        return "creation time unknown"
    if age_days < 0:
        return "created in the future (a clock was wrong)"
    return f"created {age_days} day{'' if age_days == 1 else 's'} ago"


def future_activity(sidecar: UsageSidecar, now_ms: int) -> tuple[str, ...]:
    """The skills whose last activity is later than now, by name."""
    return tuple(
        name for name, record in sorted(sidecar.records.items()) if record.last_activity_at > now_ms
    )


def archivable(sidecar: UsageSidecar) -> int:
    """How many skills are the agent's, unpinned, not archived, and were ever active."""
    return sum(
        record.created_by == "agent"
        and not record.pinned
        and record.state != "archived"
        and record.last_activity_at > 0
        for record in sidecar.records.values()
    )
