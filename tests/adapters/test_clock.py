"""Clocks: the fake one moves only when told to, the system one is the wall clock in ms."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DAY_MS, FakeClock, Ok, SystemClock

START_MS = 1_735_689_600_000


def test_a_fake_clock_stands_still() -> None:
    clock = FakeClock("2025-01-01T00:00:00Z")
    assert clock() == clock() == START_MS


def test_a_fake_clock_starts_in_2025_unless_told_otherwise() -> None:
    assert FakeClock()() == START_MS
    assert FakeClock(7)() == 7
    assert FakeClock("1970-01-02")() == DAY_MS


def test_it_advances_by_days_hours_minutes_and_milliseconds_together() -> None:
    clock = FakeClock(0)
    assert clock.advance(days=31, hours=2, minutes=3, ms=4) == Ok(clock())
    assert clock() == 31 * 86_400_000 + 2 * 3_600_000 + 3 * 60_000 + 4


def test_half_a_day_is_exact_and_time_stays_a_whole_number() -> None:
    clock = FakeClock(0)
    assert clock.advance(days=0.5) == Ok(43_200_000)
    assert type(clock.advance(days=1 / 3).value) is int


def test_a_clock_can_be_turned_back() -> None:
    assert FakeClock(DAY_MS).advance(days=-1) == Ok(0)


def test_it_can_be_set_to_an_instant() -> None:
    clock = FakeClock()
    assert clock.set("2025-02-01T00:00:00+01:00") == Ok(START_MS + 31 * DAY_MS - 3_600_000)
    assert clock() == START_MS + 31 * DAY_MS - 3_600_000
    assert clock.set(5) == Ok(5)
    assert clock() == 5


def test_sleeping_is_advancing() -> None:
    clock = FakeClock(0)
    assert clock.sleep(250) == Ok(250)
    assert clock() == 250


def test_it_shows_its_time_in_a_notebook() -> None:
    assert repr(FakeClock()) == "FakeClock('2025-01-01T00:00:00.000Z')"


@pytest.mark.parametrize(
    "start", ["tomorrow", "", 1.5, None, True, b"2025-01-01", 2**53, -(10**5000)], ids=range(8)
)
def test_a_start_that_is_no_instant_is_refused_with_what_is_allowed(start: object) -> None:
    with pytest.raises(ValueError, match="2025-01-01T00:00:00Z"):
        FakeClock(start)
    clock = FakeClock(5)
    refused = clock.set(start).error
    assert refused.code == "bad-time"
    assert "2025-01-01T00:00:00Z" in refused.message
    assert clock() == 5


@pytest.mark.parametrize("unit", ["days", "hours", "minutes", "ms"])
@pytest.mark.parametrize("amount", [math.inf, -math.inf, math.nan, "3", None, True, 10**400])
def test_an_amount_that_is_no_time_leaves_the_clock_where_it_stands(
    unit: str, amount: object
) -> None:
    clock = FakeClock(5)
    refused = clock.advance(**{unit: amount}).error
    assert refused.code == "bad-time"
    assert refused.message.startswith(unit)
    assert clock.advance(days=2**52).error.code == "bad-time"
    assert clock.sleep(amount).error.code == "bad-time"
    assert clock() == 5


@given(st.lists(st.integers(-(10**6), 10**6)))
def test_many_small_steps_are_one_large_one(steps: list[int]) -> None:
    clock = FakeClock(0)
    for ms in steps:
        clock.advance(ms=ms)
    assert clock() == sum(steps)


def test_the_system_clock_says_what_the_wall_clock_says_in_whole_milliseconds() -> None:
    before, now, after = time.time(), SystemClock()(), time.time()
    assert type(now) is int
    assert int(before * 1000) - 1 <= now <= int(after * 1000) + 1
