"""`alembic-sim sweep SCENARIO`: what each of several policies makes of the same libraries."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    JsonOption,
    bad_usage,
    fail,
    print_json,
    print_line,
    warn,
    whole_number,
)
from alembic_sim.cli.scenario_argument import SCENARIO_HELP, scenario_at
from alembic_sim.durable import write_atomic
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.sweep import MAX_REPLICAS, library_only, policy_grid, sweep
from alembic_sim.sim.sweep.table import COLUMNS, Sweep, table_line
from alembic_sim.strict_json import dump_strict_json

MAX_WORKERS = 64
MAX_POLICIES = 100


def sweep_command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help=SCENARIO_HELP, show_default=False)
    ],
    stale: Annotated[
        str, typer.Option("--stale", metavar="DAYS,DAYS…", help="Idle days until stale.")
    ] = "14,30",
    archive: Annotated[
        str, typer.Option("--archive", metavar="DAYS,DAYS…", help="Idle days until archived.")
    ] = "60,90",
    replicas: Annotated[
        str, typer.Option("--replicas", metavar="NUMBER", help="Libraries to try them on.")
    ] = "200",
    workers: Annotated[
        str | None,
        typer.Option(
            "--workers", metavar="NUMBER", help="Processes.", show_default="this one alone"
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", metavar="ADDRESS", help="A dask scheduler, tcp://…", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write sweep.json, rows.csv and policies.png there.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try every stale window with every archive window, each on the same sampled libraries.

    The rows are the same whatever computes them. Ctrl-C keeps the ones that are finished.
    """
    policies = _grid(stale, archive)
    count = whole_number("--replicas", replicas, 1, MAX_REPLICAS)
    world = _library_of(scenario_at(scenario))
    with _executor(workers, dask) as executor:
        swept = sweep(world, policies, count, executor, progress=sys.stderr.isatty())
    if not swept.ok:
        fail(f"{scenario}: {swept.error.message}")
    if as_json:
        print_json(swept.value.to_json())
    else:
        for line in _lines(swept.value):
            print_line(line)
    if out is not None:
        _write(swept.value, out)
    if swept.value.finished < count:
        fail(f"interrupted: {swept.value.finished} of {count} replicas are finished")


def _library_of(scenario: Scenario) -> Scenario:
    alone = library_only(scenario)
    if alone != scenario:
        warn("the sessions are left out: they use no skill of the library")
    return alone


def _grid(stale: str, archive: str) -> tuple[CuratorPolicy, ...]:
    stale_days, archive_days = _windows("--stale", stale), _windows("--archive", archive)
    if len(stale_days) * len(archive_days) > MAX_POLICIES:
        bad_usage("--archive", archive, f"with --stale at most {MAX_POLICIES} policies")
    return policy_grid(stale_days, archive_days)


def _windows(option: str, text: str) -> list[float]:
    try:
        days = [CuratorPolicy(float(part)).stale_after_days for part in text.split(",")]
    except ValueError:
        days = []
    if not days or len(set(days)) < len(days):
        bad_usage(option, text, "different numbers of days, 0 or more, such as 14,30,45")
    return days


@contextmanager
def _executor(workers: str | None, dask: str | None) -> Iterator[Executor | None]:
    """What is to compute the rows: this process, a pool of processes, or a dask cluster."""
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


def _lines(swept: Sweep) -> Iterator[str]:
    scenario = swept.scenario
    yield f"{scenario.name}, seed {scenario.seed}: {scenario.days} days, {swept.finished} replicas"
    table = [COLUMNS, *map(table_line, swept.summaries)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = (f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join([f"  {first:<{widths[0]}}", *cells])
    yield f"  digest {swept.digest}"
    yield swept.sentence


def _write(swept: Sweep, folder: Path) -> None:
    files = {
        "sweep.json": dump_strict_json(swept.to_json()).encode("utf-8"),
        "rows.csv": swept.to_csv().encode("utf-8"),
        "policies.png": _picture(swept),
    }
    folder = folder.expanduser().absolute()
    for name, data in files.items():
        written = write_atomic(DiskFs(folder.parent), f"{folder.name}/{name}", data)
        if not written.ok:
            fail(f"{folder / name} could not be written: {written.error.message}")


def _picture(swept: Sweep) -> bytes:
    """The policies beside each other, as a PNG."""
    from matplotlib.figure import Figure  # a second to load, for whoever asks for a picture

    from alembic_sim.sim.sweep.pictures import plot_policies

    figure = Figure(figsize=(8, 5), layout="constrained")
    plot_policies(figure.subplots(), swept)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()
