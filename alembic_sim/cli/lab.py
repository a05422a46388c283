"""`alembic-sim lab`: the lessons copied to the learner's folder and opened in JupyterLab."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from alembic_sim.cli.common import bad_input, bad_usage, fail, print_line, warn, whole_number
from alembic_sim.cli.lab_server import (
    PORTS,
    LabServer,
    StopRequest,
    catching_stop,
    free_port,
    private_folder,
    start_server,
    why_not,
)
from alembic_sim.cli.lab_trust import trust_copies
from alembic_sim.result import Err, Ok
from alembic_sim.teaching.lessons.catalog import find_lesson
from alembic_sim.teaching.lessons.copying import COPIES, copies_folder, copy_lessons

READY_SECONDS = 120
FIRST_LESSON = "00"


def lab(
    lesson: Annotated[
        str, typer.Option("--lesson", metavar="NN", help="The lesson to open, e.g. 03.")
    ] = FIRST_LESSON,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir",
            metavar="FOLDER",
            help="Where your copies of the lessons live.",
            show_default=COPIES,
        ),
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(
            "--port", metavar="N", help="The port to listen on.", show_default="a free one"
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address; open nothing.")
    ] = False,
) -> None:
    """Open the lessons in JupyterLab, in copies of your own that are never overwritten."""
    notebook = _notebook(lesson)
    wanted_port = None if port is None else _port(port)
    folder = copies_folder(folder)
    fresh = _copy(folder)
    with catching_stop() as stop:
        try:
            server = start_server(folder, wanted_port or free_port(), notebook, not no_browser)
        except OSError as error:
            fail(f"JupyterLab could not be started in {folder}: {error}. Try another --dir.")
        try:
            _trust(folder, fresh)  # takes a second; the server needs several to start
            _serve(server, notebook, stop)
        finally:
            server.stop()
    print_line("JupyterLab has stopped. Your lessons stay where they are.")


def _notebook(lesson: str) -> str:
    match find_lesson(lesson):
        case Ok(found):
            return found.path.name
        case Err(error):
            bad_input("--lesson", error.message)


def _port(text: str) -> int:
    port = whole_number("--port", text, *PORTS)
    reason = why_not(port)
    if reason is not None:
        fail(f"Port {port} on 127.0.0.1: {reason}. Leave out --port and a free one is taken.")
    return port


def _copy(folder: Path) -> tuple[str, ...]:
    """Says what happened to the files; the names of those that are now as we made them."""
    match copy_lessons(folder):
        case Ok(copied):
            print_line(f"Your lessons are in {folder}")
            if copied.kept:
                print_line(f"Kept as you left them: {', '.join(copied.kept)}")
            if copied.updates:
                print_line(f"Newer versions lie beside them: {', '.join(copied.updates)}")
            return (*copied.written, *copied.unchanged, *copied.updates)
        case Err(error) if error.code in ("own-folder", "in-the-way"):
            bad_usage("--dir", str(folder), f"a folder for your own copies ({error.message})")
        case Err(error):
            fail(f"The lessons could not be copied. {error.message}")


def _trust(folder: Path, fresh: tuple[str, ...]) -> None:
    if fresh:
        try:
            trust_copies(folder, private_folder(folder), fresh)
        except OSError as error:
            warn(f"Pictures will show once their cells have run ({error}).")


def _serve(server: LabServer, notebook: str, stop: StopRequest) -> None:
    """Waits until the server answers, prints where it is, and waits until it ends or must stop."""
    print_line("Starting JupyterLab …")
    give_up = time.monotonic() + READY_SECONDS
    while not server.answers():
        if stop.seen:
            return
        if server.died():
            _fail_with_log(server, "JupyterLab ended before it was ready")
        if time.monotonic() > give_up:
            _fail_with_log(server, f"JupyterLab did not answer within {READY_SECONDS} s")
        stop.sleep(0.2)
    print_line("JupyterLab is running here; Ctrl-C in this window stops it:")
    print_line(server.url(notebook))
    while not stop.seen and not server.died():
        stop.sleep(0.5)
    if server.process.returncode not in (0, None):
        _fail_with_log(server, f"JupyterLab ended with exit code {server.process.returncode}")


def _fail_with_log(server: LabServer, what: str) -> NoReturn:
    server.stop()
    fail(f"{what}. Its log ({server.log}) ends:\n{server.log_tail()}")
