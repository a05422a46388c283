"""Lint of `.usage.json`, ours and the ancestor's."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DAY_MS
from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.linting.sidecar_file import lint_sidecar

NOW = 1_000 * DAY_MS
OURS = {"createdBy": "agent", "createdAt": DAY_MS, "lastActivityAt": NOW, "useCount": 1}
ANCESTOR = {"created_by": "agent", "last_used_at": "1971-01-01T00:00:00Z", "use_count": 1}


def findings(document: object) -> tuple[Finding, ...]:
    data = document if isinstance(document, bytes) else json.dumps(document).encode("utf-8")
    return lint_sidecar(".usage.json", data, NOW)


@pytest.mark.parametrize(
    "document",
    [{}, {"a": OURS}, {"a": ANCESTOR}, {"a": {}, "b": {"state": "stale", "pinned": True}}],
)
def test_a_sidecar_in_order_has_no_findings(document: object) -> None:
    assert findings(document) == ()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not strict JSON"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b'{"a": {"use": 41, "last_activ', "breaks off"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b'{"a": {}, "a": {}}', "appears twice"),
        (b"[]", "a JSON array, not an object of skills"),
    ],
)
def test_a_file_that_reads_as_empty_is_unparseable_and_says_why(data: bytes, said: str) -> None:
    [finding] = findings(data)
    assert (finding.code, said in finding.message) == ("unparseable", True)


@pytest.mark.parametrize("record", [{**OURS, "useCount": "seven"}, {**ANCESTOR, "pinned": "no"}])
def test_a_damaged_record_is_found_and_hides_no_other(record: dict) -> None:
    whole = OURS if "createdBy" in record else ANCESTOR
    [finding] = findings({"good": whole, "bad": record, "last": whole})
    assert (finding.code, finding.part) == ("damaged-record", "record 'bad'")
    assert "so the curator leaves this skill alone" in finding.message


def test_a_record_that_is_no_object_is_damaged() -> None:
    assert [finding.code for finding in findings({"a": ANCESTOR, "b": 7})] == ["damaged-record"]


def test_a_time_that_cannot_be_read_is_found_with_its_field_and_value() -> None:
    record = {**ANCESTOR, "last_viewed_at": "yesterday", "created_at": 17}
    found = findings({"a: b": record})
    assert [finding.code for finding in found] == ["bad-instant", "bad-instant"]
    assert found[0].message.startswith("last_viewed_at counts as absent: 'yesterday'")
    assert found[1].message.startswith("created_at counts as absent: 17")


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ({**OURS, "lastActivityAt": NOW + 36 * 3_600_000}, "last activity"),
        ({**ANCESTOR, "last_patched_at": "1972-09-28T12:00:00Z"}, "last activity"),
        ({**OURS, "createdAt": NOW + 36 * 3_600_000}, "creation"),
        ({**ANCESTOR, "created_at": "1972-09-28T12:00:00Z"}, "creation"),
    ],
)
def test_what_happened_later_than_now_is_found_with_the_days(record: dict, what: str) -> None:
    [finding] = findings({"a": record})
    assert finding.code == "future"
    assert finding.message.startswith(f"{what} 1972-09-28T12:00:00.000Z is 1.5 days later")


def test_activity_at_this_very_instant_is_not_the_future() -> None:
    assert findings({"a": {**OURS, "lastActivityAt": NOW, "createdAt": NOW}}) == ()
    assert len(findings({"a": {**OURS, "lastActivityAt": NOW + 1}})) == 1


def test_keys_of_ours_in_a_file_of_the_ancestors_are_found() -> None:
    found = findings({"a": ANCESTOR, "b": OURS, "c": {**ANCESTOR, "createdBy": "agent"}})
    assert [(one.code, one.part) for one in found] == [
        ("mixed-format", "record 'b'"),
        ("mixed-format", "record 'c'"),
    ]
    assert found[0].message.startswith("createdAt, createdBy, lastActivityAt, useCount in a file")


@given(
    st.binary(max_size=40)
    | st.dictionaries(
        st.text(max_size=3),
        st.none() | st.dictionaries(st.sampled_from([*OURS, *ANCESTOR, "x"]), st.integers()),
    ).map(lambda document: json.dumps(document).encode("utf-8"))
)
def test_any_bytes_are_linted_without_raising(data: bytes) -> None:
    for finding in lint_sidecar(".usage.json", data, NOW):
        assert finding.message
