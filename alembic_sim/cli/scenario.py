"""`alembic-sim scenario`: begin a scenario file, or check one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import JsonOption, bad_usage, fail, print_json, print_line
from alembic_sim.cli.scenario_argument import SCENARIO_HELP, scenario_at
from alembic_sim.durable import write_atomic
from alembic_sim.sim.fast.support import unsupported
from alembic_sim.sim.scenario import NAME_PATTERN, Scenario
from alembic_sim.sim.scenario_file import SHIPPED, load_scenario, scenario_toml

app = typer.Typer(rich_markup_mode=None)


@app.command("new")
def new(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A .toml file that is not there yet.", show_default=False
        ),
    ],
    like: Annotated[
        str, typer.Option("--like", metavar="NAME", help=f"One of {', '.join(SHIPPED)}.")
    ] = SHIPPED[0],
) -> None:
    """Begin a scenario file: every field with its meaning, its unit and its bounds."""
    if like not in SHIPPED:
        bad_usage("--like", like, f"one of {', '.join(SHIPPED)}")
    if file.suffix != ".toml" or not re.fullmatch(NAME_PATTERN, file.stem):
        bad_usage("FILE", str(file), "a .toml file named with a-z, 0-9 and '-'")
    if file.exists():
        fail(f"{file} is there already; nothing was written")
    shipped = load_scenario(like).expect("a shipped scenario is one")
    scenario = shipped.model_copy(update={"name": file.stem})
    folder = file.expanduser().absolute()
    data = scenario_toml(scenario).encode("utf-8")
    written = write_atomic(DiskFs(folder.parent), folder.name, data)
    if not written.ok:
        fail(written.error.message)
    print_line(f"{file}: a scenario like {like}; check it with: alembic-sim scenario check {file}")


@app.command("check")
def check(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help=SCENARIO_HELP, show_default=False)
    ],
    as_json: JsonOption = False,
) -> None:
    """Check a scenario file, and say which engines can simulate it.

    Exit 2 with the path of the field, its value and what is allowed if it is no scenario.
    """
    found = scenario_at(scenario)
    if as_json:
        print_json(_document(found))
        return
    skills = sum(archetype.count for archetype in found.population)
    print_line(f"{scenario}: {found.name}, {skills} skills, {found.days} days, seed {found.seed}")
    print_line("  reference engine: yes")
    beyond = [path for path, _value in unsupported(found)]
    print_line(f"  fast engine: no ({', '.join(beyond)})" if beyond else "  fast engine: yes")


def _document(scenario: Scenario) -> dict[str, object]:
    return {
        "scenario": scenario.model_dump(mode="json"),
        "unsupported": {"fast": [path for path, _value in unsupported(scenario)]},
    }
