"""learn: the memory's rules on proposals that are made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from alembic_sim.sim.fake_agent import LESSONS, TASK_KINDS, FakeAgent, Lesson
from alembic_sim.sim.gates.gate_row import Learnt
from alembic_sim.sim.gates.learn import chances, learn
from alembic_sim.sim.gates.world import LearningWorld
from alembic_sim.sim.scenario import LearningPlan


def lessons(is_true: bool = True, kind: str = "build") -> list[int]:
    """The places of all lessons of a sort."""
    return [
        place
        for place, lesson in enumerate(LESSONS)
        if lesson.is_true is is_true and lesson.kind == kind
    ]


def length(place: int) -> int:
    return len(LESSONS[place].content)


SHORT, LONG = (sorted(lessons(), key=length)[place] for place in (0, -1))
FALSE = lessons(is_true=False)[0]
ABOUT_USER = lessons(kind="answer")[0]


def world(
    said: list[tuple[int, int]], sessions: int = 3, draw: float = 0.6, kind: str = "build"
) -> LearningWorld:
    """Four tasks a session, all alike; `said` are (session, lesson) in order, scored alike."""
    return LearningWorld(
        kinds=np.full((sessions, 4), TASK_KINDS.index(kind)),
        draws=np.full((sessions, 4), draw),
        lessons=np.array([lesson for _, lesson in said], dtype=np.int64),
        scores=np.full(len(said), 0.9),
        session=np.array([session for session, _ in said], dtype=np.int64),
        board=None,
    )


def learnt(
    said: list[tuple[int, int]],
    approved: list[bool] | None = None,
    *,
    memory: int = 10_000,
    user: int = 10_000,
    **about: object,
) -> Learnt:
    plan = LearningPlan(memory_char_limit=memory, user_char_limit=user)
    votes = np.array([True] * len(said) if approved is None else approved, dtype=bool)
    return learn(world(said, **about), votes, plan)  # type: ignore[arg-type]


def test_what_a_session_learns_helps_the_next_one_and_not_itself() -> None:
    """The snapshot is frozen: 0.5 without the lesson, 0.675 with it, and the draw is 0.6."""
    assert learnt([(1, SHORT)], sessions=4).successes == bytes([0, 0, 4, 4])


def test_a_false_lesson_hurts_its_own_kind_alone() -> None:
    assert learnt([(0, FALSE)], draw=0.4).successes == bytes([4, 0, 0])
    assert learnt([(0, FALSE)], draw=0.4, kind="test").successes == bytes([4, 4, 4])


def test_a_draw_that_equals_the_chance_fails() -> None:
    """As in `FakeAgent.work`: below the chance succeeds."""
    assert learnt([], draw=0.5).successes == bytes(3)
    assert learnt([], draw=0.49999999999999994).successes == bytes([4, 4, 4])


def test_what_is_learnt_in_the_last_session_is_kept_and_helps_nobody() -> None:
    found = learnt([(2, SHORT)])
    assert (found.successes, found.true_kept) == (bytes(3), 1)


def test_a_lesson_again_is_reinforced_and_takes_no_room() -> None:
    found = learnt([(0, SHORT), (0, SHORT), (1, SHORT)], memory=length(SHORT))
    assert (found.true_kept, found.refused_for_budget) == (1, 0)
    assert found.memory_chars == length(SHORT)


@pytest.mark.parametrize(("spare", "kept"), [(0, 2), (-1, 1)])
def test_the_delimiter_counts_between_two_and_not_before_the_first(spare: int, kept: int) -> None:
    exactly = length(SHORT) + len("\n§\n") + length(LONG)
    found = learnt([(0, SHORT), (0, LONG)], memory=exactly + spare)
    assert found.true_kept == kept
    assert found.refused_for_budget == 2 - kept
    assert found.memory_chars == (exactly if kept == 2 else length(SHORT))


def test_what_is_too_long_is_refused_each_time_and_a_shorter_one_after_it_fits() -> None:
    said = [(0, LONG), (0, SHORT), (1, LONG), (2, LONG)]
    found = learnt(said, memory=length(LONG) - 1)
    assert (found.true_kept, found.refused_for_budget) == (1, 3)
    assert found.successes == bytes([0, 4, 4])


def test_what_came_first_has_the_room() -> None:
    first, second = lessons()[:2]
    assert length(first) == length(second)
    for said in ([(0, first), (1, second)], [(0, second), (1, first)]):
        found = learnt(said, memory=length(first))
        assert (found.true_kept, found.successes) == (1, bytes([0, 4, 4]))


def test_each_file_has_a_limit_of_its_own() -> None:
    said = [(0, SHORT), (0, ABOUT_USER)]
    found = learnt(said, memory=0)
    assert (found.memory_chars, found.user_chars) == (0, length(ABOUT_USER))
    found = learnt(said, user=0)
    assert (found.memory_chars, found.user_chars) == (length(SHORT), 0)
    assert found.refused_for_budget == 1


def test_what_is_not_approved_settles_at_its_first_approval() -> None:
    found = learnt([(0, SHORT), (1, SHORT), (2, SHORT)], [False, True, True])
    assert found.successes == bytes([0, 0, 4])
    assert (found.true_rejected, found.true_kept) == (1, 1)


def test_the_two_errors_and_what_settles_are_counted_apart() -> None:
    said = [(0, SHORT), (0, LONG), (0, FALSE), (1, FALSE), (1, lessons(is_true=False)[1])]
    found = learnt(said, [True, False, True, True, False])
    assert (found.true_proposed, found.false_proposed) == (2, 3)
    assert (found.true_rejected, found.false_approved) == (1, 2)
    assert (found.true_kept, found.false_settled) == (1, 1)


def test_an_approved_proposal_counts_as_approved_when_there_is_no_room_for_it() -> None:
    found = learnt([(0, FALSE)], memory=0)
    assert (found.false_approved, found.refused_for_budget, found.false_settled) == (1, 1, 0)


def some(kind: str, is_true: bool, count: int) -> list[Lesson]:
    return [LESSONS[place] for place in lessons(is_true, kind)[-count:]] if count else []


@pytest.mark.parametrize(("helping", "hurting"), [(0, 0), (1, 0), (0, 1), (3, 2), (24, 24)])
def test_chances_are_the_agent_s_own_whichever_the_lessons_are(helping: int, hurting: int) -> None:
    for place, kind in enumerate(TASK_KINDS):
        held = [*some(kind, True, helping), *some(kind, False, hurting)]
        prompt = "\n".join(lesson.content for lesson in held)
        assert chances()[place, helping, hurting] == FakeAgent().chance(prompt, kind)


def test_the_table_of_chances_has_a_place_for_every_number_of_lessons() -> None:
    for kind in TASK_KINDS:
        assert chances().shape[1:] == (len(lessons(True, kind)) + 1, len(lessons(False, kind)) + 1)
