"""The default gate: learn only from validated wins (seed 1, ADR-0006)."""

from __future__ import annotations

from alembic_sim.hermes.learning.js_number import js_number
from alembic_sim.hermes.learning.types import GateVerdict, ProposalError, ReviewGate, ReviewProposal
from alembic_sim.result import Coded, Err, Ok, Result
from alembic_sim.shorten import shorten

DEFAULT_REVIEW_SCORE_THRESHOLD = 0.7


def score_threshold_gate(minimum: float = DEFAULT_REVIEW_SCORE_THRESHOLD) -> ReviewGate:
    """A gate that approves a proposal if and only if its score is at least `minimum`.

    Pure and total: for a proposal it always answers Ok with a verdict. Raises `ValueError` for a
    minimum that is not a number from 0 to 1.
    """
    is_number = isinstance(minimum, int | float) and not isinstance(minimum, bool)
    if not (is_number and 0 <= minimum <= 1):
        raise ValueError(f"minimum: {minimum!r} is not a number from 0 to 1")

    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        if not isinstance(proposal, ReviewProposal):
            why = f"{shorten(proposal)} is not a ReviewProposal"
            return Err(ProposalError("invalid-proposal", why))
        approved = proposal.score >= minimum  # inclusive: a score of exactly 0.7 is approved
        score, bar = js_number(proposal.score), js_number(minimum)
        reason = (
            f"score {score} ≥ threshold {bar}"
            if approved
            else f"score {score} < threshold {bar} (learn only from validated wins)"
        )
        return Ok(GateVerdict(approved, reason))

    return gate
