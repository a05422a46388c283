"""The pictures take what they say from the engine: another rule or outcome, another picture."""

from __future__ import annotations

import pytest

from alembic_sim import CuratorPolicy, LearnOutcome, UsageRecord, next_state
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.teaching.lessons.catalog import CURRICULUM, minutes_on
from alembic_sim.teaching.pictures.closed_loop import draw_closed_loop
from alembic_sim.teaching.pictures.curriculum_map import draw_curriculum_map
from alembic_sim.teaching.pictures.gate_pipeline import draw_gate_pipeline
from alembic_sim.teaching.pictures.idle_bands import draw_idle_bands
from alembic_sim.teaching.pictures.next_state_flow import STALE_FIRST, draw_next_state_flow
from alembic_sim.teaching.pictures.state_machine import draw_state_machine
from alembic_sim.teaching.probing import EXAMPLE_NOW, idle_skill, never_used_skill
from tests.teaching.pictures.test_every_picture import (
    FULL,
    learn,
    proposal,
    stale_first,
    zero_anchor,
)
from tests.teaching.svg_reading import all_words, texts


def exclusive(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    return next_state(record, stale_cutoff - 1, archive_cutoff - 1)


def test_the_loop_shows_the_real_threshold() -> None:
    assert "at least 0.7" in all_words(draw_closed_loop())
    assert "at least 0.85" in draw_closed_loop(0.85).summary


def test_the_bands_change_exactly_at_30_and_90_days() -> None:
    assert draw_idle_bands().summary == (
        "An active skill by idle time: active from 0 d, stale from 30 d, archived from 90 d."
    )
    said = all_words(draw_idle_bands())
    assert "at exactly 30 d: stale" in said
    assert "at exactly 90 d: archived" in said


def test_an_edge_that_is_not_inclusive_is_seen_to_be_one_millisecond_later() -> None:
    text = draw_idle_bands(decide=exclusive).summary
    assert "stale from 30 d + 1 ms, archived from 90 d + 1 ms" in text


def test_a_never_used_skill_lies_right_of_now_and_left_of_everything_if_the_rule_is_absurd() -> (
    None
):
    new = {"brand-new": never_used_skill()}
    assert "brand-new: never used, active." in draw_idle_bands(new).summary
    assert (
        "brand-new: never used, active → archived."
        in draw_idle_bands(new, decide=zero_anchor).summary
    )
    right = next(t for t in texts(draw_idle_bands(new)) if t.words.startswith("brand-new"))
    wrong = next(
        t
        for t in texts(draw_idle_bands(new, decide=zero_anchor))
        if t.words.startswith("brand-new")
    )
    assert right.right > 572 > wrong.right  # 572 px: now


def test_the_bands_follow_the_policy_and_the_clock() -> None:
    later = EXAMPLE_NOW + 5 * 86_400_000
    skill = {"fix-ci": idle_skill(29)}
    assert "fix-ci: idle 29 d, active." in draw_idle_bands(skill).summary
    assert "fix-ci: idle 34 d, active → stale." in draw_idle_bands(skill, now=later).summary
    short = draw_idle_bands(skill, policy=CuratorPolicy(7, 14)).summary
    assert "fix-ci: idle 29 d, active → archived." in short


def test_the_state_machine_has_its_two_extra_arrows() -> None:
    assert draw_state_machine().summary == (
        "One pass can move: active → stale, 30 d idle or more; active → archived, 90 d idle or "
        "more; stale → active, used again; stale → archived, 90 d idle or more."
    )


def test_with_stale_tested_first_the_straight_arrow_is_never_taken() -> None:
    assert "Never taken: active → archived." in draw_state_machine(decide=stale_first).summary
    assert "never taken" in all_words(draw_state_machine(decide=stale_first))


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (
            idle_skill(120),
            "A skill that is active, idle 120 d: 1. archived? yes. Answer: archived.",
        ),
        (
            idle_skill(45),
            "A skill that is active, idle 45 d: 1. archived? no; 2. stale? yes. Answer: stale.",
        ),
        (
            idle_skill(4, state="stale"),
            "A skill that is stale, idle 4 d: 1. archived? no; 2. stale? no; 3. active? yes. "
            "Answer: active.",
        ),
        (
            never_used_skill(),
            "A skill that is active, anchor +∞ (never used): 1. archived? no; 2. stale? no; "
            "3. active? no. Answer: unchanged, active.",
        ),
    ],
)
def test_the_flowchart_walks_the_path_of_the_record(record: UsageRecord, told: str) -> None:
    assert draw_next_state_flow(record).summary == told


def test_the_wrong_order_stops_half_way() -> None:
    wrong = draw_next_state_flow(idle_skill(120), decide=stale_first, order=STALE_FIRST)
    assert wrong.summary.endswith("1. stale? yes. Answer: stale.")


def test_the_flowchart_can_be_walked_step_by_step() -> None:
    record = idle_skill(4, state="stale")
    told = [draw_next_state_flow(record, steps=steps).summary for steps in range(5)]
    assert told[0].endswith("nothing asked yet.")
    assert told[1].endswith("1. archived? no.")
    assert told[3] == told[4] == draw_next_state_flow(record).summary


def test_the_pipeline_counts_the_real_outcome() -> None:
    told = draw_gate_pipeline(FULL).summary
    assert told == "One learning step: 12 applied, 4 rejected, 1 failed."
    said = all_words(draw_gate_pipeline(FULL)).splitlines()
    assert {"12", "4", "1"} <= set(said)
    assert any("score 0.1 < threshold 0.7" in line for line in said)
    assert draw_gate_pipeline(LearnOutcome()).summary.endswith("0 applied, 0 rejected, 0 failed.")


def test_the_pipeline_shows_the_whole_reason() -> None:
    """As lesson 03 shows it: one note rejected, one too long for the memory."""
    long = proposal("The build cache must be cleared by hand after every upgrade.", 0.9)
    for rejected in (1, 2):
        doubtful = [proposal("Builds fail on Mondays.", 0.5)] * rejected
        said = " ".join(all_words(draw_gate_pipeline(learn(*doubtful, long, limit=50))).split())
        assert said.count("(learn only from validated wins)") == rejected
        assert said.count("…") == 0


def test_the_pipeline_shows_why_a_step_stopped_and_what_it_had_done() -> None:
    stopped = draw_gate_pipeline(learn(proposal("a", 0.9), proposal("b", 9), proposal("c", 0.9)))
    assert stopped.summary == (
        "A learning step that stopped (invalid-proposal): 1 applied, 0 rejected, 0 failed, "
        "2 not decided."
    )
    assert "Err(invalid-proposal): the whole step stops" in all_words(stopped)


def test_the_curriculum_map_has_every_lesson_and_marks_those_to_come() -> None:
    said = all_words(draw_curriculum_map({0, 3})).splitlines()
    assert said.count("to come") == len(CURRICULUM) - 2
    assert all(lesson.claim in said for lesson in CURRICULUM)
    half, whole, short = (minutes_on(path) for path in ("half a day", "a day", "90 minutes"))
    assert {"90 minutes", f"half a day ({half} min)", f"a day ({whole} min)"} <= set(said)
    assert f"with one exercise a lesson; {short} with all" in said
    assert "90 minutes: 02 03 06 07;" in draw_curriculum_map().summary
