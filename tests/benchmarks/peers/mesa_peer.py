"""Mesa: an agent for each skill, called in random order each day, and a collector of the counts."""

from __future__ import annotations

from bisect import bisect
from collections import Counter

import mesa

from tests.benchmarks.peers.world import (
    INTERVAL,
    KIND_EDGES,
    NEVER,
    STATES,
    Outcome,
    draw_world,
    verdict,
)


class SkillAgent(mesa.Agent):
    def __init__(
        self, model: Library, rate: float, birth: int, abandon: int, managed: bool
    ) -> None:
        super().__init__(model)
        self.rate, self.birth, self.abandon, self.managed = rate, birth, abandon, managed
        self.state, self.last = "active", NEVER
        self.kinds = [0, 0, 0]

    def live(self) -> None:
        day = self.model.day
        if not self.birth <= day < self.abandon or self.state == "archived":
            return
        for _ in range(self.model.rng.poisson(self.rate)):
            self.kinds[bisect(KIND_EDGES, self.model.rng.random())] += 1
            self.last = day

    def be_judged(self, stale: int, archive: int) -> None:
        now = self.model.day + 1
        if self.managed and self.birth < now:
            self.state = verdict(self.state, self.last, now, stale, archive)


class Library(mesa.Model):
    def __init__(self, skills: int, days: int, seed: int, stale: int, archive: int) -> None:
        super().__init__(seed=seed)
        self.day = 0
        self.windows = (stale, archive)
        self.tally: Counter[str] = Counter()
        columns = zip(*draw_world(skills, days, seed).rows(), strict=True)
        SkillAgent.create_agents(self, skills, *map(list, columns))
        reporters = {state: lambda m, state=state: m.tally[state] for state in STATES}
        self.collector = mesa.DataCollector(model_reporters=reporters)

    def step(self) -> None:
        self.agents.shuffle_do("live")
        if (self.day + 1) % INTERVAL == 0:
            self.agents.shuffle_do("be_judged", *self.windows)
        self.tally = Counter(agent.state for agent in self.agents if agent.birth <= self.day)
        self.collector.collect(self)
        self.day += 1


def run(skills: int, days: int, seed: int, stale: int = 30, archive: int = 90) -> Outcome:
    model = Library(skills, days, seed, stale, archive)
    for _ in range(days):
        model.step()
    columns = (model.collector.model_vars[state] for state in STATES)
    use, view, patch = (sum(agent.kinds[kind] for agent in model.agents) for kind in range(3))
    return Outcome(list(zip(*columns, strict=True)), (use, view, patch))
