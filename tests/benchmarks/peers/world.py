"""The world that every peer simulates: skills by day, with the population of the benchmarks.

A day's uses are Poisson at the skill's rate while it is alive and not archived; each one is of a
kind. After every seventh day the curator passes over the managed skills, by the engine's own rule.
At the end of each day the skills in each state are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

INTERVAL = 7
STATES = ("active", "stale", "archived")
KIND_EDGES = (0.70, 0.95)
"""A uniform draw below the first is a use, below the second a view, else a patch."""
NEVER = np.inf


@dataclass(frozen=True)
class World:
    """The skills, as columns; days count from 0."""

    rate: NDArray[np.float64]
    birth: NDArray[np.int64]
    abandon: NDArray[np.int64]
    managed: NDArray[np.bool_]

    def rows(self) -> list[tuple[float, int, int, bool]]:
        """The skills one by one."""
        columns = (self.rate, self.birth, self.abandon, self.managed)
        return list(zip(*(column.tolist() for column in columns), strict=True))


@dataclass(frozen=True)
class Outcome:
    """What a peer found: the states at the end of each day, and the uses by kind."""

    daily: list[tuple[int, int, int]]
    kinds: tuple[int, int, int]


def draw_world(skills: int, days: int, seed: int) -> World:
    """Four fifths are there on day 0; rates are lognormal; most are the agent's, few are pinned."""
    chance = np.random.default_rng([seed, 1])
    early = chance.random(skills) < 0.8
    birth = np.where(early, 0, chance.integers(0, days, skills))
    return World(
        rate=0.05 * np.exp(1.5 * chance.standard_normal(skills)),
        birth=birth,
        abandon=birth + 1 + (240 * chance.standard_exponential(skills)).astype(np.int64),
        managed=(chance.random(skills) < 0.8) & (chance.random(skills) < 0.95),
    )


def verdict(state: str, last: float, now: int, stale: int, archive: int) -> str:
    """The state after a pass at the end of day `now - 1`; `last` is the day of the last use."""
    if last <= now - archive and state != "archived":
        return "archived"
    if last <= now - stale and state == "active":
        return "stale"
    if last > now - stale and state == "stale":
        return "active"
    return state
