"""What every command shares: its clock, its data folder, its output and its exit codes.

Exit codes: 0 done, 1 failed or refused (reason on stderr), 2 bad usage or a bad file (field, value,
what is allowed). All is printed through `typer.echo`: a pipe gets whole lines, never wrapped ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from alembic_sim.iso import ms_from_iso
from alembic_sim.ports.clock import Clock
from alembic_sim.result import Ok

HOME_VARIABLE = "ALEMBIC_SIM_HOME"

_ISO_ALLOWED = (
    "an ISO date or time from 1970 to 9999, such as 2025-06-30 or 2025-06-30T12:00:00Z"
    " (no zone means UTC)"
)

NowOption = Annotated[
    str | None,
    typer.Option(
        "--now",
        metavar="ISO",
        help="Take this instant as now, e.g. 2025-06-30T12:00:00Z (no zone means UTC).",
        show_default="the wall clock",
    ),
]
"""`--now ISO`; hand the value to `clock_at`."""

DirOption = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        metavar="FOLDER",
        envvar=HOME_VARIABLE,
        help="The data folder.",
        show_default="~/.alembic-sim",
    ),
]
"""`--dir FOLDER`, else the environment's ALEMBIC_SIM_HOME; hand the value to `data_folder`."""

JsonOption = Annotated[bool, typer.Option("--json", help="Print one strict JSON document.")]
"""`--json`; hand the document to `print_json`."""


def clock_at(now: str | None, field: str = "--now") -> Clock:
    """A clock standing still at `now`; the wall clock if it is None. Bad text ends with exit 2."""
    if now is None:
        # The command line alone chooses the wall clock, and only when nobody fixed the time.
        from alembic_sim.adapters.clock import SystemClock

        return SystemClock()
    match ms_from_iso(now):
        case Ok(instant_ms) if instant_ms >= 0:  # a clock counts from 1970
            return lambda: instant_ms
        case _:
            bad_usage(field, now, _ISO_ALLOWED)


def whole_number(field: str, text: str, lowest: int, highest: int) -> int:
    """The whole number that `text` spells; anything else, or outside the bounds, ends with exit 2.

    Typer's own checks of numbers do not name the value.
    """
    # At most 19 digits of ASCII: `int` would take 1_000, other scripts' digits, and thousands.
    if re.fullmatch(r"\s*[+-]?[0-9]{1,19}\s*", text) and lowest <= int(text) <= highest:
        return int(text)
    bad_usage(field, text, f"a whole number from {lowest} to {highest}")


def data_folder(given: Path | None) -> Path:
    """The folder the command works in: `given`, else `~/.alembic-sim`. Nothing is created."""
    folder = Path("~/.alembic-sim") if given is None else given
    try:
        return folder.expanduser()
    except RuntimeError:
        bad_usage("--dir", str(folder), "a folder (this user has no home folder: name one)")


def home_folder(given: Path | None) -> Path:
    """The data folder, which may not be there yet; exit 2 if it is, or lies below, no folder."""
    home = data_folder(given)
    must_be_folder(home, "--dir")
    return home


def must_be_folder(folder: Path, field: str | None = None) -> None:
    """Ends with exit 2 if something that is no folder stands at `folder`, or on the way to it."""
    field = field or str(folder)
    try:
        there = next((place for place in (folder, *folder.parents) if place.exists()), None)
        if there is not None and not there.is_dir():
            bad_input(field, f"{there} is not a folder")
    except (OSError, ValueError) as error:  # a name too long, a NUL, a folder that is closed to us
        bad_input(field, f"{str(folder)!r} is not a folder that can be read ({error})")


def print_line(text: str = "") -> None:
    """Prints one line on stdout, at once: a reader at the other end of a pipe must not wait."""
    typer.echo(text)


def print_json(document: Mapping[str, object] | Sequence[object]) -> None:
    """Prints one strict JSON document, keys in the order given; NaN or Infinity is our bug.

    A name on disk that is not UTF-8 holds half characters: those are shown, as `\\udcff`.
    """
    printed = json.dumps(document, allow_nan=False, ensure_ascii=False, indent=2)
    print_line(re.sub("[\ud800-\udfff]", lambda half: rf"\\u{ord(half[0]):x}", printed))


def warn(message: str) -> None:
    """Prints a remark on stderr; the command goes on."""
    typer.echo(message, err=True)


def fail(message: str) -> NoReturn:
    """Ends the command with exit 1: `message` says what happened and what to do next."""
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(1)


def bad_usage(field: str, value: object, allowed: str) -> NoReturn:
    """Ends the command with exit 2, naming the field, the value and what is allowed."""
    bad_input(field, f"{value!r} is not allowed. Allowed: {allowed}.")


def bad_input(field: str, why: str) -> NoReturn:
    """Ends the command with exit 2, naming the field, or the file, and what is wrong with it."""
    typer.echo(f"Error: {field}: {why}", err=True)
    raise typer.Exit(2)
