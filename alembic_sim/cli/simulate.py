"""`alembic-sim simulate SCENARIO`: months of a library and its sessions, and what they show."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli.common import JsonOption, fail, must_be_folder, print_json, print_line, warn
from alembic_sim.cli.out_folder import write_out
from alembic_sim.cli.scenario_argument import (
    SCENARIO_HELP,
    DaysOption,
    SeedOption,
    scenario_at,
)
from alembic_sim.cli.simulate_view import run_lines
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run, policy_name


def simulate_command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help=SCENARIO_HELP, show_default=False)
    ],
    seed: SeedOption = None,
    days: DaysOption = None,
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
    given = scenario_at(scenario, seed, days)
    if out is not None:  # said before the months are simulated, not after
        must_be_folder(out.expanduser(), "--out")
    done = simulate(given)
    if not done.ok:
        fail(f"{scenario}: {done.error.message}")
    run = done.value
    if as_json:
        print_json(run.to_json())
    else:
        for line in run_lines(run):
            print_line(line)
    if out is not None:
        _write(run, out)


def _write(run: Run, folder: Path) -> None:
    files = run.output_files()
    picture = _picture(run)
    if picture is None:
        warn("library.png was not drawn: matplotlib is not installed")
    else:
        files["library.png"] = picture
    write_out(folder, files)


def _picture(run: Run) -> bytes | None:
    """The library by state as a PNG, None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    from alembic_sim.sim.library_plot import plot_library

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    plot_library(figure.subplots(), run.counts)
    plan = run.scenario.curator
    policy = policy_name(plan.stale_after_days, plan.archive_after_days)
    figure.suptitle(f"{run.scenario.name}, seed {run.scenario.seed}, {policy}")
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()
