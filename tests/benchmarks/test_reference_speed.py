"""What a run of the reference engine costs, event by event. No time is a failure."""

from __future__ import annotations

import time
from collections.abc import Callable

from alembic_sim import Scenario, simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario_file import load_scenario


def everything_on(times: float) -> Scenario:
    """The busy team, with every fault, and with so many times as much of all that happens."""
    told = load_scenario("busy-team").expect("a shipped scenario").model_dump()
    for archetype in told["population"]:
        archetype["rate_per_day"]["median"] *= times
    told["learning"]["sessions_per_day"] *= times
    told["faults"] = {
        "clock_jump_day": 60,
        "clock_jump_days": 20,
        "corrupt_sidecar_day": 120,
        "missed_probability": 0.1,
    }
    return Scenario.model_validate(told)


def timed(times: float) -> tuple[Run, float, float]:
    """The run, and its seconds: on the clock, and of the processor."""
    scenario = everything_on(times)
    wall, busy = time.perf_counter(), time.process_time()
    run = simulate(scenario).expect("a run")
    return run, time.perf_counter() - wall, time.process_time() - busy


def test_a_run_with_everything_on(say: Callable[[str], None]) -> None:
    half, _wall, half_cpu = timed(0.5)
    run, wall, cpu = timed(1)
    assert run.scenario.days == 180
    assert sum(archetype.count for archetype in run.scenario.population) == 200
    assert min(len(run.sessions), run.library.archived_ever, run.counts[-1].unknown) > 0
    each, half_each = cpu / len(run.events), half_cpu / len(half.events)
    say(
        f"reference engine, 200 skills × 180 d, everything on, {len(run.events):,} events: "
        f"{wall:.2f} s ({cpu:.2f} CPU) (goal ≤ 5 s)"
    )
    say(
        f"reference engine, cost of an event: {each * 1e6:.0f} µs, of one of {len(half.events):,} "
        f"{half_each * 1e6:.0f} µs; ratio {each / half_each:.2f}× (goal: linear, about 1×)"
    )
