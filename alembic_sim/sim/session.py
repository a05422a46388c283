"""Session: prompt → tasks → summary → review → telemetry → curator when due: the loop, closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from alembic_sim.guarded import read_clock
from alembic_sim.hermes.curator.report import CuratorReport
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.hermes.learning.review import review_and_learn
from alembic_sim.hermes.learning.types import (
    LearnOutcome,
    ReviewDeps,
    ReviewGate,
    ReviewProposer,
)
from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.snapshot import MemorySnapshot, render_system_prompt
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Coded, Err, Ok, Result
from alembic_sim.sim.curator_rules import run_pass
from alembic_sim.sim.fake_agent import FakeAgent, Task
from alembic_sim.sim.scenario import CuratorPlan

BASE_PROMPT = "You are a careful agent."


@dataclass(frozen=True, slots=True)
class SessionError:
    """Which part of the loop failed, and why; what came before it has happened."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ResentChars:
    """Characters of memory that a session's prompts sent anew, turn by turn.

    A prompt that begins as the one before it is cached. `frozen`: the snapshot, once. `live`: all
    of the memory again after every change. `hybrid`: the snapshot once, then each change alone.
    """

    frozen: int = 0
    live: int = 0
    hybrid: int = 0

    def __add__(self, other: ResentChars) -> ResentChars:
        return ResentChars(
            self.frozen + other.frozen, self.live + other.live, self.hybrid + other.hybrid
        )


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What one session did: each task's success, what it learnt, what a pass at its end moved."""

    successes: tuple[bool, ...]
    outcomes: tuple[LearnOutcome, ...]
    resent: ResentChars
    curated: CuratorReport | None = None

    @property
    def success(self) -> float:
        """The share of tasks that succeeded; 0 for a session without tasks."""
        return sum(self.successes) / max(len(self.successes), 1)


class CuratorDue:
    """A curator that passes when its interval has gone by since its last pass."""

    def __init__(self, usage: UsageStore, plan: CuratorPlan, last_ms: int) -> None:
        self._usage = usage
        self._plan = plan
        self._last_ms = last_ms

    def pass_if_due(self) -> Result[CuratorReport | None, Coded]:
        """The report of a pass, None if none is due yet."""
        now = read_clock(self._usage.clock)
        if not now.ok:
            return now
        if now.value - self._last_ms < self._plan.interval_days * DAY_MS:
            return Ok(None)
        passed = run_pass(self._usage, self._plan)
        if passed.ok:
            self._last_ms = now.value
        return passed


@dataclass(frozen=True, slots=True)
class Session:
    """One session of an agent. Give it a memory store of its own: the first load is its snapshot.

    `skills` names the skill that a kind of task uses; a kind without one uses none. A skill is
    used, and counted, once for each task that has it.
    """

    agent: FakeAgent
    memory: MemoryStore
    usage: UsageStore
    proposer: ReviewProposer
    gate: ReviewGate
    skills: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    curator: CuratorDue | None = None

    def run(self, tasks: Sequence[Task]) -> Result[SessionReport, SessionError]:
        """The session from its snapshot to its end; after each task its summary is reviewed.

        All tasks see the snapshot: what the session learns helps the next one.
        """
        loaded = self.memory.load()
        if not loaded.ok:
            return _failed("memory", loaded.error)
        prompt = render_system_prompt(BASE_PROMPT, loaded.value)
        deps = ReviewDeps(self.proposer, self.gate, self.memory)
        successes: list[bool] = []
        outcomes: list[LearnOutcome] = []
        seen = [_entries(self.memory)]
        for number, task in enumerate(tasks, start=1):
            success = self.agent.work(prompt, task)
            learnt = review_and_learn(_summary(number, task, success), deps)
            if not learnt.ok:
                return _failed("review", learnt.error)
            if task.kind in self.skills:
                counted = self.usage.record(self.skills[task.kind], "use")
                if not counted.ok:
                    return _failed("telemetry", counted.error)
            successes.append(success)
            outcomes.append(learnt.value)
            seen.append(_entries(self.memory))
        curated = Ok(None) if self.curator is None else self.curator.pass_if_due()
        if not curated.ok:
            return _failed("curator", curated.error)
        resent = _resent(loaded.value, seen[: len(tasks)])
        report = SessionReport(tuple(successes), tuple(outcomes), resent, curated.value)
        return Ok(report)


def _summary(number: int, task: Task, success: bool) -> str:
    return f"Turn {number}: a {task.kind} task {'succeeded' if success else 'failed'}."


Entries = tuple[tuple[str, ...], tuple[str, ...]]
"""What the memory holds: the agent's notes, and what it knows of the user."""


def _entries(memory: MemoryStore) -> Entries:
    return memory.entries("memory"), memory.entries("user")


def _resent(snapshot: MemorySnapshot, seen: Sequence[Entries]) -> ResentChars:
    """The characters for each way, `seen` being the live entries before each of the turns."""
    if not seen:
        return ResentChars()
    frozen = len(snapshot.memory) + len(snapshot.user)
    live = hybrid = frozen
    for before, after in pairwise(seen):
        if before != after:
            live += sum(len(serialise_entries(entries)) for entries in after)
            old = {*before[0], *before[1]}
            hybrid += sum(len(entry) for entry in (*after[0], *after[1]) if entry not in old)
    return ResentChars(frozen, live, hybrid)


def _failed(part: str, error: Coded) -> Err[SessionError]:
    return Err(SessionError(error.code, f"{part}: {error.message}"))
