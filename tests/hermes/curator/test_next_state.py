"""next_state: the transition rule alone, against an oracle in other words."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import DAY_MS, CuratorPolicy, UsageRecord, next_state

NOW = 1_780_315_200_000
STALE, ARCHIVE = NOW - 30 * DAY_MS, NOW - 90 * DAY_MS
STATES = ["active", "stale", "archived"]


def record(state: str, last_activity_at: int) -> UsageRecord:
    return UsageRecord(created_by="agent", state=state, last_activity_at=last_activity_at)


def after(state: str, idle_ms: int) -> str:
    return next_state(record(state, NOW - idle_ms), STALE, ARCHIVE)


@pytest.mark.parametrize(
    ("idle_ms", "active", "stale", "archived"),
    [
        (-DAY_MS, "active", "active", "archived"),
        (0, "active", "active", "archived"),
        (30 * DAY_MS - 1, "active", "active", "archived"),
        (30 * DAY_MS, "stale", "stale", "archived"),
        (30 * DAY_MS + 1, "stale", "stale", "archived"),
        (90 * DAY_MS - 1, "stale", "stale", "archived"),
        (90 * DAY_MS, "archived", "archived", "archived"),
        (90 * DAY_MS + 1, "archived", "archived", "archived"),
        (120 * DAY_MS, "archived", "archived", "archived"),
    ],
)
def test_the_three_bands_of_idleness_at_their_very_edges(
    idle_ms: int, active: str, stale: str, archived: str
) -> None:
    assert [after(state, idle_ms) for state in STATES] == [active, stale, archived]


@pytest.mark.parametrize(
    ("state", "expected"),
    [("active", "active"), ("stale", "active"), ("archived", "archived")],
)
def test_a_skill_that_was_never_active_is_newer_than_every_cutoff(
    state: str, expected: str
) -> None:
    assert next_state(record(state, 0), STALE, ARCHIVE) == expected
    assert next_state(record(state, 0), 1e300, 1e300) == expected


def test_activity_in_the_first_millisecond_of_the_epoch_is_activity() -> None:
    assert next_state(record("active", 1), STALE, ARCHIVE) == "archived"


def test_only_an_infinite_cutoff_reaches_a_skill_that_was_never_active() -> None:
    assert next_state(record("active", 0), math.inf, -math.inf) == "stale"


def test_where_archive_comes_before_stale_the_archive_rule_still_goes_first() -> None:
    sooner = NOW - 10 * DAY_MS
    assert next_state(record("active", NOW - 20 * DAY_MS), STALE, sooner) == "archived"
    assert next_state(record("stale", NOW - 20 * DAY_MS), STALE, sooner) == "archived"
    assert next_state(record("stale", NOW - 5 * DAY_MS), STALE, sooner) == "active"


def test_nothing_but_state_and_last_activity_decides() -> None:
    """Provenance and pin are the curator's to look at, not the rule's."""
    for changes in (
        {"created_by": None},
        {"pinned": True},
        {"use_count": 10**6},
        {"created_at": NOW},
    ):
        old = record("active", ARCHIVE).model_copy(update=changes)
        assert next_state(old, STALE, ARCHIVE) == "archived"


def in_other_words(state: str, idle_ms: float, stale_ms: float, archive_ms: float) -> str:
    """The oracle: how long idle (a skill never active is idle for minus infinity)."""
    if state == "archived" or idle_ms >= archive_ms:
        return "archived"
    return "stale" if idle_ms >= stale_ms else "active"


@given(
    st.sampled_from(STATES),
    st.none() | st.integers(-100 * DAY_MS, 200 * DAY_MS),
    st.integers(0, 120 * DAY_MS),
    st.integers(0, 120 * DAY_MS),
)
@example("active", 30 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS)
@example("active", 30 * DAY_MS - 1, 30 * DAY_MS, 90 * DAY_MS)
@example("active", 0, 0, 0)
@example("stale", 20 * DAY_MS, 30 * DAY_MS, 10 * DAY_MS)
def test_the_rule_agrees_with_its_retelling_for_any_windows(
    state: str, idle_ms: int | None, stale_ms: int, archive_ms: int
) -> None:
    last = 0 if idle_ms is None else NOW - idle_ms
    expected = in_other_words(
        state, -math.inf if idle_ms is None else idle_ms, stale_ms, archive_ms
    )
    assert next_state(record(state, last), NOW - stale_ms, NOW - archive_ms) == expected


@given(st.sampled_from(STATES), st.integers(0, 200 * DAY_MS))
def test_a_second_look_at_the_same_instant_changes_nothing(state: str, idle_ms: int) -> None:
    once = after(state, idle_ms)
    assert after(once, idle_ms) == once


@given(st.sampled_from(STATES), st.integers(0, 200 * DAY_MS), st.integers(0, 200 * DAY_MS))
def test_the_longer_idle_the_further_along(state: str, one_ms: int, other_ms: int) -> None:
    shorter, longer = sorted([one_ms, other_ms])
    assert STATES.index(after(state, shorter)) <= STATES.index(after(state, longer))


def test_the_default_policy_is_30_and_90_days() -> None:
    assert CuratorPolicy() == CuratorPolicy(stale_after_days=30, archive_after_days=90)
    assert CuratorPolicy().cutoffs(NOW) == (STALE, ARCHIVE)


@pytest.mark.parametrize("now", ["now", None, True, [1]])
@pytest.mark.parametrize("state", ["active", "stale", "archived"])
def test_cut_offs_of_what_is_no_time_move_nothing(now: object, state: str) -> None:
    for activity in (0, 1, NOW):
        record = UsageRecord(state=state, last_activity_at=activity)
        assert next_state(record, *CuratorPolicy().cutoffs(now)) == state


def test_fractions_of_a_day_are_kept() -> None:
    assert CuratorPolicy(0.5, 0.25).cutoffs(NOW) == (NOW - DAY_MS // 2, NOW - DAY_MS // 4)


@pytest.mark.parametrize("days", [0, 0.0, 1e-9, 7, 10**6, 1e300, sys.float_info.max])
def test_any_finite_window_from_zero_up_is_a_policy(days: float) -> None:
    policy = CuratorPolicy(days, 0)
    stale, archive = policy.cutoffs(NOW)
    assert stale <= archive == NOW
    assert CuratorPolicy(0, days).archive_after_days == days


@pytest.mark.parametrize(
    "days",
    [-1, -0.001, math.nan, math.inf, -math.inf, True, "30", None, [30], 10**400, 10**5000],
    ids=range(11),
)
def test_any_other_window_is_refused_by_name(days: object) -> None:
    with pytest.raises(ValueError, match=r"^stale_after_days: .* not a finite number of days"):
        CuratorPolicy(stale_after_days=days)
    with pytest.raises(ValueError, match=r"^archive_after_days: .* not a finite number of days"):
        CuratorPolicy(archive_after_days=days)
