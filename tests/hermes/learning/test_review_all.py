"""review_all_then_learn: the kernel's outcome, but nothing is written before all is judged."""

from __future__ import annotations

import pytest
from hypothesis import example, given
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
    review_all_then_learn,
    review_and_learn,
    score_threshold_gate,
)
from tests.hermes.learning.three_ports import Ports as ThreePorts
from tests.hermes.learning.three_ports import proposal
from tests.meddled_fs import Liar, Unspeakable


class Ports(ThreePorts):
    """The same three ports, asked by `review_all_then_learn`."""

    def learn(
        self, summary: object = "a finished turn", how: object = review_all_then_learn
    ) -> object:
        return super().learn(summary, how)


def test_every_proposal_is_judged_before_the_first_one_is_written() -> None:
    ports = Ports((proposal("one"), proposal("two", 0.1), proposal("three")))
    outcome = ports.learn().expect("a step")
    assert ports.names() == ["propose", "gate", "gate", "gate", "apply", "apply"]
    assert [each.op.content for each in outcome.applied] == ["one", "three"]
    assert [no.proposal.op.content for no in outcome.rejected] == ["two"]


@pytest.mark.parametrize(
    ("bad", "code", "says"),
    [
        (proposal("bad", 1.5), "invalid-proposal", "Invalid review proposal: score: 1.5"),
        ("prose", "invalid-proposal", "Invalid review proposal: 'prose' is not an object"),
        (proposal("gate errs"), "gate-error", "the judge is out"),
        (proposal("gate raises"), "gate-error", "Unspeakable"),
        (proposal("gate says 1"), "gate-error", "neither True nor False"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_error_anywhere_means_that_nothing_was_written_and_everything_remains(
    bad: object, code: str, says: str, place: int
) -> None:
    def gate(proposed: ReviewProposal) -> object:
        match proposed.op.content:
            case "gate errs":
                return Err(StoreError("out", "the judge is out"))
            case "gate raises":
                raise Unspeakable
            case "gate says 1":
                return Ok(GateVerdict(1, "yes"))
        return score_threshold_gate()(proposed)

    proposals = [proposal("good"), proposal("weak", 0.1)]
    proposals.insert(place, bad)
    ports = Ports(tuple(proposals), gate_says=gate)
    error = ports.learn().error
    assert error.code == code
    assert says in error.message
    assert error.message.endswith(f" (proposal {place + 1} of 3; nothing was written)")
    assert error.partial == LearnOutcome()
    assert error.remaining == tuple(proposals), "also the ones that were judged already"
    assert "apply" not in ports.names()


def test_the_kernel_has_written_the_first_where_this_one_has_written_nothing() -> None:
    bad = (proposal("first"), proposal("second", 1.5))
    for learn, expected in (
        (review_and_learn, {"memory/MEMORY.md"}),
        (review_all_then_learn, set()),
    ):
        fs = MemoryFs()
        deps = ReviewDeps(lambda _s: Ok(list(bad)), score_threshold_gate(), MemoryStore(fs))
        assert learn("a turn", deps).error.code == "invalid-proposal"
        assert set(fs.files()) == expected


@pytest.mark.parametrize("summary", ["", " \n\t", "\u00a0"])
def test_a_blank_summary_is_nothing_to_save(summary: str) -> None:
    ports = Ports((proposal(),))
    assert ports.learn(summary) == Ok(LearnOutcome())
    assert ports.calls == []


def test_no_proposals_are_an_empty_outcome() -> None:
    ports = Ports(())
    assert ports.learn() == Ok(LearnOutcome())
    assert ports.names() == ["propose"]


@pytest.mark.parametrize(
    ("proposals", "summary", "code"),
    [
        (Err(StoreError("down", "the model is down")), "turn", "proposer-error"),
        (None, "turn", "proposer-error"),
        (Ok("[]"), "turn", "proposer-error"),
        (Err(Liar()), "turn", "proposer-error"),
        ((), None, "not-text"),
        ((), b"turn", "not-text"),
    ],
    ids=range(6),
)
def test_without_proposals_the_error_is_the_kernels_own(
    proposals: object, summary: object, code: str
) -> None:
    error = Ports(proposals).learn(summary).error
    assert error.code == code
    assert error == Ports(proposals).learn(summary, how=review_and_learn).error
    assert error.remaining == ()


def test_an_error_of_the_store_is_failed_and_the_step_goes_on_as_in_the_kernel() -> None:
    ports = Ports(
        (proposal("one"), proposal("two")),
        store_says=lambda _t, op: Err(StoreError("full", "no room")) if op == Add("one") else Ok(1),
    )
    outcome = ports.learn().expect("a step")
    assert [no.reason for no in outcome.failed] == ["no room"]
    assert [each.op.content for each in outcome.applied] == ["two"]


def test_what_the_gate_looked_at_is_what_is_written_whatever_becomes_of_the_list() -> None:
    proposals = [proposal("one"), proposal("two")]

    def meddling_gate(_proposed: ReviewProposal) -> object:
        proposals[1]["op"] = {"action": "remove", "old_text": "known"}
        proposals.append(proposal("smuggled"))
        return Ok(GateVerdict(True, "fine"))

    ports = Ports(Ok(proposals), gate_says=meddling_gate)
    ports.learn().expect("a step")
    gated = [op for name, op in ports.calls[1:3] if name == "gate"]
    assert [call[2] for call in ports.calls if call[0] == "apply"] == gated
    assert gated == [Add("one"), Remove("known")]


class AnswersTwice(dict):
    """An object that shows the gate one thing, and would show the store another."""

    asked = 0

    def get(self, key: str, default: object = None) -> object:
        type(self).asked += key == "content"
        if key == "content" and type(self).asked > 1:
            return "something else"
        return super().get(key, default)


def test_a_proposal_is_read_once_so_that_no_second_reading_can_differ() -> None:
    ports = Ports((proposal(op=AnswersTwice(action="add", content="a fact")),))
    ports.learn().expect("a step")
    assert [call[-1] for call in ports.calls[1:]] == [Add("a fact"), Add("a fact")]


SCORES = st.sampled_from([0, 0.5, 0.7, 1, 1.5, "0.9", None])


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "", "x" * 50]), SCORES), max_size=6))
@example([("a", 0.9), ("a", 0.9)])
@example([("x" * 50, 1), ("a", 1)])
def test_it_agrees_with_the_kernel_where_that_succeeds_and_else_writes_nothing(
    wanted: list[tuple[str, object]],
) -> None:
    raws = [proposal(content, score) for content, score in wanted]

    def run(learn: object) -> tuple[object, dict[str, bytes]]:
        fs = MemoryFs({"memory/MEMORY.md": "known"})
        store = MemoryStore(fs, memory_char_limit=20)
        return learn(
            "turn", ReviewDeps(lambda _s: Ok(list(raws)), score_threshold_gate(), store)
        ), (fs.files())

    (kernel, kernel_files), (whole, whole_files) = run(review_and_learn), run(review_all_then_learn)
    if kernel.ok:
        assert whole == kernel
        assert whole_files == kernel_files
    else:
        assert whole.error.code == kernel.error.code
        assert whole_files == {"memory/MEMORY.md": b"known"}, "I5"
        assert whole.error.remaining == tuple(raws), "I12"


@pytest.mark.parametrize("deps", [None, 5, Liar()], ids=range(3))
@pytest.mark.parametrize("summary", ["turn", "", None])
def test_deps_of_the_wrong_type_are_the_kernels_own_error(summary: object, deps: object) -> None:
    error = review_all_then_learn(summary, deps).error
    assert error.code == ("not-text" if summary is None else "bad-argument")
    assert error == review_and_learn(summary, deps).error
