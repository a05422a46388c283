"""run_gate_replicas: some replicas of a learning sweep, the same wherever they are run."""

from __future__ import annotations

from collections.abc import Iterable

from alembic_sim.sim.gates.gate_choice import NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_row import GateRow
from alembic_sim.sim.gates.learn import learn
from alembic_sim.sim.gates.world import draw_world, session_count
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.replica import replica_seed


def run_gate_replicas(
    scenario: Scenario, gates: tuple[GateChoice, ...], replicas: Iterable[int]
) -> tuple[GateRow, ...]:
    """The rows of these replicas, gate by gate and then without learning, all on one world each."""
    plan = scenario.learning
    with_board = any(gate.kind == "board" for gate in gates)
    rows = []
    for replica in replicas:
        seed = replica_seed(scenario.seed, replica)
        world = draw_world(plan, seed, session_count(scenario), with_board)
        for gate in gates:
            learnt = learn(world, world.approved(gate), plan)
            rows.append(GateRow(replica, seed, gate, learnt))
        unasked = world.without_proposals()
        learnt = learn(unasked, unasked.approved(NO_LEARNING), plan)
        rows.append(GateRow(replica, seed, NO_LEARNING, learnt))
    return tuple(rows)
