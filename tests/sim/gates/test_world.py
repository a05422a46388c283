"""LearningWorld: the reference engine's own draws, once for all gates."""

from __future__ import annotations

import numpy as np
import pytest

from alembic_sim.sim.arms import draw_session, gate_of, is_true_lesson
from alembic_sim.sim.fake_agent import LESSONS, TASK_KINDS
from alembic_sim.sim.gates.gate_choice import NO_GATE, GateChoice
from alembic_sim.sim.gates.world import LearningWorld, draw_world, session_count
from alembic_sim.sim.scenario import LearningPlan, Scenario
from alembic_sim.sim.schedule import SessionTurn, schedule
from alembic_sim.sim.trace import EventTrace
from tests.sim.gates.gate_worlds import BOARD, learning, threshold

PLAN = LearningPlan(sessions_per_day=1, proposals_per_session=6, reviewer_noise=30)
SESSIONS = 12
SAID = [
    proposal
    for number in range(SESSIONS)
    for turn in draw_session(PLAN, 7, number).proposals
    for proposal in turn
]


@pytest.fixture(scope="module")
def world() -> LearningWorld:
    return draw_world(PLAN, 7, SESSIONS, with_board=True)


def test_tasks_are_those_that_the_reference_engine_draws(world: LearningWorld) -> None:
    for number in range(SESSIONS):
        tasks = draw_session(PLAN, 7, number).tasks
        assert [TASK_KINDS[kind] for kind in world.kinds[number]] == [one.kind for one in tasks]
        assert list(world.draws[number]) == [one.draw for one in tasks]


def test_proposals_stand_in_the_order_in_which_they_are_reviewed(world: LearningWorld) -> None:
    """Turn by turn: with six over four tasks that is not the order in which they were drawn."""
    assert [LESSONS[place].content for place in world.lessons] == [p.op.content for p in SAID]
    assert list(world.scores) == [proposal.score for proposal in SAID]
    assert list(world.is_true) == [is_true_lesson(proposal) for proposal in SAID]
    assert list(world.session) == [n for n in range(SESSIONS) for _ in range(6)]


def test_the_board_is_the_reference_engine_s(world: LearningWorld) -> None:
    plan = PLAN.model_copy(update={"gate": "board"})
    boards = [gate_of(plan, 7, number) for number in range(SESSIONS)]
    votes = [
        board(one).expect("a verdict").approved
        for board, said in zip(boards, np.split(np.arange(len(SAID)), SESSIONS), strict=True)
        for one in [SAID[place] for place in said]
    ]
    assert list(world.approved(BOARD)) == votes
    assert 0 < sum(votes) < len(votes)


def test_a_gate_approves_by_score_or_by_vote_or_everything(world: LearningWorld) -> None:
    assert list(world.approved(threshold(0.7))) == [one.score >= 0.7 for one in SAID]
    assert world.approved(NO_GATE).all()
    assert len(world.approved(NO_GATE)) == len(SAID)


def test_no_vote_is_drawn_that_nobody_asks_for() -> None:
    unasked = draw_world(PLAN, 7, 2, with_board=False)
    assert unasked.board is None
    with pytest.raises(AssertionError, match="drawn when a board is among the gates"):
        unasked.approved(GateChoice("board"))


def test_without_proposals_the_tasks_are_the_same(world: LearningWorld) -> None:
    bare = world.without_proposals()
    assert bare.draws is world.draws
    assert [len(bare.lessons), len(bare.scores), len(bare.session)] == [0, 0, 0]
    assert len(bare.is_true) == 0


@pytest.mark.parametrize(
    ("days", "per_day"), [(30, 1.0), (7, 0.5), (1, 0.9), (10, 2.5), (3, 0.0), (100, 0.07)]
)
def test_sessions_are_as_many_as_the_reference_engine_holds(days: int, per_day: float) -> None:
    scenario: Scenario = learning(days, sessions_per_day=per_day)
    steps = schedule(scenario, EventTrace((), (), ()))
    assert session_count(scenario) == sum(isinstance(one.what, SessionTurn) for one in steps)
