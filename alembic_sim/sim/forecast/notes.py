"""notes_of: what an engineer should know of odd records before trusting a number."""

from __future__ import annotations

from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.library import SkillLibrary

QUIET_DAYS = 30
"""A library in which nothing happened for longer is on holiday, or a copy from then."""


def notes_of(library: SkillLibrary, now_ms: int) -> tuple[str, ...]:
    """A line each: the library as a whole, what could not be read, the records at odds."""
    return (
        *_quiet(library, now_ms),
        *library.warnings,
        *_damaged(library),
        *_at_odds(library, now_ms),
        *_stopped(library),
    )


def _quiet(library: SkillLibrary, now_ms: int) -> list[str]:
    """What forecasts as "all will be archived" may only be an old copy."""
    newest_ms = max(
        (record.last_activity_at for record in library.sidecar.records.values()), default=0
    )
    days = (now_ms - newest_ms) // DAY_MS
    if newest_ms == 0 or days <= QUIET_DAYS:
        return []
    return [
        f"nothing was used for {days} days, since {iso_from_ms(newest_ms)}:"
        " if this is a copy from then, take that time as now"
    ]


def _damaged(library: SkillLibrary) -> list[str]:
    return [
        f"{name}: damaged record, Alembic leaves it alone ({why})"
        for name, why in sorted(library.sidecar.why_invalid.items())
    ]


def _at_odds(library: SkillLibrary, now_ms: int) -> list[str]:
    notes = []
    for name, record in sorted(library.sidecar.records.items()):
        if record.last_activity_at > now_ms:
            at = iso_from_ms(record.last_activity_at)
            notes.append(f"{name}: last active in the future, {at} (a clock was wrong)")
        if record.created_at > now_ms:
            at = iso_from_ms(record.created_at)
            notes.append(f"{name}: created in the future, {at} (a clock was wrong)")
        if record.created_at == 0:
            notes.append(f"{name}: no creation time, so its counts say nothing of how often")
    return notes


def _stopped(library: SkillLibrary) -> list[str]:
    stop = library.ancestor_stops_at
    if stop is None:
        return []
    return [f"{stop}: the ancestor's pass ends here with an exception, every time"]
