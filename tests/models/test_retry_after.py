"""The Retry-After header: seconds, dates, and what can be read as neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.models.retry_after import retry_after_ms

SENT = "Wed, 01 Jan 2025 00:00:00 GMT"


@pytest.mark.parametrize(
    ("header", "ms"), [("0", 0), ("2", 2_000), (" 120 ", 120_000), ("0.5", 500), ("1.0015", 1_002)]
)
def test_seconds_become_milliseconds(header: str, ms: int) -> None:
    assert retry_after_ms(header, None) == ms


@pytest.mark.parametrize(
    ("header", "ms"),
    [
        ("Wed, 01 Jan 2025 00:00:30 GMT", 30_000),
        ("Thu, 02 Jan 2025 00:00:00 GMT", 86_400_000),
        ("Tue, 31 Dec 2024 23:00:00 GMT", 0),
        ("Wed, 01 Jan 2025 00:00:30 -0000", 30_000),
    ],
)
def test_a_date_is_compared_with_the_servers_own(header: str, ms: int) -> None:
    assert retry_after_ms(header, SENT) == ms


@pytest.mark.parametrize("date", [None, "", "yesterday"])
def test_a_date_without_the_servers_own_says_nothing(date: str | None) -> None:
    assert retry_after_ms("Wed, 01 Jan 2025 00:00:30 GMT", date) is None


@pytest.mark.parametrize(
    "header",
    [None, "", "soon", "-1", "+1", "1e3", "NaN", "Infinity", "1,5", "٣", "9" * 10, "2 s", "Wed, 1"],
)
def test_what_is_neither_says_nothing(header: str | None) -> None:
    assert retry_after_ms(header, SENT) is None


@given(st.text() | st.none(), st.text() | st.none())
def test_any_text_is_a_time_or_nothing(header: str | None, date: str | None) -> None:
    wait_ms = retry_after_ms(header, date)
    assert wait_ms is None or wait_ms >= 0
