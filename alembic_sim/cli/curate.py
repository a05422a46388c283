"""`alembic-sim curate PATH`: one curator pass over a real library, or the plan of one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
from alembic_sim.cli.curate_view import PassView, pass_document, pass_lines
from alembic_sim.cli.library import open_library
from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.hermes.curator.policy import CuratorPolicy


def curate(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A .usage.json, the skills folder that holds one, or the home above it.",
            show_default=False,
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the plan; write nothing.")
    ] = False,
    stale: Annotated[
        float, typer.Option("--stale", metavar="DAYS", help="Idle days until stale.")
    ] = 30,
    archive: Annotated[
        float, typer.Option("--archive", metavar="DAYS", help="Idle days until archived.")
    ] = 90,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move idle skills active → stale → archived; nothing is deleted.

    A Hermes home is only ever read: there the pass is a dry run.
    """
    policy = _policy(stale, archive)
    now_ms = clock_at(now)()
    library = open_library(path, lambda: now_ms)
    dry = dry_run or library.is_hermes
    before = library.usage.load()
    done = run_curator(CuratorDeps(library.usage), policy, dry_run=dry)
    if not done.ok:
        for moved in done.error.partial.transitioned:
            warn(f"already saved: {moved.name} {moved.from_state} → {moved.to_state}")
        fail(f"the pass stopped at {done.error.code}: {done.error.message}")
    view = PassView(
        file=library.file,
        is_hermes=library.is_hermes,
        dry_run=dry,
        now_ms=now_ms,
        policy=policy,
        before=before,
        report=done.value,
        warnings=library.warnings,
    )
    if as_json:
        print_json(pass_document(view))
    else:
        for line in pass_lines(view):
            print_line(line)


def _policy(stale: float, archive: float) -> CuratorPolicy:
    for option, days in (("--stale", stale), ("--archive", archive)):
        try:
            CuratorPolicy(days, days)
        except ValueError:
            bad_usage(option, days, "a finite number of days, 0 or more")
    return CuratorPolicy(stale, archive)
