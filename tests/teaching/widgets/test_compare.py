"""Compare lays two answers of the engine beside each other, and marks where they differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import (
    CuratorDeps,
    CuratorPolicy,
    FakeClock,
    MemoryFs,
    UsageRecord,
    UsageStore,
    next_state,
    run_curator,
)
from alembic_sim.sim.variants import zero_anchor
from alembic_sim.teaching import Compare
from alembic_sim.teaching.probing import EXAMPLE_NOW, STATES, idle_skill, never_used_skill
from alembic_sim.teaching.widgets.compare import render_compare
from alembic_sim.teaching.widgets.loop_stepper import note
from tests.teaching.svg_reading import all_words
from tests.teaching.widgets.samples import library, pressed

records = st.dictionaries(
    st.text("abc-", min_size=1, max_size=4),
    st.builds(
        UsageRecord,
        created_by=st.sampled_from(["agent", None]),
        pinned=st.booleans(),
        state=st.sampled_from(STATES),
        last_activity_at=st.integers(0, 200).map(lambda d: max(0, EXAMPLE_NOW - d * 86_400_000)),
    ),
    min_size=1,
    max_size=5,
)
policies = st.builds(CuratorPolicy, st.integers(0, 150), st.integers(0, 150))


def states_after(some: dict[str, UsageRecord], policy: CuratorPolicy) -> dict[str, str]:
    """The states on disk after one real pass."""
    usage = UsageStore(MemoryFs(), FakeClock(EXAMPLE_NOW))
    for name, record in some.items():
        usage.put(name, record).expect("a valid record")
    run_curator(CuratorDeps(usage), policy).expect("a pass")
    return {name: record.state for name, record in usage.load().records.items()}


@given(records, policies, policies)
def test_either_side_is_what_a_real_pass_leaves_on_disk(
    some: dict[str, UsageRecord], policy_a: CuratorPolicy, policy_b: CuratorPolicy
) -> None:
    compared = Compare.policies(some, policy_a, policy_b)
    for side, policy in ((1, policy_a), (2, policy_b)):
        after = states_after(some, policy)
        told = {row[0]: row[side] for row in compared.state.rows}
        assert list(told) == list(some)
        for name, text in told.items():
            assert text.split(" (")[0].split(" → ")[-1] == after[name]


def test_the_words_name_the_rows_that_differ() -> None:
    some = {"a": idle_skill(20), "b": idle_skill(45), "c": idle_skill(5)}
    compared = Compare.policies(some, CuratorPolicy(), CuratorPolicy(14, 90))
    text = "stale 30 d, archive 90 d against stale 14 d, archive 90 d: 1 of 3 rows differ: a."
    assert compared.summary == text


def test_only_the_rows_that_differ_are_left_on_demand() -> None:
    compared = Compare("one", "two", [("same", "x", "x"), ("other", "x", "y")])
    assert "same" in all_words(render_compare(compared.state))
    compared.change(only_differences=True)
    shown = all_words(render_compare(compared.state))
    assert "same" not in shown
    assert "other" in shown
    assert "≠" in shown


def test_the_sign_stands_in_exactly_the_rows_that_differ() -> None:
    compared = Compare("one", "two", [("same", "x", "x"), ("other", "x", "y")])
    shown = all_words(render_compare(compared.state)).splitlines()
    assert (shown.count("≠"), shown.count("=")) == (1, 1)


def test_a_pinned_skill_says_why_it_stays() -> None:
    rows = dict(row[:2] for row in Compare.policies(
        library(), CuratorPolicy(), CuratorPolicy(1, 2)).state.rows)  # fmt: skip
    assert rows["pinned"] == "active (pinned)"
    assert rows["theirs"] == "active (not-agent-created)"


def test_two_rules_answer_for_the_same_records() -> None:
    some = {"new-born": never_used_skill(), "old": idle_skill(45)}
    compared = Compare.rules(some, {"+∞ anchor": next_state, "0 anchor": zero_anchor})
    assert compared.state.rows == (
        ("new-born", "active", "active → archived"),
        ("old", "active → stale", "active → stale"),
    )


def test_without_a_gate_the_doubtful_note_settles() -> None:
    compared = Compare.gates([note("sure", 0.9), note("doubtful", 0.2)])
    assert [row[2] for row in compared.state.rows] == ["applied", "applied"]
    assert compared.state.rows[1][1].startswith("rejected: score 0.2 < threshold 0.7")


def test_after_a_bad_shape_the_others_get_no_turn() -> None:
    compared = Compare.gates([note("bad", 7), note("late", 0.9)])
    assert compared.state.rows[0][1].startswith("stops the step: Invalid review proposal")
    assert compared.state.rows[1] == ("“late”", "no turn", "no turn")


def test_paging_stays_between_the_first_and_the_last_page() -> None:
    compared = Compare.policies(library(), CuratorPolicy(), CuratorPolicy(14, 60))
    pressed(compared, "back")
    assert compared.state.page == 0
    pressed(compared, *["next"] * 5)
    assert compared.state.page == 1
    assert "rows 11 to 17 of 17" in all_words(render_compare(compared.state))
    compared.change(only_differences=True)
    assert "skill-2" in all_words(render_compare(compared.state))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([], r"rows: \[\] is not a list of \(what, left, right\) triples"),
        ([("a", "b")], r"rows\[0\]: \('a', 'b'\) is not one of \(what, left, right\) triples"),
        ([("a", "b", 3)], r"rows\[0\]: \('a', 'b', 3\) is not one of"),
    ],
)
def test_impossible_rows_are_refused_by_place(rows: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Compare("one", "two", rows)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("some", "policy", "why"),
    [
        ({}, CuratorPolicy(), "records: {} is not a dict of names and UsageRecords"),
        ({"a": 3}, CuratorPolicy(), r"records\['a'\]: 3 is not a UsageRecord"),
        ({"a": idle_skill(3)}, 30, "policy_b: 30 is not a CuratorPolicy"),
    ],
)
def test_impossible_records_or_policies_are_refused(some: object, policy: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Compare.policies(some, CuratorPolicy(), policy)  # type: ignore[arg-type]


def test_one_rule_alone_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="is not a dict of two named functions"):
        Compare.rules({"a": idle_skill(3)}, {"real": next_state})
