"""`alembic-sim skills`: the skills of a data folder; those of a Hermes home to look at only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    DirOption,
    JsonOption,
    NowOption,
    bad_input,
    bad_usage,
    fail,
    print_json,
    print_line,
    warn,
)
from alembic_sim.cli.skills_home import SkillsHome, open_home
from alembic_sim.cli.skills_view import (
    LibraryView,
    StatusView,
    listing_document,
    listing_lines,
    receipt_document,
    receipt_line,
    skill_document,
    skill_lines,
    status_document,
    status_lines,
)
from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.skills.checks import check_text
from alembic_sim.hermes.skills.hermes_skills import list_hermes_skills, view_hermes_skill
from alembic_sim.hermes.skills.reading import MAX_SKILL_BYTES
from alembic_sim.hermes.skills.skill_store import SkillStore
from alembic_sim.hermes.skills.types import SkillError, SkillListing, SkillReceipt
from alembic_sim.result import Result

app = typer.Typer(rich_markup_mode=None)

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The skill's name, exactly as `skills list` prints it.",
        show_default=False,
    ),
]  # fmt: skip
FileOption = Annotated[
    str,
    typer.Option(
        "--file", metavar="FILE", help="The body, without frontmatter; - reads standard input.",
        show_default=False,
    ),
]  # fmt: skip

_OF_THE_BODY = ("not-text", "empty-body", "frontmatter-in-body", "too-large")
"""The errors that say what is wrong with a body that was given."""


@app.command("list")
def show_list(folder: DirOption = None, now: NowOption = None, as_json: JsonOption = False) -> None:
    """List every skill, archived ones too, with its state and what is wrong with it."""
    view = _library_view(open_home(folder, now))
    if as_json:
        print_json(listing_document(view))
        return
    for line in listing_lines(view):
        print_line(line)
    for warning in view.warnings:
        warn(f"warning: {visible_line(warning)}")


@app.command("view")
def view(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Show a skill's text; the view is counted, but not in a Hermes home."""
    home = open_home(folder, now)
    if home.store is None:
        seen = view_hermes_skill(DiskFs(home.root), home.sidecar, name, home.folder)
    else:
        seen = home.store.view(name)
    if not seen.ok:
        _end_with(seen.error, name)
    if as_json:
        print_json(skill_document(seen.value))
        return
    for line in skill_lines(seen.value):
        print_line(line)
    for note in seen.value.notes:
        warn(f"note: {visible_line(note)}")


