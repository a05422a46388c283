"""What public reports said of reviewers and gates, and what is right."""

from __future__ import annotations

import json
import re
import sys

import pytest

from alembic_sim import (
    Add,
    FsPort,
    MemoryStore,
    Ok,
    UsageStore,
    score_threshold_gate,
)
from alembic_sim.hermes.learning.composition import mean_score_gate
from alembic_sim.hermes.learning.model_proposer import parse_proposals
from alembic_sim.hermes.learning.types import parse_proposal
from tests.cases.reports import (
    SIDECAR,
    Case,
    buckets,
    check,
    clock_at,
    entries_on_disk,
    given,
    learn,
    learn_from,
    learn_from_text,
    of,
    op_of,
    put_text,
    session,
    step_of,
    steps,
    tree,
)


def refuse_the_import(_proposal: object) -> object:
    """A gate whose module is not there."""
    raise ImportError("No module named 'approvals'")


@of("GATE-01")
def test_an_array_in_a_code_fence_is_an_error_that_names_the_fence(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    [step] = steps(case)
    learned = learn_from_text(step["proposer_text"], store)
    assert step_of(learned) == "error"
    assert check(case)["result"] == "err"
    assert "code fence" in learned.error.message
    assert entries_on_disk(fs) == []


@of("GATE-03")
def test_prose_with_brackets_before_the_array_is_never_acted_on(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    before = tree(fs)
    [step] = steps(case)
    learned = learn_from_text(step["proposer_text"], store)
    assert step_of(learned) == check(case)["step"]
    assert "not strict JSON" in learned.error.message
    assert (tree(fs) == before) is (check(case)["writes"] == 0)


@of("GATE-04")
def test_a_broken_reviewer_does_not_look_like_one_with_nothing_to_say(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    learned = [learn_from_text(step["proposer_text"], store) for step in steps(case)]
    assert [step_of(one) for one in learned] == check(case)["steps"]
    assert learned[0].error.message != learned[1].error.message


def runaway_reply(template: str) -> str:
    """The template with `<digit x count>` written out."""
    return re.sub(r"<(\d) x (\d+)>", lambda found: found[1] * int(found[2]), template)


@of("GATE-08")
def test_a_number_of_thousands_of_digits_in_a_reply_is_a_typed_error(
    case: Case, fs: FsPort
) -> None:
    [step] = steps(case)
    reply = runaway_reply(step["proposer_text_template"])
    with pytest.raises(ValueError, match="digits") as trouble:  # why a plain reader is not enough
        json.loads(reply)
    assert not isinstance(trouble.value, json.JSONDecodeError)
    assert parse_proposals(reply).error.code == "bad-reply"
    learned = learn_from_text(reply, session(fs, case))
    assert (step_of(learned), tree(fs)) == (check(case)["step"], {})


@of("GATE-08")
def test_a_number_of_thousands_of_digits_in_the_sidecar_is_kept_aside_before_a_write(
    case: Case, fs: FsPort
) -> None:
    number = runaway_reply("<9 x 4301>")
    assert number in runaway_reply(steps(case)[0]["proposer_text_template"])
    text = f'{{"a": {{"useCount": {number}}}}}'
    put_text(fs, SIDECAR, text)
    usage = UsageStore(fs, clock_at(0), SIDECAR)
    assert usage.load().names() == ()
    receipt = usage.record("b", "use").expect("telemetry goes on")
    assert fs.read(receipt.corrupt_copy).value == text.encode("utf-8")


@of("GATE-10")
def test_a_gate_that_cannot_be_imported_lets_nothing_through(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    [step] = steps(case)
    assert given(case)["gate"].startswith("raises ImportError")
    learned = learn(lambda _summary: Ok(step["propose_many"]), store, gate=refuse_the_import)
    assert step_of(learned) == check(case)["step"]
    assert "ImportError" in learned.error.message
    assert buckets(learned.error.partial) == {"applied": 0, "rejected": 0, "failed": 0}
    assert len(learned.error.remaining) == len(step["propose_many"])
    assert len(entries_on_disk(fs)) == check(case)["writes"]


@of("GATE-12")
def test_a_target_that_vanishes_before_the_write_fails_alone_and_the_rest_goes_on(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    vanishing = op_of(given(case)["between_gate_and_apply"])
    approve = score_threshold_gate()

    def gate(proposal: object) -> object:
        verdict = approve(proposal)
        if not isinstance(proposal.op, Add):
            MemoryStore(fs).apply("memory", vanishing).expect("the other session removes it")
        return verdict

    [step] = steps(case)
    outcome = learn(lambda _summary: Ok(step["propose_many"]), store, gate).expect("a step")
    assert buckets(outcome) == check(case)["buckets"]
    assert "no entry contains" in outcome.failed[0].reason
    assert set(entries_on_disk(fs)) == set(check(case)["entries_set"])


@of("GATE-13")
def test_a_mean_is_taken_over_the_scores_as_printed_in_any_order(case: Case) -> None:
    raw = {"target": "memory", "op": {"action": "add", "content": "x"}, "rationale": "r"}
    proposal = parse_proposal({**raw, "score": 0.5}).expect("a proposal")
    threshold = given(case)["threshold"]
    approved = []
    for step in steps(case):
        judges = [lambda _proposal, score=score: Ok(score) for score in step["scores"]]
        panel = mean_score_gate(*judges, minimum=threshold)
        approved.append(panel(proposal).expect("a verdict").approved)
    assert approved == check(case)["approved"]
    naive = [sum(step["scores"]) / len(step["scores"]) >= threshold for step in steps(case)]
    version = "naive_py311" if sys.version_info < (3, 12) else "naive_py312"
    assert naive == check(case)[version]  # why adding floats will not do


@of("GATE-14")
def test_the_threshold_is_inclusive_and_scores_off_the_scale_are_no_scores(
    case: Case, fs: FsPort
) -> None:
    gate = score_threshold_gate(given(case)["threshold"])
    answers: list[object] = []
    for step in steps(case):
        raw = {"target": "memory", "op": {"action": "add", "content": "x"}, "rationale": "r"}
        parsed = parse_proposal({**raw, **step})
        learned = learn_from([{**raw, **step}], MemoryStore(fs, folder=f"memory-{len(answers)}"))
        answers.append(gate(parsed.value).value.approved if parsed.ok else "error")
        written = step_of(learned) if not learned.ok else bool(learned.value.applied)
        assert written == answers[-1]
    assert answers == check(case)["approved"]
