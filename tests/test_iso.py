"""ISO instants and milliseconds: no zone means UTC, floored, and there and back again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Ok
from alembic_sim.iso import iso_from_ms, ms_from_iso
from tests.meddled_fs import Liar

FIRST_MS, LAST_MS = -62_135_596_800_000, 253_402_300_799_999  # years 1 and 9999


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2025-01-01T00:00:00Z", 1_735_689_600_000),
        ("2025-01-01T00:00:00", 1_735_689_600_000),  # no zone means UTC
        ("2025-01-01 00:00:00", 1_735_689_600_000),
        ("2025-01-01", 1_735_689_600_000),
        (" 2025-01-01T00:00:00Z\n", 1_735_689_600_000),
        ("2025-01-01T02:00:00+02:00", 1_735_689_600_000),
        ("2024-12-31T19:00:00.000-05:00", 1_735_689_600_000),
        ("2025-01-01T00:00:00.001999+00:00", 1_735_689_600_001),  # floored, not rounded
        ("1969-12-31T23:59:59.9995Z", -1),  # floored before the epoch as well
        ("0001-01-01T00:00:00+23:59", FIRST_MS - (23 * 60 + 59) * 60_000),
        ("9999-12-31T23:59:59.999-23:59", LAST_MS + (23 * 60 + 59) * 60_000),
    ],
)
def test_an_instant_is_read_as_milliseconds(text: str, ms: int) -> None:
    assert ms_from_iso(text) == Ok(ms)


@pytest.mark.parametrize(
    "value",
    ["", "yesterday", "2025-13-01", "2025-02-30T00:00:00Z", "1735689600000", None, 5, 1.5, b"2025",
     True, "2025-01-01T00:00:00\0", "\ud800", 10**5000, Liar()],
    ids=range(14),
)  # fmt: skip
def test_anything_else_is_a_bad_instant_and_says_what_is_allowed(value: object) -> None:
    error = ms_from_iso(value).error
    assert error.code == "bad-instant"
    assert "2025-01-01T00:00:00Z" in error.message
    assert len(error.message) < 200


@given(st.text(max_size=40))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    assert isinstance(ms_from_iso(text).ok, bool)


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1_735_689_600_007, "2025-01-01T00:00:00.007Z"),
        (FIRST_MS, "0001-01-01T00:00:00.000Z"),
        (LAST_MS, "9999-12-31T23:59:59.999Z"),
        (LAST_MS + 1, "253402300800000ms"),
        (FIRST_MS - 1, "-62135596800001ms"),
        (10**30, "1000000000000000000000000000000ms"),
    ],
)
def test_milliseconds_are_printed_as_javascript_prints_them(ms: int, text: str) -> None:
    assert iso_from_ms(ms) == text


@given(st.integers(FIRST_MS, LAST_MS))
def test_there_and_back_again_is_the_same_instant(ms: int) -> None:
    assert ms_from_iso(iso_from_ms(ms)) == Ok(ms)


@given(
    st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)),
    st.integers(-23 * 60, 23 * 60),
)
def test_a_zone_moves_the_instant_as_the_standard_library_says(
    local: datetime, offset_minutes: int
) -> None:
    when = local.replace(tzinfo=timezone(timedelta(minutes=offset_minutes)))
    expected = (when - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert ms_from_iso(when.isoformat()) == Ok(expected)
