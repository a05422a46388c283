"""The worlds in which lessons 00 and 09 let three agents learn: one scenario, a seed for each."""

from __future__ import annotations

from collections.abc import Iterable

from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Archetype
from alembic_sim.sim.scenario_file import load_scenario

SCENARIO = "quiet-team"


def learning_worlds(seeds: Iterable[int]) -> tuple[Run, ...]:
    """A run for each seed: the sessions of the scenario `quiet-team`, without its skills.

    What a session is asked and offered is drawn from the seed and its number alone, so that leaving
    out the skills changes no session. Needs neither numpy nor matplotlib.
    """
    scenario = load_scenario(SCENARIO).expect("it is shipped")
    no_skills = {"population": (Archetype(count=0),), "arrivals_per_month": 0.0}
    return tuple(
        simulate(scenario.model_copy(update={**no_skills, "seed": seed})).expect("it is small")
        for seed in seeds
    )
