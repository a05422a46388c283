"""The lines of the event log: what is written down of each thing that happens, as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from alembic_sim.hermes.curator.report import Transition
from alembic_sim.hermes.learning.types import LearnOutcome, ReviewProposal
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.sim.arms import is_true_lesson
from alembic_sim.sim.learning_figures import SessionResult
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from alembic_sim.sim.trace import CuratorPass, UseEvent

LogLine = Mapping[str, object]


def scenario_line(scenario: Scenario) -> LogLine:
    """The first line of a log."""
    return {"event": "scenario", "scenario": scenario.model_dump(mode="json")}


def birth_line(skill: SkillLife) -> LogLine:
    """A skill is made."""
    life = {name: value for name, value in asdict(skill).items() if name != "birth_ms"}
    return {"at_ms": skill.birth_ms, "event": "birth", **life}


def use_line(event: UseEvent, state: str) -> LogLine:
    """A skill is needed, and is in this state."""
    return {
        "at_ms": event.at_ms,
        "sequence": event.sequence,
        "event": "use",
        "name": event.name,
        "kind": event.kind,
        "counted": event.counted,
        "state": state,
    }


def pass_line(turn: CuratorPass, moved: Iterable[Transition]) -> LogLine:
    """The curator has passed and moved these."""
    return {
        "at_ms": turn.at_ms,
        "sequence": turn.sequence,
        "event": "pass",
        "transitioned": [
            {"name": one.name, "from": one.from_state, "to": one.to_state} for one in moved
        ],
    }


def session_line(result: SessionResult) -> LogLine:
    """A session of one arm is over: its tasks, its memory, and every decision on a proposal."""
    return {
        "at_ms": result.at_ms,
        "event": "session",
        "number": result.number,
        "arm": result.arm,
        "successes": list(result.report.successes),
        "memory_chars": result.memory_chars,
        "user_chars": result.user_chars,
        "decisions": [one for outcome in result.report.outcomes for one in _decisions(outcome)],
    }


def plan_line(at_ms: int, plan: CuratorPlan) -> LogLine:
    """Another plan holds from here on."""
    return {"at_ms": at_ms, "event": "plan", "curator": plan.model_dump()}


def jump_line(at_ms: int, days: float) -> LogLine:
    """The clock shows this many days more from here on."""
    return {"at_ms": at_ms, "event": "clock-jump", "days": days}


def corruption_line(at_ms: int, bytes_kept: int) -> LogLine:
    """The sidecar has lost all but its first bytes."""
    return {"at_ms": at_ms, "event": "corrupt-sidecar", "bytes_kept": bytes_kept}


def _decisions(outcome: LearnOutcome) -> list[LogLine]:
    """Every proposal of one review, with its bucket and the truth that the gate was not told."""
    return [
        *(_decision("applied", proposal, "") for proposal in outcome.applied),
        *(_decision("rejected", one.proposal, one.reason) for one in outcome.rejected),
        *(_decision("failed", one.proposal, one.reason) for one in outcome.failed),
    ]


def _decision(bucket: str, proposal: ReviewProposal, reason: str) -> LogLine:
    content = proposal.op.content if isinstance(proposal.op, Add) else ""
    return {
        "bucket": bucket,
        "target": proposal.target,
        "content": content,
        "score": proposal.score,
        "is_true": is_true_lesson(proposal),
        "reason": reason,
    }
