"""What the sessions of a run tell: success by arm, the gate's two errors, the memory's fill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.learning.types import ReviewProposal
from alembic_sim.sim.arms import Arm, is_true_lesson
from alembic_sim.sim.fake_agent import LESSON_OF
from alembic_sim.sim.session import ResentChars, SessionReport

LAST_SESSIONS = 20
"""Over how many sessions at the end the success of an arm is averaged."""


@dataclass(frozen=True, slots=True)
class SessionResult:
    """One session in one arm: what it did, and what its memory held afterwards."""

    number: int
    at_ms: int
    arm: Arm
    report: SessionReport
    memory: tuple[str, ...]
    user: tuple[str, ...]
    memory_chars: int
    user_chars: int


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """One arm over a whole run; counts are proposals, except those of what is kept at the end.

    The gate's two errors are `true_rejected` and `false_approved`; `true_kept` and `false_settled`
    are lessons that the memory holds at the end. `success_at_end` is the mean share of tasks that
    succeeded in the last 20 sessions.
    """

    arm: Arm
    sessions: int
    success: float
    success_at_end: float
    true_rejected: int
    false_approved: int
    refused_for_budget: int
    true_kept: int
    false_settled: int
    memory_chars: int
    user_chars: int
    resent: ResentChars


def arm_figures(arm: Arm, sessions: Iterable[SessionResult]) -> ArmFigures:
    """The figures of one arm, out of the sessions of all of them."""
    own = [session for session in sessions if session.arm == arm]
    outcomes = [outcome for session in own for outcome in session.report.outcomes]
    rejected = [one.proposal for outcome in outcomes for one in outcome.rejected]
    failed = [one.proposal for outcome in outcomes for one in outcome.failed]
    approved = [*(one for outcome in outcomes for one in outcome.applied), *failed]
    kept = [LESSON_OF[text] for text in ((*own[-1].memory, *own[-1].user) if own else ())]
    return ArmFigures(
        arm=arm,
        sessions=len(own),
        success=_mean([session.report.success for session in own]),
        success_at_end=_mean([session.report.success for session in own[-LAST_SESSIONS:]]),
        true_rejected=_true(rejected),
        false_approved=len(approved) - _true(approved),
        refused_for_budget=len(failed),
        true_kept=sum(lesson.is_true for lesson in kept),
        false_settled=sum(not lesson.is_true for lesson in kept),
        memory_chars=own[-1].memory_chars if own else 0,
        user_chars=own[-1].user_chars if own else 0,
        resent=sum((session.report.resent for session in own), ResentChars()),
    )


def success_curve(arm: Arm, sessions: Iterable[SessionResult]) -> tuple[float, ...]:
    """The share of tasks that succeeded, session by session."""
    return tuple(session.report.success for session in sessions if session.arm == arm)


def _true(proposals: Sequence[ReviewProposal]) -> int:
    return sum(map(is_true_lesson, proposals))


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares) if shares else 0.0
