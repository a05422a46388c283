"""`alembic-sim notes`: show the two notebooks, or put a reviewer's proposals to the gate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    DirOption,
    JsonOption,
    bad_input,
    bad_usage,
    fail,
    home_folder,
    must_be_folder,
    print_json,
    print_line,
    warn,
)
from alembic_sim.cli.library import looks_like_hermes
from alembic_sim.cli.notes_view import (
    learned_document,
    notes_document,
    notes_lines,
    outcome_lines,
)
from alembic_sim.hermes.learning.gate import score_threshold_gate
from alembic_sim.hermes.learning.model_proposer import MAX_BODY_BYTES, parse_proposals
from alembic_sim.hermes.learning.review import review_and_learn
from alembic_sim.hermes.learning.types import ReviewDeps
from alembic_sim.hermes.memory.memory_store import FILE_NAMES, MemoryStore
from alembic_sim.hermes.memory.operations import MemoryTarget
from alembic_sim.result import Ok

app = typer.Typer(rich_markup_mode=None)

_PROPOSALS = 'a JSON array of {"target", "op", "rationale", "score"} objects'


@app.command("show")
def show(folder: DirOption = None, as_json: JsonOption = False) -> None:
    """Show the entries of MEMORY.md and USER.md, and how full they are.

    Reads a Hermes home as well (its `memories` folder). Exit 2 if a file that is there cannot be
    read.
    """
    home = home_folder(folder)
    name = "memories" if (home / "memories").is_dir() else "memory"
    must_be_folder(home / name)
    store = MemoryStore(DiskFs(home), folder=name)
    snapshot = store.load().expect("reading is best effort")
    if as_json:
        print_json(notes_document(home / name, store, snapshot))
    else:
        for line in notes_lines(home / name, store, snapshot.unreadable):
            print_line(line)
        for warning in snapshot.warnings:
            warn(f"warning: {warning}")
    _check_readable(snapshot.unreadable)


@app.command("apply")
def apply(
    proposals: Annotated[
        str,
        typer.Option(
            "--proposals",
            metavar="FILE",
            help="A JSON array of proposals, as a reviewer would reply; - reads standard input.",
            show_default=False,
        ),
    ],
    folder: DirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put proposals through the gate (score ≥ 0.7) and apply the approved ones.

    Exit 0 if nothing failed (a rejection is a result), 1 if the store could not write one, 2 if the
    file is no list of proposals, or the notes that one is for cannot be read.
    """
    home = home_folder(folder)
    if looks_like_hermes(home):
        fail(f"{home} is a Hermes home, which is never written; name another --dir")
    must_be_folder(home / "memory")
    raw, store = _read_proposals(proposals), MemoryStore(DiskFs(home))
    snapshot = store.load().expect("reading is best effort")
    deps = ReviewDeps(lambda _summary: Ok(raw), score_threshold_gate(), store)
    learned = review_and_learn(f"proposals from {Path(proposals).name}", deps)
    outcome = learned.value if learned.ok else learned.error.partial
    if as_json:
        print_json(learned_document(learned))
    else:
        for line in outcome_lines(outcome):
            print_line(line)
    if not learned.ok:
        warn(f"stopped there: {len(learned.error.remaining)} of {len(raw)} not applied")
        position = len(raw) - len(learned.error.remaining) + 1
        why = f"{learned.error.message}. Allowed: {_PROPOSALS}."
        bad_input(f"{proposals}, proposal {position}", why)
    failed = {no.proposal.target for no in outcome.failed}
    _check_readable([target for target in snapshot.unreadable if target in failed])
    if outcome.failed:
        fail(f"not written, though approved: {len(outcome.failed)}")


def _check_readable(unreadable: Sequence[MemoryTarget]) -> None:
    if unreadable:
        files = " and ".join(FILE_NAMES[target] for target in unreadable)
        bad_input("cannot be read", f"{files}; mend it by hand, its bytes were left as they are")


def _read_proposals(file: str) -> list[object]:
    try:
        if file == "-":
            data = typer.get_binary_stream("stdin").read(MAX_BODY_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MAX_BODY_BYTES + 1)
        body = data.decode("utf-8-sig")  # a model's reply has no byte-order mark, a file may
    except (OSError, ValueError) as error:  # not UTF-8 is a ValueError, as is an impossible path
        bad_usage("--proposals", file, f"a UTF-8 file that can be read ({error})")
    parsed = parse_proposals(body)
    if not parsed.ok:
        bad_usage("--proposals", file, f"{_PROPOSALS}; {parsed.error.message}")
    return parsed.value
