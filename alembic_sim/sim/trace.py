"""EventTrace: who needed which skill when, and when the curator passed; no policy in it.

Both engines can be given the same trace, and another policy: what differs then is the policy's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from alembic_sim.hermes.curator.skill_name import check_name
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.shorten import shorten
from alembic_sim.sim.population import SkillLife, draw_population
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.seeds import derive

UseKind = Literal["use", "view", "patch"]
USE_SHARE, VIEW_SHARE = 0.70, 0.25
"""Of all events; the rest are patches."""


@dataclass(frozen=True, slots=True)
class UseEvent:
    """A skill is needed. Not `counted`: it is used, and the telemetry misses it.

    The instant is the world's; what a clock shows that has jumped is another matter.
    """

    at_ms: int
    sequence: int
    name: str
    kind: UseKind = "use"
    counted: bool = True


@dataclass(frozen=True, slots=True)
class CuratorPass:
    """The curator's turn. At one instant the lower sequence comes first, pass or event."""

    at_ms: int
    sequence: int


@dataclass(frozen=True, slots=True)
class EventTrace:
    """Skills, events and passes; events and passes in the order of (instant, sequence).

    A skill is born before anything else that happens at the same instant. Raises `ValueError`
    for a trace that contradicts itself: out of order, a sequence twice, an unknown or impossible
    name, a use before birth.
    """

    skills: tuple[SkillLife, ...]
    events: tuple[UseEvent, ...]
    passes: tuple[CuratorPass, ...]

    def __post_init__(self) -> None:
        births = {skill.name: skill.birth_ms for skill in self.skills}
        if len(births) < len(self.skills):
            raise ValueError("two skills have the same name")
        for name in births:
            why = check_name(name)
            if why is not None:
                raise ValueError(f"{shorten(name)}: {why}")
        events = [(event.at_ms, event.sequence) for event in self.events]
        passes = [(turn.at_ms, turn.sequence) for turn in self.passes]
        if events != sorted(events) or passes != sorted(passes):
            raise ValueError("not in the order of (at_ms, sequence)")
        sequences = [sequence for _at_ms, sequence in events + passes]
        if len(set(sequences)) < len(sequences):
            raise ValueError("a sequence is there twice")
        if min(sequences, default=0) < 0:
            raise ValueError("a sequence is below 0")
        for event in self.events:
            if event.name not in births:
                raise ValueError(f"{shorten(event.name)} is used and is no skill of the trace")
            if event.at_ms < births[event.name]:
                raise ValueError(f"{event.name} is used before it is born")
            if event.kind not in get_args(UseKind):
                raise ValueError(f"{shorten(event.kind)} is not use, view or patch")


def draw_trace(scenario: Scenario) -> EventTrace:
    """The trace that a scenario's seed gives: the same whatever the curator's windows are.

    At one instant the pass comes before the uses.
    """
    skills = draw_population(scenario)
    drawn = [
        (event.at_ms, 1, index, event)
        for index, skill in enumerate(skills)
        for event in _uses(scenario, skill)
    ]
    step_ms = scenario.curator.interval_days * DAY_MS
    passes = range(scenario.start_ms + step_ms, scenario.end_ms + 1, step_ms)
    steps = sorted(
        [*drawn, *((at_ms, 0, 0, None) for at_ms in passes)], key=lambda step: step[:3]
    )  # stable: the uses of one skill at one instant stay in the order in which they were drawn
    events: list[UseEvent] = []
    turns: list[CuratorPass] = []
    for sequence, (at_ms, _rank, _index, event) in enumerate(steps):
        if event is None:
            turns.append(CuratorPass(at_ms, sequence))
        else:
            events.append(UseEvent(at_ms, sequence, event.name, event.kind, event.counted))
    return EventTrace(skills, tuple(events), tuple(turns))


def expected_uses(scenario: Scenario, skill: SkillLife) -> float:
    """How many uses of a skill `draw_trace` is to be expected to draw: the integrated rate."""
    return sum((end - begin) * per_ms for begin, end, per_ms in _days(scenario, skill))


def _uses(scenario: Scenario, skill: SkillLife) -> Iterator[UseEvent]:
    """A Poisson process whose rate is constant within each day; one stream a skill and purpose.

    Whether an event is counted is drawn apart: another probability changes no use.
    """
    times = Random(derive(scenario.seed, "times", skill.name))
    kinds = Random(derive(scenario.seed, "kinds", skill.name))
    missed = Random(derive(scenario.seed, "missed", skill.name))
    for at_ms in _instants(scenario, skill, times):
        counted = missed.random() >= scenario.faults.missed_probability
        yield UseEvent(at_ms, 0, skill.name, _kind(kinds.random()), counted)


def _instants(scenario: Scenario, skill: SkillLife, chance: Random) -> Iterator[int]:
    """Where the integrated rate passes a sum of exponential draws."""
    to_go = chance.expovariate(1)
    for begin, end, rate_per_ms in _days(scenario, skill):
        left = (end - begin) * rate_per_ms
        while to_go < left:
            left -= to_go
            yield min(max(int(end - left / rate_per_ms), begin), end - 1)  # floats round
            to_go = chance.expovariate(1)
        to_go -= left


def _days(scenario: Scenario, skill: SkillLife) -> Iterator[tuple[int, int, float]]:
    """Each day of a skill's life in the scenario: from when to when, and the rate then, per ms."""
    start_ms = scenario.start_ms
    ends_ms = scenario.end_ms if skill.abandon_ms is None else skill.abandon_ms
    for day in range((skill.birth_ms - start_ms) // DAY_MS, scenario.days):
        day_ms = start_ms + day * DAY_MS
        begin, end = max(day_ms, skill.birth_ms), min(day_ms + DAY_MS, ends_ms)
        if begin >= end:
            return
        yield begin, end, skill.rate_on(day, start_ms) / DAY_MS


def _kind(draw: float) -> UseKind:
    if draw < USE_SHARE:
        return "use"
    return "view" if draw < USE_SHARE + VIEW_SHARE else "patch"
