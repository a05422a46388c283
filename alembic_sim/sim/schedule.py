"""The schedule of a run: everything that will happen, in the order of (instant, sequence)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent


@dataclass(frozen=True, slots=True)
class Births:
    """Skills that are made at one instant."""

    skills: tuple[SkillLife, ...]


@dataclass(frozen=True, slots=True)
class ClockJump:
    """The clock shows this many days more from now on."""

    days: float


@dataclass(frozen=True, slots=True)
class CorruptSidecar:
    """The sidecar loses the second half of its bytes."""


@dataclass(frozen=True, slots=True)
class SessionTurn:
    """The session of this number, in every arm."""

    number: int


@dataclass(frozen=True, slots=True)
class DayEnd:
    """The states are counted."""

    day: int


What = Births | ClockJump | CorruptSidecar | UseEvent | CuratorPass | SessionTurn | DayEnd


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens, at the world's instant."""

    at_ms: int
    sequence: int
    what: What


def schedule(scenario: Scenario, trace: EventTrace) -> tuple[Step, ...]:
    """All steps up to the scenario's end.

    At one instant: faults, births, then events and passes by their sequence, sessions, and last
    the count of the day that ends. What the trace holds after the end does not happen.
    """
    steps = [
        *_faults(scenario),
        *_births(trace),
        *(Step(event.at_ms, event.sequence, event) for event in trace.events),
        *(Step(turn.at_ms, turn.sequence, turn) for turn in trace.passes),
    ]
    after = 1 + max((step.sequence for step in steps), default=0)
    sessions = [
        Step(at_ms, after + number, SessionTurn(number))
        for number, at_ms in enumerate(_session_times(scenario))
    ]
    after += len(sessions)
    ends = [
        Step(scenario.start_ms + (day + 1) * DAY_MS, after + day, DayEnd(day))
        for day in range(scenario.days)
    ]
    in_order = sorted([*steps, *sessions, *ends], key=lambda step: (step.at_ms, step.sequence))
    return tuple(step for step in in_order if step.at_ms <= scenario.end_ms)


def _births(trace: EventTrace) -> Iterator[Step]:
    by_birth = sorted(trace.skills, key=lambda skill: skill.birth_ms)
    for at_ms, born in groupby(by_birth, key=lambda skill: skill.birth_ms):
        yield Step(at_ms, -1, Births(tuple(born)))


def _faults(scenario: Scenario) -> Iterator[Step]:
    faults = scenario.faults
    if faults.clock_jump_day is not None:
        at_ms = scenario.start_ms + faults.clock_jump_day * DAY_MS
        yield Step(at_ms, -3, ClockJump(faults.clock_jump_days))
    if faults.corrupt_sidecar_day is not None:
        at_ms = scenario.start_ms + faults.corrupt_sidecar_day * DAY_MS
        yield Step(at_ms, -2, CorruptSidecar())


def _session_times(scenario: Scenario) -> Iterator[int]:
    """Evenly spaced, the first one half a gap after the start."""
    per_day = scenario.learning.sessions_per_day
    for number in range(int(per_day * scenario.days)):
        yield scenario.start_ms + int((number + 0.5) / per_day * DAY_MS)
