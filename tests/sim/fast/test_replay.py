"""replay_fast: on one trace it does what the curator's own rule does, move by move."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import DAY_MS, CuratorPolicy
from alembic_sim.sim.fast.replay import replay_fast
from alembic_sim.sim.fast.support import FastError
from alembic_sim.sim.figures import StateChange
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.scenario import Archetype, CuratorPlan, Rate, Scenario, SimFaults
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent, draw_trace
from tests.sim.fast.traces import POLICIES, START_MS, pass_by_pass, traces

ANCHORS = ("infinity", "created-at", "zero")


@given(traces(), POLICIES, st.sampled_from(ANCHORS))
@settings(max_examples=300)
def test_it_is_the_rule_itself_pass_by_pass(
    trace: EventTrace, policies: list[CuratorPolicy], anchor: str
) -> None:
    plan = CuratorPlan.model_validate({"anchor": anchor})
    replays = replay_fast(trace, policies, anchor).expect("a replay")
    for policy, replay in zip(policies, replays, strict=True):
        moves, states, counts = pass_by_pass(trace, policy, plan)
        assert replay.policy == policy
        assert list(replay.transitions) == moves
        assert dict(replay.states) == states
        assert list(replay.counts) == counts


@given(traces(st.integers(0, 6)), POLICIES, st.sampled_from(ANCHORS))
def test_it_is_the_rule_itself_in_the_first_milliseconds_of_1970(
    trace: EventTrace, policies: list[CuratorPolicy], anchor: str
) -> None:
    """There an instant of 0 means never, in the use as in the creation."""
    plan = CuratorPlan.model_validate({"anchor": anchor})
    for replay in replay_fast(trace, policies, anchor).expect("a replay"):
        moves, _states, _counts = pass_by_pass(trace, replay.policy, plan)
        assert list(replay.transitions) == moves


scenarios = st.builds(
    Scenario,
    seed=st.integers(0, 2**53 - 1),
    days=st.integers(1, 45),
    population=st.just(
        (
            Archetype(name="busy", count=4, rate_per_day=Rate(median=0.5)),
            Archetype(name="idle", count=4, rate_per_day=Rate(median=0.05), abandon_after_days=9.0),
        )
    ),
    arrivals_per_month=st.sampled_from([0, 6]),
    curator=st.builds(
        CuratorPlan,
        interval_days=st.sampled_from([1, 3, 7, 40]),
        stale_after_days=st.sampled_from([0, 0.5, 2, 7, 30]),
        archive_after_days=st.sampled_from([0, 0.5, 2, 7, 30]),
        anchor=st.sampled_from(ANCHORS),
    ),
    faults=st.builds(SimFaults, missed_probability=st.sampled_from([0, 0.5])),
)


@given(scenarios)
@settings(max_examples=25)
def test_it_is_the_reference_engine_on_a_scenario_s_own_trace(scenario: Scenario) -> None:
    """Archive windows below the stale ones, intervals above both, and what is never used."""
    run = simulate(scenario).expect("a run")
    plan = scenario.curator
    policy = CuratorPolicy(plan.stale_after_days, plan.archive_after_days)
    [replay] = replay_fast(draw_trace(scenario), [policy], plan.anchor).expect("a replay")
    assert replay.transitions == run.transitions
    assert {name: replay.states[name] for name in run.states} == dict(run.states)
    after_passes = run.counts[plan.interval_days - 1 :: plan.interval_days]
    assert [(c.active, c.stale, c.archived) for c in after_passes] == list(replay.counts)


def one_skill(*uses_ms: int, passes_ms: tuple[int, ...]) -> EventTrace:
    steps = sorted([*((at, "pass") for at in passes_ms), *((at, "use") for at in uses_ms)])
    numbered = [(at, number, what) for number, (at, what) in enumerate(steps)]
    return EventTrace(
        (SkillLife("skill", 1.0, START_MS),),
        tuple(UseEvent(at, number, "skill") for at, number, what in numbered if what == "use"),
        tuple(CuratorPass(at, number) for at, number, what in numbered if what == "pass"),
    )


def test_activity_on_the_cut_off_is_over_it_and_a_millisecond_later_is_not() -> None:
    """And a pass comes before a use at the same instant when its sequence says so."""
    passed = START_MS + 30 * DAY_MS
    policy = CuratorPolicy(30, 90)
    for used, state in ((START_MS, "stale"), (START_MS + 1, "active")):
        trace = one_skill(used, passed, passes_ms=(passed,))
        [replay] = replay_fast(trace, [policy]).expect("a replay")
        assert replay.states == {"skill": state}


def test_a_skill_that_waited_past_the_archive_window_never_comes_back() -> None:
    days = [START_MS + day * DAY_MS for day in range(10)]
    trace = one_skill(days[1], days[6], passes_ms=(days[3], days[5], days[9]))
    [replay] = replay_fast(trace, [CuratorPolicy(2, 4)]).expect("a replay")
    assert replay.transitions == (
        StateChange(days[3], "skill", "active", "stale"),
        StateChange(days[5], "skill", "stale", "archived"),
    )
    assert replay.counts == ((0, 1, 0), (0, 0, 1), (0, 0, 1))


def test_another_order_is_unsupported_and_says_so() -> None:
    trace = one_skill(START_MS, passes_ms=(START_MS,))
    refused = replay_fast(trace, [CuratorPolicy()], order="stale-first")
    assert refused.error == FastError(
        "unsupported", "curator.order: 'stale-first' needs the reference engine", "curator.order"
    )


@pytest.mark.parametrize("at_ms", [-1, 2**53])
@pytest.mark.parametrize("what", ["birth", "use", "pass"])
def test_instants_that_no_clock_shows_are_unsupported(what: str, at_ms: int) -> None:
    birth, use, turn = (at_ms if what == one else max(at_ms, 0) for one in ("birth", "use", "pass"))
    trace = EventTrace(
        (SkillLife("skill", 1.0, min(birth, use)),),
        (UseEvent(use, 0, "skill"),),
        (CuratorPass(turn, 1),),
    )
    refused = replay_fast(trace, [CuratorPolicy()])
    assert (refused.error.code, refused.error.field) == ("unsupported", "at_ms")
    assert str(at_ms) in refused.error.message


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("trace", [CuratorPolicy()]), "'trace'"),
        ((one_skill(passes_ms=()), []), "[]"),
        ((one_skill(passes_ms=()), [(30, 90)]), "(30, 90)"),
        ((one_skill(passes_ms=()), [CuratorPolicy()] * 2), "twice"),
        ((one_skill(passes_ms=()), [CuratorPolicy()], "nowhere"), "'nowhere'"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[object, ...], named: str) -> None:
    refused = replay_fast(*arguments)
    assert refused.error.code == "bad-argument"
    assert named in refused.error.message
