"""review_and_learn: propose → gate → apply, one step at a time, and nothing dropped in silence."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import (
    Add,
    Err,
    GateVerdict,
    LearnOutcome,
    MemoryFs,
    MemoryStore,
    Ok,
    Remove,
    ReviewDeps,
    ReviewProposal,
    StoreError,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.learning.types import Failed, Rejected
from tests.hermes.learning.three_ports import Ports, proposal
from tests.meddled_fs import Liar, Unspeakable


@dataclass(frozen=True)
class Trouble:
    """An error value of a user's port."""

    code: str
    message: str


def contents(proposals: object) -> list[str]:
    return [each.op.content for each in proposals]


# --- 1. a blank summary ---


@pytest.mark.parametrize("summary", ["", " ", "\n\t\r\n", "\u00a0\u3000"])
def test_a_blank_summary_is_nothing_to_save_and_the_proposer_is_not_called(summary: str) -> None:
    ports = Ports((proposal(),))
    assert ports.learn(summary) == Ok(LearnOutcome((), (), ()))
    assert ports.calls == []


@pytest.mark.parametrize("summary", [None, 5, b"bytes", ["text"]])
def test_a_summary_that_is_not_text_is_an_error_and_no_port_is_called(summary: object) -> None:
    ports = Ports((proposal(),))
    error = ports.learn(summary).error
    assert error.code == "not-text"
    assert type(summary).__name__ in error.message
    assert ports.calls == []


def test_the_proposer_gets_the_summary_as_it_is() -> None:
    ports = Ports()
    ports.learn("  a finished turn\n")
    assert ports.calls == [("propose", "  a finished turn\n")]


# --- 2. and 3. what the proposer says ---


def test_an_error_of_the_proposer_fails_the_step_closed() -> None:
    ports = Ports(Err(Trouble("busy", "the model is busy")))
    error = ports.learn().error
    assert (error.code, error.message) == ("proposer-error", "the model is busy")
    assert (error.partial, error.remaining) == (LearnOutcome(), ())
    assert ports.calls == [("propose", "a finished turn")]


def test_no_proposals_are_an_empty_outcome_and_neither_gate_nor_store_is_called() -> None:
    ports = Ports()
    assert ports.learn() == Ok(LearnOutcome())
    assert ports.calls == [("propose", "a finished turn")]


@pytest.mark.parametrize("answer", [None, "[]", [], Ok(()), Ok("[]"), Ok(None), Ok({}), Err("no")])
def test_a_proposer_that_answers_with_anything_but_a_list_is_an_error(answer: object) -> None:
    ports = Ports(answer if not isinstance(answer, tuple) else None)
    assert ports.learn().error.code == "proposer-error"
    assert [name for name, *_ in ports.calls] == ["propose"]


# --- 4. each proposal in order: validate, gate, apply ---


def test_each_proposal_goes_through_the_gate_and_then_the_store_before_the_next_one() -> None:
    ports = Ports((proposal("one"), proposal("two", target="user")))
    ports.learn().expect("a step")
    assert ports.calls == [
        ("propose", "a finished turn"),
        ("gate", Add("one")),
        ("apply", "memory", Add("one")),
        ("gate", Add("two")),
        ("apply", "user", Add("two")),
    ]


def test_what_the_gate_approves_is_applied_and_what_it_rejects_never_reaches_the_store() -> None:
    ports = Ports((proposal("weak", 0.5), proposal("strong", 0.9)))
    outcome = ports.learn().expect("a step")
    assert contents(outcome.applied) == ["strong"]
    [rejected] = outcome.rejected
    assert contents([rejected.proposal]) == ["weak"]
    assert rejected.reason == "score 0.5 < threshold 0.7 (learn only from validated wins)"
    assert outcome.failed == ()
    assert ("apply", "memory", Add("weak")) not in ports.calls


def test_what_the_store_cannot_write_is_failed_not_rejected_and_the_step_goes_on() -> None:
    full = Err(StoreError("over-budget", "MEMORY.md is full"))
    ports = Ports(
        (proposal("one"), proposal("two"), proposal("three")),
        store_says=lambda target, op: full if op == Add("two") else Ok("written"),
    )
    outcome = ports.learn().expect("a step")
    assert contents(outcome.applied) == ["one", "three"]
    assert [(contents([f.proposal]), f.reason) for f in outcome.failed] == [
        (["two"], "MEMORY.md is full")
    ]
    assert outcome.rejected == ()


