"""`alembic-sim sweep SCENARIO`: policies on the same libraries, or gates on the same sessions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli.common import (
    JsonOption,
    bad_usage,
    fail,
    print_json,
    print_line,
    warn,
    whole_number,
)
from alembic_sim.cli.policy_option import policies_at
from alembic_sim.cli.scenario_argument import (
    SCENARIO_HELP,
    DaysOption,
    SeedOption,
    scenario_at,
)
from alembic_sim.cli.sweep_executor import sweep_executor
from alembic_sim.cli.sweep_view import SweepView, gates_view, policies_view
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Ok, Result
from alembic_sim.sim.fast.support import FastError
from alembic_sim.sim.gates.gate_choice import GATES_ALLOWED, GateChoice, gate_choice
from alembic_sim.sim.gates.sweep_gates import sweep_gates
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.compute import MAX_REPLICAS
from alembic_sim.sim.sweep.sweep import library_only, policy_grid, sweep

DEFAULT_STALE, DEFAULT_ARCHIVE = "14,30", "60,90"
MAX_TRIED = 100


def sweep_command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help=SCENARIO_HELP, show_default=False)
    ],
    stale: Annotated[
        str | None,
        typer.Option(
            "--stale",
            metavar="DAYS,DAYS…",
            help="Idle days until stale.",
            show_default=DEFAULT_STALE,
        ),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive",
            metavar="DAYS,DAYS…",
            help="Idle days until archived.",
            show_default=DEFAULT_ARCHIVE,
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="STALE/ARCHIVE",
            help="A policy, instead of all those of the windows; may be given several times.",
            show_default=False,
        ),
    ] = None,
    gate: Annotated[
        str | None,
        typer.Option(
            "--gate",
            metavar="GATE,GATE…",
            help="Try gates on the sessions instead: thresholds such as 0.7, board, none.",
            show_default=False,
        ),
    ] = None,
    replicas: Annotated[
        str, typer.Option("--replicas", metavar="NUMBER", help="Worlds to try them in.")
    ] = "200",
    seed: SeedOption = None,
    days: DaysOption = None,
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
            help="Write sweep.json (gates.json), rows.csv and policies.png (gates.png) there.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try every stale window with every archive window, each on the same sampled libraries.

    With --policy: try just those policies. With --gate: try several gates, each on the same sampled
    tasks and proposals. The rows are the same whatever computes them; a row's seed is its
    replica's, out of which `simulate` would draw another library. Ctrl-C keeps the rows that are
    finished.
    """
    _one_question(gate, policy, {"--stale": stale, "--archive": archive})
    if gate is not None:
        tried = _gates(gate)
    elif policy:
        tried = partial(_sweep_policies, policies_at(policy, MAX_TRIED))
    else:
        tried = _policies(
            DEFAULT_STALE if stale is None else stale,
            DEFAULT_ARCHIVE if archive is None else archive,
        )
    count = whole_number("--replicas", replicas, 1, MAX_REPLICAS)
    world = scenario_at(scenario, seed, days)
    with sweep_executor(workers, dask) as executor:
        done = tried(world, count, executor)
    if not done.ok:
        fail(f"{scenario}: {done.error.message}")
    view = done.value
    if as_json:
        print_json(view.swept.to_json())
    else:
        for line in view.lines():
            print_line(line)
    if out is not None:
        view.write(out)
    if view.swept.finished < count:
        fail(f"interrupted: {view.swept.finished} of {count} replicas are finished")


Try = Callable[[Scenario, int, Executor | None], Result[SweepView, FastError]]
"""The sweep that the options ask for: a scenario, how many replicas, what computes them."""


def _one_question(
    gate: str | None, policy: list[str] | None, windows: Mapping[str, str | None]
) -> None:
    """Ends with exit 2 if two of the three questions are asked at once."""
    other = "--gate" if gate is not None else "--policy" if policy else None
    if other is None:
        return
    given = {**windows, "--policy": ", ".join(policy) if policy else None}
    for option, value in given.items():
        if option != other and value is not None:
            bad_usage(option, value, f"no {option} beside {other}: one question a sweep")


def _policies(stale: str, archive: str) -> Try:
    stale_days, archive_days = _windows("--stale", stale), _windows("--archive", archive)
    if len(stale_days) * len(archive_days) > MAX_TRIED:
        bad_usage("--archive", archive, f"with --stale at most {MAX_TRIED} policies")
    return partial(_sweep_policies, policy_grid(stale_days, archive_days))


def _gates(gate: str) -> Try:
    gates = [found.value for part in gate.split(",") if (found := gate_choice(part.strip())).ok]
    if len(gates) < gate.count(",") + 1 or len(set(gates)) < len(gates):
        bad_usage("--gate", gate, f"different gates, each {GATES_ALLOWED}, such as 0.5,0.7,board")
    if len(gates) > MAX_TRIED:
        bad_usage("--gate", gate, f"at most {MAX_TRIED} gates")
    return partial(_sweep_gates, gates)


def _sweep_policies(
    grid: tuple[CuratorPolicy, ...], world: Scenario, replicas: int, executor: Executor | None
) -> Result[SweepView, FastError]:
    if library_only(world) != world:
        warn("the sessions are left out: they use no skill of the library; --gate sweeps them")
    swept = sweep(world, grid, replicas, executor, sys.stderr.isatty())
    return Ok(policies_view(swept.value)) if swept.ok else swept


def _sweep_gates(
    gates: list[GateChoice], world: Scenario, replicas: int, executor: Executor | None
) -> Result[SweepView, FastError]:
    swept = sweep_gates(world, gates, replicas, executor, sys.stderr.isatty())
    return Ok(gates_view(swept.value)) if swept.ok else swept


def _windows(option: str, text: str) -> list[float]:
    try:
        days = [CuratorPolicy(float(part)).stale_after_days for part in text.split(",")]
    except ValueError:
        days = []
    if not days or len(set(days)) < len(days):
        bad_usage(option, text, "different numbers of days, 0 or more, such as 14,30,45")
    return days
