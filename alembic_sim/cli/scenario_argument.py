"""The SCENARIO that a command is given: a shipped one's name, or a TOML or JSON file."""

from __future__ import annotations

from typing import Annotated

import typer

from alembic_sim.cli.common import bad_input, whole_number
from alembic_sim.ports.clock import MAX_SAFE_INTEGER
from alembic_sim.sim.scenario import MAX_DAYS, Scenario
from alembic_sim.sim.scenario_file import SHIPPED, load_scenario, read_scenario

SCENARIO_HELP = f"One of {', '.join(SHIPPED)}; or a TOML or JSON file."

SeedOption = Annotated[
    str | None,
    typer.Option("--seed", metavar="NUMBER", help="Another seed.", show_default="the scenario's"),
]
DaysOption = Annotated[
    str | None,
    typer.Option("--days", metavar="DAYS", help="Another length.", show_default="the scenario's"),
]


def scenario_at(given: str, seed: str | None = None, days: str | None = None) -> Scenario:
    """The scenario, with another seed or length if one is given; a bad one ends with exit 2."""
    read = load_scenario(given) if given in SHIPPED else read_scenario(given)
    if not read.ok:
        advice = f". {SCENARIO_HELP}" if read.error.code == "unreadable" else ""
        bad_input("SCENARIO", f"{read.error.message}{advice}")
    changes = {}
    if seed is not None:
        changes["seed"] = whole_number("--seed", seed, 0, MAX_SAFE_INTEGER)
    if days is not None:
        changes["days"] = whole_number("--days", days, 1, MAX_DAYS)
    return read.value.model_copy(update=changes)
