"""Lives: many skills as columns of numbers, drawn block by block from a scenario.

The columns say what `SkillLife` says of one skill. Time is in ms since the scenario's start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence
from numpy.typing import NDArray

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.fast.rhythm import Floats, Rhythm, rhythm_of
from alembic_sim.sim.population import BurstPattern, SkillLife
from alembic_sim.sim.scenario import MAX_DAYS, Archetype, Scenario

BLOCK = 1024
"""Skills that share a stream of chance, and a table in the processor's cache. Part of the result:
another block size gives other draws."""

ARRIVALS, LIVES, COUNTED, MISSED, KINDS = range(5)
"""What a stream is for: no purpose changes the draws of another."""

_DAYS_PER_MONTH = 30


def stream(seed: int, purpose: int, *keys: int) -> Generator:
    """The generator for a purpose and its keys: the same wherever and whenever it is asked for."""
    return Generator(PCG64DXSM(SeedSequence(seed, spawn_key=(purpose, *keys))))


@dataclass(frozen=True, eq=False)
class Lives:
    """The skills of a block. `rate_per_ms` is by the clock of each one's rhythm.

    `groups` are the columns of each rhythm; `abandon_ms` is infinite for never.
    """

    rate_per_ms: Floats
    birth_ms: Floats
    abandon_ms: Floats
    managed: NDArray[np.bool_]
    groups: tuple[tuple[Rhythm, NDArray[np.intp]], ...]

    def __len__(self) -> int:
        return len(self.birth_ms)

    def busy(self, at_ms: Floats) -> Floats:
        """Each column of instants by the clock of its skill; one column alone stands for all."""
        return self._by_rhythm(at_ms, lambda rhythm: rhythm.busy)

    def busy_of(self, skills: NDArray[np.intp], at_ms: Floats) -> Floats:
        """One instant of each of these skills, by its own clock."""
        if len(self.groups) == 1:
            return self.groups[0][0].busy(at_ms)
        row = np.zeros(len(self))
        row[skills] = at_ms
        return self.busy(row)[skills]

    def when(self, busy_ms: Floats) -> Floats:
        """Each column of busy times as instants."""
        return self._by_rhythm(busy_ms, lambda rhythm: rhythm.when)

    def _by_rhythm(
        self, table: Floats, pick: Callable[[Rhythm], Callable[[Floats], Floats]]
    ) -> Floats:
        if len(self.groups) == 1:
            return pick(self.groups[0][0])(table)
        table = np.broadcast_to(table, (*table.shape[:-1], len(self)))
        out = np.empty_like(table)
        for rhythm, columns in self.groups:
            out[..., columns] = pick(rhythm)(table[..., columns])
        return out


def blocks_of(skills: Sequence[SkillLife], scenario: Scenario) -> Iterator[Lives]:
    """These skills, in blocks; they need not be the scenario's own."""
    for first in range(0, len(skills), BLOCK):
        some = skills[first : first + BLOCK]
        abandoned = [float("inf") if s.abandon_ms is None else s.abandon_ms for s in some]
        yield Lives(
            np.array([skill.rate_per_day for skill in some]) / DAY_MS,
            np.array([float(skill.birth_ms) for skill in some]) - scenario.start_ms,
            np.array(abandoned) - scenario.start_ms,
            np.array([skill.managed for skill in some]),
            _groups(
                [(skill.weekdays, skill.bursts) for skill in some], np.arange(len(some)), scenario
            ),
        )


def draw_blocks(scenario: Scenario) -> Iterator[Lives]:
    """The scenario's skills by its seed, in blocks: as likely as `draw_population`'s, not equal."""
    counts = [archetype.count for archetype in scenario.population]
    arrived = _arrivals(scenario)
    for block, first in enumerate(range(0, sum(counts) + arrived, BLOCK)):
        numbers = np.arange(first, min(first + BLOCK, sum(counts) + arrived))
        yield _draw_block(scenario, numbers, stream(scenario.seed, LIVES, block))


def _arrivals(scenario: Scenario) -> int:
    expected = scenario.arrivals_per_month / _DAYS_PER_MONTH * scenario.days
    return int(stream(scenario.seed, ARRIVALS).poisson(expected)) if expected else 0