def test_an_error_of_the_gate_fails_the_step_closed_at_that_proposal() -> None:
    """A rejection is a verdict; an error means that nobody has judged, so nothing may settle."""

    def gate(proposed: ReviewProposal) -> object:
        if proposed.op == Add("two"):
            return Err(Trouble("down", "the validator is down"))
        return Ok(GateVerdict(True, "fine"))

    raw = (proposal("one"), proposal("two"), proposal("three"))
    ports = Ports(raw, gate_says=gate)
    error = ports.learn().error
    assert (error.code, error.message) == ("gate-error", "the validator is down")
    assert contents(error.partial.applied) == ["one"]
    assert error.remaining == raw[1:]
    assert ("apply", "memory", Add("two")) not in ports.calls
    assert ("gate", Add("three")) not in ports.calls


def test_a_proposal_of_a_bad_shape_fails_the_step_closed_before_its_gate() -> None:
    raw = (proposal("one"), proposal("weak", 0.1), proposal("two", score=1.5), proposal("three"))
    ports = Ports(raw)
    error = ports.learn().error
    assert error.code == "invalid-proposal"
    assert error.message == "Invalid review proposal: score: 1.5 is not a number from 0 to 1"
    assert contents(error.partial.applied) == ["one"]
    assert contents(r.proposal for r in error.partial.rejected) == ["weak"]
    assert error.remaining == raw[2:]
    assert ("gate", Add("two")) not in ports.calls


def test_the_partial_outcome_also_holds_what_the_store_had_refused() -> None:
    ports = Ports(
        (proposal("one"), "nonsense"),
        store_says=lambda target, op: Err(StoreError("threat", "no")),
    )
    error = ports.learn().error
    assert contents(f.proposal for f in error.partial.failed) == ["one"]
    assert error.remaining == ("nonsense",)


def test_a_bad_first_proposal_leaves_everything_remaining() -> None:
    raw = (proposal(score="0.9"), proposal("two"))
    error = Ports(raw).learn().error
    assert error.partial == LearnOutcome()
    assert error.remaining == raw


def test_a_blank_content_in_a_well_shaped_proposal_is_the_stores_to_refuse() -> None:
    store = MemoryStore(MemoryFs())
    deps = ReviewDeps(lambda _: Ok([proposal(" "), proposal("two")]), score_threshold_gate(), store)
    outcome = review_and_learn("turn", deps).expect("a step")
    assert [f.reason for f in outcome.failed] == ["content is blank: nothing to do"]
    assert contents(outcome.applied) == ["two"]


def test_the_proposals_of_an_outcome_are_validated_ones() -> None:
    outcome = Ports((proposal("one", 1, noise="dropped"),)).learn().expect("a step")
    assert outcome.applied == (
        ReviewProposal(target="memory", op=Add("one"), rationale="it will matter again", score=1.0),
    )


def test_a_proposer_may_give_proposals_that_are_built_already() -> None:
    built = ReviewProposal(target="user", op=Remove("tea"), rationale="gone", score=0.8)
    assert Ports((built,)).learn().value.applied == (built,)


def test_a_proposal_built_around_its_checks_is_checked_again() -> None:
    forged = ReviewProposal.model_construct(
        target="memory", op=Add("x"), rationale="trust me", score=7.0
    )
    error = Ports((forged,)).learn().error
    assert error.code == "invalid-proposal"
    assert "score: 7.0" in error.message


# --- with a real store ---


def real(*raw: object, memory: str = "", limit: int = 2200) -> tuple[object, MemoryStore]:
    store = MemoryStore(MemoryFs({"memory/MEMORY.md": memory}), memory_char_limit=limit)
    deps = ReviewDeps(lambda _summary: Ok(list(raw)), score_threshold_gate(), store)
    return review_and_learn("turn", deps), store


def test_a_fact_proposed_again_counts_as_applied_and_the_store_keeps_one() -> None:
    result, store = real(proposal("known"), proposal("known"), memory="known")
    assert contents(result.value.applied) == ["known", "known"]
    assert store.entries("memory") == ("known",)


