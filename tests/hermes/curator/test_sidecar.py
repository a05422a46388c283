"""The sidecar's text: read best effort, and written so that it reads back the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import UsageRecord
from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.strict_json import parse_strict_json

COUNTS = st.integers(0, 2**53 - 1)
RECORDS = st.builds(
    UsageRecord,
    created_at=COUNTS,
    created_by=st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    last_activity_at=COUNTS,
    patch_count=COUNTS,
    pinned=st.booleans(),
    state=st.sampled_from(["active", "stale", "archived"]),
    use_count=COUNTS,
    view_count=COUNTS,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), RECORDS))
def test_records_read_back_as_they_were_written_and_to_the_same_bytes(records: dict) -> None:
    data = serialise_sidecar(UsageSidecar(records))
    read = parse_sidecar(data)
    assert dict(read.records) == records
    assert (dict(read.invalid), read.problem) == ({}, None)
    assert serialise_sidecar(read) == data
    assert parse_strict_json(data).ok, "I9"


@given(
    st.binary(max_size=80) | st.text(alphabet='{}[]":,ab019.eE-\\tfn', max_size=40).map(str.encode)
)
@settings(max_examples=500)
def test_any_bytes_read_as_some_sidecar(data: bytes) -> None:
    read = parse_sidecar(data)
    assert read.names() == tuple(sorted([*read.records, *read.invalid]))
    assert set(read.why_invalid) == set(read.invalid)
    if read.problem is not None:
        assert read.names() == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("abé", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["createdBy", "state", "pinned", "useCount", "lastActivityAt", "x"]),
            inner,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abc"), JSON))
def test_nothing_in_a_sidecar_of_any_json_is_lost_by_reading_and_writing(document: dict) -> None:
    again = json.loads(serialise_sidecar(parse_sidecar(json.dumps(document).encode())))
    assert set(again) == set(document)
    for name, raw in document.items():
        if isinstance(again[name], dict) and isinstance(raw, dict):
            assert {**again[name], **raw} == again[name]
        else:
            assert again[name] == raw


def test_a_byte_order_mark_before_the_json_is_as_if_it_were_not_there() -> None:
    """Some editors put one there; a file that was saved once in one of them is not damaged."""
    data = b'{"a": {"useCount": 2}}'
    assert parse_sidecar(b"\xef\xbb\xbf" + data) == parse_sidecar(data)
    assert parse_sidecar(data).problem is None


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf\xef\xbb\xbf{}", b" \xef\xbb\xbf{}", b"\xef\xbb{}", "{}".encode("utf-16")],
    ids=["two marks", "one inside", "half of one", "UTF-16"],
)
def test_any_other_mark_is_no_json(data: bytes) -> None:
    assert parse_sidecar(data).problem is not None


def test_the_reason_names_the_field_and_its_value() -> None:
    read = parse_sidecar(b'{"a": {"useCount": "many"}, "b": [1]}')
    assert read.why_invalid["a"] == "useCount: 'many' is not allowed here"
    assert read.why_invalid["b"] == "[1] is not a record"


def test_a_sidecar_that_was_read_cannot_be_changed() -> None:
    read = parse_sidecar(b'{"a": {}}')
    with pytest.raises(TypeError):
        read.records["b"] = UsageRecord()
    with pytest.raises(ValueError, match="frozen"):
        read.records["a"].pinned = True


@pytest.mark.parametrize(
    "fields",
    [{"state": "gone"}, {"use_count": -1}, {"use_count": "1"}, {"pinned": 1}, {"created_by": 5}],
)
def test_building_a_bad_record_raises_a_value_error(fields: dict) -> None:
    with pytest.raises(ValueError, match="validation error"):
        UsageRecord(**fields)


def test_there_are_three_states() -> None:
    assert SkillState.__args__ == ("active", "stale", "archived")
