"""What a learning sweep costs beside the reference engine, which answers the same. Never a failure.

CPU time of one process; both draw the same sessions, and the rows are checked to be equal.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from alembic_sim import simulate, sweep_gates
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.learning_figures import arm_figures
from alembic_sim.sim.scenario_file import load_scenario

GATES = (0.5, 0.6, 0.7, 0.8, "board", "none")
REPLICAS, FEW = 50, 2


def cpu_of(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_a_learning_sweep_of_six_gates(say: Callable[[str], None]) -> None:
    """Each run of the reference engine costs the same: it is asked for two replicas."""
    scenario = load_scenario("noisy-reviewer").expect("a shipped scenario")
    scenario = scenario.model_copy(update={"days": 180})
    found: list[GateSweep] = []

    def ours() -> None:
        found.append(sweep_gates(scenario, GATES, REPLICAS, progress=False).expect("a sweep"))

    def theirs() -> None:
        for row in found[0].rows[: FEW * (len(GATES) + 1)]:
            if row.gate in found[0].gates:
                update = {"seed": row.seed, "learning": row.gate.plan(scenario.learning)}
                run = simulate(scenario.model_copy(update=update)).expect("a run")
                told = arm_figures("gated", run.sessions)
                assert told.success_at_end == row.learnt.success_at_end

    spent = cpu_of(ours)
    beside = cpu_of(theirs) * REPLICAS / FEW
    say(
        f"Learning sweep, {REPLICAS} replicas × 180 sessions × {len(GATES)} gates, reference "
        f"engine: {beside:.3g} s (from {FEW} replicas) / {spent:.3g} s = {beside / spent:.0f}×"
    )
