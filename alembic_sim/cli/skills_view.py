"""Skills as lines for a person and as documents for a program; pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import age_in_words, future_activity, never_active
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.skill_name import shown_name
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.memory_store import FILE_NAMES, MemoryStore
from alembic_sim.hermes.skills.types import ListedSkill, SkillListing, SkillReceipt, SkillView
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS, MAX_SAFE_INTEGER

MEMORY_WARNING_PERCENT = 90
_SHOWN = 5  # of what comes next, a person sees the first few; the JSON document has them all


@dataclass(frozen=True, slots=True)
class LibraryView:
    """A library as it was found, and whether it is a Hermes home's."""

    folder: Path
    is_hermes: bool
    listing: SkillListing

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.listing.warnings


@dataclass(frozen=True, slots=True)
class StatusView:
    """What `skills status` looks at."""

    library: LibraryView
    sidecar: UsageSidecar
    now_ms: int
    policy: CuratorPolicy
    memory: MemoryStore
    memory_warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """The day a skill goes stale, or is archived, unless it is used before."""

    name: str
    at_ms: int


def listing_document(view: LibraryView) -> dict[str, object]:
    """The strict JSON document of `skills list --json`."""
    return {
        **_source(view),
        "skills": [_listed_document(skill) for skill in view.listing.skills],
        "warnings": list(view.warnings),
    }


def listing_lines(view: LibraryView) -> list[str]:
    """The library as a person reads it, a line a skill; names can be typed as they stand."""
    skills = view.listing.skills
    width = max((len(visible_line(skill.name)) for skill in skills), default=0)
    lines = [_title(view)]
    for skill in skills:
        told = [visible_line(skill.name).ljust(width), f"{skill.state or 'no record':<9}"]
        if skill.record is not None:
            told.append(_activity(skill.record))
            told += ["pinned"] if skill.record.pinned else []
            told += [] if skill.curated else ["not curated"]
        lines.append(f"  {'  '.join(told)}".rstrip())
        if skill.description:
            lines.append(f"    {_one_line(skill.description)}")
        lines += [f"    ! {_one_line(problem)}" for problem in skill.problems]
    lines.append(f"{len(skills)} skill{'' if len(skills) == 1 else 's'}")
    return lines


def skill_document(view: SkillView) -> dict[str, object]:
    """The strict JSON document of `skills view --json`."""
    return {
        "name": view.name,
        "path": view.path,
        "description": view.description,
        "body": view.body,
        "record": _record_document(view.record),
        "notes": list(view.notes),
    }


def skill_lines(view: SkillView) -> list[str]:
    """The skill's text as a person reads it."""
    head = [f"{visible_line(view.name)}: {_one_line(view.description)}"] if view.description else []
    return [*(head or [visible_line(view.name)]), "", *map(visible_line, view.body.split("\n"))]


def receipt_document(receipt: SkillReceipt) -> dict[str, object]:
    """The strict JSON document of a command that changed, or counted, something."""
    return {
        "action": receipt.action,
        "name": receipt.name,
        "path": receipt.path,
        "kept": receipt.kept,
        "record": _record_document(receipt.record),
        "notes": list(receipt.notes),
    }


def receipt_line(receipt: SkillReceipt) -> str:
    """What was done, in one line."""
    told = f"{receipt.action} {visible_line(receipt.name)}"
    if receipt.record is not None:
        told += f" ({receipt.record.state}; {_activity(receipt.record)})"
    if receipt.kept is not None:
        told += f"; the earlier text is {receipt.kept}"
    return told


def status_document(view: StatusView) -> dict[str, object]:
    """The strict JSON document of `skills status --json`."""
    return {
        "now": iso_from_ms(view.now_ms),
        **_source(view.library),
        "policy": {
            "stale_after_days": _days(view.policy.stale_after_days),
            "archive_after_days": _days(view.policy.archive_after_days),
        },
        "states": _states(view),
        "pinned": _pinned(view),
        "next_stale": [{"name": d.name, "on": iso_day(d.at_ms)} for d in next_stale(view)],
        "next_archived": [{"name": d.name, "on": iso_day(d.at_ms)} for d in next_archived(view)],
        "never_active": [
            {"name": skill.name, "age_days": skill.age_days}
            for skill in never_active(view.sidecar, view.now_ms)
        ],
        "future_activity": list(future_activity(view.sidecar, view.now_ms)),
        "damaged": [
            {"name": name, "reason": why} for name, why in sorted(view.sidecar.why_invalid.items())
        ],
        "problems": [
            {"name": skill.name, "problems": list(skill.problems)}
            for skill in view.library.listing.skills
            if skill.problems
        ],
        "memory": [
            {"file": file, "used_chars": used, "limit_chars": limit, "nearly_full": nearly_full}
            for file, used, limit, nearly_full in _fill(view.memory)
        ],
        "warnings": [*view.library.warnings, *view.memory_warnings],
    }


