"""Each invariant is silent about what is right, and names what is wrong: it can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alembic_sim import (
    Add,
    Err,
    GateVerdict,
    LearnError,
    LearnOutcome,
    MemorySnapshot,
    Ok,
    ReviewProposal,
    UsageRecord,
)
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.learning.types import Failed, Rejected
from alembic_sim.invariants import (
    INVARIANTS,
    Violation,
    i1_parse_of_serialise_is_the_same,
    i2_within_the_limit_or_not_grown,
    i3_the_snapshot_is_constant,
    i4_what_was_said_to_be_written_is_there,
    i5_what_failed_changed_nothing,
    i6_only_what_was_approved_was_written,
    i7_no_skill_is_lost,
    i8_the_dry_run_is_the_plan,
    i9_json_is_strict,
    i10_one_digest_per_seed,
    i11_the_curator_left_the_others_alone,
    i12_every_proposal_has_one_place,
    i13_only_what_was_approved_left,
    tree_digest,
)
from alembic_sim.ports.fs import FileStat


def raw(content: str = "a", score: float = 1.0) -> dict[str, object]:
    op = {"action": "add", "content": content}
    return {"target": "memory", "op": op, "rationale": "seen", "score": score}


def proposal(content: str = "a") -> ReviewProposal:
    return ReviewProposal.model_validate(raw(content))


A, B, C = proposal("a"), proposal("b"), proposal("c")
RAWS = [raw("a"), raw("b"), raw("c")]
YES, NO = GateVerdict(True, "yes"), GateVerdict(False, "no")
WRITE_A = ("memory", Add("a"))
FROZEN = MemorySnapshot("notes", "user", ("a warning",))
STAT, LATER = FileStat("file", 1, 1), FileStat("file", 1, 2)
SIDECAR = UsageSidecar(
    {
        "mine": UsageRecord(created_by="agent"),
        "pinned": UsageRecord(created_by="agent", pinned=True),
        "theirs": UsageRecord(created_by="Ana"),
    },
    {"damaged": 5},
)


def sidecar(invalid: object = 5, **states: str) -> UsageSidecar:
    records = {
        name: record.model_copy(update={"state": states.get(name, "active")})
        for name, record in SIDECAR.records.items()
        if states.get(name) != "gone"
    }
    return UsageSidecar(records, {"damaged": invalid})


Check = Callable[[], tuple[Violation, ...]]

HOLDS: dict[str, Check] = {
    "I1 any entries of a store": lambda: i1_parse_of_serialise_is_the_same(("one", "two\nlines")),
    "I1 none": lambda: i1_parse_of_serialise_is_the_same([]),
    "I2 at the limit": lambda: i2_within_the_limit_or_not_grown((), ("12345",), 5),
    "I2 over it, not grown": lambda: i2_within_the_limit_or_not_grown(("123456",), ("654321",), 5),
    "I3 only how far it is behind moves": lambda: i3_the_snapshot_is_constant(
        FROZEN, MemorySnapshot("notes", "user", ("a warning",), behind=3)
    ),
    "I4 there": lambda: i4_what_was_said_to_be_written_is_there(
        {"a": b"1", "b": None}, {"a": b"1"}
    ),
    "I4 an unanswered write came through": lambda: i4_what_was_said_to_be_written_is_there(
        {"a": b"1", "b": b"1"}, {"a": b"2", "b": b"1"}, {"a": b"2"}
    ),
    "I5 unchanged": lambda: i5_what_failed_changed_nothing({"a": b"1"}, {"a": b"1"}, "threat"),
    "I5 uncertain, new": lambda: i5_what_failed_changed_nothing(
        {"a": b"1"}, {"a": b"2"}, "write-uncertain", {"a": b"2"}
    ),
    "I6 approved": lambda: i6_only_what_was_approved_was_written([WRITE_A], [(A, YES), (B, NO)]),
    "I6 approved and not written": lambda: i6_only_what_was_approved_was_written([], [(A, YES)]),
    "I7 more names, the old body in a copy": lambda: i7_no_skill_is_lost(
        {"a"}, {"a", "b"}, [b"old"], {"a/SKILL.md": b"new", "a/SKILL.000001.md": b"old"}
    ),
    "I8 equal": lambda: i8_the_dry_run_is_the_plan(1, 1, {"a": (b"1", STAT)}, {"a": (b"1", STAT)}),
    "I9 strict": lambda: i9_json_is_strict({"a.json": b"{}", "b.jsonl": b"{}\n[1]\n", "c": b"NaN"}),
    "I10 one each": lambda: i10_one_digest_per_seed([(1, "x"), (2, "y"), (1, "x")]),
    "I11 one's own moved": lambda: i11_the_curator_left_the_others_alone(
        SIDECAR, sidecar(mine="archived")
    ),
    "I12 three buckets": lambda: i12_every_proposal_has_one_place(
        RAWS, Ok(LearnOutcome((A,), (Rejected(B, "no"),), (Failed(C, "full"),)))
    ),
    "I12 partial and remaining": lambda: i12_every_proposal_has_one_place(
        [raw("a"), "bad", raw("c")],
        Err(LearnError("invalid-proposal", "", LearnOutcome((A,)), ("bad", raw("c")))),
    ),
    "I12 nothing": lambda: i12_every_proposal_has_one_place([], Err(LearnError("not-text", ""))),
    "I13 approved": lambda: i13_only_what_was_approved_left(["a"], {"a": True, "b": False}),
}

BROKEN: dict[str, Check] = {
    "I1 a delimiter in an entry": lambda: i1_parse_of_serialise_is_the_same(("one\n§\ntwo",)),
    "I1 a duplicate": lambda: i1_parse_of_serialise_is_the_same(("one", "one")),
    "I2 over": lambda: i2_within_the_limit_or_not_grown((), ("123456",), 5),
    "I2 delimiters count": lambda: i2_within_the_limit_or_not_grown((), ("12", "34"), 6),
    "I3 the notes moved": lambda: i3_the_snapshot_is_constant(
        FROZEN, MemorySnapshot("other", "user", ("a warning",))
    ),
    "I3 the user's text moved": lambda: i3_the_snapshot_is_constant(
        FROZEN, MemorySnapshot("notes", "", ("a warning",))
    ),
    "I4 gone": lambda: i4_what_was_said_to_be_written_is_there({"a": b"1"}, {}),
    "I4 torn": lambda: i4_what_was_said_to_be_written_is_there(
        {"a": b"1"}, {"a": b""}, {"a": b"2"}
    ),
    "I4 come back": lambda: i4_what_was_said_to_be_written_is_there({"a": None}, {"a": b"1"}),
    "I5 changed": lambda: i5_what_failed_changed_nothing({"a": b"1"}, {"a": b"2"}, "threat"),
    "I5 new, but said to have failed": lambda: i5_what_failed_changed_nothing(
        {"a": b"1"}, {"a": b"2"}, "write-failed", {"a": b"2"}
    ),
    "I5 uncertain, neither": lambda: i5_what_failed_changed_nothing(
        {"a": b"1"}, {}, "write-uncertain", {"a": b"2"}
    ),
    "I6 rejected": lambda: i6_only_what_was_approved_was_written([WRITE_A], [(A, NO)]),
    "I6 nobody asked": lambda: i6_only_what_was_approved_was_written([WRITE_A], []),
    "I6 another one approved": lambda: i6_only_what_was_approved_was_written([WRITE_A], [(B, YES)]),
    "I6 one approval, two writes": lambda: i6_only_what_was_approved_was_written(
        [WRITE_A, WRITE_A], [(A, YES)]
    ),
    "I7 a name less": lambda: i7_no_skill_is_lost({"a", "b"}, {"a"}),
    "I7 a body less": lambda: i7_no_skill_is_lost({"a"}, {"a"}, [b"old"], {"a/SKILL.md": b"new"}),
    "I8 another plan": lambda: i8_the_dry_run_is_the_plan(1, 2, {}, {}),
    "I8 a byte": lambda: i8_the_dry_run_is_the_plan(1, 1, {"a": (b"1", STAT)}, {"a": (b"2", STAT)}),
    "I8 a time": lambda: i8_the_dry_run_is_the_plan(
        1, 1, {"a": (b"1", STAT)}, {"a": (b"1", LATER)}
    ),
    "I8 a name": lambda: i8_the_dry_run_is_the_plan(1, 1, {}, {"a": (b"1", STAT)}),
    "I9 NaN": lambda: i9_json_is_strict({"a.json": b'{"a": NaN}'}),
    "I9 in a line": lambda: i9_json_is_strict({"a.jsonl": b"{}\n{\n"}),
    "I9 a document in two": lambda: i9_json_is_strict({"a.json": b"{}\n{}"}),
    "I10 two": lambda: i10_one_digest_per_seed([(1, "x"), (1, "y")]),
    "I11 a pinned one moved": lambda: i11_the_curator_left_the_others_alone(
        SIDECAR, sidecar(pinned="stale")
    ),
    "I11 another's moved": lambda: i11_the_curator_left_the_others_alone(
        SIDECAR, sidecar(theirs="archived")
    ),
    "I11 another's went": lambda: i11_the_curator_left_the_others_alone(
        SIDECAR, sidecar(theirs="gone")
    ),
    "I11 a damaged one mended": lambda: i11_the_curator_left_the_others_alone(SIDECAR, sidecar(6)),
    "I12 one dropped": lambda: i12_every_proposal_has_one_place(RAWS, Ok(LearnOutcome((A, B)))),
    "I12 one twice": lambda: i12_every_proposal_has_one_place(
        [raw("a")], Ok(LearnOutcome((A,), (Rejected(A, "no"),)))
    ),
    "I12 another one": lambda: i12_every_proposal_has_one_place([raw("a")], Ok(LearnOutcome((B,)))),
    "I12 a bad one in a bucket": lambda: i12_every_proposal_has_one_place(
        ["bad"], Ok(LearnOutcome((A,)))
    ),
    "I12 partial forgets": lambda: i12_every_proposal_has_one_place(
        [raw("a"), "bad"], Err(LearnError("invalid-proposal", "", LearnOutcome(), ("bad",)))
    ),
    "I12 remaining forgets": lambda: i12_every_proposal_has_one_place(
        [raw("a"), "bad", raw("c")],
        Err(LearnError("invalid-proposal", "", LearnOutcome((A,)), ("bad",))),
    ),
    "I12 more remains than was there": lambda: i12_every_proposal_has_one_place(
        [], Err(LearnError("gate-error", "", LearnOutcome(), (raw("a"),)))
    ),
    "I13 rejected": lambda: i13_only_what_was_approved_left(["a"], {"a": False}),
    "I13 never decided": lambda: i13_only_what_was_approved_left(["a"], {}),
    "I13 almost true": lambda: i13_only_what_was_approved_left(["a"], {"a": 1}),
    "I13 a text": lambda: i13_only_what_was_approved_left(["a"], {"a": "yes"}),
}


@pytest.mark.parametrize("case", HOLDS)
def test_it_is_silent_about_what_is_right(case: str) -> None:
    assert HOLDS[case]() == ()


@pytest.mark.parametrize("case", BROKEN)
def test_it_names_what_is_wrong(case: str) -> None:
    violations = BROKEN[case]()
    assert {violation.invariant for violation in violations} == {case.split()[0]}
    assert all(violation.why for violation in violations)


def test_every_invariant_is_in_the_table_and_is_tried_both_ways() -> None:
    assert list(INVARIANTS) == [f"I{number}" for number in range(1, 14)]
    for cases in (HOLDS, BROKEN):
        assert {case.split()[0] for case in cases} == set(INVARIANTS)


def test_every_violation_is_told_not_only_the_first() -> None:
    whys = [v.why for v in i4_what_was_said_to_be_written_is_there({"a": b"1", "b": b"1"}, {})]
    assert [why[0] for why in whys] == ["a", "b"]


def test_a_digest_sees_names_and_bytes_apart_and_no_lock_file() -> None:
    tree = {"a": b"1", "b": b"2"}
    assert tree_digest(tree) == tree_digest({"b": b"2", "a": b"1", "a.lock": b""})
    others = ({"a": b"2", "b": b"1"}, {"a": b"12", "b": b""}, {"ab": b"12"}, {"a1": b"", "b": b"2"})
    assert len({tree_digest(files) for files in (tree, *others)}) == 5
