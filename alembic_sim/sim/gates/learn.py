"""learn: what one gate makes of one replica's sessions, as the real memory store would have it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from alembic_sim.hermes.memory.entry_text import ENTRY_DELIMITER
from alembic_sim.hermes.memory.operations import MemoryTarget
from alembic_sim.sim.fake_agent import LESSONS, TASK_KINDS, FakeAgent
from alembic_sim.sim.gates.gate_row import Learnt
from alembic_sim.sim.gates.world import IS_TRUE, KIND, Flags, Floats, LearningWorld, Places
from alembic_sim.sim.scenario import LearningPlan


def learn(world: LearningWorld, approved: Flags, plan: LearningPlan) -> Learnt:
    """The figures of the sessions in which these proposals were approved.

    Nothing is ever taken out of the memory. So a lesson settles at its first approval or never:
    what does not fit then fits less later. Each later approval reinforces it, or is refused again.
    """
    places = np.flatnonzero(approved)
    lessons, first = np.unique(world.lessons[places], return_index=True)
    in_order = lessons[np.argsort(first)]
    kept, chars = _settle(in_order.tolist(), plan)
    settled = np.zeros(len(LESSONS), dtype=bool)
    settled[kept] = True
    learnt_in = world.session[places[first[settled[lessons]]]]
    learnt = lessons[settled[lessons]]
    is_true = world.is_true
    return Learnt(
        successes=_successes(world, learnt, learnt_in),
        true_proposed=int(np.count_nonzero(is_true)),
        false_proposed=int(np.count_nonzero(~is_true)),
        true_rejected=int(np.count_nonzero(is_true & ~approved)),
        false_approved=int(np.count_nonzero(approved & ~is_true)),
        refused_for_budget=int(np.count_nonzero(approved & ~settled[world.lessons])),
        true_kept=int(np.count_nonzero(IS_TRUE[learnt])),
        false_settled=int(np.count_nonzero(~IS_TRUE[learnt])),
        memory_chars=chars["memory"],
        user_chars=chars["user"],
    )


def _settle(
    lessons: Iterable[int], plan: LearningPlan
) -> tuple[list[int], dict[MemoryTarget, int]]:
    """Which of these lessons, offered in this order, fit; how many characters each file has then.

    A loop over different lessons, 384 at most: no array would be quicker.
    """
    limits = {"memory": plan.memory_char_limit, "user": plan.user_char_limit}
    chars: dict[MemoryTarget, int] = {"memory": 0, "user": 0}
    kept: list[int] = []
    for lesson in lessons:
        target, content = LESSONS[lesson].target, LESSONS[lesson].content
        before = chars[target] + len(ENTRY_DELIMITER) if chars[target] else 0
        if before + len(content) <= limits[target]:
            chars[target] = before + len(content)
            kept.append(lesson)
    return kept, chars


def _successes(world: LearningWorld, learnt: Places, learnt_in: Places) -> bytes:
    """How many tasks of each session succeed: a prompt holds what came before its session."""
    sessions = len(world.kinds)
    known = np.zeros((sessions + 1, len(TASK_KINDS), 2), dtype=np.int64)
    np.add.at(known, (learnt_in + 1, KIND[learnt], IS_TRUE[learnt].astype(int)), 1)
    known = known.cumsum(axis=0)
    session = np.arange(sessions)[:, None]
    hurting, helping = (known[session, world.kinds, truth] for truth in (0, 1))
    succeeds = world.draws < chances()[world.kinds, helping, hurting]
    return bytes(np.count_nonzero(succeeds, axis=1).tolist())


@cache
def chances() -> Floats:
    """The agent's chance by kind of task and by how many lessons help and how many hurt.

    The agent itself is asked for each number, so that its rule is written down once.
    """
    agent = FakeAgent()
    return np.array(
        [[_chances_of(agent, kind, n) for n in range(_MOST + 1)] for kind in TASK_KINDS]
    )


_MOST = 24
"""How many true lessons there are about a kind of task, and how many false ones."""


def _chances_of(agent: FakeAgent, kind: str, helping: int) -> list[float]:
    about = [lesson for lesson in LESSONS if lesson.kind == kind]
    helps = [lesson.content for lesson in about if lesson.is_true][:helping]
    hurts = [lesson.content for lesson in about if not lesson.is_true]
    return [
        agent.chance("\n".join([*helps, *hurts[:hurting]]), kind) for hurting in range(_MOST + 1)
    ]
