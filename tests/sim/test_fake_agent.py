"""The agent's success depends on what its prompt holds, and on nothing else."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.hermes.memory.memory_store import DEFAULT_MEMORY_CHAR_LIMIT
from alembic_sim.hermes.memory.snapshot import MemorySnapshot, render_system_prompt
from alembic_sim.hermes.memory.threat_scan import threat_scan
from alembic_sim.sim.fake_agent import (
    BASE_SUCCESS,
    HARM,
    HELP,
    LESSON_OF,
    LESSONS,
    TASK_KINDS,
    FakeAgent,
    Lesson,
    Task,
    draw_lesson,
    draw_task,
)

AGENT = FakeAgent()


def of(kind: str, is_true: bool) -> list[Lesson]:
    return [one for one in LESSONS if one.kind == kind and one.is_true is is_true]


def prompt_with(*lessons: Lesson) -> str:
    notes = "\n§\n".join(lesson.content for lesson in lessons)
    return render_system_prompt("You are an agent.", MemorySnapshot(notes, ""))


def test_every_lesson_is_one_text_that_the_threat_scan_lets_through() -> None:
    assert len(LESSON_OF) == len(LESSONS) == 384
    assert all(threat_scan(lesson.content) is None for lesson in LESSONS)
    assert sum(lesson.is_true for lesson in LESSONS) == 192


def test_there_is_more_to_learn_than_a_memory_holds() -> None:
    kept = sum(len(one.content) for one in LESSONS if one.is_true and one.target == "memory")
    assert kept > 2 * DEFAULT_MEMORY_CHAR_LIMIT


@pytest.mark.parametrize("kind", TASK_KINDS)
def test_a_true_lesson_helps_its_kind_of_task_and_a_false_one_hurts_it(kind: str) -> None:
    [true, *_], [false, *_] = of(kind, True), of(kind, False)
    assert AGENT.chance(prompt_with(), kind) == BASE_SUCCESS
    assert AGENT.chance(prompt_with(true), kind) == 1 - (1 - BASE_SUCCESS) * (1 - HELP)
    assert AGENT.chance(prompt_with(false), kind) == BASE_SUCCESS * (1 - HARM)


@pytest.mark.parametrize("held", [2, 3, 24])
def test_each_further_lesson_takes_its_share_of_what_is_left(held: int) -> None:
    true, false = of("deploy", True)[:held], of("deploy", False)[:held]
    helped = 1 - (1 - BASE_SUCCESS) * (1 - HELP) ** held
    assert AGENT.chance(prompt_with(*true), "deploy") == pytest.approx(helped)
    both = AGENT.chance(prompt_with(*true, *false), "deploy")
    assert both == pytest.approx(helped * (1 - HARM) ** held)


def test_what_is_learnt_about_answers_and_reports_is_about_the_user() -> None:
    about = {(lesson.kind, lesson.target) for lesson in LESSONS}
    assert {kind for kind, target in about if target == "user"} == {"report", "answer"}
    assert len(about) == len(TASK_KINDS)


def test_a_lesson_changes_no_other_kind_of_task() -> None:
    prompt = prompt_with(*of("deploy", True), *of("deploy", False))
    for kind in TASK_KINDS:
        assert (AGENT.chance(prompt, kind) == BASE_SUCCESS) == (kind != "deploy")


def test_a_task_of_a_kind_that_nothing_is_known_of_succeeds_at_the_base_rate() -> None:
    assert AGENT.chance(prompt_with(*LESSONS), "knitting") == BASE_SUCCESS


@given(st.lists(st.sampled_from(LESSONS), unique=True), st.sampled_from(LESSONS))
def test_one_more_lesson_moves_the_chance_of_its_kind_in_its_direction(
    held: list[Lesson], more: Lesson
) -> None:
    before = AGENT.chance(prompt_with(*held), more.kind)
    after = AGENT.chance(prompt_with(*held, more), more.kind)
    assert 0 < after < 1
    if more in held:
        assert after == before
    else:
        assert (after > before) is more.is_true


def test_the_order_of_the_lessons_does_not_matter() -> None:
    held = [*of("test", True)[:3], *of("test", False)[:2]]
    assert AGENT.chance(prompt_with(*held), "test") == AGENT.chance(
        prompt_with(*reversed(held)), "test"
    )


def test_a_blocked_or_quoted_lesson_does_not_count() -> None:
    [lesson, *_] = of("build", True)
    assert AGENT.chance(f"[BLOCKED: {lesson.content}]", "build") == BASE_SUCCESS


@pytest.mark.parametrize(("draw", "success"), [(0.0, True), (0.49, True), (0.5, False)])
def test_a_task_succeeds_if_its_draw_is_below_the_chance(draw: float, success: bool) -> None:
    assert AGENT.work("", Task("build", draw)) is success


def test_tasks_and_lessons_are_drawn_evenly() -> None:
    chance = Random(3)
    tasks = [draw_task(chance) for _ in range(4000)]
    for kind in TASK_KINDS:
        share = sum(task.kind == kind for task in tasks)
        assert share == pytest.approx(500, abs=4 * math.sqrt(500))
    lessons = [draw_lesson(chance, 0.25) for _ in range(4000)]
    true = sum(lesson.is_true for lesson in lessons)
    assert true == pytest.approx(1000, abs=4 * math.sqrt(750))
    assert len({lesson.content for lesson in lessons if not lesson.is_true}) == 192
