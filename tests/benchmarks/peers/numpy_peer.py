"""numpy, day by day: the vectorised version that one would write first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.peers.world import INTERVAL, KIND_EDGES, Outcome, World, draw_world

ACTIVE, STALE, ARCHIVED = range(3)


def run(skills: int, days: int, seed: int, stale: int = 30, archive: int = 90) -> Outcome:
    chance = np.random.default_rng(seed)
    world = draw_world(skills, days, seed)
    state = np.zeros(skills, np.int8)
    last = np.full(skills, np.inf)
    kinds = np.zeros((3, skills), np.int64)
    daily = []
    for day in range(days):
        alive = (world.birth <= day) & (day < world.abandon) & (state != ARCHIVED)
        uses = chance.poisson(world.rate * alive)
        skill = np.repeat(np.arange(skills), uses)
        kind = np.searchsorted(KIND_EDGES, chance.random(len(skill)), side="right")
        np.add.at(kinds, (kind, skill), 1)
        last[uses > 0] = day
        if (day + 1) % INTERVAL == 0:
            judge(state, last, world, day + 1, stale, archive)
        active, is_stale, archived = np.bincount(state[world.birth <= day], minlength=3).tolist()
        daily.append((active, is_stale, archived))
    use, view, patch = kinds.sum(axis=1).tolist()
    return Outcome(daily, (use, view, patch))


def judge(
    state: NDArray[np.int8],
    last: NDArray[np.float64],
    world: World,
    now: int,
    stale: int,
    archive: int,
) -> None:
    judged = world.managed & (world.birth < now) & (state != ARCHIVED)
    state[judged] = np.where(
        last[judged] <= now - archive,
        ARCHIVED,
        np.where(last[judged] <= now - stale, STALE, ACTIVE),
    )
