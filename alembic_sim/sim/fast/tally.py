"""Tallies: what tables of skills come to, block by block, as the numbers of a `FastRun`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.fast.activity import Activity
from alembic_sim.sim.fast.calendar import Calendar
from alembic_sim.sim.fast.fast_run import Moves, Uses
from alembic_sim.sim.fast.lives import Lives
from alembic_sim.sim.fast.verdicts import Flags
from alembic_sim.sim.figures import AGE_BANDS, REGRET_DAYS, LibraryFigures
from alembic_sim.sim.trace import USE_SHARE, VIEW_SHARE

_REGRET_MS = REGRET_DAYS * DAY_MS


@dataclass(frozen=True, eq=False)
class World:
    """A block of skills and all that happens to them; `missed` is None if no use ever is."""

    calendar: Calendar
    lives: Lives
    counted: Activity
    missed: Activity | None

    @cached_property
    def never_used(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The managed skills that nobody needed once, and the band that each one's age is in."""
        never = self.lives.managed & (self.counted.last_ms[-1] == 0)
        if self.missed is not None:
            never &= self.missed.last_ms[-1] == 0
        skills = np.flatnonzero(never)
        ages = (self.calendar.end_ms - self.lives.birth_ms[skills]) / DAY_MS
        return skills, np.searchsorted([low for low, _high in AGE_BANDS], ages, side="right") - 1


@dataclass(frozen=True, eq=False)
class Archive:
    """What an archive window does to a block: who is archived after each pass, and how many are.

    `regretted`: needed within 30 days after. `in_use`: used shortly before, by uses nobody counted.
    """

    archived: Flags
    counts: NDArray[np.uint16]
    regretted: int
    in_use: int


def archive_of(world: World, archived: Flags) -> Archive:
    """The archive with its price."""
    return Archive(archived, _by_row(archived), *_losses(world, archived))


def _losses(world: World, archived: Flags) -> tuple[int, int]:
    if not len(archived):
        return 0, 0
    skills = np.flatnonzero(archived[-1])
    first = len(archived) - archived.sum(axis=0, dtype=np.uint16)[skills].astype(np.intp)
    needed = world.counted.used_between(skills, first, _REGRET_MS)
    if world.missed is None:
        return int(np.count_nonzero(needed)), 0
    needed |= world.missed.used_between(skills, first, _REGRET_MS)
    last = world.missed.last_ms[first, skills]
    in_use = (last > 0) & (last >= world.calendar.ends[first] - _REGRET_MS)
    return int(np.count_nonzero(needed)), int(np.count_nonzero(in_use))


class LibraryTally:
    """What no policy changes: how many skills there are, and how often they are needed."""

    def __init__(self, calendar: Calendar) -> None:
        self._born = np.zeros(calendar.days, np.int64)
        self._counted = 0
        self._missed = 0

    def add(self, world: World) -> None:
        """Another block."""
        # born at the very end of a day: there when that day's skills are counted
        days = np.maximum(np.ceil(world.lives.birth_ms / DAY_MS) - 1, 0).astype(np.int64)
        self._born += np.bincount(days, minlength=len(self._born))[: len(self._born)]
        self._counted += world.counted.uses
        self._missed += 0 if world.missed is None else world.missed.uses

    def existing(self) -> tuple[int, ...]:
        """How many skills there are at the end of each day."""
        return tuple(np.cumsum(self._born).tolist())

    def uses(self, chance: Generator) -> Uses:
        """All uses, dealt to the kinds."""
        shares = (USE_SHARE, VIEW_SHARE, 1 - USE_SHARE - VIEW_SHARE)
        use, view, patch = chance.multinomial(self._counted + self._missed, shares).tolist()
        return Uses(use, view, patch, self._missed)


class PolicyTally:
    """What one policy did: `stale` and `archived` are how many are so after each pass."""

    def __init__(self, calendar: Calendar) -> None:
        self.stale, self.archived, self._to_stale, self._stale_to_archived = np.zeros(
            (4, calendar.passes), np.int64
        )
        self._regretted = 0
        self._in_use = 0
        self._comfort = np.zeros(len(AGE_BANDS), np.int64)

    def add(self, world: World, archive: Archive, stale: Flags) -> None:
        """Another block."""
        self.stale += _by_row(stale)
        self.archived += archive.counts
        if len(stale):
            self._to_stale[0] += np.count_nonzero(stale[0])
            self._to_stale[1:] += _by_row(np.greater(stale[1:], stale[:-1]))
            self._stale_to_archived[1:] += _by_row(archive.archived[1:] & stale[:-1])
        self._regretted += archive.regretted
        self._in_use += archive.in_use
        skills, bands = world.never_used
        if len(stale):
            bands = bands[~(stale[-1] | archive.archived[-1])[skills]]
        self._comfort += np.bincount(bands, minlength=len(AGE_BANDS))

    def moves(self) -> Moves:
        """The moves of each pass: those that were not counted follow from those that were."""
        from_active = self.archived - _before(self.archived) - self._stale_to_archived
        back = _before(self.stale) + self._to_stale - self._stale_to_archived - self.stale
        columns = (self._to_stale, back, from_active, self._stale_to_archived)
        return Moves(*(tuple(column.tolist()) for column in columns))

    def figures(self, skills: int) -> LibraryFigures:
        """The figures of a run that ends with so many skills."""
        archived = int(self.archived[-1]) if len(self.archived) else 0
        stale = int(self.stale[-1]) if len(self.stale) else 0
        return LibraryFigures(
            skills,
            archived,
            stale,
            archived,
            self._regretted,
            self._in_use,
            tuple(self._comfort.tolist()),
        )


def _before(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The counts one pass earlier: none before the first."""
    return np.concatenate(([0], counts[:-1])) if len(counts) else counts


def _by_row(flags: Flags) -> NDArray[np.uint16]:
    """How many are set in each row: a block has fewer skills than 16 bits count."""
    counts: NDArray[np.uint16] = flags.sum(axis=1, dtype=np.uint16)
    return counts
