"""What is told before a number is trusted."""

from __future__ import annotations

from alembic_sim import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.library import library_of, library_of_hermes
from alembic_sim.sim.forecast.notes import notes_of

NOW = 20_000 * DAY_MS


def notes(**records: UsageRecord) -> tuple[str, ...]:
    return notes_of(library_of(UsageSidecar(records)), NOW)


def used(days_ago: float, **fields: object) -> UsageRecord:
    at = NOW - int(days_ago * DAY_MS)
    return UsageRecord.model_validate({"created_at": 1, "last_activity_at": at, **fields})


def test_an_ordinary_library_has_nothing_to_tell() -> None:
    assert notes(it=used(3), never=used(3, last_activity_at=0)) == ()
    assert notes() == ()


def test_odd_records_are_told() -> None:
    assert notes(
        future=used(-1), unborn=used(1, created_at=0), young=used(1, created_at=NOW + DAY_MS)
    ) == (
        "future: last active in the future, 2024-10-05T00:00:00.000Z (a clock was wrong)",
        "unborn: no creation time, so its counts say nothing of how often",
        "young: created in the future, 2024-10-05T00:00:00.000Z (a clock was wrong)",
    )


def test_a_library_that_was_not_used_for_a_month_may_be_an_old_copy() -> None:
    assert notes(a=used(30), b=used(200)) == ()
    assert notes(a=used(31), b=used(200)) == (
        "nothing was used for 31 days, since 2024-09-03T00:00:00.000Z: if this is a copy from"
        " then, take that time as now",
    )


def test_where_the_ancestors_pass_stops_is_told_last_and_what_cannot_be_read_before_it() -> None:
    library = library_of_hermes(
        {
            "b": {"created_by": "agent", "use_count": "abc", "created_at": "2024-10-03"},
            "c": {"created_by": "agent", "use_count": "abc", "created_at": "2024-10-03"},
            "d": {"created_by": "agent", "last_used_at": "yesterday", "created_at": "2024-10-03"},
        }
    )
    told = notes_of(library, NOW)
    assert told[0] == "d: last_used_at counts as absent: 'yesterday'"
    assert [line.partition(" (")[0] for line in told[1:3]] == [
        "b: damaged record, Alembic leaves it alone",
        "c: damaged record, Alembic leaves it alone",
    ]
    assert told[3:] == ("b: the ancestor's pass ends here with an exception, every time",)
