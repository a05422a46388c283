"""`alembic-sim forecast PATH`: what a policy will do to a real library, and how likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli.common import (
    JsonOption,
    NowOption,
    bad_usage,
    clock_at,
    print_json,
    print_line,
    whole_number,
)
from alembic_sim.cli.forecast_view import ROWS, ForecastView, forecast_document, forecast_lines
from alembic_sim.cli.library import Library, open_library
from alembic_sim.cli.policy_option import policies_at
from alembic_sim.hermes.curator.curator import CuratorDeps, UsageLedger, run_curator
from alembic_sim.hermes.curator.guard import guard_pass
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.sidecar import parse_document
from alembic_sim.sim.forecast.forecast import (
    DEFAULT_HORIZON_DAYS,
    DEFAULT_POLICIES,
    MAX_HORIZON_DAYS,
    MAX_POLICIES,
    forecast,
)
from alembic_sim.sim.forecast.library import SkillLibrary, library_of, library_of_hermes
from alembic_sim.sim.run import policy_name

_DEFAULT = " and ".join(
    policy_name(one.stale_after_days, one.archive_after_days) for one in DEFAULT_POLICIES
)


def forecast_command(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A .usage.json, the skills folder that holds one, or the home above it.",
            show_default=False,
        ),
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="STALE/ARCHIVE",
            help="Idle days until stale and until archived; may be given several times.",
            show_default=_DEFAULT,
        ),
    ] = None,
    horizon: Annotated[
        str,
        typer.Option("--horizon", metavar="DAYS", help=f"Days ahead, 1 to {MAX_HORIZON_DAYS}."),
    ] = str(DEFAULT_HORIZON_DAYS),
    now: NowOption = None,
    show_all: Annotated[
        bool,
        typer.Option("--all", help=f"Show every skill, not the first {ROWS} of each policy."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what each policy will archive, when, how likely, and what will be missed.

    The answer stands at the end. The library, ours or a Hermes home, is only read. Alembic's rules
    and the ancestor's stand side by side.
    """
    policies = policies_at(policy, MAX_POLICIES) if policy else DEFAULT_POLICIES
    days = whole_number("--horizon", horizon, 1, MAX_HORIZON_DAYS)
    now_ms = clock_at(now)()
    library = open_library(path, lambda: now_ms)
    seen = seen_by_both(library)
    made = forecast(seen, now_ms, policies, days)
    # Every argument has been checked on its way here.
    view = ForecastView(
        library.file,
        library.is_hermes,
        made.expect("checked arguments"),
        _best_elsewhere(seen, now_ms, policies, days),
        () if library.is_hermes else _refused(library.usage, now_ms, policies),
    )
    if as_json:
        print_json(forecast_document(view))
    else:
        for line in forecast_lines(view, show_all):
            print_line(line)


def _best_elsewhere(
    library: SkillLibrary, now_ms: int, policies: Sequence[CuratorPolicy], days: int
) -> dict[int, str]:
    """The best policy by the same count over half as many days, and over twice as many."""
    if len(policies) == 1:
        return {}
    horizons = [at for at in (days // 2, days * 2) if 1 <= at <= MAX_HORIZON_DAYS]
    made = {at: forecast(library, now_ms, policies, at) for at in horizons}
    return {at: one.expect("checked arguments").best for at, one in made.items()}


def _refused(
    usage: UsageLedger, now_ms: int, policies: Sequence[CuratorPolicy]
) -> tuple[tuple[CuratorPolicy, str], ...]:
    """The policies whose first pass `curate` would refuse, each with the guard's reason."""
    deps = CuratorDeps(usage, lambda: now_ms)
    plans = [(policy, run_curator(deps, policy, dry_run=True)) for policy in policies]
    guarded = [(policy, guard_pass(plan.value)) for policy, plan in plans if plan.ok]
    return tuple((policy, found.error.message) for policy, found in guarded if not found.ok)


def seen_by_both(library: Library) -> SkillLibrary:
    """The library as both curators see it; a home's file is read once more, for its own words."""
    if not library.is_hermes:
        return library_of(library.usage.load())
    try:
        parsed = parse_document(library.file.read_bytes())
    except OSError as error:  # it could be read a moment ago
        bad_usage("PATH", str(library.file), f"a file that can be read ({error.strerror})")
    if not (parsed.ok and isinstance(parsed.value, Mapping)):
        bad_usage("PATH", str(library.file), "a JSON object of skills, left alone meanwhile")
    seen = library_of_hermes(parsed.value)
    return replace(seen, warnings=(*seen.warnings, *_folder_notes(library.file.parent, seen)))


def _folder_notes(skills: Path, library: SkillLibrary) -> list[str]:
    """Where the home's folders contradict its records: the ancestor's archive is a folder."""
    live, archived = _folders(skills), _folders(skills / ".archive")
    notes = []
    for name, record in sorted(library.ancestor.items()):
        if record.state != "archived" and name in archived - live:
            notes.append(f"{name}: {record.state} by its record, but its folder is in .archive")
        if record.state == "archived" and name in live:
            notes.append(f"{name}: archived by its record, but its folder is not in .archive")
    return notes


def _folders(parent: Path) -> set[str]:
    try:
        return {entry.name for entry in parent.iterdir() if entry.is_dir()}
    except OSError:  # none there, or closed to us: nothing can be said
        return set()
