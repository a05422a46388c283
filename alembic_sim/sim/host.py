"""Host: the simulated machine, to which the steps of a run are done, and what it wrote down."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from types import MappingProxyType

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.guard import guard_pass
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, UsageStore
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.memory_store import FILE_NAMES
from alembic_sim.hermes.memory.operations import MemoryTarget
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Coded, Ok, Result
from alembic_sim.sim.arms import ARMS, MEMORY_FOLDERS, Arm, run_arm
from alembic_sim.sim.curator_rules import run_pass
from alembic_sim.sim.event_log import log_bytes
from alembic_sim.sim.figures import Alarm, DayCount, StateChange
from alembic_sim.sim.learning_figures import SessionResult
from alembic_sim.sim.log_lines import (
    LogLine,
    birth_line,
    corruption_line,
    jump_line,
    pass_line,
    plan_line,
    scenario_line,
    session_line,
    use_line,
)
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.run import Run, counts_csv, tree_digest
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from alembic_sim.sim.schedule import Births, ClockJump, CorruptSidecar, DayEnd, SessionTurn, Step
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent


class Host:
    """A file tree and a clock with the real stores on them, as they are before the first step."""

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
        self._alarms: list[Alarm] = []
        self._sessions: list[SessionResult] = []

    def copy(self) -> Host:
        """The same machine once more; neither notices what is done to the other."""
        other = Host(self._scenario)
        other._fs = MemoryFs(self._fs.files())
        other._clock = FakeClock(self._clock())
        other._usage = UsageStore(other._fs, other._clock)
        other._ahead_ms, other._born = self._ahead_ms, self._born
        other._log = [*self._log]
        other._counts = [*self._counts]
        other._transitions = [*self._transitions]
        other._alarms = [*self._alarms]
        other._sessions = [*self._sessions]
        return other

    def digest(self) -> str:
        """The SHA-256 of the files, the log and the counts."""
        return tree_digest(
            {
                **{f"home/{path}": data for path, data in self._fs.files().items()},
                "events.jsonl": log_bytes(self._log),
                "counts.csv": counts_csv(tuple(self._counts)),
            }
        )

    def as_run(self, scenario: Scenario, trace: EventTrace) -> Run:
        """All of it as a value, under the scenario and the trace that it was given."""
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
            alarms=tuple(self._alarms),
        )

    def note_plan(self, at_ms: int, plan: CuratorPlan) -> None:
        """Writes down that another plan holds from here on."""
        self._log.append(plan_line(at_ms, plan))

    def do(self, step: Step, plan: CuratorPlan) -> Result[object, Coded]:
        """One step done and written down."""
        shown = self._clock.set(step.at_ms + self._ahead_ms)
        if not shown.ok:
            return shown
        match step.what:
            case Births(skills):
                return self._be_born(skills)
            case UseEvent() as event:
                return self._use(event)
            case CuratorPass() as turn:
                return self._pass(turn, plan)
            case SessionTurn(number):
                return self._hold_session(step.at_ms, number)
            case ClockJump(days):
                return self._jump(step.at_ms, days)
            case CorruptSidecar():
                return self._corrupt(step.at_ms)
            case DayEnd(day):
                return self._count(day)

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
        state = "unknown" if record is None else record.state
        self._log.append(use_line(event, state))
        if not event.counted or state == "archived":
            return Ok(None)
        return self._usage.record(event.name, event.kind)

    def _pass(self, turn: CuratorPass, plan: CuratorPlan) -> Result[object, Coded]:
        passed = run_pass(self._usage, plan)
        if not passed.ok:
            return passed
        moved = passed.value.transitioned
        self._log.append(pass_line(turn, moved))
        guarded = guard_pass(passed.value)  # after the fact: the passes of a run are not guarded
        # It counts what was ever active: with another anchor a pass archives other skills too.
        if not guarded.ok and plan.anchor == "infinity":
            self._alarms.append(Alarm(turn.at_ms, guarded.error.message))
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
            entries = _entries(memory), _entries(user)
            result = SessionResult(number, at_ms, arm, held.value, *entries, len(memory), len(user))
            self._sessions.append(result)
            self._log.append(session_line(result))
        return Ok(None)

    def _held(self, arm: Arm, target: MemoryTarget) -> str:
        """An arm's file as it is; blank if it was never written."""
        read = self._fs.read_text(f"{MEMORY_FOLDERS[arm]}/{FILE_NAMES[target]}")
        return read.value if read.ok else ""

    def _jump(self, at_ms: int, days: float) -> Result[object, Coded]:
        self._ahead_ms += round(days * DAY_MS)
        self._log.append(jump_line(at_ms, days))
        return Ok(None)

    def _corrupt(self, at_ms: int) -> Result[object, Coded]:
        read = self._fs.read(DEFAULT_SIDECAR_PATH)
        if not read.ok:
            return Ok(None)  # no skill was ever made: there is nothing to tear
        kept = len(read.value) // 2
        self._log.append(corruption_line(at_ms, kept))
        return self._fs.write(DEFAULT_SIDECAR_PATH, read.value[:kept])

    def _count(self, day: int) -> Result[object, Coded]:
        tally = Counter(record.state for record in self._usage.load().records.values())
        known = tally.total()
        self._counts.append(
            DayCount(day, tally["active"], tally["stale"], tally["archived"], self._born - known)
        )
        return Ok(None)


@lru_cache(maxsize=len(ARMS) * len(FILE_NAMES))
def _entries(text: str) -> tuple[str, ...]:
    """The entries of a file, parsed once for each text: most sessions leave most files alone."""
    return parse_entries(text)
