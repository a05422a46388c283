"""sweep: the same rows whatever computes them, and whatever happens to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

import pytest

from alembic_sim import CuratorPolicy, Scenario, simulate
from alembic_sim.sim.fast.run_fast import run_fast
from alembic_sim.sim.scenario_file import load_scenario
from alembic_sim.sim.sweep import compute as computing
from alembic_sim.sim.sweep import sweep as module
from alembic_sim.sim.sweep.replica import replica_seed, run_replicas
from alembic_sim.sim.sweep.sweep import library_only, policy_grid, sweep
from alembic_sim.sim.sweep.table import Sweep
from tests.sim.sweep.executors import InOrder, Refusing

GRID = policy_grid(stale=[14, 30], archive=[21, 60])
REPLICAS = 70  # more than the chunks that a sweep is cut into


def quiet(**changes: object) -> Scenario:
    scenario = library_only(load_scenario("quiet-team").expect("a shipped scenario"))
    return scenario.model_copy(update={"days": 90, **changes})


def swept(replicas: int = REPLICAS, executor: Executor | None = None, **changes: object) -> Sweep:
    return sweep(quiet(**changes), GRID, replicas, executor, progress=False).expect("a sweep")


@pytest.fixture(scope="module")
def alone() -> Sweep:
    """What this process computes on its own."""
    return swept()


def test_there_is_a_row_for_each_policy_and_replica_with_the_seed_that_gives_it_again(
    alone: Sweep,
) -> None:
    assert [(row.replica, row.run.policy) for row in alone.rows] == [
        (replica, policy) for replica in range(REPLICAS) for policy in GRID
    ]
    for row in alone.rows[:12]:
        assert row.run.seed == replica_seed(alone.scenario.seed, row.replica)
        again = run_fast(quiet(seed=row.run.seed), [row.run.policy])
        assert again.expect("a run") == (row.run,)


def test_the_replicas_of_neighbouring_seeds_are_others_and_fit_a_scenario() -> None:
    seeds = {replica_seed(seed, n) for seed in (0, 1, 2, 2**53 - 1) for n in range(50)}
    assert len(seeds) == 200
    assert max(seeds) < 2**53


def test_all_policies_of_a_replica_meet_the_same_library_and_no_two_replicas_do(
    alone: Sweep,
) -> None:
    libraries = {(row.replica, row.run.seed, row.run.uses, row.run.existing) for row in alone.rows}
    assert len(libraries) == REPLICAS
    assert len({seed for _replica, seed, _uses, _existing in libraries}) == REPLICAS


def test_the_first_replicas_do_not_depend_on_how_many_follow(alone: Sweep) -> None:
    assert swept(7).rows == alone.rows[: 7 * len(GRID)]


def test_another_seed_is_another_sweep(alone: Sweep) -> None:
    assert swept(7, seed=99).rows != alone.rows[: 7 * len(GRID)]


@pytest.mark.parametrize(("chunks", "tasks"), [(1, 1), (3, 3), (64, 35), (1000, 70)])
def test_rows_do_not_depend_on_the_chunks(
    alone: Sweep, chunks: int, tasks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "_CHUNKS", chunks)
    executor = InOrder()
    assert swept(executor=executor).digest == alone.digest
    assert executor.taken == tasks


def test_whole_days_written_as_fractions_are_the_same_sweep(alone: Sweep) -> None:
    floats = policy_grid(stale=[14.0, 30.0], archive=[21.0, 60.0])
    assert sweep(quiet(), floats, REPLICAS, progress=False).value.digest == alone.digest


@pytest.mark.parametrize(("hash_seed", "zone"), [("1", "UTC"), ("77", "Pacific/Auckland")])
def test_rows_depend_on_no_hash_seed_and_no_time_zone(
    alone: Sweep, hash_seed: str, zone: str
) -> None:
    code = f"from tests.sim.sweep.test_sweep import swept\nprint(swept({REPLICAS}).digest)"
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


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_do_not_depend_on_threads(alone: Sweep, threads: int) -> None:
    with ThreadPoolExecutor(threads) as pool:
        assert swept(executor=pool) == alone


def spawned(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def test_rows_do_not_depend_on_processes(alone: Sweep) -> None:
    """Each with a hash seed and a state of its own."""
    with spawned(2) as pool:
        assert swept(executor=pool).digest == alone.digest


@pytest.mark.parametrize("lost", [{0}, {3, 4, 20}, set(range(64))], ids=["one", "some", "all"])
def test_what_an_executor_loses_is_computed_here(alone: Sweep, lost: set[int]) -> None:
    executor = InOrder(lambda n: BrokenProcessPool("gone") if n in lost else None)
    assert swept(executor=executor) == alone


@pytest.mark.parametrize("takes", [0, 1, 20])
def test_what_an_executor_does_not_take_is_computed_here(alone: Sweep, takes: int) -> None:
    assert swept(executor=Refusing(takes)) == alone


def test_a_pool_that_was_shut_down_is_no_failure(alone: Sweep) -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    assert swept(executor=pool) == alone


class Murderous(ProcessPoolExecutor):
    """After ten tasks one of its processes is killed, as by an operating system short of memory."""

    handed_over = 0

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.handed_over += 1
        if self.handed_over == 10:
            os.kill(next(iter(self._processes)), signal.SIGKILL)
        return super().submit(fn, *args, **kwargs)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_process_costs_nothing_but_time(alone: Sweep) -> None:
    with Murderous(2, mp_context=get_context("spawn")) as pool:
        assert swept(executor=pool) == alone
        with pytest.raises(BrokenProcessPool):
            pool.submit(int).result()


def interrupting_after(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of the work, as the interpreter sees it."""

    def run(*arguments: object) -> object:
        run.calls += 1
        if run.calls > parts:
            raise KeyboardInterrupt
        return run_replicas(*arguments)

    run.calls = 0
    monkeypatch.setattr(module, "run_replicas", run)