@app.command("create")
def create(
    name: NameArgument,
    file: FileOption,
    description: Annotated[
        str,
        typer.Option(
            "--description", metavar="TEXT", help="What the skill is for, in one line.",
            show_default=False,
        ),
    ],
    by: Annotated[
        str,
        typer.Option("--by", metavar="AUTHOR", help="Only an agent's skills are curated."),
    ] = "agent",
    folder: DirOption = None,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Write a new skill; a name that was ever used is refused."""
    _must_be_a_line("--description", description)
    _must_be_a_line("--by", by)
    store = _store_to_write(folder, now)
    _tell(store.create(name, description, _read_body(file), by), name, as_json)


@app.command("patch")
def patch(
    name: NameArgument, file: FileOption, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Give a skill a new body; the earlier text is kept beside it."""
    store = _store_to_write(folder, now)
    _tell(store.patch(name, _read_body(file)), name, as_json)


@app.command("use")
def use(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Count one use of a skill."""
    _tell(_store_to_write(folder, now).use(name), name, as_json)


@app.command("pin")
def pin(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Pin a skill: the curator leaves it alone."""
    _tell(_store_to_write(folder, now).pin(name), name, as_json)


@app.command("unpin")
def unpin(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Take the pin away."""
    _tell(_store_to_write(folder, now).pin(name, pinned=False), name, as_json)


@app.command("archive")
def archive(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Archive a skill: a state; its text stays where it is."""
    _tell(_store_to_write(folder, now).archive(name), name, as_json)


@app.command("restore")
def restore(
    name: NameArgument, folder: DirOption = None, now: NowOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Bring an archived skill back, by its exact name: active, as of now."""
    _tell(_store_to_write(folder, now).restore(name), name, as_json)


@app.command("status")
def status(
    folder: DirOption = None,
    stale: Annotated[
        float, typer.Option("--stale", metavar="DAYS", help="Idle days until stale.")
    ] = 30,
    archive: Annotated[
        float, typer.Option("--archive", metavar="DAYS", help="Idle days until archived.")
    ] = 90,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how the library stands: states, what goes stale next, what was never used."""
    for option, days in (("--stale", stale), ("--archive", archive)):
        try:
            CuratorPolicy(days, days)
        except ValueError:
            bad_usage(option, days, "a finite number of days, 0 or more")
    home = open_home(folder, now)
    notebooks = "memories" if (home.root / "memories").is_dir() else "memory"
    memory = MemoryStore(DiskFs(home.root), folder=notebooks)
    snapshot = memory.load().expect("reading is best effort")
    view = StatusView(
        _library_view(home), home.sidecar, home.now_ms, CuratorPolicy(stale, archive), memory,
        snapshot.warnings,
    )  # fmt: skip
    if as_json:
        print_json(status_document(view))
    else:
        for line in status_lines(view):
            print_line(line)


def _library_view(home: SkillsHome) -> LibraryView:
    if home.store is None:
        listing = list_hermes_skills(DiskFs(home.root), home.sidecar, home.folder)
    else:
        listing = home.store.list().expect("reading is best effort")
    warnings = (*home.warnings, *listing.warnings)
    where = home.root / home.folder
    return LibraryView(where, home.store is None, SkillListing(listing.skills, warnings))


def _store_to_write(folder: Path | None, now: str | None) -> SkillStore:
    home = open_home(folder, now)
    if home.store is None:
        fail(
            f"foreign-format: {home.root / home.folder} is, or may be, a Hermes home's, which is"
            " never written; name another --dir"
        )
    return home.store


def _tell(done: Result[SkillReceipt, SkillError], name: str, as_json: bool) -> None:
    if not done.ok:
        _end_with(done.error, name)
    if as_json:
        print_json(receipt_document(done.value))
        return
    print_line(receipt_line(done.value))
    for note in done.value.notes:
        warn(f"note: {visible_line(note)}")


def _end_with(error: SkillError, name: str) -> NoReturn:
    """Exit 2 for what is a matter of what was typed, or of the skill's own file; else exit 1."""
    message = visible_line(error.message)
    if error.code == "bad-name":
        allowed = "1 to 64 of a-z, 0-9, '.', '_' and '-', not beginning with a dot"
        bad_usage("NAME", name, allowed)
    if error.code in _OF_THE_BODY:
        bad_input("--file", message.removeprefix("body: "))
    if error.code == "unreadable":
        bad_input(error.code, message)
    fail(f"{error.code}: {message}")


def _must_be_a_line(option: str, text: str) -> None:
    if not (check_text(option, text).ok and text.strip() and len(text.splitlines()) == 1):
        bad_usage(option, text, "one line of text that is not blank")


def _read_body(file: str) -> str:
    """The text of the file, or of standard input for `-`; anything but UTF-8 ends with exit 2."""
    try:
        if file == "-":
            data = typer.get_binary_stream("stdin").read(MAX_SKILL_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(MAX_SKILL_BYTES + 1)
        if len(data) > MAX_SKILL_BYTES:
            bad_usage("--file", file, f"a file of at most {MAX_SKILL_BYTES} bytes")
        return data.decode("utf-8")
    except (OSError, ValueError) as error:  # not UTF-8 is a ValueError, as is an impossible path
        bad_usage("--file", file, f"a UTF-8 file that can be read ({error})")
