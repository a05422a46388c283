"""`alembic-sim curate PATH`: one curator pass over a real library, its plan, or its undoing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

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
from alembic_sim.cli.curate_view import (
    PassView,
    move_line,
    pass_document,
    pass_lines,
    undo_document,
    undo_lines,
)
from alembic_sim.cli.library import Library, open_library
from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.hermes.curator.guard import DEFAULT_MAX_ARCHIVED_FRACTION, guard_pass
from alembic_sim.hermes.curator.pass_journal import run_journalled_pass, undo_last_pass
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorError
from alembic_sim.hermes.curator.run_record import RunRecord
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.result import Result

_T = TypeVar("_T")


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
        str, typer.Option("--stale", metavar="DAYS", help="Idle days until stale.")
    ] = "30",
    archive: Annotated[
        str, typer.Option("--archive", metavar="DAYS", help="Idle days until archived.")
    ] = "90",
    force: Annotated[
        bool, typer.Option("--force", help="Run even if more than half would be archived.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take back the last pass that moved anything.")
    ] = False,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Move idle skills active → stale → archived; nothing is deleted.

    Each real pass is written down in the folder .curator beside the file, and can be undone. A pass
    that would archive more than half of what it could is refused. A Hermes home is only ever read:
    there the pass is a dry run.
    """
    policy = CuratorPolicy(_days("--stale", stale), _days("--archive", archive))
    now_ms = clock_at(now)()
    library = open_library(path, lambda: now_ms)
    if undo:
        for option, given in (("--dry-run", dry_run), ("--force", force)):
            if given:
                bad_usage(option, "with --undo", "one of the two")
        _undo(library, as_json)
    else:
        _curate(library, policy, now_ms, dry_run, force, as_json)


def _curate(
    library: Library,
    policy: CuratorPolicy,
    now_ms: int,
    dry_run: bool,
    force: bool,
    as_json: bool,
) -> None:
    before = library.usage.load()
    plan = _done(run_curator(CuratorDeps(library.usage), policy, dry_run=True))
    guarded = guard_pass(plan)
    refused = None if guarded.ok or force or library.is_hermes else guarded.error.message
    run: RunRecord | None = None
    if not dry_run and library.runs is not None:
        if refused is not None:
            fail(f"nothing was moved: {refused} See the plan with --dry-run, or use --force.")
        limit = None if force else DEFAULT_MAX_ARCHIVED_FRACTION
        run = _done(run_journalled_pass(CuratorDeps(library.usage), library.runs, policy, limit))
    view = PassView(
        file=library.file,
        is_hermes=library.is_hermes,
        now_ms=now_ms,
        policy=policy,
        before=before,
        report=plan if run is None else run.report,
        run_id=None if run is None else run.id,
        refused=refused,
        warnings=library.warnings,
    )
    if as_json:
        print_json(pass_document(view))
    else:
        for line in pass_lines(view):
            print_line(line)


def _done(result: Result[_T, CuratorError]) -> _T:
    """The value; of a pass that stopped, what it saved and why it stopped, with exit 1."""
    if result.ok:
        return result.value
    for moved in result.error.partial.transitioned:
        warn(f"already saved: {move_line(moved)}")
    fail(f"the pass stopped at {result.error.code}: {result.error.message}")


def _undo(library: Library, as_json: bool) -> None:
    if library.runs is None or not isinstance(library.usage, UsageStore):
        fail(f"{library.file} may belong to a Hermes home, which is never written: nothing to undo")
    undone = undo_last_pass(library.usage, library.runs)
    if not undone.ok:
        if undone.error.partial is None:
            fail(f"nothing was undone: {undone.error.message}")
        for moved in undone.error.partial.report.transitioned:
            warn(f"already back: {move_line(moved)}")
        fail(f"the undo stopped at {undone.error.code}: {undone.error.message}")
    if as_json:
        print_json(undo_document(library.file, undone.value))
    else:
        for line in undo_lines(library.file, undone.value):
            print_line(line)


def _days(option: str, text: str) -> float:
    """The number of days that `text` spells; anything that is no policy's ends with exit 2."""
    try:
        return CuratorPolicy(float(text)).stale_after_days
    except ValueError:
        bad_usage(option, text, "a finite number of days, 0 or more")
