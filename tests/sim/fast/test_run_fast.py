"""run_fast: the figures of a sampled library are those of the reference engine, on average."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest

from alembic_sim import DAY_MS, CuratorPolicy
from alembic_sim.sim.fast.fast_run import FastRun, Uses
from alembic_sim.sim.fast.lives import blocks_of, draw_blocks
from alembic_sim.sim.fast.replay import replay_fast
from alembic_sim.sim.fast.run_fast import run_blocks, run_fast
from alembic_sim.sim.figures import LibraryFigures, library_figures
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.scenario import Archetype, Bursts, CuratorPlan, Rate, Scenario, SimFaults
from alembic_sim.sim.trace import EventTrace, draw_trace
from tests.sim.fast.traces import START_MS
from tests.sim.fast.worlds import WORKDAYS, WORLDS

POLICIES = (CuratorPolicy(7, 21), CuratorPolicy(30, 14.5))
ALL_POLICIES = (*POLICIES, CuratorPolicy(14, 90), CuratorPolicy(0, 36_500), CuratorPolicy(9, 0))


def figures_of_fast(scenario: Scenario) -> list[list[float]]:
    """For each of the policies a row of figures."""
    return [
        [
            *(found.skills, found.archived, found.stale, found.regretted, found.archived_in_use),
            *found.false_comfort,
            *asdict(run.uses).values(),
            *map(sum, asdict(run.moves).values()),
        ]
        for run in run_fast(scenario, POLICIES).expect("runs")
        for found in [run.figures]
    ]


def figures_of_reference(scenario: Scenario) -> list[list[float]]:
    """The same, of its own trace."""
    trace = draw_trace(scenario)
    kinds = Counter(event.kind for event in trace.events)
    missed = sum(not event.counted for event in trace.events)
    rows = []
    for replay in replay_fast(trace, POLICIES, scenario.curator.anchor).expect("replays"):
        found = library_figures(trace, replay.transitions, replay.states, scenario.end_ms)
        moves = Counter((move.from_state, move.to_state) for move in replay.transitions)
        rows.append(
            [
                *(found.skills, found.archived, found.stale, found.regretted),
                *(found.archived_in_use, *found.false_comfort),
                *(kinds["use"], kinds["view"], kinds["patch"], missed),
                *(moves["active", "stale"], moves["stale", "active"]),
                *(moves["active", "archived"], moves["stale", "archived"]),
            ]
        )
    return rows


def comparable(interval_days: int, missed: float, anchor: str = "infinity") -> Scenario:
    """Rates are fixed and few: what a rare skill does would need many more seeds."""
    kinds = (
        Archetype(
            name="office",
            count=8,
            rate_per_day=Rate(kind="fixed", median=0.08),
            weekdays=WORKDAYS,
            bursts=Bursts(every_days=15, lasts_days=2, factor=3.0),
        ),
        Archetype(
            name="rare",
            count=8,
            rate_per_day=Rate(kind="fixed", median=0.02),
            abandon_after_days=80.0,
        ),
    )
    return Scenario(
        days=95,
        population=kinds,
        arrivals_per_month=4,
        curator=CuratorPlan.model_validate({"interval_days": interval_days, "anchor": anchor}),
        faults=SimFaults(missed_probability=missed),
    )


@pytest.mark.parametrize(
    ("interval_days", "missed", "anchor"),
    [(7, 0, "infinity"), (7, 0.4, "infinity"), (40, 0.4, "created-at"), (10, 1, "zero")],
)
def test_every_figure_is_the_reference_engine_s_within_four_standard_errors(
    interval_days: int, missed: float, anchor: str, seeds: int
) -> None:
    """Two independent samples: regret, false comfort, uses and moves have no oracle."""
    scenario = comparable(interval_days, missed, anchor)
    ours, theirs = (
        np.array([figures(scenario.model_copy(update={"seed": seed})) for seed in range(seeds)])
        for figures in (figures_of_fast, figures_of_reference)
    )
    error = np.abs(ours.mean(axis=0) - theirs.mean(axis=0))
    spread = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / seeds)
    assert (error <= 4 * spread + 1e-9).all(), (error, spread)


@pytest.mark.parametrize("name", WORLDS)
def test_another_policy_changes_nothing_for_the_others(name: str) -> None:
    """The draws are the library's: a policy alone meets what it meets in company."""
    together = run_fast(WORLDS[name], ALL_POLICIES).expect("runs")
    for policy, run in zip(ALL_POLICIES, together, strict=True):
        assert run_fast(WORLDS[name], [policy]).expect("a run") == (run,)


@pytest.mark.parametrize("name", WORLDS)
def test_every_skill_is_in_one_state_and_every_move_is_in_the_counts(name: str) -> None:
    for run in run_fast(WORLDS[name], ALL_POLICIES).expect("runs"):
        assert_counts_and_moves_agree(run)