def _draw_block(scenario: Scenario, numbers: NDArray[np.int_], chance: Generator) -> Lives:
    """Settlers by their number in the order of the archetypes; arrivals of any, at any time."""
    edges = np.cumsum([archetype.count for archetype in scenario.population])
    kinds = np.searchsorted(edges, numbers, side="right")
    arriving = numbers >= edges[-1]
    size = len(numbers)
    birth = np.zeros(size)
    if arriving.any():
        shares = np.diff(edges, prepend=0) if edges[-1] else np.ones(len(edges), int)
        chosen = chance.random(size) * shares.sum()
        arrived_kinds = np.searchsorted(np.cumsum(shares), chosen, side="right")
        kinds = np.where(arriving, arrived_kinds, kinds)
        birth = np.floor(chance.random(size) * (scenario.days * DAY_MS)) * arriving
    normal, by_agent, pinned, idle_after, phase = (
        chance.standard_normal(size),
        chance.random(size),
        chance.random(size),
        chance.standard_exponential(size),
        chance.random(size),
    )
    of = _Columns(scenario.population, kinds)
    abandon = birth + np.floor(idle_after * of(_abandon_after_ms))
    return Lives(
        of(_median) * np.exp(of(_sigma) * normal) / DAY_MS,
        birth,
        abandon,
        (by_agent < of(lambda a: a.agent_share)) & (pinned >= of(lambda a: a.pinned_share)),
        _groups_of_drawn(scenario, kinds, phase),
    )


@dataclass(frozen=True)
class _Columns:
    """A setting of each skill's archetype, as a column."""

    archetypes: tuple[Archetype, ...]
    kinds: NDArray[np.intp]

    def __call__(self, setting: Callable[[Archetype], float]) -> Floats:
        if len(self.archetypes) == 1:
            return np.full(1, float(setting(self.archetypes[0])))
        return np.array([float(setting(one)) for one in self.archetypes])[self.kinds]


def _median(archetype: Archetype) -> float:
    return archetype.rate_per_day.median


def _sigma(archetype: Archetype) -> float:
    rate = archetype.rate_per_day
    return 0.0 if rate.kind == "fixed" else rate.sigma


def _abandon_after_ms(archetype: Archetype) -> float:
    mean = archetype.abandon_after_days
    return float("inf") if mean is None else mean * DAY_MS


Pace = tuple[tuple[float, ...], BurstPattern | None]
"""A skill's weekdays and bursts: what its rhythm depends on."""

_PHASES = MAX_DAYS + 1  # more than the days from one burst to the next


def _groups_of_drawn(
    scenario: Scenario, kinds: NDArray[np.intp], draws: Floats
) -> tuple[tuple[Rhythm, NDArray[np.intp]], ...]:
    """The draws say at which day of their cycle the bursts of each skill are."""
    population = scenario.population
    if all(one.bursts is None for one in population):
        return _groups([_pace(one, 0) for one in population], kinds, scenario)
    every = _Columns(population, kinds)(lambda one: one.bursts.every_days if one.bursts else 0)
    phases = (draws * every).astype(int)
    codes, pace_of = np.unique(kinds * _PHASES + phases, return_inverse=True)
    places = [divmod(code, _PHASES) for code in codes.tolist()]
    return _groups([_pace(population[kind], phase) for kind, phase in places], pace_of, scenario)


def _pace(archetype: Archetype, phase: int) -> Pace:
    bursts = archetype.bursts
    if bursts is None:
        return archetype.weekdays, None
    pattern = BurstPattern(bursts.every_days, bursts.lasts_days, bursts.factor, phase)
    return archetype.weekdays, pattern


def _groups(
    paces: Sequence[Pace], pace_of: NDArray[np.intp], scenario: Scenario
) -> tuple[tuple[Rhythm, NDArray[np.intp]], ...]:
    """Skills of one pace together; `pace_of` gives each skill's place in `paces`."""
    different = list(dict.fromkeys(paces))
    group_of = np.array([different.index(pace) for pace in paces], np.intp)[pace_of]
    return tuple(
        (rhythm_of(*pace, scenario.start_ms, scenario.days), np.flatnonzero(group_of == group))
        for group, pace in enumerate(different)
    )
