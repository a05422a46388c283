"""`alembic-sim scenario`: begin a scenario file, check one, or fit one to a real library."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    JsonOption,
    NowOption,
    bad_usage,
    clock_at,
    fail,
    print_json,
    print_line,
    warn,
)
from alembic_sim.cli.forecast import seen_by_both
from alembic_sim.cli.library import open_library
from alembic_sim.cli.scenario_argument import SCENARIO_HELP, scenario_at
from alembic_sim.durable import write_atomic
from alembic_sim.sim.fast.support import unsupported
from alembic_sim.sim.forecast.fit import fit_scenario
from alembic_sim.sim.reference import oversize
from alembic_sim.sim.scenario import NAME_PATTERN, Scenario, library_only
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
    shipped = load_scenario(like).expect("a shipped scenario is one")
    scenario = shipped.model_copy(update={"name": file.stem})
    _write_new(file, scenario_toml(scenario))
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
    why = oversize(found)
    print_line(f"  reference engine: {'yes' if why is None else f'no ({why})'}")
    beyond = ", ".join(_beyond_fast(found))
    print_line(f"  fast engine (sweep): {f'no ({beyond})' if beyond else 'yes'}")
    plan = found.curator
    if plan.archive_after_days <= plan.stale_after_days:
        warn("curator: a skill is archived before it can be stale; are the two windows swapped?")


def _beyond_fast(scenario: Scenario) -> list[str]:
    """What a sweep of policies cannot do; it leaves out the sessions, which use no skill."""
    return [path for path, _value in unsupported(library_only(scenario))]


@app.command("fit")
def fit(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A .usage.json, the skills folder that holds one, or the home above it.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="A .toml file that is not there yet."),
    ] = None,
    now: NowOption = None,
) -> None:
    """Print a scenario whose population is like a real library, and what the fit cannot say.

    PATH is read and never written; with --out the scenario goes to a file.
    """
    if out is not None and out.suffix != ".toml":
        bad_usage("--out", str(out), "a .toml file")
    now_ms = clock_at(now)()
    fitted = fit_scenario(seen_by_both(open_library(path, lambda: now_ms)), now_ms)
    if not fitted.ok:
        fail(fitted.error.message)
    for limit in fitted.value.limits:
        warn(f"limit: {limit}")
    limits = "".join(f"# Limit of the fit: {limit}\n" for limit in fitted.value.limits)
    text = limits + scenario_toml(fitted.value.scenario)
    if out is None:
        print_line(text.removesuffix("\n"))
        return
    _write_new(out, text)
    print_line(f"{out}: try it with: alembic-sim simulate {out}")


def _write_new(file: Path, text: str) -> None:
    """Writes a scenario file that was not there before."""
    if file.exists():
        fail(f"{file} is there already; nothing was written")
    place = file.expanduser().absolute()
    written = write_atomic(DiskFs(place.parent), place.name, text.encode("utf-8"))
    if not written.ok:
        fail(f"{file} could not be written: {written.error.message}")


def _document(scenario: Scenario) -> dict[str, object]:
    return {
        "scenario": scenario.model_dump(mode="json"),
        "unsupported": {"fast": _beyond_fast(scenario)},
        "too_large": {"reference": oversize(scenario)},
    }
