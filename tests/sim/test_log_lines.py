"""Each line of a log says what happened, in JSON values that a reader of another language knows."""

from __future__ import annotations

import json

from alembic_sim import Add, LearnOutcome, Remove, ReviewProposal
from alembic_sim.hermes.curator.report import Transition
from alembic_sim.hermes.learning.types import Failed, Rejected
from alembic_sim.sim.fake_agent import LESSONS
from alembic_sim.sim.learning_figures import SessionResult
from alembic_sim.sim.log_lines import (
    birth_line,
    corruption_line,
    jump_line,
    pass_line,
    plan_line,
    scenario_line,
    session_line,
    use_line,
)
from alembic_sim.sim.population import BurstPattern, SkillLife
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from alembic_sim.sim.session import ResentChars, SessionReport
from alembic_sim.sim.trace import CuratorPass, UseEvent


def as_json(line: object) -> object:
    return json.loads(json.dumps(line, allow_nan=False))


def test_a_birth_says_all_of_a_life() -> None:
    life = SkillLife("a", 0.5, 7, 9, "user", True, (1, 1, 1, 1, 1, 0, 0), BurstPattern(9, 2, 3, 4))
    assert as_json(birth_line(life)) == {
        "at_ms": 7,
        "event": "birth",
        "name": "a",
        "rate_per_day": 0.5,
        "abandon_ms": 9,
        "created_by": "user",
        "pinned": True,
        "weekdays": [1, 1, 1, 1, 1, 0, 0],
        "bursts": {"every_days": 9, "lasts_days": 2, "factor": 3, "phase": 4},
    }


def test_a_use_says_its_kind_whether_it_was_counted_and_the_state_it_met() -> None:
    assert use_line(UseEvent(7, 3, "a", "view", counted=False), "stale") == {
        "at_ms": 7,
        "sequence": 3,
        "event": "use",
        "name": "a",
        "kind": "view",
        "counted": False,
        "state": "stale",
    }


def test_a_pass_says_what_moved() -> None:
    moved = [Transition("a", "active", "stale"), Transition("b", "stale", "archived")]
    assert pass_line(CuratorPass(7, 3), moved) == {
        "at_ms": 7,
        "sequence": 3,
        "event": "pass",
        "transitioned": [
            {"name": "a", "from": "active", "to": "stale"},
            {"name": "b", "from": "stale", "to": "archived"},
        ],
    }


def test_the_other_lines_say_what_happened_and_when() -> None:
    assert as_json(scenario_line(Scenario())) == {
        "event": "scenario",
        "scenario": Scenario().model_dump(mode="json"),
    }
    plan = CuratorPlan(stale_after_days=3)
    assert plan_line(7, plan) == {"at_ms": 7, "event": "plan", "curator": plan.model_dump()}
    assert jump_line(7, -2.5) == {"at_ms": 7, "event": "clock-jump", "days": -2.5}
    assert corruption_line(7, 80) == {"at_ms": 7, "event": "corrupt-sidecar", "bytes_kept": 80}


TRUE, FALSE = (next(one for one in LESSONS if one.is_true is truth) for truth in (True, False))


def says(op: object, score: float) -> ReviewProposal:
    return ReviewProposal(target="memory", op=op, rationale="seen", score=score)  # type: ignore[arg-type]


def test_a_session_says_every_decision_with_its_bucket_its_reason_and_the_truth() -> None:
    outcome = LearnOutcome(
        applied=(says(Add(TRUE.content), 0.9),),
        rejected=(Rejected(says(Add(FALSE.content), 0.1), "too low"),),
        failed=(Failed(says(Remove("old"), 0.8), "no room"),),
    )
    report = SessionReport((True, False), (outcome,), ResentChars(1, 2, 3))
    result = SessionResult(4, 7, "gated", report, (TRUE.content,), (), 50, 6)
    assert as_json(session_line(result)) == {
        "at_ms": 7,
        "event": "session",
        "number": 4,
        "arm": "gated",
        "successes": [True, False],
        "memory_chars": 50,
        "user_chars": 6,
        "decisions": [
            {
                "bucket": "applied",
                "target": "memory",
                "content": TRUE.content,
                "score": 0.9,
                "is_true": True,
                "reason": "",
            },
            {
                "bucket": "rejected",
                "target": "memory",
                "content": FALSE.content,
                "score": 0.1,
                "is_true": False,
                "reason": "too low",
            },
            {
                "bucket": "failed",
                "target": "memory",
                "content": "",
                "score": 0.8,
                "is_true": False,
                "reason": "no room",
            },
        ],
    }
