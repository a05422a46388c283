"""expected_counts: the exact mean and variance of the daily counts of given skills; no sampling.

Skills are independent, and of each one the next pass needs to know two things: when it was last
used, and whether it was archived before. A use at t happens at the rate then, to a skill that is
not archived with the probability that held since the pass before t; that it is still the last one
at a later pass has the probability of no use in between. Both are constant or exponential by the
clock of the skill's rhythm, so each stretch between two passes integrates in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Ok, Result
from alembic_sim.sim.fast.calendar import Calendar, calendar_of
from alembic_sim.sim.fast.lives import Lives, blocks_of
from alembic_sim.sim.fast.rhythm import Floats
from alembic_sim.sim.fast.support import FastError, check_request
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ExpectedCount:
    """The count of one state at the end of a day: its mean and its variance, in skills."""

    day: int
    state: str
    mean: float
    variance: float


def expected_counts(
    scenario: Scenario, skills: Sequence[SkillLife], policy: CuratorPolicy
) -> Result[tuple[ExpectedCount, ...], FastError]:
    """For each day and state what sampling these skills' uses would give on average.

    Of the scenario its own population is left aside, and so are its curator's windows.
    """
    checked = check_request(scenario, [policy])
    if not checked.ok:
        return checked
    calendar = calendar_of(scenario)
    mean, variance = np.zeros((2, 3, scenario.days))
    day_ends = np.arange(1, scenario.days + 1) * (calendar.end_ms / scenario.days)
    for lives in blocks_of(skills, scenario):
        stale, archived = _probabilities(scenario, lives, calendar, policy)
        passes_over = np.arange(1, scenario.days + 1) // calendar.interval_days
        exists = lives.birth_ms <= day_ends[:, None]
        stale, archived = stale[passes_over], archived[passes_over]
        for state, rounded in enumerate((exists - stale - archived, stale, archived)):
            chance = np.clip(rounded, 0, 1)  # sums of floats may be off by their last digits
            mean[state] += chance.sum(axis=1)
            variance[state] += (chance * (1 - chance)).sum(axis=1)
    return Ok(
        tuple(
            ExpectedCount(day, name, float(mean[state, day]), float(variance[state, day]))
            for day in range(scenario.days)
            for state, name in enumerate(("active", "stale", "archived"))
        )
    )


def _probabilities(
    scenario: Scenario, lives: Lives, calendar: Calendar, policy: CuratorPolicy
) -> tuple[Floats, Floats]:
    """The chance of being stale and of being archived; row 0 before any pass, row k after k."""
    stale, archived = np.zeros((2, calendar.passes + 1, len(lives)))
    uses, never = _LastUse(scenario, lives, calendar), _NeverUsed(scenario, lives)
    judged_to = -np.inf  # an earlier pass archived who was last used before this
    for turn, (stale_to, gone_to) in enumerate(zip(*calendar.bounds(policy), strict=True)):
        now = calendar.ends[turn]
        unused = uses.none_between(0.0, now)
        newly = uses.last_within(turn, judged_to, gone_to) + unused * never.archive(now, gone_to)
        archived[turn + 1] = archived[turn] + lives.managed * newly
        over = uses.last_within(turn, gone_to, stale_to) + unused * never.stale(now, stale_to)
        stale[turn + 1] = lives.managed * over
        uses.kept.append(1 - archived[turn + 1])
        judged_to = gone_to
    return stale, archived


class _LastUse:
    """When the last use of each skill was, as of a pass.

    `kept` holds for each interval the chance of not being archived by the pass that it begins with.
    """

    def __init__(self, scenario: Scenario, lives: Lives, calendar: Calendar) -> None:
        self._rate = lives.rate_per_ms * (1 - scenario.faults.missed_probability)
        self._lives = lives
        self._calendar = calendar
        self._end_ms = lives.abandon_ms
        self.kept = [np.ones(len(lives))]

    def last_within(self, turn: int, since: float, until: float) -> Floats:
        """The chance that at this pass the last use lies there, of a skill not archived by then."""
        now = self._calendar.ends[turn]
        total = np.zeros(len(self._lives))
        for interval, kept in enumerate(self.kept):
            begin = max(self._calendar.begins[interval], since)
            end = min(self._calendar.ends[interval], until)
            if begin < end:
                total += kept * (self.none_between(end, now) - self.none_between(begin, now))
        return total

    def none_between(self, since: float, until: float) -> Floats:
        """The chance of no use between two instants."""
        begin = self._lives.busy(np.clip(since, self._lives.birth_ms, self._end_ms))
        end = self._lives.busy(np.clip(until, self._lives.birth_ms, self._end_ms))
        return np.exp(-self._rate * (end - begin))


class _NeverUsed:
    """What a pass does to skills that were never used, by the scenario's anchor for them."""

    def __init__(self, scenario: Scenario, lives: Lives) -> None:
        self._birth_ms = lives.birth_ms
        self._anchor = {
            "infinity": np.full(len(lives), np.inf),
            "created-at": lives.birth_ms,
            "zero": np.full(len(lives), -float(scenario.start_ms)),
        }[scenario.curator.anchor]
        self._archived = np.zeros(len(lives), bool)

    def archive(self, now: float, until: float) -> Floats:
        """1 for each that this pass archives, else 0."""
        over = (self._birth_ms <= now) & (self._anchor < until)
        newly = over & ~self._archived
        self._archived |= over
        return newly.astype(np.float64)

    def stale(self, now: float, until: float) -> Floats:
        """1 for each that is stale after this pass, else 0; ask after `archive`."""
        over = (self._birth_ms <= now) & (self._anchor < until)
        return (over & ~self._archived).astype(np.float64)
