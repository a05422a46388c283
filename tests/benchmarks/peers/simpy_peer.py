"""SimPy: a process for each skill that waits from use to use, and one for the days."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

from tests.benchmarks.peers.world import INTERVAL, KIND_EDGES, NEVER, Outcome, draw_world, verdict


@dataclass(slots=True)
class Skill:
    rate: float
    birth: int
    abandon: int
    managed: bool
    state: str = "active"
    last: float = NEVER
    kinds: list[int] = field(default_factory=lambda: [0, 0, 0])

    def live(self, env: Any, chance: Random) -> Iterator[Any]:
        yield env.timeout(self.birth)
        yield env.timeout(chance.expovariate(self.rate))
        while env.now < self.abandon and self.state != "archived":
            self.kinds[bisect(KIND_EDGES, chance.random())] += 1
            self.last = int(env.now)
            yield env.timeout(chance.expovariate(self.rate))


def run(skills: int, days: int, seed: int, stale: int = 30, archive: int = 90) -> Outcome:
    env, chance = simpy.Environment(), Random(seed)
    library = [Skill(*row) for row in draw_world(skills, days, seed).rows()]
    daily: list[tuple[int, int, int]] = []

    def keep_days() -> Iterator[Any]:
        for now in range(1, days + 1):
            yield env.timeout(1)
            if now % INTERVAL == 0:
                for skill in library:
                    if skill.managed and skill.birth < now:
                        skill.state = verdict(skill.state, skill.last, now, stale, archive)
            tally = Counter(skill.state for skill in library if skill.birth < now)
            daily.append((tally["active"], tally["stale"], tally["archived"]))

    for skill in library:
        env.process(skill.live(env, chance))
    env.run(until=env.process(keep_days()))
    use, view, patch = (sum(skill.kinds[kind] for skill in library) for kind in range(3))
    return Outcome(daily, (use, view, patch))
