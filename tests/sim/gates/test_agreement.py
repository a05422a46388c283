"""A learning sweep agrees exactly with the reference engine, which drives the real stores."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from hypothesis import given, settings

from alembic_sim.sim.arms import Arm
from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_row import GateRow
from alembic_sim.sim.gates.replica import run_gate_replicas
from alembic_sim.sim.learning_figures import arm_figures, success_curve
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.scenario_file import load_scenario
from tests.sim.gates.gate_worlds import BOARD, gates, learning, learning_scenarios, threshold

COUNTS = (
    *("true_rejected", "false_approved", "refused_for_budget", "true_kept", "false_settled"),
    *("memory_chars", "user_chars", "success", "success_at_end"),
)


def told_by_the_sweep(row: GateRow) -> tuple[tuple[float, ...], dict[str, float]]:
    """The success per session, and the figures by their names in `ArmFigures`."""
    found = row.tidy()
    curve = tuple(succeeded / 4 for succeeded in row.learnt.successes)
    return curve, {name: found[name] for name in COUNTS}  # type: ignore[misc]


def told_by_the_reference(arm: Arm, run: Run) -> tuple[tuple[float, ...], dict[str, float]]:
    figures = asdict(arm_figures(arm, run.sessions))
    return success_curve(arm, run.sessions), {name: figures[name] for name in COUNTS}


def reference_run(scenario: Scenario, seed: int, gate: GateChoice) -> Run:
    plan = gate.plan(scenario.learning)
    world = scenario.model_copy(update={"seed": seed, "learning": plan})
    return simulate(world).expect("a run")


def assert_agreement(scenario: Scenario, *tried: GateChoice) -> list[GateRow]:
    """Every gate, no gate and no learning, in the first replica."""
    *rows, unlearnt = run_gate_replicas(scenario, tried, [0])
    for row in rows:
        run = reference_run(scenario, row.seed, row.gate)
        assert told_by_the_sweep(row) == told_by_the_reference("gated", run)
    assert unlearnt.gate == NO_LEARNING
    assert told_by_the_sweep(unlearnt) == told_by_the_reference("none", run)
    if NO_GATE in tried:
        ungated = rows[tried.index(NO_GATE)]
        assert told_by_the_sweep(ungated) == told_by_the_reference("ungated", run)
    return rows


@settings(max_examples=60)
@given(learning_scenarios(), gates(), gates())
def test_any_gate_agrees_in_any_scenario(
    scenario: Scenario, gate: GateChoice, other: GateChoice
) -> None:
    assert_agreement(scenario, gate, other)


ALL = (*map(threshold, (0.0, 0.4, 0.7, 0.85, 1.0)), BOARD, NO_GATE)


@pytest.mark.parametrize("noise", [0, 20, 45, 100])
def test_every_gate_agrees_over_months(noise: int) -> None:
    rows = assert_agreement(learning(60, proposals_per_session=4, reviewer_noise=noise), *ALL)
    assert any(row.learnt.refused_for_budget for row in rows)


@pytest.mark.parametrize(
    ("memory", "user"), [(0, 0), (77, 77), (160, 90), (90, 160), (400, 300), (100_000, 100_000)]
)
def test_every_gate_agrees_with_little_room_and_with_much(memory: int, user: int) -> None:
    scenario = learning(25, proposals_per_session=8, memory_char_limit=memory, user_char_limit=user)
    rows = assert_agreement(scenario, *ALL)
    refused = [row.learnt.refused_for_budget for row in rows if row.gate == NO_GATE]
    assert (refused == [0]) is (memory == 100_000), "the limits bind, all but the last"


def test_a_score_that_meets_the_threshold_exactly_is_approved_in_both() -> None:
    """Without noise every true proposal scores 0.85, every false one 0.55."""
    scenario = learning(10, reviewer_noise=0)
    exact, above = assert_agreement(scenario, threshold(0.85), threshold(0.8500000000000001))
    assert exact.learnt.true_rejected == 0
    assert above.learnt.true_rejected == above.learnt.true_proposed > 0


@pytest.mark.parametrize("name", ["quiet-team", "noisy-reviewer"])
def test_a_shipped_scenario_agrees_with_its_library_and_all(name: str) -> None:
    """The library and its curator touch no lesson: a sweep may leave them out."""
    scenario = load_scenario(name).expect("a scenario").model_copy(update={"days": 40})
    assert_agreement(scenario, threshold(0.7), BOARD)


def test_no_fault_of_the_scenario_reaches_the_sessions() -> None:
    faults = {"clock_jump_day": 3, "clock_jump_days": 40, "corrupt_sidecar_day": 5}
    plain = learning(10, proposals_per_session=3)
    scenario = Scenario.model_validate({**plain.model_dump(), "faults": faults})
    assert_agreement(scenario, threshold(0.7), NO_GATE)
    assert run_gate_replicas(scenario, (NO_GATE,), [0]) == run_gate_replicas(plain, (NO_GATE,), [0])


def test_a_fraction_of_a_session_is_not_held() -> None:
    [row, _unlearnt] = run_gate_replicas(learning(7, sessions_per_day=0.5), (NO_GATE,), [0])
    assert len(row.learnt.successes) == 3
    assert_agreement(learning(7, sessions_per_day=0.5), NO_GATE)
