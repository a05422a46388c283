"""A dask cluster on loopback: the same table, also when one of its workers dies midway."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.sim.sweep.sweep import sweep
from tests.cli.run_cli import run_cli
from tests.sim.sweep.test_sweep import GRID, quiet

distributed = pytest.importorskip(
    "distributed", reason="the extra [distributed] is not installed: no cluster to try"
)
# What dask itself warns of and leaves open when a worker is killed is not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")

REPLICAS = 300


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        options = ("--host", "127.0.0.1", "--no-dashboard")
        self.scheduler = self._start("scheduler", *options, "--port", str(port))
        one_thread = ("--nthreads", "1", "--no-nanny")
        self.workers = [self._start("worker", self.address, *options, *one_thread) for _ in "ab"]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait(10)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.close()


class KillingMidway(Executor):
    """Hands everything on; once a first task is done, and others wait, it kills a worker."""

    def __init__(self, real: Executor, kill: Callable[[], None]) -> None:
        self._real = real
        self._kill = kill
        self._futures: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._futures.append(self._real.submit(fn, *args, **kwargs))
        if len(self._futures) == 40:
            self._futures[0].result(timeout=60)
            self._kill()
        return self._futures[-1]


def test_a_worker_that_is_killed_midway_costs_nothing_but_time(cluster: Cluster) -> None:
    alone = sweep(quiet(), GRID, REPLICAS, progress=False).expect("a sweep")
    with distributed.Client(cluster.address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        executor = KillingMidway(client.get_executor(), cluster.workers[0].kill)
        together = sweep(quiet(), GRID, REPLICAS, executor, progress=False).expect("a sweep")
        assert len(client.scheduler_info()["workers"]) <= 1, "one of the two is dead"
    assert together == alone
    assert together.digest == alone.digest


def test_the_command_line_prints_the_same_table_from_a_cluster(cluster: Cluster) -> None:
    with distributed.Client(cluster.address, timeout=60) as client:
        client.wait_for_workers(1, timeout=60)
    there = run_cli("sweep", "quiet-team", "--replicas=20", f"--dask={cluster.address}")
    here = run_cli("sweep", "quiet-team", "--replicas=20")
    assert (there.exit_code, there.stdout) == (0, here.stdout)


def test_a_cluster_that_is_not_there_is_said_so() -> None:
    refused = run_cli("sweep", "quiet-team", "--dask=tcp://127.0.0.1:9")
    assert refused.exit_code == 1
    assert "no dask scheduler answers at tcp://127.0.0.1:9" in refused.stderr
