"""pandas: a frame with a row for each skill, and whole columns worked on each day."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tests.benchmarks.peers.world import INTERVAL, KIND_EDGES, STATES, Outcome, draw_world

KINDS = ["use", "view", "patch"]


def run(skills: int, days: int, seed: int, stale: int = 30, archive: int = 90) -> Outcome:
    chance = np.random.default_rng(seed)
    library = pd.DataFrame(vars(draw_world(skills, days, seed)))
    library["state"] = pd.Categorical(["active"] * skills, categories=STATES)
    library["last"] = np.inf
    library[KINDS] = 0
    daily = []
    for day in range(days):
        use_for_a_day(library, day, chance)
        if (day + 1) % INTERVAL == 0:
            judge(library, day + 1, stale, archive)
        tally = library.loc[library["birth"] <= day, "state"].value_counts()
        daily.append(tuple(int(tally[state]) for state in STATES))
    use, view, patch = library[KINDS].sum().astype(int).tolist()
    return Outcome(daily, (use, view, patch))


def use_for_a_day(library: pd.DataFrame, day: int, chance: np.random.Generator) -> None:
    alive = library["birth"].le(day) & library["abandon"].gt(day) & library["state"].ne("archived")
    uses = pd.Series(chance.poisson(library["rate"].where(alive, 0)), index=library.index)
    log = pd.DataFrame({"skill": library.index.repeat(uses)})
    log["kind"] = np.array(KINDS)[np.searchsorted(KIND_EDGES, chance.random(len(log)), "right")]
    counts = pd.crosstab(log["skill"], log["kind"])
    library.loc[counts.index, counts.columns] += counts
    library.loc[uses > 0, "last"] = day


def judge(library: pd.DataFrame, now: int, stale: int, archive: int) -> None:
    judged = library["managed"] & library["birth"].lt(now)
    over_archive = judged & library["last"].le(now - archive)
    over_stale = judged & library["last"].le(now - stale)
    before = library["state"].copy()
    library.loc[over_archive & before.ne("archived"), "state"] = "archived"
    library.loc[over_stale & ~over_archive & before.eq("active"), "state"] = "stale"
    library.loc[judged & ~over_stale & before.eq("stale"), "state"] = "active"
