"""The reference engine: the real stores, event by event, over one file tree and one clock.

It can be stopped after any step, taken back to an earlier one, and branched: what was done before
is the same bytes each time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, UsageStore
from alembic_sim.hermes.learning.types import LearnOutcome, ReviewProposal
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.memory_store import FILE_NAMES
from alembic_sim.hermes.memory.operations import Add, MemoryTarget
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Coded, Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.arms import ARMS, MEMORY_FOLDERS, Arm, is_true_lesson, run_arm
from alembic_sim.sim.curator_rules import run_pass
from alembic_sim.sim.event_log import LogLine, birth_line, log_bytes, scenario_line
from alembic_sim.sim.figures import DayCount, StateChange
from alembic_sim.sim.learning_figures import SessionResult
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.run import Run, counts_csv, tree_digest
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from alembic_sim.sim.schedule import (
    Births,
    ClockJump,
    CorruptSidecar,
    DayEnd,
    SessionTurn,
    Step,
    schedule,
)
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent, draw_trace

MAX_SKILLS = 10_000
"""More than this the reference engine does not take: it rewrites the sidecar for every event."""


@dataclass(frozen=True, slots=True)
class SimError:
    """Why there is no run."""

    code: str
    message: str


def simulate(scenario: Scenario, trace: EventTrace | None = None) -> Result[Run, SimError]:
    """The run of a scenario from its first day to its last, on its own trace or on the given one.

    The loop is closed and everything in it is real but the agent and the world. Needs no numpy.
    """
    usable = _trace_for(scenario, trace)
    return Simulation(scenario, usable.value).run() if usable.ok else usable


class Simulation:
    """A run that is under way: after `position` of its `steps`.

    Raises `ValueError` for what is no scenario or no trace, or is too large for this engine.
    """

    def __init__(self, scenario: Scenario, trace: EventTrace | None = None) -> None:
        usable = _trace_for(scenario, trace)
        if not usable.ok:
            raise ValueError(usable.error.message)
        self._scenario = scenario
        self._trace = usable.value
        self._steps = schedule(scenario, usable.value)
        self._plans: tuple[tuple[int, CuratorPlan], ...] = ((0, scenario.curator),)
        self._host = _Host(scenario)
        self._position = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that happens, in its order."""
        return self._steps

    @property
    def position(self) -> int:
        """How many of the steps are done."""
        return self._position

    @property
    def digest(self) -> str:
        """The SHA-256 of all that has been left behind so far."""
        return self._host.digest()

    def run_until(self, position: int) -> Result[None, SimError]:
        """Goes on, or back, until this many steps are done.

        Going back is doing the first ones again: they give the same bytes.
        """
        whole = isinstance(position, int) and not isinstance(position, bool)
        if not (whole and 0 <= position <= len(self._steps)):
            why = f"{shorten(position)} is not a number of steps, 0 to {len(self._steps)}"
            return _bad_argument(why)
        if position < self._position:
            self._host = _Host(self._scenario)
            self._position = 0
        while self._position < position:
            step = self._steps[self._position]
            for since, plan in self._plans[1:]:
                if since == self._position:
                    self._host.note_plan(step.at_ms, plan)
            done = self._host.do(step, self._plan_now())
            if not done.ok:
                return done
            self._position += 1
        return Ok(None)

    def branch(self, curator: CuratorPlan | None = None) -> Result[Simulation, SimError]:
        """A second simulation from here on; with another plan it goes another way.

        The passes stay where the trace has them: a plan with another interval is `unsupported`.
        Neither of the two notices what the other one does.
        """
        plan = self._plan_now() if curator is None else curator
        if plan.interval_days != self._scenario.curator.interval_days:
            days = self._scenario.curator.interval_days
            why = f"curator.interval_days: {plan.interval_days} is not the run's own, {days}"
            return Err(SimError("unsupported", why))
        other = Simulation(self._scenario, self._trace)
        other._plans = self._plans
        if curator is not None:
            other._plans = (*self._plans, (self._position, plan))
        other._host = self._host.copy()
        other._position = self._position
        return Ok(other)

    def run(self) -> Result[Run, SimError]:
        """Goes on to the end; the run as a value, its scenario with the plan that holds there."""
        done = self.run_until(len(self._steps))
        if not done.ok:
            return done
        scenario = self._scenario.model_copy(update={"curator": self._plan_now()})
        return Ok(self._host.as_run(scenario, self._trace))

    def _plan_now(self) -> CuratorPlan:
        return [plan for since, plan in self._plans if since <= self._position][-1]


