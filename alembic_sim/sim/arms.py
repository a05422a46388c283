"""The three arms of the loop: gated, ungated, none, over the same tasks and the same proposals.

All chance of a session is drawn from its own number, so that no arm and no earlier session changes
what a session is asked and offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.hermes.learning.composition import quorum
from alembic_sim.hermes.learning.gate import score_threshold_gate
from alembic_sim.hermes.learning.types import (
    GateVerdict,
    ReviewGate,
    ReviewProposal,
    ReviewProposer,
)
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.hermes.memory.threat_scan import threat_scan
from alembic_sim.models.personas import VALIDATORS, ErrorRates, judges_true, quality_score
from alembic_sim.result import Coded, Ok, Result
from alembic_sim.sim.fake_agent import LESSON_OF, LESSONS, FakeAgent, Task, draw_lesson, draw_task
from alembic_sim.sim.scenario import LearningPlan
from alembic_sim.sim.seeds import derive
from alembic_sim.sim.session import Session, SessionError, SessionReport

Arm = Literal["gated", "ungated", "none"]
ARMS: tuple[Arm, ...] = ("gated", "ungated", "none")
"""Through the scenario's gate; written at once, as the ancestor does; not learning at all."""

MEMORY_FOLDERS: dict[Arm, str] = {
    "gated": "memory",
    "ungated": "memory-ungated",
    "none": "memory-none",
}
TASKS_PER_SESSION = 4
BOARD_VOTES = 2


@dataclass(frozen=True, slots=True)
class SessionDraw:
    """What a session is asked and what its reviewer says after each task: the same in every arm."""

    tasks: tuple[Task, ...]
    proposals: tuple[tuple[ReviewProposal, ...], ...]


def draw_session(plan: LearningPlan, seed: int, number: int) -> SessionDraw:
    """The tasks and the proposals of session `number`, which are dealt to the tasks in turn."""
    tasks = Random(derive(seed, "tasks", number))
    reviewer = Random(derive(seed, "reviewer", number))
    proposed = [_proposal(plan, reviewer) for _ in range(plan.proposals_per_session)]
    return SessionDraw(
        tuple(draw_task(tasks) for _ in range(TASKS_PER_SESSION)),
        tuple(tuple(proposed[turn::TASKS_PER_SESSION]) for turn in range(TASKS_PER_SESSION)),
    )


def run_arm(
    arm: Arm, plan: LearningPlan, seed: int, number: int, fs: MemoryFs, usage: UsageStore
) -> Result[SessionReport, SessionError]:
    """Session `number` in one arm, its memory in the arm's own folder of `fs`."""
    drawn = draw_session(plan, seed, number)
    memory = MemoryStore(
        fs,
        plan.memory_char_limit,
        plan.user_char_limit,
        folder=MEMORY_FOLDERS[arm],
        scan=_scan,
    )
    said = drawn.proposals if arm != "none" else ((),) * len(drawn.tasks)
    gate = gate_of(plan, seed, number) if arm == "gated" else score_threshold_gate(0)
    return Session(FakeAgent(), memory, usage, _say_in_turn(said), gate).run(drawn.tasks)


@lru_cache(maxsize=len(LESSONS))
def _scan(text: str) -> str | None:
    """The default scan, asked once for each text: every session loads the same few entries."""
    return threat_scan(text)


def gate_of(plan: LearningPlan, seed: int, number: int) -> ReviewGate:
    """The plan's gate as session `number` meets it."""
    if plan.gate == "board":
        return quorum(
            BOARD_VOTES,
            *(
                _validator(rates, Random(derive(seed, "validator", name, number)))
                for name, rates in VALIDATORS.items()
            ),
        )
    return score_threshold_gate(plan.gate_threshold if plan.gate == "threshold" else 0)


def _proposal(plan: LearningPlan, chance: Random) -> ReviewProposal:
    lesson = draw_lesson(chance, plan.true_share)
    return ReviewProposal(
        target=lesson.target,
        op=Add(lesson.content),
        rationale="the turn showed it",
        score=quality_score(lesson.is_true, chance.random(), plan.reviewer_noise),
    )


def _say_in_turn(said: Sequence[tuple[ReviewProposal, ...]]) -> ReviewProposer:
    """A reviewer that says the next of these each time it is asked."""
    waiting = iter(said)

    def proposer(_summary: str) -> Result[list[object], Coded]:
        return Ok(list(next(waiting)))

    return proposer


def is_true_lesson(proposal: ReviewProposal) -> bool:
    """What no gate is told: whether the proposal holds."""
    return isinstance(proposal.op, Add) and LESSON_OF[proposal.op.content].is_true


def _validator(rates: ErrorRates, chance: Random) -> ReviewGate:
    """One validator of the board, who errs at these rates."""

    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        approved = judges_true(is_true_lesson(proposal), chance.random(), rates)
        return Ok(GateVerdict(approved, "takes it for true" if approved else "does not believe it"))

    return gate