def test_an_approved_write_over_the_budget_is_failed_with_the_stores_reason() -> None:
    result, store = real(proposal("x" * 30), proposal("small"), limit=20)
    [failed] = result.value.failed
    assert "MEMORY.md holds 0 of 20 characters" in failed.reason
    assert store.entries("memory") == ("small",)


def test_what_was_written_before_an_error_stays_written_and_is_told() -> None:
    result, store = real(proposal("one"), "nonsense", proposal("two"))
    assert contents(result.error.partial.applied) == ["one"]
    assert store.entries("memory") == ("one",)


def test_a_rejected_proposal_leaves_the_file_untouched() -> None:
    result, store = real(proposal("weak", 0.69), memory="\ufeff known ")
    assert len(result.value.rejected) == 1
    assert store._fs.read("memory/MEMORY.md").value == "\ufeff known ".encode()


# --- ports that break their promise ---


@pytest.mark.parametrize("deps", [None, 5, "deps", (1, 2, 3), Liar()], ids=range(5))
@pytest.mark.parametrize("summary", ["turn", ""])
def test_deps_of_the_wrong_type_are_an_error_that_says_what_was_meant(
    summary: str, deps: object
) -> None:
    error = review_and_learn(summary, deps).error
    assert error.code == "bad-argument"
    assert error.message.startswith("deps: ")
    assert "is not ReviewDeps(proposer=…, gate=…, memory=…)" in error.message
    assert (error.partial, error.remaining) == (LearnOutcome(), ())


def raiser(*_args: object) -> object:
    raise Unspeakable


@pytest.mark.parametrize("proposer", [raiser, lambda: Ok([]), lambda a, b: Ok([])])
def test_a_proposer_that_raises_is_a_proposer_error(proposer: object) -> None:
    deps = ReviewDeps(proposer, score_threshold_gate(), MemoryStore(MemoryFs()))
    assert review_and_learn("turn", deps).error.code == "proposer-error"


@pytest.mark.parametrize(
    "gate",
    [
        raiser,
        lambda p: None,
        lambda p: True,
        lambda p: Ok(True),
        lambda p: Ok(None),
        lambda p: GateVerdict(True, "bare"),
        lambda p: Err("no"),
        lambda p: Err(Liar()),
    ],
    ids=["raises", "nothing", "true", "Ok(true)", "Ok(nothing)", "bare", "Err(text)", "Err(liar)"],
)
def test_a_gate_that_answers_with_anything_but_a_verdict_fails_closed(gate: object) -> None:
    ports = Ports((proposal("one"),), gate_says=gate)
    error = ports.learn().error
    assert error.code == "gate-error"
    assert error.remaining == (proposal("one"),)
    assert not [call for call in ports.calls if call[0] == "apply"], "I6"


class NumpyLikeTrue:
    """Truthy, equal to True, and not True: as `numpy.True_` is."""

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return other is True

    __hash__ = None


ODD_VERDICTS = [1, 0, "yes", "false", None, [True], NumpyLikeTrue(), Liar()]


@pytest.mark.parametrize("approved", ODD_VERDICTS, ids=range(8))
def test_a_verdict_that_is_neither_true_nor_false_is_a_gate_error_not_a_rejection(
    approved: object,
) -> None:
    ports = Ports((proposal("one"),), gate_says=lambda p: Ok(GateVerdict(approved, "hm")))
    error = ports.learn().error
    assert error.code == "gate-error"
    assert "approved: " in error.message
    assert "neither True nor False" in error.message
    assert error.remaining == (proposal("one"),)
    assert not [call for call in ports.calls if call[0] == "apply"]


@pytest.mark.parametrize("reason", [None, 0.7, b"no", Liar()], ids=range(4))
def test_a_verdict_whose_reason_is_no_text_is_a_gate_error(reason: object) -> None:
    ports = Ports((proposal("one"),), gate_says=lambda p: Ok(GateVerdict(False, reason)))
    assert ports.learn().error.code == "gate-error"


@pytest.mark.parametrize("approved", ODD_VERDICTS, ids=range(8))
def test_only_true_itself_approves_however_the_verdict_was_made(approved: object) -> None:
    """A verdict built around its own check is still no approval."""
    verdict = GateVerdict(False, "hm")
    object.__setattr__(verdict, "approved", approved)
    ports = Ports((proposal("one"),), gate_says=lambda p: Ok(verdict))
    assert [r.reason for r in ports.learn().value.rejected] == ["hm"]
    assert not [call for call in ports.calls if call[0] == "apply"]


