"""review_all_then_learn: every proposal is judged before the first one is written [ours]."""

from __future__ import annotations

from dataclasses import replace

from alembic_sim.hermes.learning.review import review_and_learn, wrong_argument
from alembic_sim.hermes.learning.types import (
    GateVerdict,
    LearnError,
    LearnOutcome,
    ReviewDeps,
    ReviewProposal,
)
from alembic_sim.hermes.memory.operations import MemoryOp, MemoryTarget
from alembic_sim.result import Coded, Err, Ok, Result, ask


def review_all_then_learn(summary: str, deps: ReviewDeps) -> Result[LearnOutcome, LearnError]:
    """The three buckets of one learning step; an error means that nothing at all was written.

    The kernel is rehearsed on a memory that writes nothing, then played again with the verdicts
    it got: a gate never sees what an earlier proposal of the same step wrote. In an error `partial`
    is empty and `remaining` holds *all* raw proposals, in their order, so that the step can be
    taken again as a whole; the message says which of them was the offender.
    """
    if (wrong := wrong_argument(summary, deps)) is not None:
        return Err(wrong)
    raws: list[object] = []
    judged: list[tuple[ReviewProposal, GateVerdict]] = []

    def proposer(text: str) -> Result[list[object], Coded]:
        proposed = ask(deps.proposer, text, returns=list)
        raws.extend(list.__iter__(proposed.value) if proposed.ok else ())
        return Ok(list(raws)) if proposed.ok else proposed

    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        verdict = ask(deps.gate, proposal, returns=GateVerdict)
        if verdict.ok:
            judged.append((proposal, verdict.value))
        return verdict

    rehearsed = review_and_learn(summary, ReviewDeps(proposer, gate, _WritesNothing()))
    if not rehearsed.ok:
        return Err(_nothing_written(rehearsed.error, tuple(raws)))
    verdicts = (Ok(verdict) for _, verdict in judged)
    proposals: list[object] = [proposal for proposal, _ in judged]
    play = ReviewDeps(lambda _text: Ok(proposals), lambda _proposal: next(verdicts), deps.memory)
    return review_and_learn(summary, play)


class _WritesNothing:
    """The memory of a rehearsal."""

    def apply(self, target: MemoryTarget, op: MemoryOp) -> Result[None, Coded]:
        return Ok(None)


def _nothing_written(error: LearnError, raws: tuple[object, ...]) -> LearnError:
    """The rehearsal's error as the step's own."""
    place = len(raws) - len(error.remaining) + 1
    where = f" (proposal {place} of {len(raws)}; nothing was written)" if raws else ""
    return replace(error, message=f"{error.message}{where}", partial=LearnOutcome(), remaining=raws)
