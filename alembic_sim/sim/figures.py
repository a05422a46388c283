"""What a run tells: figures of its trace, its transitions and its sessions. Pure functions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.trace import EventTrace

_WEEK_DAYS = 7
_WEEK_MS = _WEEK_DAYS * DAY_MS
REGRET_DAYS = 30
"""A skill that is needed within this many days of being archived was archived too early."""
AGE_BANDS = ((0, 30), (30, 90), (90, None))
"""In days, the upper bound excluded: the ages in which false comfort is counted."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """One skill moved by a pass, at the world's instant."""

    at_ms: int
    name: str
    from_state: SkillState
    to_state: SkillState


@dataclass(frozen=True, slots=True)
class Alarm:
    """A pass that `guard_pass` would have refused, at the world's instant, and why."""

    at_ms: int
    why: str


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many skills are in each state at the end of a day (day 0 is the first).

    `unknown` are those that were made and of which the sidecar knows nothing (any more).
    """

    day: int
    active: int
    stale: int
    archived: int
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class WeekCount:
    """How many skills moved to each state in a week of a run (week 0 is the first)."""

    week: int
    to_active: int
    to_stale: int
    to_archived: int


@dataclass(frozen=True, slots=True)
class LibraryFigures:
    """What the curator did, in skills; the last three are its errors and the price of its rule.

    `regretted`: archived, then needed within 30 days. `archived_in_use`: archived although used in
    the 30 days before by a use that was not counted. `false_comfort`: never used by the end, and
    still active, by the age bands of `AGE_BANDS`.
    """

    skills: int
    archived: int
    stale: int
    archived_ever: int
    regretted: int
    archived_in_use: int
    false_comfort: tuple[int, ...]


def library_figures(
    trace: EventTrace,
    transitions: Sequence[StateChange],
    states: Mapping[str, SkillState],
    end_ms: int,
) -> LibraryFigures:
    """The figures of a run that ended at `end_ms` with these states by name."""
    archived = [change for change in transitions if change.to_state == "archived"]
    needed = _instants_by_name((event.name, event.at_ms) for event in trace.events)
    uncounted = _instants_by_name(
        (event.name, event.at_ms) for event in trace.events if not event.counted
    )
    window = REGRET_DAYS * DAY_MS
    tally = Counter(states.values())
    return LibraryFigures(
        skills=len(trace.skills),
        archived=tally["archived"],
        stale=tally["stale"],
        archived_ever=len({change.name for change in archived}),
        regretted=sum(_any_in(needed.get(c.name, ()), c.at_ms, c.at_ms + window) for c in archived),
        archived_in_use=sum(
            _any_in(uncounted.get(c.name, ()), c.at_ms - window - 1, c.at_ms) for c in archived
        ),
        false_comfort=_false_comfort(trace, states, set(needed), end_ms),
    )


def transitions_per_week(
    transitions: Sequence[StateChange], start_ms: int, days: int
) -> tuple[WeekCount, ...]:
    """A row a week, the last one maybe shorter; what falls on a week's last instant is in it."""
    tally = Counter(
        ((change.at_ms - start_ms - 1) // _WEEK_MS, change.to_state) for change in transitions
    )
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    return tuple(
        WeekCount(week, *(tally[week, state] for state in states))
        for week in range(-(-days // _WEEK_DAYS))
    )


def _instants_by_name(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """The instants of each name, in the order given: that of the trace."""
    found: dict[str, list[int]] = {}
    for name, at_ms in pairs:
        found.setdefault(name, []).append(at_ms)
    return found


def _any_in(instants: Sequence[int], after_ms: int, until_ms: int) -> bool:
    """True if there is one later than `after_ms` and not later than `until_ms`."""
    return bisect_right(instants, after_ms) < bisect_right(instants, until_ms)


def _false_comfort(
    trace: EventTrace, states: Mapping[str, SkillState], used: set[str], end_ms: int
) -> tuple[int, ...]:
    ages = sorted(
        (end_ms - skill.birth_ms) / DAY_MS
        for skill in trace.skills
        if skill.managed and skill.name not in used and states.get(skill.name) == "active"
    )
    edges = [0 if low == 0 else bisect_left(ages, low) for low, _high in AGE_BANDS]
    return tuple(high - low for low, high in zip(edges, [*edges[1:], len(ages)], strict=True))
