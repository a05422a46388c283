"""`alembic-sim simulate SCENARIO`: months of a library and its sessions, and what they show."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import JsonOption, fail, print_json, print_line, warn
from alembic_sim.cli.scenario_argument import SCENARIO_HELP, scenario_at
from alembic_sim.cli.sparkline import sparkline
from alembic_sim.durable import write_atomic
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.session_plots import trailing_mean


def simulate_command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help=SCENARIO_HELP, show_default=False)
    ],
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="NUMBER", help="Another seed.", show_default="the scenario's"
        ),
    ] = None,
    days: Annotated[
        str | None,
        typer.Option(
            "--days", metavar="DAYS", help="Another length.", show_default="the scenario's"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write run.json, events.jsonl, counts.csv and library.png there.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Simulate a scenario with the real stores, and answer in a sentence.

    The same scenario and seed give the same digest, everywhere.
    """
    done = simulate(scenario_at(scenario, seed, days))
    if not done.ok:
        fail(f"{scenario}: {done.error.message}")
    run = done.value
    if as_json:
        print_json(run.to_json())
    else:
        for line in _lines(run):
            print_line(line)
    if out is not None:
        _write(run, out)


def _lines(run: Run) -> Iterator[str]:
    scenario = run.scenario
    first, last = (iso_from_ms(ms)[:10] for ms in (scenario.start_ms, scenario.end_ms - 1))
    yield f"{scenario.name}, seed {scenario.seed}: {scenario.days} days, {first} to {last}"
    if scenario.shows:
        yield f"  {scenario.shows}"
    states = ["active", "stale", "archived", *(["unknown"] if run.counts[-1].unknown else [])]
    for state in states:
        counts = [getattr(count, state) for count in run.counts]
        bars = sparkline(counts, highest=len(run.trace.skills))
        yield f"  {state:8} {bars} {counts[0]} → {counts[-1]}"
    for figures in run.arms:
        bars = sparkline(trailing_mean(run.success[figures.arm], 10), highest=1)
        yield f"  {figures.arm:8} {bars} {figures.success_at_end:.0%} of tasks at the end"
    yield f"  digest   {run.digest}"
    yield run.sentence


def _write(run: Run, folder: Path) -> None:
    files = run.output_files()
    picture = _picture(run)
    if picture is None:
        warn("library.png was not drawn: matplotlib is not installed")
    else:
        files["library.png"] = picture
    folder = folder.expanduser().absolute()
    for name, data in files.items():
        written = write_atomic(DiskFs(folder.parent), f"{folder.name}/{name}", data)
        if not written.ok:
            fail(f"{folder / name} could not be written: {written.error.message}")


def _picture(run: Run) -> bytes | None:
    """The library by state as a PNG, None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    from alembic_sim.sim.library_plot import plot_library

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    plot_library(figure.subplots(), run.counts)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()
