"""`alembic-sim doctor`: looks for what keeps lessons from opening, and names the remedy."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli import doctor_probes as probes
from alembic_sim.cli.common import (
    HOME_VARIABLE,
    JsonOption,
    data_folder,
    fail,
    print_json,
    print_line,
    whole_number,
)
from alembic_sim.cli.doctor_checks import (
    WIDGET_PACKAGES,
    Check,
    check_encoding,
    check_folder,
    check_imports,
    check_kernel,
    check_labextension,
    check_lessons,
    check_loopback,
    check_packages,
    check_pins,
    check_port,
    check_python,
)
from alembic_sim.cli.lab_server import PORTS, why_not
from alembic_sim.teaching.lessons.catalog import in_checkout, lessons_folder, written_lessons
from alembic_sim.teaching.lessons.copying import COPIES, copies_folder


def doctor(
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
        typer.Option("--port", metavar="N", help="A port that you mean to give to lab."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Look for what keeps the lessons from opening here, and say what to do about it."""
    wanted = None if port is None else whole_number("--port", port, *PORTS)
    checks = list(all_checks(copies_folder(folder), wanted))
    problems = [check for check in checks if check.status == "problem"]
    if as_json:
        print_json(
            {
                "version": version("alembic-sim"),
                "ok": not problems,
                "checks": [
                    {
                        "check": check.name,
                        "status": check.status,
                        "found": check.found,
                        "remedy": check.remedy,
                    }
                    for check in checks
                ],
            }
        )
    else:
        _print(checks)
    if problems:
        fail(f"{len(problems)} found: {', '.join(check.name for check in problems)}.")


def all_checks(lessons: Path, port: int | None = None) -> Iterator[Check]:
    """Every check, made one after the other; of one port more, if it is named."""
    yield check_python(sys.version_info[:3], sys.executable)
    kernel, extensions = probes.ask_jupyter(as_lab_does=True)
    kernel_elsewhere, _ = probes.ask_jupyter(as_lab_does=False)
    yield check_kernel(sys.executable, kernel, kernel_elsewhere)
    yield check_packages(sys.executable, probes.needed_packages())
    yield check_imports(sys.executable, probes.why_no_import(WIDGET_PACKAGES))
    yield check_labextension(sys.executable, extensions)
    yield check_folder(
        "lessons folder", lessons, probes.why_not_writable(lessons), "--dir (also for lab)"
    )
    home = data_folder(Path(os.environ[HOME_VARIABLE]) if os.environ.get(HOME_VARIABLE) else None)
    yield check_folder(
        "data folder", home, probes.why_not_writable(home), f"the variable {HOME_VARIABLE}"
    )
    yield check_loopback(probes.why_no_loopback())
    if port is not None:
        yield check_port(port, why_not(port))
    yield check_encoding(probes.encodings())
    yield check_lessons(lessons_folder(), len(written_lessons()), in_checkout())
    if in_checkout():
        pinned = probes.pins(lessons_folder().parent / "constraints.txt")
        yield check_pins(pinned, probes.installed_versions(pinned))


def _print(checks: list[Check]) -> None:
    width = max(len(check.name) for check in checks)
    for check in checks:
        print_line(f"{check.status:7}  {check.name:{width}}  {check.found}")
        if check.remedy:
            print_line(f"{'':7}  {'':{width}}  → {check.remedy}")
    if all(check.status != "problem" for check in checks):
        print_line("Everything is in place: alembic-sim lab")
