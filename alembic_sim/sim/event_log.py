"""The event log: what happened in a run, a JSON object a line; and the trace read out of one.

The first line is the scenario. Each later line has the world's instant (`at_ms`), what happened
(`event`), and what belongs to that. A log holds all that the run was given, so that another policy
can be tried on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from alembic_sim.ports.clock import MAX_SAFE_INTEGER
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten
from alembic_sim.sim.log_lines import LogLine
from alembic_sim.sim.population import BurstPattern, SkillLife
from alembic_sim.sim.scenario import EVERY_DAY, Scenario
from alembic_sim.sim.scenario_file import parse_scenario
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent
from alembic_sim.strict_json import parse_strict_json

_Ms = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]


@dataclass(frozen=True, slots=True)
class LogError:
    """Why a file is no event log: which line, and what is wrong there."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What a log says that its run was given."""

    scenario: Scenario
    trace: EventTrace


def log_bytes(lines: Iterable[LogLine]) -> bytes:
    """The log as a file: compact JSON, UTF-8, a newline after each line."""
    return b"".join(
        json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        + b"\n"
        for line in lines
    )


def read_log(data: bytes) -> Result[RecordedRun, LogError]:
    """The scenario and the trace of a log, or the first line that cannot be one of it."""
    try:
        lines = data.decode("utf-8-sig").rstrip("\r\n").split("\n")
    except UnicodeDecodeError as error:
        return Err(LogError("not-a-log", not_utf8(error)))
    first = _object(lines[0] if lines else "")
    given = first.value.get("scenario") if first.ok else None
    if not (first.ok and first.value.get("event") == "scenario" and isinstance(given, dict)):
        return _bad(1, 'begin with {"event": "scenario", "scenario": {…}}')
    scenario = parse_scenario(json.dumps(given))
    if not scenario.ok:
        return _bad(1, scenario.error.message)
    skills: list[SkillLife] = []
    events: list[UseEvent] = []
    passes: list[CuratorPass] = []
    for number, text in enumerate(lines[1:], start=2):
        line = _object(text)
        if not line.ok:
            return _bad(number, line.error.message)
        try:
            match line.value.get("event"):
                case "birth":
                    skills.append(_Birth.model_validate_json(text).skill())
                case "use":
                    events.append(_Use.model_validate_json(text).event_of_trace())
                case "pass":
                    turn = _Pass.model_validate_json(text)
                    passes.append(CuratorPass(turn.at_ms, turn.sequence))
        except ValidationError as error:
            return _bad(number, _why(error))
    try:
        trace = EventTrace(tuple(skills), tuple(events), tuple(passes))
    except ValueError as error:
        return Err(LogError("not-a-log", f"the log contradicts itself: {error}"))
    return Ok(RecordedRun(scenario.value, trace))


class _Line(BaseModel):
    """What is read of a line; the rest of it is what came of that, and is left alone."""

    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)

    at_ms: _Ms


class _Bursts(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    every_days: Annotated[int, Field(ge=1)]
    lasts_days: Annotated[int, Field(ge=1)]
    factor: Annotated[float, Field(ge=0)]
    phase: Annotated[int, Field(ge=0)]


class _Birth(_Line):
    name: Annotated[str, Field(pattern=r"^[a-z0-9._-]{1,64}$")]
    rate_per_day: Annotated[float, Field(ge=0)] = 0
    abandon_ms: int | None = None
    created_by: str = "agent"
    pinned: bool = False
    weekdays: Annotated[tuple[float, ...], Field(min_length=7, max_length=7)] = EVERY_DAY
    bursts: _Bursts | None = None

    def skill(self) -> SkillLife:
        bursts = None if self.bursts is None else BurstPattern(**self.bursts.model_dump())
        return SkillLife(
            self.name,
            self.rate_per_day,
            self.at_ms,
            self.abandon_ms,
            self.created_by,
            self.pinned,
            self.weekdays,
            bursts,
        )


class _Pass(_Line):
    sequence: _Ms


class _Use(_Pass):
    name: str
    kind: Literal["use", "view", "patch"]
    counted: bool

    def event_of_trace(self) -> UseEvent:
        return UseEvent(self.at_ms, self.sequence, self.name, self.kind, self.counted)


def _object(text: str) -> Result[dict[str, object], LogError]:
    parsed = parse_strict_json(text)
    if parsed.ok and isinstance(parsed.value, dict):
        return Ok(parsed.value)
    why = "not an object" if parsed.ok else parsed.error.message.replace("line 1, ", "")
    return Err(LogError("not-a-log", why))


def _why(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(map(str, first["loc"]))
    return f"{field}: {shorten(first['input'])} is not allowed ({first['msg']})"


def _bad(number: int, why: str) -> Err[LogError]:
    return Err(LogError("not-a-log", f"line {number}: {why}"))
