"""The figures of an arm add up to what its sessions proposed and kept."""

from __future__ import annotations

import pytest

from alembic_sim import Add, LearnOutcome, ReviewProposal
from alembic_sim.hermes.learning.types import Failed, Rejected
from alembic_sim.sim.arms import Arm
from alembic_sim.sim.fake_agent import LESSONS
from alembic_sim.sim.learning_figures import (
    LAST_SESSIONS,
    SessionResult,
    arm_figures,
    success_curve,
)
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import LearningPlan, Scenario
from alembic_sim.sim.session import ResentChars, SessionReport

TRUE = [lesson for lesson in LESSONS if lesson.is_true]
FALSE = [lesson for lesson in LESSONS if not lesson.is_true]


def says(lesson: object) -> ReviewProposal:
    content = lesson.content  # type: ignore[attr-defined]
    return ReviewProposal(target="memory", op=Add(content), rationale="seen", score=0.5)


def session(
    successes: tuple[bool, ...], arm: Arm = "gated", number: int = 0, **kept: object
) -> SessionResult:
    outcome = LearnOutcome(
        applied=(says(TRUE[0]), says(FALSE[0])),
        rejected=(Rejected(says(TRUE[1]), "no"), Rejected(says(FALSE[1]), "no")),
        failed=(Failed(says(TRUE[2]), "full"), Failed(says(FALSE[2]), "full")),
    )
    report = SessionReport(successes, (outcome,), ResentChars(1, 2, 3))
    fields = {"memory": (), "user": (), "memory_chars": 0, "user_chars": 0, **kept}
    return SessionResult(number, 0, arm, report, **fields)  # type: ignore[arg-type]


def test_each_bucket_counts_towards_its_figure_alone() -> None:
    found = arm_figures("gated", [session((True,)), session((True,))])
    assert (found.sessions, found.true_rejected, found.false_approved) == (2, 2, 4)
    assert found.refused_for_budget == 4
    assert found.resent == ResentChars(2, 4, 6)


def test_what_is_kept_is_what_the_memory_holds_at_the_end() -> None:
    before = session((True,), memory=(FALSE[5].content,), memory_chars=9)
    after = session(
        (True,),
        memory=(TRUE[0].content, FALSE[0].content),
        user=(TRUE[1].content,),
        memory_chars=70,
        user_chars=30,
    )
    found = arm_figures("gated", [before, after])
    assert (found.true_kept, found.false_settled) == (2, 1)
    assert (found.memory_chars, found.user_chars) == (70, 30)


def test_success_is_the_mean_of_the_sessions_and_at_the_end_that_of_the_last_twenty() -> None:
    sessions = [session((False,), number=n) for n in range(10)]
    sessions += [session((True, False), number=10 + n) for n in range(LAST_SESSIONS)]
    found = arm_figures("gated", sessions)
    assert found.success == pytest.approx(10 / 30)
    assert found.success_at_end == 0.5


def test_arms_are_told_apart() -> None:
    mixed = [session((True,)), session((False,), arm="none")]
    assert success_curve("gated", mixed) == (1.0,)
    assert arm_figures("none", mixed).success == 0.0
    assert arm_figures("ungated", mixed).sessions == 0


@pytest.fixture(scope="module")
def run() -> Run:
    plan = LearningPlan(sessions_per_day=1, proposals_per_session=5, memory_char_limit=500)
    return simulate(Scenario(seed=3, days=60, learning=plan)).expect("a run")


def test_every_proposal_ends_in_one_bucket(run: Run) -> None:
    for arm in ("gated", "ungated"):
        own = [s for s in run.sessions if s.arm == arm]
        outcomes = [outcome for s in own for outcome in s.report.outcomes]
        total = sum(len(o.applied) + len(o.rejected) + len(o.failed) for o in outcomes)
        assert total == 60 * 5


def test_a_memory_fills_and_stays_within_its_limit(run: Run) -> None:
    for figures in run.arms[:2]:
        assert 400 < figures.memory_chars <= 500
        assert figures.refused_for_budget > 0
    assert run.arms[2].memory_chars == 0


def test_frozen_snapshots_send_least_and_live_ones_most(run: Run) -> None:
    for figures in run.arms[:2]:
        assert figures.resent.frozen < figures.resent.hybrid < figures.resent.live


def test_the_gate_buys_success() -> None:
    """Over five seeds, gated sessions end better than both others, at the default noise."""
    plan = LearningPlan(sessions_per_day=1)
    gained = 0
    for seed in range(5):
        run = simulate(Scenario(seed=seed, days=40, learning=plan)).expect("a run")
        gated, ungated, none = (figures.success_at_end for figures in run.arms)
        gained += gated > max(ungated, none)
    assert gained == 5
