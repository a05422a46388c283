"""The ancestor's rule is held to what the real ancestor did."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import CuratorPolicy, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.ancestor import (
    ancestor_next_state,
    as_ancestor_record,
    read_ancestor_record,
)
from alembic_sim.sim.forecast.forecast import forecast
from alembic_sim.sim.forecast.library import library_of_hermes
from alembic_sim.sim.variants import created_at_anchor
from tests.sim.forecast.homes import PASSES, TRANSITIONS, at, home

NOW = 20_000 * DAY_MS


def test_there_are_as_many_recorded_transitions_as_the_ancestor_made() -> None:
    assert len(TRANSITIONS) == 42
    assert len(PASSES) == 10


@pytest.mark.parametrize("case", TRANSITIONS, ids=lambda case: case["id"])
def test_every_record_ends_in_the_state_that_the_ancestor_left_it_in(case: dict) -> None:
    policy = CuratorPolicy(case["stale_after_days"], case["archive_after_days"])
    record = read_ancestor_record(case["record"])
    after = ancestor_next_state(record, record.state, policy, at(case["now"]))
    assert after == case["ancestor_state_after_one_pass"]
    assert record.raises == case["ancestor_raised"]


@pytest.mark.parametrize("case", TRANSITIONS, ids=lambda case: case["id"])
def test_the_forecast_of_a_record_says_the_same(case: dict) -> None:
    policy = CuratorPolicy(case["stale_after_days"], case["archive_after_days"])
    library = library_of_hermes({case["id"]: case["record"]})
    made = forecast(library, at(case["now"]), [policy]).expect("a forecast")
    after = made.states_after_one_pass(0)["ancestor"]
    assert after == {case["id"]: case["ancestor_state_after_one_pass"]}


@pytest.mark.parametrize("recorded", PASSES, ids=lambda p: f"{p['now']}-{p['stale_after_days']}")
def test_both_columns_of_the_genuine_home_are_equal(recorded: dict) -> None:
    policy = CuratorPolicy(recorded["stale_after_days"], recorded["archive_after_days"])
    made = forecast(home(), at(recorded["now"]), [policy]).expect("a forecast")
    assert made.states_after_one_pass(0) == recorded["after_one_pass"]
    differ = [skill.name for skill in made.skills if skill.by_policy[0].cause is not None]
    assert differ == recorded["differ"]


def test_the_grace_floor_outlasts_a_shorter_archive_window() -> None:
    record = UsageRecord(created_by="agent", created_at=NOW - 15 * DAY_MS)
    policy = CuratorPolicy(30, 10)
    assert _after(record, policy) == "active"
    used = record.model_copy(update={"last_activity_at": NOW - 15 * DAY_MS, "use_count": 1})
    assert _after(used, policy) == "archived"


def test_a_pass_stops_only_at_a_record_that_it_looks_at() -> None:
    broken = {"created_by": "agent", "use_count": "abc", "created_at": "2026-01-01"}
    assert read_ancestor_record(broken).raises
    assert not read_ancestor_record({**broken, "pinned": True}).raises
    assert not read_ancestor_record({**broken, "created_by": None}).raises


@pytest.mark.parametrize(
    ("use_count", "never_used"),
    [
        (0, True),
        (None, True),
        ("", True),
        ("0", True),
        (0.4, True),
        ("7", False),
        (True, False),
        ([], True),
        ([1], None),
        ("n/a", None),
        (float("inf"), None),
        ("9" * 5000, None),
    ],
)
def test_a_use_count_is_what_python_makes_of_it(use_count: object, never_used: bool | None) -> None:
    assert read_ancestor_record({"use_count": use_count}).never_used is never_used


def test_timestamps_are_instants_and_no_zone_means_utc() -> None:
    offset, naive, odd = (
        read_ancestor_record({"last_used_at": text, "created_at": text}).active_us
        for text in ("2026-04-01T12:00:00.000001+02:00", "2026-04-01T10:00:00.000001", "04/01/26")
    )
    assert offset == naive == at("2026-04-01T10:00:00Z") * 1000 + 1
    assert odd is None


def test_a_state_that_is_no_text_still_ends_in_the_archive() -> None:
    record = read_ancestor_record(
        {"created_by": "agent", "state": ["x"], "created_at": "1970-01-02", "use_count": 1}
    )
    assert record.state == "['x']"
    assert ancestor_next_state(record, record.state, CuratorPolicy(), NOW) == "archived"


@given(
    st.sampled_from(["active", "stale", "archived"]),
    st.integers(0, 200 * DAY_MS),
    st.integers(0, 200 * DAY_MS),
    st.integers(0, 120),
    st.integers(0, 120),
    st.booleans(),
)
def test_with_windows_in_order_it_is_next_state_anchored_at_the_creation(
    state: str, idle: int, age: int, shorter: int, more: int, used: bool
) -> None:
    record = UsageRecord.model_validate(
        {
            "created_by": "agent",
            "state": state,
            "created_at": NOW - age,
            "last_activity_at": NOW - idle if used else 0,
            "use_count": int(used),
        }
    )
    policy = CuratorPolicy(shorter, shorter + more)
    assert _after(record, policy) == created_at_anchor(record, *policy.cutoffs(NOW))


def _after(record: UsageRecord, policy: CuratorPolicy) -> str:
    return ancestor_next_state(as_ancestor_record(record), record.state, policy, NOW)