def _trace_for(scenario: Scenario, trace: EventTrace | None) -> Result[EventTrace, SimError]:
    """The trace that a run is to follow: the given one, else the scenario's own."""
    if not isinstance(scenario, Scenario):
        return _bad_argument(f"{shorten(scenario)} is not a Scenario")
    if not isinstance(trace, EventTrace | None):
        return _bad_argument(f"{shorten(trace)} is not an EventTrace")
    settlers = sum(archetype.count for archetype in scenario.population)
    skills = settlers if trace is None else len(trace.skills)
    if skills > MAX_SKILLS:
        why = f"{skills} skills; this engine takes {MAX_SKILLS}, a sweep takes more"
        return Err(SimError("too-large", why))
    return Ok(draw_trace(scenario) if trace is None else trace)


class _Host:
    """The simulated machine: its files, its clock, and what was written down about it."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._fs = MemoryFs()
        self._clock = FakeClock(scenario.start_ms)
        self._usage = UsageStore(self._fs, self._clock)
        self._ahead_ms = 0
        self._born = 0
        self._log: list[LogLine] = [scenario_line(scenario)]
        self._counts: list[DayCount] = []
        self._transitions: list[StateChange] = []
        self._sessions: list[SessionResult] = []

    def copy(self) -> _Host:
        other = _Host(self._scenario)
        other._fs = MemoryFs(self._fs.files())
        other._clock = FakeClock(self._clock())
        other._usage = UsageStore(other._fs, other._clock)
        other._ahead_ms, other._born = self._ahead_ms, self._born
        other._log = [*self._log]
        other._counts = [*self._counts]
        other._transitions = [*self._transitions]
        other._sessions = [*self._sessions]
        return other

    def digest(self) -> str:
        return tree_digest(
            {
                **{f"home/{path}": data for path, data in self._fs.files().items()},
                "events.jsonl": log_bytes(self._log),
                "counts.csv": counts_csv(tuple(self._counts)),
            }
        )

    def as_run(self, scenario: Scenario, trace: EventTrace) -> Run:
        records = self._usage.load().records
        return Run(
            scenario=scenario,
            trace=trace,
            counts=tuple(self._counts),
            transitions=tuple(self._transitions),
            sessions=tuple(self._sessions),
            events=tuple(self._log),
            states=MappingProxyType({name: record.state for name, record in records.items()}),
            files=MappingProxyType(self._fs.files()),
        )

    def note_plan(self, at_ms: int, plan: CuratorPlan) -> None:
        """Writes down that another plan holds from here on."""
        self._log.append({"at_ms": at_ms, "event": "plan", "curator": plan.model_dump()})

    def do(self, step: Step, plan: CuratorPlan) -> Result[None, SimError]:
        """One step done and written down."""
        shown = self._clock.set(step.at_ms + self._ahead_ms)
        if not shown.ok:
            return _stopped(step, shown.error)
        match step.what:
            case Births(skills):
                done = self._be_born(skills)
            case UseEvent() as event:
                done = self._use(event)
            case CuratorPass() as turn:
                done = self._pass(turn, plan)
            case SessionTurn(number):
                done = self._hold_session(step.at_ms, number)
            case ClockJump(days):
                done = self._jump(step.at_ms, days)
            case CorruptSidecar():
                done = self._corrupt(step.at_ms)
            case DayEnd(day):
                done = self._count(day)
        return Ok(None) if done.ok else _stopped(step, done.error)

    def _be_born(self, skills: tuple[SkillLife, ...]) -> Result[object, Coded]:
        self._born += len(skills)
        self._log += map(birth_line, skills)
        if self._fs.stat(DEFAULT_SIDECAR_PATH) == Ok(None):
            return self._settle(skills)
        for skill in skills:
            made = self._usage.create(skill.name, skill.created_by)
            if made.ok and skill.pinned:
                made = self._usage.pin(skill.name)
            if not made.ok:
                return made
        return Ok(None)

    def _settle(self, skills: tuple[SkillLife, ...]) -> Result[object, Coded]:
        """The library that is there on day 0: the bytes that making them one by one would give."""
        now = self._clock()
        records = {
            skill.name: UsageRecord(
                created_at=now, created_by=skill.created_by, pinned=skill.pinned
            )
            for skill in skills
        }
        data = serialise_sidecar(UsageSidecar(records))
        return self._fs.write_text(DEFAULT_SIDECAR_PATH, data.decode("utf-8"))

    def _use(self, event: UseEvent) -> Result[object, Coded]:
        """A use is counted, or missed; an archived skill is needed, and cannot be used."""
        record = self._usage.load().records.get(event.name)
        self._log.append(
            {
                "at_ms": event.at_ms,
                "sequence": event.sequence,
                "event": "use",
                "name": event.name,
                "kind": event.kind,
                "counted": event.counted,
                "state": "unknown" if record is None else record.state,
            }
        )
        if not event.counted or (record is not None and record.state == "archived"):
            return Ok(None)
        return self._usage.record(event.name, event.kind)

    def _pass(self, turn: CuratorPass, plan: CuratorPlan) -> Result[object, Coded]:
        passed = run_pass(self._usage, plan)
        if not passed.ok:
            return passed
        moved = passed.value.transitioned
        self._log.append(
            {
                "at_ms": turn.at_ms,
                "sequence": turn.sequence,
                "event": "pass",
                "transitioned": [
                    {"name": one.name, "from": one.from_state, "to": one.to_state} for one in moved
                ],
            }
        )
        self._transitions += [
            StateChange(turn.at_ms, one.name, one.from_state, one.to_state) for one in moved
        ]
        return passed

    def _hold_session(self, at_ms: int, number: int) -> Result[object, Coded]:
        plan = self._scenario.learning
        for arm in ARMS:
            held = run_arm(arm, plan, self._scenario.seed, number, self._fs, self._usage)
            if not held.ok:
                return held
            memory, user = self._held(arm, "memory"), self._held(arm, "user")
            entries = parse_entries(memory), parse_entries(user)
            result = SessionResult(number, at_ms, arm, held.value, *entries, len(memory), len(user))
            self._sessions.append(result)
            self._log.append(_session_line(result))
        return Ok(None)

    def _held(self, arm: Arm, target: MemoryTarget) -> str:
        """An arm's file as it is; blank if it was never written."""
        read = self._fs.read_text(f"{MEMORY_FOLDERS[arm]}/{FILE_NAMES[target]}")
        return read.value if read.ok else ""

    def _jump(self, at_ms: int, days: float) -> Result[object, Coded]:
        self._ahead_ms += round(days * DAY_MS)
        self._log.append({"at_ms": at_ms, "event": "clock-jump", "days": days})
        return Ok(None)

    def _corrupt(self, at_ms: int) -> Result[object, Coded]:
        read = self._fs.read(DEFAULT_SIDECAR_PATH)
        if not read.ok:
            return Ok(None)  # no skill was ever made: there is nothing to tear
        kept = len(read.value) // 2
        self._log.append({"at_ms": at_ms, "event": "corrupt-sidecar", "bytes_kept": kept})
        return self._fs.write(DEFAULT_SIDECAR_PATH, read.value[:kept])

    def _count(self, day: int) -> Result[object, Coded]:
        tally = Counter(record.state for record in self._usage.load().records.values())
        known = tally.total()
        self._counts.append(
            DayCount(day, tally["active"], tally["stale"], tally["archived"], self._born - known)
        )
        return Ok(None)


def _session_line(result: SessionResult) -> LogLine:
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


def _stopped(step: Step, error: Coded) -> Err[SimError]:
    what = type(step.what).__name__
    return Err(SimError(error.code, f"{what} at {step.at_ms} ms: {error.message}"))


def _bad_argument(why: str) -> Err[SimError]:
    return Err(SimError("bad-argument", why))
