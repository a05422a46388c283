"""FastRun: what one policy made of one library, as numbers; no skill has a name here."""

from __future__ import annotations

from dataclasses import dataclass, field

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.figures import DayCount, LibraryFigures


@dataclass(frozen=True, slots=True)
class Moves:
    """How many skills each pass moved, one number a pass."""

    active_to_stale: tuple[int, ...]
    stale_to_active: tuple[int, ...]
    active_to_archived: tuple[int, ...]
    stale_to_archived: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Uses:
    """What the library was needed for, by kind; `missed` of them were not counted."""

    use: int
    view: int
    patch: int
    missed: int


@dataclass(frozen=True, slots=True)
class FastRun:
    """One policy over one sampled library; `seed` is the library's and its activity's.

    `existing` is how many skills there are at the end of each day; `stale` and `archived` how many
    are so after each pass.
    """

    policy: CuratorPolicy
    seed: int
    interval_days: int
    figures: LibraryFigures
    moves: Moves = field(repr=False)
    uses: Uses = field(repr=False)
    existing: tuple[int, ...] = field(repr=False)
    stale: tuple[int, ...] = field(repr=False)
    archived: tuple[int, ...] = field(repr=False)

    @property
    def counts(self) -> tuple[DayCount, ...]:
        """How many skills are in each state at the end of each day."""
        return tuple(map(self.count_on, range(len(self.existing))))

    def count_on(self, day: int) -> DayCount:
        """The count at the end of one day: as the last pass left it, and whoever was born since."""
        passes = (day + 1) // self.interval_days
        stale = self.stale[passes - 1] if passes else 0
        archived = self.archived[passes - 1] if passes else 0
        return DayCount(day, self.existing[day] - stale - archived, stale, archived)
