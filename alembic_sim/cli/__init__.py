"""The command line: `alembic-sim` and `python -m alembic_sim`.

Each command lives in a module of its own, imported only when it is the one that was asked for, so
that `alembic-sim --help` answers at once and a slow import is paid by nobody else.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command's name, where it lives (`module:attribute`) and its line in the help."""

    name: str
    target: str
    help: str


COMMANDS = (
    CommandEntry("lab", "alembic_sim.cli.lab:lab", "Open the lessons in JupyterLab."),
    CommandEntry(
        "lessons", "alembic_sim.cli.lessons:app", "List, copy, reset, export and verify lessons."
    ),
    CommandEntry("doctor", "alembic_sim.cli.doctor:doctor", "Look for what keeps lessons shut."),
    CommandEntry(
        "progress", "alembic_sim.cli.progress:progress", "Show which exercises you passed."
    ),
    CommandEntry("curate", "alembic_sim.cli.curate:curate", "Run one curator pass over a library."),
    CommandEntry(
        "notes", "alembic_sim.cli.notes:app", "Show MEMORY.md and USER.md, or apply notes."
    ),
    CommandEntry(
        "memory", "alembic_sim.cli.memory:app", "List a sub-store of records, or add one to it."
    ),
    CommandEntry(
        "skills", "alembic_sim.cli.skills:app", "List, view, use, patch, pin and archive skills."
    ),
    CommandEntry(
        "lint", "alembic_sim.cli.lint:lint_command", "Look for what is to mend in a real home."
    ),
    CommandEntry(
        "simulate",
        "alembic_sim.cli.simulate:simulate_command",
        "Simulate months of a library and its sessions.",
    ),
    CommandEntry(
        "sweep",
        "alembic_sim.cli.sweep:sweep_command",
        "Try many policies on the same sampled libraries.",
    ),
    CommandEntry("scenario", "alembic_sim.cli.scenario:app", "Begin, check or fit a scenario."),
    CommandEntry(
        "replay",
        "alembic_sim.cli.replay:replay_command",
        "Put policies beside each other on a recorded log.",
    ),
    CommandEntry(
        "forecast",
        "alembic_sim.cli.forecast:forecast_command",
        "Show what a policy will do to a real library.",
    ),
)
"""Every command, in the order of the help. A new command is a new row here."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and ends the process: 0 done, 1 failed or refused, 2 bad usage."""
    for stream in (sys.stdout, sys.stderr):
        # A Windows pipe or a POSIX locale would refuse `≥` and `§`: the output is UTF-8 everywhere.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        build_app(given)(args=given, prog_name="alembic-sim")
    except OSError as error:
        if error.filename is not None:  # of a file that a command opened: our bug
            raise
        _end_without_output(error)


def _end_without_output(error: OSError) -> NoReturn:
    """Ends with exit 1 and one line on stderr: the output could not be written."""
    typer.echo(f"Error: the output could not be written: {error.strerror}", err=True)
    # What is still in the buffer would be tried once more at the end, and fail with a traceback.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(1)


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """The app for these arguments: the command they name is real, the others are a line of help."""
    app = typer.Typer(
        name="alembic-sim",
        help="Learn and simulate the closed learning loop of an LLM agent.",
        no_args_is_help=True,
        add_completion=False,
        # Plain text: never wrapped into a box, and never the values of local variables.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        pretty_exceptions_show_locals=False,
    )
    app.callback()(_root)
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    for entry in COMMANDS:
        if entry.name == wanted:
            _add(app, entry)
        else:
            app.command(entry.name, help=entry.help)(_only_a_line_of_help)
    return app


def _add(app: typer.Typer, entry: CommandEntry) -> None:
    module, attribute = entry.target.split(":")
    command: typer.Typer | Callable[..., Any] = getattr(import_module(module), attribute)
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=entry.name, help=entry.help, no_args_is_help=True)
    else:
        app.command(entry.name)(command)


def _only_a_line_of_help() -> None:
    raise AssertionError("the command that was asked for is always the real one")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("alembic-sim"))
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Learn and simulate the closed learning loop of an LLM agent: propose, gate, apply."""
