"""sweep_gates: several gates over many replicas of the same sessions, on whatever can run it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.fast.support import FastError, bad_argument
from alembic_sim.sim.gates.gate_choice import NO_LEARNING, GateChoice, gate_choice
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.gates.replica import run_gate_replicas
from alembic_sim.sim.gates.world import session_count
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.compute import check_compute, compute


def sweep_gates(
    scenario: Scenario,
    gates: Sequence[GateChoice | str | float],
    replicas: int,
    executor: Executor | None = None,
    progress: bool = True,
) -> Result[GateSweep, FastError]:
    """A row for each gate and replica: what the sessions learn through it, and how tasks then go.

    A gate is a threshold (0.7), `"board"` or `"none"`; the scenario's own gate plays no part, and
    no learning at all is always a row more. All of a replica's rows meet the same tasks and the
    same proposals. Each equals the reference engine's run with the row's seed and gate. The rows do
    not depend on the executor, nor the first k replicas on how many follow. What an executor loses
    is computed here. An interrupt ends the sweep with the rows that are finished.

    `no-sessions` names the field that leaves nothing to learn.
    """
    checked = check_compute(replicas, executor)
    chosen = _gates(gates) if checked.ok else checked
    if not chosen.ok:
        return chosen
    learns = _check_scenario(scenario)
    if not learns.ok:
        return learns
    work = partial(run_gate_replicas, scenario, chosen.value)
    return Ok(
        GateSweep(scenario, chosen.value, replicas, compute(work, replicas, executor, progress))
    )


def _gates(raws: object) -> Result[tuple[GateChoice, ...], FastError]:
    if not isinstance(raws, list | tuple) or not raws:
        return bad_argument(f"{shorten(raws)} is not a list of gates")
    gates: list[GateChoice] = []
    for raw in raws:
        gate = gate_choice(raw)
        if not gate.ok:
            return gate
        if gate.value == NO_LEARNING:
            return bad_argument("no learning is in every sweep: name the gates alone")
        if gate.value in gates:
            return bad_argument(f"the gate {gate.value.name} is there twice")
        gates.append(gate.value)
    return Ok(tuple(gates))


def _check_scenario(scenario: object) -> Result[None, FastError]:
    """Ok if there is anything to learn."""
    if not isinstance(scenario, Scenario):
        return bad_argument(f"{shorten(scenario)} is not a Scenario, such as load_scenario gives")
    plan = scenario.learning
    if session_count(scenario) == 0:
        why = f"{plan.sessions_per_day:g} in {scenario.days} days is not one session"
        return _no_sessions("learning.sessions_per_day", why)
    if plan.proposals_per_session == 0:
        return _no_sessions("learning.proposals_per_session", "0 leaves a gate nothing to decide")
    return Ok(None)


def _no_sessions(field: str, why: str) -> Err[FastError]:
    return Err(FastError("no-sessions", f"{field}: {why}", field))
