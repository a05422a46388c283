"""What a sweep runs on: this process, a pool of processes, or a dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from alembic_sim.cli.common import bad_usage, fail, whole_number

MAX_WORKERS = 64


@contextmanager
def sweep_executor(workers: str | None, dask: str | None) -> Iterator[Executor | None]:
    """What `--workers` and `--dask` ask for, closed at the end; None: this process alone."""
    if workers is not None and dask is not None:
        bad_usage("--dask", dask, "one of --workers and --dask")
    if dask is not None:
        client = _dask_client(dask)
        try:
            yield client.get_executor()
        finally:
            client.close()
    elif workers is not None:
        number = whole_number("--workers", workers, 1, MAX_WORKERS)
        # Spawned on every system: a fork may copy a lock that a thread is just holding.
        with ProcessPoolExecutor(number, mp_context=get_context("spawn")) as pool:
            yield pool
    else:
        yield None


def _dask_client(address: str) -> Any:
    if not address.startswith(("tcp://", "tls://")):
        bad_usage("--dask", address, "a scheduler's address, such as tcp://127.0.0.1:8786")
    try:
        distributed = import_module("distributed")
    except ImportError:
        fail("--dask needs dask: pip install 'alembic-sim[distributed]'")
    try:
        return distributed.Client(address, timeout=5)
    except (OSError, ValueError) as error:  # nobody there; no address at all
        fail(f"no dask scheduler answers at {address}: {error}")