def status_lines(view: StatusView) -> list[str]:
    """How the library stands, about a screen."""
    counts = ", ".join(f"{count} {state}" for state, count in _states(view).items())
    pinned = _pinned(view)
    policy = view.policy
    lines = [
        _title(view.library),
        f"now {iso_from_ms(view.now_ms)}; stale after {policy.stale_after_days:g} days,"
        f" archived after {policy.archive_after_days:g}",
        f"{len(view.sidecar.records)} records: {counts}",
        f"pinned: {', '.join(map(visible_line, pinned)) or 'none'}",
        *_due_lines("next to go stale", next_stale(view), view.now_ms),
        *_due_lines("next to be archived", next_archived(view), view.now_ms),
    ]
    never = never_active(view.sidecar, view.now_ms)
    if never:
        lines.append(f"never active (so never stale): {len(never)}")
        lines += [
            f"  {visible_line(shown_name(skill.name))}, {age_in_words(skill.age_days)}"
            for skill in never
        ]
    future = future_activity(view.sidecar, view.now_ms)
    if future:
        lines.append(
            f"active in the future (a clock was wrong): {', '.join(map(visible_line, future))}"
        )
    for skill in view.library.listing.skills:
        lines += [
            f"! {visible_line(skill.name)}: {_one_line(problem)}" for problem in skill.problems
        ]
    for file, used, limit, nearly_full in _fill(view.memory):
        mark = f" - at {MEMORY_WARNING_PERCENT} % or more: tidy it soon" if nearly_full else ""
        lines.append(f"{file}: {used:,} of {limit:,} characters{mark}")
    warnings = (*view.library.warnings, *view.memory_warnings)
    return [*lines, *(f"note: {_one_line(warning)}" for warning in warnings)]


def next_stale(view: StatusView) -> tuple[Due, ...]:
    """The active skills that the curator would call stale, soonest first."""
    days = view.policy.stale_after_days
    return _due(view.sidecar, days, ("active",))


def next_archived(view: StatusView) -> tuple[Due, ...]:
    """The active and stale skills that the curator would archive, soonest first."""
    return _due(view.sidecar, view.policy.archive_after_days, ("active", "stale"))


def iso_day(ms: int) -> str:
    """The day of an instant, UTC, as `2025-06-30`."""
    return iso_from_ms(ms).partition("T")[0]


def _due(sidecar: UsageSidecar, days: float, states: tuple[SkillState, ...]) -> tuple[Due, ...]:
    idle_ms = math.ceil(min(days * DAY_MS, MAX_SAFE_INTEGER))  # a policy may be all but endless
    due = (
        Due(name, record.last_activity_at + idle_ms)
        for name, record in sidecar.records.items()
        if record.created_by == "agent"
        and not record.pinned
        and record.state in states
        and record.last_activity_at > 0
    )
    return tuple(sorted(due, key=lambda skill: (skill.at_ms, skill.name)))


def _due_lines(title: str, due: tuple[Due, ...], now_ms: int) -> Iterator[str]:
    if not due:
        return
    yield f"{title}: {len(due)}" + (f" (first {_SHOWN})" if len(due) > _SHOWN else "")
    for skill in due[:_SHOWN]:
        over = " (due now)" if skill.at_ms <= now_ms else ""
        yield f"  {iso_day(skill.at_ms)}  {visible_line(skill.name)}{over}"


def _states(view: StatusView) -> dict[str, int]:
    counted = Counter(record.state for record in view.sidecar.records.values())
    return {state: counted[state] for state in get_args(SkillState)}


def _pinned(view: StatusView) -> list[str]:
    return sorted(name for name, record in view.sidecar.records.items() if record.pinned)


def _fill(memory: MemoryStore) -> list[tuple[str, int, int, bool]]:
    """Each notebook's file, its size and limit in code points, and if it is at 90 % or more."""
    told = []
    for target, file in FILE_NAMES.items():
        used, limit = len(serialise_entries(memory.entries(target))), memory.limit(target)
        told.append((file, used, limit, used * 100 >= limit * MEMORY_WARNING_PERCENT))
    return told


def _source(view: LibraryView) -> dict[str, object]:
    kind = "hermes" if view.is_hermes else "native"
    return {"source": {"path": view.folder.as_posix(), "format": kind}}


def _title(view: LibraryView) -> str:
    kind = "Hermes home, read-only" if view.is_hermes else "library"
    return f"{view.folder.as_posix()} ({kind})"


def _listed_document(skill: ListedSkill) -> dict[str, object]:
    return {
        "name": skill.name,
        "state": skill.state,
        "curated": skill.curated,
        "description": skill.description,
        "path": skill.path,
        "record": _record_document(skill.record),
        "problems": list(skill.problems),
    }


def _record_document(record: UsageRecord | None) -> dict[str, object] | None:
    return None if record is None else record.to_json()


def _activity(record: UsageRecord) -> str:
    last = iso_day(record.last_activity_at) if record.last_activity_at else "never"
    counts = f"used {record.use_count}, viewed {record.view_count}, patched {record.patch_count}"
    return f"{counts}, last {last}"


def _days(days: float) -> float:
    """A whole number of days as 30, not as 30.0."""
    return int(days) if days.is_integer() else days


def _one_line(text: str) -> str:
    return visible_line(" ".join(text.split("\n")))