def assert_counts_and_moves_agree(run: FastRun) -> None:
    moves = zip(*asdict(run.moves).values(), strict=True)
    stale = archived = 0
    for turn, (to_stale, back, from_active, from_stale) in enumerate(moves):
        assert min(to_stale, back, from_active, from_stale) >= 0
        stale += to_stale - back - from_stale
        archived += from_active + from_stale
        assert (run.stale[turn], run.archived[turn]) == (stale, archived)
    for count in run.counts:
        assert min(count.active, count.stale, count.archived) >= 0
        assert count.active + count.stale + count.archived == run.existing[count.day]
    last = run.counts[-1]
    assert (last.stale, last.archived) == (run.figures.stale, run.figures.archived)
    assert run.figures.skills == run.existing[-1]


def test_a_scenario_that_ends_before_its_first_pass_is_all_active() -> None:
    scenario = Scenario(days=3, population=(Archetype(count=5),))
    [run] = run_fast(scenario, [CuratorPolicy(0, 0)]).expect("a run")
    assert (run.stale, run.archived) == ((), ())
    assert [(c.active, c.stale, c.archived) for c in run.counts] == [(5, 0, 0)] * 3


def test_an_empty_library_stays_empty() -> None:
    scenario = Scenario(days=30, population=(Archetype(count=0),))
    [run] = run_fast(scenario, [CuratorPolicy()]).expect("a run")
    assert run.existing == (0,) * 30
    assert asdict(run.uses) == {"use": 0, "view": 0, "patch": 0, "missed": 0}


@pytest.mark.parametrize("median", [0, 5e-324, 1e-290, 1000])
def test_rates_from_nothing_to_a_thousand_a_day_are_numbers(median: float) -> None:
    """Nothing divides by zero, and nobody is idle who is used all day."""
    rate = Rate(kind="fixed", median=median)
    scenario = Scenario(days=30, population=(Archetype(count=50, rate_per_day=rate),))
    [run] = run_fast(scenario, [CuratorPolicy(1, 2)]).expect("a run")
    assert run.counts[-1].active == 50
    uses = run.uses.use + run.uses.view + run.uses.patch
    assert uses == pytest.approx(50 * 30 * median, rel=0.01)


def test_a_skill_born_as_a_day_ends_is_counted_on_that_day() -> None:
    """So counts the reference engine: births come before all else at their instant."""
    births_ms = [START_MS + ms for ms in (0, DAY_MS, DAY_MS + 1, 3 * DAY_MS - 1)]
    skills = tuple(SkillLife(f"s{n}", 0.0, birth_ms) for n, birth_ms in enumerate(births_ms))
    scenario = Scenario(days=3)
    [run] = run_blocks(scenario, blocks_of(skills, scenario), [CuratorPolicy()])
    trace = EventTrace(skills, (), ())
    counts = simulate(scenario, trace).expect("a run").counts
    assert run.existing == (2, 3, 4) == tuple(count.active for count in counts)


def test_a_skill_on_the_edge_of_two_age_bands_is_in_the_older_one() -> None:
    """So counts the reference engine; ages are those at the end."""
    ages_ms = [30 * DAY_MS - 1, 30 * DAY_MS, 90 * DAY_MS - 1, 90 * DAY_MS]
    scenario = Scenario(days=90)
    skills = tuple(SkillLife(f"s{n}", 0.0, scenario.end_ms - age) for n, age in enumerate(ages_ms))
    [run] = run_blocks(scenario, blocks_of(skills, scenario), [CuratorPolicy()])
    other = simulate(scenario, EventTrace(skills, (), ())).expect("a run")
    assert run.figures.false_comfort == (1, 2, 1) == other.library.false_comfort


def test_each_block_has_uses_of_its_own() -> None:
    """The same skills twice are not used at the same instants twice."""
    scenario = WORLDS["infinity"]
    [lives] = draw_blocks(scenario)
    [once] = run_blocks(scenario, [lives], [CuratorPolicy(7, 21)])
    [twice] = run_blocks(scenario, [lives, lives], [CuratorPolicy(7, 21)])
    assert twice.existing == tuple(2 * existing for existing in once.existing)
    assert twice.stale != tuple(2 * stale for stale in once.stale)


def test_the_probability_of_missing_a_use_changes_no_skill() -> None:
    runs = [
        run_fast(
            WORLDS["infinity"].model_copy(update={"faults": SimFaults(missed_probability=p)}),
            POLICIES,
        )
        for p in (0, 0.3)
    ]
    assert runs[0].value[0].existing == runs[1].value[0].existing


def test_the_same_seed_gives_these_very_numbers() -> None:
    """Held by hand: another block size, stream or order of draws is another result."""
    scenario = WORLDS["missed"].model_copy(update={"seed": 7})
    [run] = run_fast(scenario, [CuratorPolicy(14, 30)]).expect("a run")
    assert run.figures == LibraryFigures(
        skills=93,
        archived=33,
        stale=8,
        archived_ever=33,
        regretted=14,
        archived_in_use=17,
        false_comfort=(2, 0, 4),
    )
    assert run.uses == Uses(use=876, view=327, patch=47, missed=623)
