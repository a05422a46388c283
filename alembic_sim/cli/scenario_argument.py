"""The SCENARIO that a command is given: a shipped one's name, or a TOML or JSON file."""

from __future__ import annotations

from typing import NoReturn

import typer

from alembic_sim.cli.common import whole_number
from alembic_sim.ports.clock import MAX_SAFE_INTEGER
from alembic_sim.sim.scenario import MAX_DAYS, Scenario
from alembic_sim.sim.scenario_file import SHIPPED, load_scenario, read_scenario

SCENARIO_HELP = f"One of {', '.join(SHIPPED)}; or a TOML or JSON file."


def scenario_at(given: str, seed: str | None = None, days: str | None = None) -> Scenario:
    """The scenario, with another seed or length if one is given; a bad one ends with exit 2."""
    read = load_scenario(given) if given in SHIPPED else read_scenario(given)
    if not read.ok:
        typer.echo(f"Error: SCENARIO: {read.error.message}. {SCENARIO_HELP}", err=True)
        raise typer.Exit(2)
    changes = {}
    if seed is not None:
        changes["seed"] = whole_number("--seed", seed, 0, MAX_SAFE_INTEGER)
    if days is not None:
        changes["days"] = whole_number("--days", days, 1, MAX_DAYS)
    return read.value.model_copy(update=changes)


def bad_file(path: object, why: str) -> NoReturn:
    """Ends the command with exit 2: `why` names the line, and what is wrong there."""
    typer.echo(f"Error: {path}: {why}", err=True)
    raise typer.Exit(2)