@pytest.mark.parametrize(
    "store_says",
    [raiser, lambda t, o: None, lambda t, o: "done", lambda t, o: Err("no")],
    ids=["raises", "nothing", "text", "Err(text)"],
)
def test_a_store_that_breaks_its_promise_is_failed_and_the_step_goes_on(store_says: object) -> None:
    outcome = Ports((proposal("one"), proposal("two")), store_says=store_says).learn().value
    assert contents(f.proposal for f in outcome.failed) == ["one", "two"]
    assert all(isinstance(failed.reason, str) for failed in outcome.failed)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_the_user_can_stop_the_step(stop: type[BaseException]) -> None:
    def stopped(_summary: str) -> object:
        raise stop

    with pytest.raises(stop):
        review_and_learn(
            "turn", ReviewDeps(stopped, score_threshold_gate(), MemoryStore(MemoryFs()))
        )


def test_a_gate_that_adds_to_the_list_under_review_adds_nothing() -> None:
    """The list is the proposer's, and it may keep a hand on it."""
    kept = [proposal("one")]

    def gate(_proposed: ReviewProposal) -> object:
        if len(kept) < 20:
            kept.append(proposal("smuggled"))
        return Ok(GateVerdict(True, "fine"))

    outcome = Ports(Ok(kept), gate_says=gate).learn().expect("a step")
    assert contents(outcome.applied) == ["one"]


@pytest.mark.parametrize(
    ("name", "deps"),
    [
        ("proposer", (None, raiser, MemoryStore(MemoryFs()))),
        ("gate", (raiser, "gate", MemoryStore(MemoryFs()))),
        ("memory.apply", (raiser, raiser, None)),
        ("memory.apply", (raiser, raiser, raiser)),
    ],
)
def test_a_port_that_cannot_be_called_is_refused_at_construction(name: str, deps: tuple) -> None:
    with pytest.raises(ValueError, match=f"^{name}: .* cannot be called"):
        ReviewDeps(*deps)


def test_an_outcome_and_its_parts_cannot_be_changed() -> None:
    outcome = Ports((proposal(),)).learn().value
    with pytest.raises(FrozenInstanceError):
        outcome.applied = ()
    with pytest.raises(ValueError, match="frozen"):
        outcome.applied[0].score = 1.0
    assert Rejected(outcome.applied[0], "no") != Failed(outcome.applied[0], "no")


# --- every proposal ends somewhere, whatever comes ---

RAW = st.one_of(
    st.builds(proposal, st.text(max_size=5), st.floats(0, 1)),
    st.builds(proposal, st.text(max_size=5), st.floats()),
    st.builds(proposal, st.none()),
    st.sampled_from(["nonsense", None, 5, [], {}, {"op": {}}, proposal(target="both")]),
)
VERDICTS = st.sampled_from(["yes", "no", "error", "raise"])


@given(st.lists(st.tuples(RAW, VERDICTS, st.booleans()), max_size=6))
def test_every_proposal_is_in_one_bucket_or_remaining_and_nothing_unapproved_is_written(
    plan: list[tuple[object, str, bool]],
) -> None:
    judged: list[ReviewProposal] = []
    written: list[object] = []
    approved: list[object] = []

    def gate(proposed: ReviewProposal) -> object:
        verdict = plan[len(judged)][1]
        judged.append(proposed)
        if verdict == "raise":
            raise RuntimeError("gate")
        if verdict == "error":
            return Err(Trouble("down", "down"))
        if verdict == "yes":
            approved.append(proposed.op)
        return Ok(GateVerdict(verdict == "yes", verdict))

    def store(_target: str, op: object) -> object:
        written.append(op)
        return Ok("done") if plan[len(judged) - 1][2] else Err(StoreError("write-failed", "full"))

    raw = tuple(row[0] for row in plan)
    result = Ports(raw, gate_says=gate, store_says=store).learn()
    outcome = result.value if result.ok else result.error.partial
    remaining = () if result.ok else result.error.remaining
    decided = len(outcome.applied) + len(outcome.rejected) + len(outcome.failed)
    assert decided + len(remaining) == len(raw), "I12"
    assert remaining == raw[decided:]
    assert written == approved, "I6"
    assert result.ok or result.error.code in ("invalid-proposal", "gate-error")
