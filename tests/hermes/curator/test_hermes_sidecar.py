"""The ancestor's sidecar in our terms: newest of three timestamps, either sign of authorship."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DAY_MS, CuratorDeps, FakeClock, UsageRecord, run_curator
from alembic_sim.hermes.curator.hermes_sidecar import (
    ReadOnlyUsage,
    read_hermes_sidecar,
)
from alembic_sim.hermes.curator.sidecar_format import is_native

DAY_TWO = "1970-01-02T00:00:00"


def read(**raw: object) -> UsageRecord:
    reading = read_hermes_sidecar({"skill": raw})
    assert dict(reading.sidecar.invalid) == {}
    return reading.sidecar.records["skill"]


def test_a_full_record_is_read_in_all_its_fields() -> None:
    assert read(
        created_at="1970-01-01T00:00:01Z",
        created_by="agent",
        last_used_at="1970-01-02T00:00:00Z",
        last_viewed_at="1970-01-03T00:00:00Z",
        last_patched_at="1970-01-01T12:00:00Z",
        patch_count=1,
        pinned=True,
        state="stale",
        use_count=2,
        view_count=3,
        archived_at=None,
    ) == UsageRecord(
        created_at=1000,
        created_by="agent",
        last_activity_at=2 * DAY_MS,
        patch_count=1,
        pinned=True,
        state="stale",
        use_count=2,
        view_count=3,
    )


def test_what_is_missing_takes_our_defaults() -> None:
    assert read() == UsageRecord()


def test_the_epoch_itself_is_a_time_and_no_reason_to_warn() -> None:
    reading = read_hermes_sidecar({"skill": {"last_used_at": "1970-01-01T00:00:00Z"}})
    assert reading.warnings == ()


def test_the_largest_count_is_a_count() -> None:
    assert read(use_count=2**53 - 1).use_count == 2**53 - 1


@pytest.mark.parametrize("field", ["last_used_at", "last_viewed_at", "last_patched_at"])
def test_each_of_the_three_timestamps_is_activity(field: str) -> None:
    assert read(**{field: DAY_TWO}).last_activity_at == DAY_MS


def test_creation_is_not_activity() -> None:
    assert read(created_at=DAY_TWO).last_activity_at == 0


@pytest.mark.parametrize(
    "text", [DAY_TWO, f"{DAY_TWO}Z", f"{DAY_TWO}+00:00", "1970-01-02T05:30:00+05:30"]
)
def test_no_zone_means_utc_and_zones_are_instants(text: str) -> None:
    assert read(last_used_at=text).last_activity_at == DAY_MS


def test_the_newest_is_newest_as_an_instant_not_as_a_text() -> None:
    record = read(last_used_at="1970-01-02T23:00:00+23:00", last_viewed_at="1970-01-02T01:00:00Z")
    assert record.last_activity_at == DAY_MS + 3_600_000


def test_microseconds_are_floored_to_milliseconds() -> None:
    assert read(last_used_at="1970-01-02T00:00:00.001999+00:00").last_activity_at == DAY_MS + 1


@pytest.mark.parametrize("value", ["yesterday", "", 5, 1.5, True, [], {}, "1969-12-31T00:00:00Z"])
def test_a_timestamp_that_cannot_be_read_counts_as_absent_and_is_told(value: object) -> None:
    reading = read_hermes_sidecar({"skill": {"last_used_at": value, "last_viewed_at": DAY_TWO}})
    assert reading.sidecar.records["skill"].last_activity_at == DAY_MS
    [warning] = reading.warnings
    assert warning.startswith("skill: last_used_at counts as absent: ")


def test_a_timestamp_of_null_is_absent_and_no_reason_to_warn() -> None:
    reading = read_hermes_sidecar({"skill": {"last_used_at": None, "created_at": None}})
    assert reading.sidecar.records["skill"].last_activity_at == 0
    assert reading.warnings == ()


@pytest.mark.parametrize(
    ("raw", "author"),
    [
        ({"created_by": "agent"}, "agent"),
        ({"agent_created": True}, "agent"),
        ({"agent_created": True, "created_by": "user"}, "agent"),
        ({"agent_created": False, "created_by": "agent"}, "agent"),
        ({"agent_created": 1}, None),
        ({"agent_created": "true"}, None),
        ({"agent_created": False}, None),
        ({"created_by": "user"}, "user"),
        ({"created_by": "Agent"}, "Agent"),
        ({"created_by": 5}, None),
        ({"created_by": None}, None),
        ({}, None),
    ],
)
def test_a_skill_is_the_agents_by_either_sign_and_only_literally(
    raw: dict, author: str | None
) -> None:
    assert read(**raw).created_by == author


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (None, "None is not a record"),
        ("gone", "'gone' is not a record"),
        ([], "[] is not a record"),
        ({"state": "deleted"}, "state: 'deleted' is not active, stale or archived"),
        ({"state": None}, "state: None"),
        ({"state": ["active"]}, "state: ['active']"),
        ({"pinned": 1}, "pinned: 1 is not true or false"),
        ({"pinned": None}, "pinned: None"),
        ({"use_count": -1}, "use_count: -1 is not a whole number from 0"),
        ({"view_count": "3"}, "view_count: '3'"),
        ({"patch_count": True}, "patch_count: True"),
        ({"use_count": 1.0}, "use_count: 1.0"),
        ({"use_count": 2**53}, "use_count: "),
        ({"use_count": 10**299}, "use_count: "),
    ],
)
def test_a_damaged_record_is_invalid_says_why_and_hides_no_other(raw: object, why: str) -> None:
    reading = read_hermes_sidecar({"broken": raw, "fine": {"created_by": "agent"}})
    assert set(reading.sidecar.records) == {"fine"}
    assert reading.sidecar.invalid == {"broken": raw}
    assert reading.sidecar.why_invalid["broken"].startswith(why)
    assert reading.sidecar.names() == ("broken", "fine")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["state", "pinned", "use_count", "last_used_at", "created_by", "agent_created", "x"]
            ),
            inner | st.sampled_from(["active", "stale", DAY_TWO, "agent", True]),
            max_size=5,
        )
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from("abc"), JSON))
def test_any_json_object_can_be_read_and_every_name_is_there(document: dict) -> None:
    reading = read_hermes_sidecar(document)
    assert reading.sidecar.names() == tuple(sorted(document))


@pytest.mark.parametrize(
    "record",
    [
        {"createdBy": "agent"},
        {"useCount": 1, "theirs": 2},
        {"lastActivityAt": 0},
    ],
)
def test_a_file_with_our_keys_and_none_of_theirs_is_ours(record: dict) -> None:
    assert is_native({"a": record, "b": {}, "c": "damaged"})


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"a": {}},
        {"a": "damaged"},
        {"a": {"state": "active", "pinned": True}},
        {"a": {"theirs": 1}},
        {"a": {"use_count": 1}},
        {"a": {"last_used_at": None}},
        {"a": {"agent_created": False}},
        {"a": {"createdBy": "agent", "use_count": 1}},
        {"a": {"createdBy": "agent"}, "b": {"created_by": "agent"}},
    ],
)
def test_any_doubt_makes_a_file_the_ancestors(document: dict) -> None:
    assert not is_native(document)


def test_the_ancestors_records_can_be_curated_dry_and_never_written() -> None:
    old = {"created_by": "agent", "last_used_at": DAY_TWO}
    document = {"b": old, "a": old}
    text = json.dumps(document)
    usage = ReadOnlyUsage(read_hermes_sidecar(document).sidecar, FakeClock(DAY_MS * 100))
    plan = run_curator(CuratorDeps(usage), dry_run=True).expect("a dry run")
    assert [t.name for t in plan.transitioned] == ["a", "b"]
    error = run_curator(CuratorDeps(usage)).error
    assert error.code == "read-only"
    assert "dry run" in error.message
    assert json.dumps(document) == text
