"""sweep_gates: the same rows whatever computes them, and whatever happens to it."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import pytest

from alembic_sim.sim.gates import sweep_gates as module
from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.gates.replica import run_gate_replicas
from alembic_sim.sim.gates.sweep_gates import sweep_gates
from alembic_sim.sim.sweep.replica import replica_seed
from tests.sim.gates.gate_worlds import BOARD, learning, threshold
from tests.sim.sweep.executors import InOrder, Refusing

GATES = ("0.7", "board", 0.9, "none")
REPLICAS = 70  # more than the chunks that a sweep is cut into
SCENARIO = learning(12, proposals_per_session=3)


def swept(
    replicas: int = REPLICAS, executor: Executor | None = None, **changes: object
) -> GateSweep:
    world = SCENARIO.model_copy(update=changes)
    return sweep_gates(world, GATES, replicas, executor, progress=False).expect("a sweep")


@pytest.fixture(scope="module")
def alone() -> GateSweep:
    """What this process computes on its own."""
    return swept()


def test_there_is_a_row_for_each_gate_and_replica_and_one_without_learning(
    alone: GateSweep,
) -> None:
    assert alone.gates == (threshold(0.7), BOARD, threshold(0.9), NO_GATE)
    assert [(row.replica, row.gate) for row in alone.rows] == [
        (replica, gate) for replica in range(REPLICAS) for gate in (*alone.gates, NO_LEARNING)
    ]
    assert {row.seed for row in alone.rows} == {replica_seed(0, n) for n in range(REPLICAS)}


def test_all_gates_of_a_replica_meet_the_same_proposals_and_no_two_replicas_do(
    alone: GateSweep,
) -> None:
    offered = {
        (row.replica, row.learnt.true_proposed, row.learnt.false_proposed)
        for row in alone.rows
        if row.gate != NO_LEARNING
    }
    assert len(offered) == REPLICAS
    curves = {row.learnt.successes for row in alone.rows_of(NO_LEARNING)}
    assert len(curves) == REPLICAS


def test_a_gate_does_not_depend_on_the_gates_beside_it(alone: GateSweep) -> None:
    lone = sweep_gates(SCENARIO, [0.9], 5, progress=False).expect("a sweep")
    assert lone.rows_of(threshold(0.9)) == alone.rows_of(threshold(0.9))[:5]
    assert lone.rows_of(NO_LEARNING) == alone.rows_of(NO_LEARNING)[:5]


def test_the_scenario_s_own_gate_plays_no_part(alone: GateSweep) -> None:
    plan = SCENARIO.learning.model_copy(update={"gate": "board", "gate_threshold": 0.1})
    assert swept(5, learning=plan).rows == alone.rows[: 5 * 5]


def test_the_first_replicas_do_not_depend_on_how_many_follow(alone: GateSweep) -> None:
    assert swept(7).rows == alone.rows[: 7 * 5]


def test_another_seed_is_another_sweep(alone: GateSweep) -> None:
    assert swept(7, seed=99).rows != alone.rows[: 7 * 5]


def test_the_order_of_the_gates_is_the_one_that_was_asked_for() -> None:
    turned = sweep_gates(SCENARIO, [0.9, "none"], 3, progress=False).expect("a sweep")
    assert [row.gate for row in turned.rows[:3]] == [threshold(0.9), NO_GATE, NO_LEARNING]


@pytest.mark.parametrize(
    ("hash_seed", "zone"), [("0", "UTC"), ("1", "America/Sao_Paulo"), ("2", "Pacific/Auckland")]
)
def test_rows_depend_on_no_hash_seed_and_no_time_zone(
    alone: GateSweep, hash_seed: str, zone: str
) -> None:
    code = f"from tests.sim.gates.test_sweep_gates import swept\nprint(swept({REPLICAS}).digest)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": zone},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == alone.digest


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_do_not_depend_on_processes(alone: GateSweep, workers: int) -> None:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        together = swept(executor=pool)
    assert together == alone
    assert together.digest == alone.digest


@pytest.mark.parametrize("lost", [{0}, {3, 4, 20}, set(range(64))], ids=["one", "some", "all"])
def test_what_an_executor_loses_is_computed_here(alone: GateSweep, lost: set[int]) -> None:
    executor = InOrder(lambda n: BrokenProcessPool("gone") if n in lost else None)
    assert swept(executor=executor) == alone


def test_what_an_executor_does_not_take_is_computed_here(alone: GateSweep) -> None:
    assert swept(executor=Refusing(3)) == alone


@pytest.mark.parametrize("finished", [0, 1, 23])
def test_an_interrupted_sweep_keeps_the_finished_rows(
    alone: GateSweep, finished: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of the work, as the interpreter sees it."""

    def run(scenario: object, gates: object, replicas: range) -> object:
        if replicas.start == finished:
            raise KeyboardInterrupt
        return run_gate_replicas(scenario, gates, replicas)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "run_gate_replicas", run)
    stopped = swept()
    assert stopped.rows == alone.rows[: finished * 5]
    assert (stopped.finished, stopped.replicas) == (finished, REPLICAS)


def test_progress_is_told_on_stderr_and_only_when_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sweep_gates(SCENARIO, GATES, 2, progress=True).expect("a sweep")
    told = capsys.readouterr()
    assert told.out == ""
    assert "2/2" in told.err
    swept(2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("quiet-team", GATES, 1), "'quiet-team' is not a Scenario"),
        ((SCENARIO, [], 1), "[] is not a list of gates"),
        ((SCENARIO, "0.7", 1), "'0.7' is not a list of gates"),
        ((SCENARIO, ["0.7", 7], 1), "7 is not a threshold from 0 to 1, 'board' or 'none'"),
        ((SCENARIO, ["0.7", 0.7], 1), "the gate 0.7 is there twice"),
        ((SCENARIO, [NO_LEARNING], 1), "no learning is in every sweep"),
        ((SCENARIO, GATES, 0), "replicas: 0 is not from 1 to 100000"),
        ((SCENARIO, GATES, True), "replicas: True"),
        ((SCENARIO, GATES, 1, "dask"), "executor: 'dask'"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[object, ...], named: str) -> None:
    refused = sweep_gates(*arguments)  # type: ignore[arg-type]
    assert refused.error.code == "bad-argument"
    assert named in refused.error.message


@pytest.mark.parametrize(
    ("plan", "field", "why"),
    [
        ({"sessions_per_day": 0.0}, "learning.sessions_per_day", "0 in 9 days"),
        ({"sessions_per_day": 0.1}, "learning.sessions_per_day", "0.1 in 9 days is not one"),
        ({"proposals_per_session": 0}, "learning.proposals_per_session", "0 leaves a gate nothing"),
    ],
)
def test_a_scenario_with_nothing_to_learn_is_refused_by_the_field_that_says_so(
    plan: dict[str, object], field: str, why: str
) -> None:
    refused = sweep_gates(learning(9, **plan), GATES, 1)
    assert (refused.error.code, refused.error.field) == ("no-sessions", field)
    assert refused.error.message.startswith(f"{field}: {why}")
