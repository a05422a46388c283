"""review_and_learn: a reviewer proposes, the gate disposes, approved writes settle (seed 1)."""

from __future__ import annotations

from dataclasses import replace

from alembic_sim.hermes.learning.types import (
    Failed,
    GateVerdict,
    LearnError,
    LearnOutcome,
    Rejected,
    ReviewDeps,
    parse_proposal,
)
from alembic_sim.result import Coded, Err, Ok, Result, ask
from alembic_sim.shorten import shorten


def review_and_learn(summary: str, deps: ReviewDeps) -> Result[LearnOutcome, LearnError]:
    """The three buckets of one learning step; any proposer or gate error fails it closed."""
    if (wrong := wrong_argument(summary, deps)) is not None:
        return Err(wrong)
    if not summary.strip():
        return Ok(LearnOutcome())  # nothing to save: the proposer is not even called
    proposed = ask(deps.proposer, summary, returns=list)
    if not proposed.ok:
        return Err(LearnError("proposer-error", proposed.error.message))
    raws = tuple(
        list.__iter__(proposed.value)
    )  # a copy: what a port does to its list is its own affair
    outcome = LearnOutcome()
    for index, raw in enumerate(raws):
        step = process_one(raw, deps, outcome)
        if not step.ok:  # bad shape or gate error: fail closed, but say what is already written
            return Err(replace(step.error, partial=outcome, remaining=raws[index:]))
        outcome = step.value
    return Ok(outcome)


def process_one(
    raw: object, deps: ReviewDeps, outcome: LearnOutcome
) -> Result[LearnOutcome, LearnError]:
    """The outcome with one more proposal in one of its buckets: validate, gate, apply."""
    parsed = parse_proposal(raw)  # untrusted model output
    if not parsed.ok:
        return _stop(parsed.error.code, parsed.error)
    proposal = parsed.value
    verdict = ask(deps.gate, proposal, returns=GateVerdict)
    if not verdict.ok:
        return _stop("gate-error", verdict.error)
    if verdict.value.approved is not True:  # the gate said no
        rejected = Rejected(proposal, verdict.value.reason)
        return Ok(replace(outcome, rejected=(*outcome.rejected, rejected)))
    written = ask(deps.memory.apply, proposal.target, proposal.op, returns=object)
    if not written.ok:  # the gate said yes, the store could not
        failed = Failed(proposal, written.error.message)
        return Ok(replace(outcome, failed=(*outcome.failed, failed)))
    return Ok(replace(outcome, applied=(*outcome.applied, proposal)))


def wrong_argument(summary: object, deps: object) -> LearnError | None:
    """Why no step can be taken with these: `not-text` or `bad-argument`; None if one can."""
    if not isinstance(summary, str):
        return LearnError("not-text", f"summary is {type(summary).__name__}, not text")
    if not isinstance(deps, ReviewDeps):
        why = f"deps: {shorten(deps)} is not ReviewDeps(proposer=…, gate=…, memory=…)"
        return LearnError("bad-argument", why)
    return None


def _stop(code: str, why: Coded) -> Err[LearnError]:
    return Err(LearnError(code, why.message))
