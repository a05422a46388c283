"""LearningWorld: what the sessions of one replica are asked and offered, as arrays.

It is drawn by the reference engine's own functions, once for all gates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alembic_sim.hermes.learning.types import ReviewProposal
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.sim.arms import draw_session, gate_of
from alembic_sim.sim.fake_agent import LESSONS, TASK_KINDS, Task
from alembic_sim.sim.gates.gate_choice import GateChoice
from alembic_sim.sim.scenario import LearningPlan, Scenario

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_KIND = {kind: number for number, kind in enumerate(TASK_KINDS)}
_LESSON = {lesson.content: number for number, lesson in enumerate(LESSONS)}
IS_TRUE: Flags = np.array([lesson.is_true for lesson in LESSONS])
"""Of each lesson, by its place among `LESSONS`: does it hold?"""
KIND: Places = np.array([_KIND[lesson.kind] for lesson in LESSONS])
"""Of each lesson: which kind of task it is about, as a place among `TASK_KINDS`."""


@dataclass(frozen=True, eq=False)
class LearningWorld:
    """Tasks, a row a session; proposals in the order in which they are reviewed.

    `kinds` and `draws` are the tasks', `lessons`, `scores` and `session` the proposals': which
    lesson, how the reviewer scored it, in which session. `board` is what a board says to each, and
    None if none is asked.
    """

    kinds: Places
    draws: Floats
    lessons: Places
    scores: Floats
    session: Places
    board: Flags | None

    @property
    def is_true(self) -> Flags:
        """Of each proposal: does it hold?"""
        return IS_TRUE[self.lessons]

    def approved(self, gate: GateChoice) -> Flags:
        """Of each proposal: does this gate approve it?"""
        match gate.kind:
            case "threshold":
                return self.scores >= gate.threshold
            case "board":
                assert self.board is not None, "drawn when a board is among the gates"
                return self.board
        return np.ones(len(self.lessons), dtype=bool)

    def without_proposals(self) -> LearningWorld:
        """The same tasks, and a reviewer that never proposes anything."""
        none = np.zeros(0, dtype=np.int64)
        return replace(
            self, lessons=none, scores=none.astype(float), session=none, board=none.astype(bool)
        )


def session_count(scenario: Scenario) -> int:
    """How many sessions the scenario holds."""
    return int(scenario.learning.sessions_per_day * scenario.days)


def draw_world(plan: LearningPlan, seed: int, sessions: int, with_board: bool) -> LearningWorld:
    """The world of the replica with this seed, as the reference engine draws it."""
    tasks: list[Task] = []
    said: list[ReviewProposal] = []
    votes: list[bool] = []
    board_plan = GateChoice("board").plan(plan)
    for number in range(sessions):
        drawn = draw_session(plan, seed, number)
        proposals = [proposal for turn in drawn.proposals for proposal in turn]
        tasks += drawn.tasks
        said += proposals
        if with_board:
            board = gate_of(board_plan, seed, number)
            votes += [board(one).expect("never errs").approved for one in proposals]
    return LearningWorld(
        np.array([_KIND[task.kind] for task in tasks]).reshape(sessions, -1),
        np.array([task.draw for task in tasks]).reshape(sessions, -1),
        np.array([_lesson(one) for one in said], dtype=np.int64),
        np.array([one.score for one in said], dtype=np.float64),
        np.repeat(np.arange(sessions), plan.proposals_per_session),
        np.array(votes, dtype=bool) if with_board else None,
    )


def _lesson(proposal: ReviewProposal) -> int:
    assert isinstance(proposal.op, Add), "this reviewer only adds"
    return _LESSON[proposal.op.content]
