"""Activity: when each skill was last used, interval by interval, out of one draw each.

Seen backwards from the end of an interval, the time to the last use is exponential by the clock
of the skill's rhythm: the draw says at once whether there was a use and when the last one was.
What came before that one is Poisson and independent of it, and waits until somebody asks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from alembic_sim.sim.fast.calendar import Calendar
from alembic_sim.sim.fast.lives import Lives
from alembic_sim.sim.fast.rhythm import Floats
from alembic_sim.sim.fast.verdicts import Flags

_SLOWEST = 1e-200
"""Uses per ms; 0 and rates below it come to the same in any scenario, and 1 / 0 is no number."""

_ROWS = 8
"""Intervals that are drawn together. No part of the result."""


@dataclass(frozen=True, eq=False)
class Activity:
    """`last_ms[k]` is the last use before the end of interval k, 0 for none yet.

    `uses` is how many there were in all, `_returns` one draw a skill for `used_between`.
    """

    lives: Lives
    rate_per_ms: Floats
    calendar: Calendar
    last_ms: Floats
    uses: int
    _returns: Floats

    def used_between(
        self, skills: NDArray[np.intp], after_pass: NDArray[np.intp], window_ms: int
    ) -> Flags:
        """True for each of the skills used later than its pass, within the window after it.

        Its window ends inside an interval: whether something came before the last use there is
        drawn here, by one draw a skill, so that a skill may be asked about one window only.
        """
        ends = self.calendar.ends
        after, until = ends + 1, ends + (window_ms + 1)
        inside = np.searchsorted(ends, until, side="right")  # the interval that `until` is in
        begin = np.maximum(ends[inside - 1], after)  # the part of it that is in the window
        used: Flags = self.last_ms[(inside - 1)[after_pass], skills] >= after[after_pass]
        partial = np.flatnonzero(~used & (inside < len(ends))[after_pass])
        who, turn = skills[partial], after_pass[partial]
        begin, until = begin[turn], until[turn]
        last = self.last_ms[inside[turn], who]
        busy = self.lives.busy_of(who, until) - self.lives.busy_of(who, begin)
        earlier = self._returns[who] < busy * self.rate_per_ms[who]
        used[partial] = (last >= begin) & ((last < until) | earlier)
        return used


def draw_activity(lives: Lives, calendar: Calendar, share: float, chance: Generator) -> Activity:
    """The activity of these skills, each used at this share of its rate.

    A few rows at a time: a whole table would be fetched from memory again for each operation.
    """
    rate = np.broadcast_to(lives.rate_per_ms * share, len(lives))
    first, final = lives.busy(lives.birth_ms), lives.busy(lives.abandon_ms)
    begins, ends = lives.busy(calendar.begins[:, None]), lives.busy(calendar.ends[:, None])
    pause = 1 / np.maximum(rate, _SLOWEST)
    last = np.empty((len(begins), len(lives)))
    used = np.empty(last.shape, bool)
    busy_before = np.zeros(len(lives))
    for begun in range(0, len(last), _ROWS):
        rows = slice(begun, begun + _ROWS)
        table, begin = last[rows], np.maximum(begins[rows], first)
        chance.standard_exponential(out=table)
        table *= pause
        np.subtract(np.minimum(ends[rows], final), table, out=table)
        np.greater(table, begin, out=used[rows])
        np.subtract(table, begin, out=begin)  # how busy it was before the last use, if there is one
        busy_before += np.maximum(begin, 0, out=begin).sum(axis=0)
    uses = int(np.count_nonzero(used)) + int(chance.poisson(float(busy_before @ rate)))
    last = lives.when(last)
    last *= used
    for row, before in zip(last[1:], last, strict=False):
        np.maximum(row, before, out=row)
    return Activity(lives, rate, calendar, last, uses, chance.standard_exponential(len(lives)))