@pytest.mark.parametrize("finished", [0, 1, 23])
def test_an_interrupted_sweep_keeps_the_finished_rows(
    alone: Sweep, finished: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupting_after(finished, monkeypatch)
    stopped = swept()
    assert stopped.rows == alone.rows[: finished * len(GRID)]
    assert (stopped.finished, stopped.replicas) == (finished, REPLICAS)
    assert "nterrupted" in stopped.sentence
    assert stopped._repr_html_()


def test_progress_is_told_on_stderr_and_only_when_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sweep(quiet(), GRID, 2, progress=True).expect("a sweep")
    told = capsys.readouterr()
    assert told.out == ""
    assert "2/2" in told.err
    sweep(quiet(), GRID, 2, progress=False).expect("a sweep")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("quiet-team", GRID, 1), "'quiet-team'"),
        ((quiet(), [], 1), "[]"),
        ((quiet(), [(30, 90)], 1), "(30, 90)"),
        ((quiet(), [*GRID, GRID[0]], 1), "twice"),
        ((quiet(), GRID, 0), "replicas: 0 is not from 1 to 100000"),
        ((quiet(), GRID, 100_001), "replicas: 100001 is not from 1 to 100000"),
        ((quiet(), GRID, 1.0), "replicas: 1.0"),
        ((quiet(), GRID, True), "replicas: True"),
        ((quiet(), GRID, 1, "dask"), "executor: 'dask'"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[object, ...], named: str) -> None:
    refused = sweep(*arguments)
    assert refused.error.code == "bad-argument"
    assert named in refused.error.message


def test_what_needs_the_reference_engine_is_named_before_anything_is_computed() -> None:
    refused = sweep(load_scenario("clock-jump").expect("a scenario"), GRID, 10)
    assert (refused.error.code, refused.error.field) == ("unsupported", "faults.clock_jump_day")


def test_a_grid_is_every_stale_window_with_every_archive_window() -> None:
    assert policy_grid([1, 2], [3, 4]) == (
        CuratorPolicy(1, 3),
        CuratorPolicy(1, 4),
        CuratorPolicy(2, 3),
        CuratorPolicy(2, 4),
    )
    with pytest.raises(ValueError, match="-1"):
        policy_grid([-1], [3])


def test_sessions_change_nothing_and_are_left_out() -> None:
    team = load_scenario("quiet-team").expect("it is shipped")
    assert team.learning.sessions_per_day > 0
    policies = [CuratorPolicy(30, 90)]
    swept = sweep(team, policies, 2, progress=False).expect("a sweep")
    alone = sweep(library_only(team), policies, 2, progress=False).expect("a sweep")
    assert swept == alone
    # The real engine, sessions and all, moves the very same skills without them.
    full, without = (simulate(one).expect("a run") for one in (team, library_only(team)))
    assert full.sessions
    assert full.transitions == without.transitions
