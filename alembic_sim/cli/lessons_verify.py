"""`alembic-sim lessons verify`: an instructor's own notebooks, run and compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    JsonOption,
    bad_usage,
    fail,
    print_json,
    print_line,
    warn,
    whole_number,
)
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.hygiene import Finding, code_cells
from alembic_sim.teaching.lessons.junit import junit_xml
from alembic_sim.teaching.lessons.notebook import Notebook, read_notebook
from alembic_sim.teaching.lessons.running import CELL_TIMEOUT_S
from alembic_sim.teaching.lessons.verify import (
    Verified,
    accept,
    first_line,
    remarks,
    unreadable,
    verify_notebook,
)
from alembic_sim.teaching.svg import readable

MAX_TIMEOUT_S = 86_400


def verify(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Notebooks, or folders of notebooks.")
    ],
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write a report that CI services read."),
    ] = None,
    accept_new: Annotated[
        bool, typer.Option("--accept", help="Show the difference, then take the new outputs.")
    ] = False,
    timeout: Annotated[
        str, typer.Option("--timeout", metavar="SECONDS", help="How long one cell may run.")
    ] = str(CELL_TIMEOUT_S),
    as_json: JsonOption = False,
) -> None:
    """Run notebooks of your own anew, and fail if one does not show what it stores."""
    timeout_s = whole_number("--timeout", timeout, 1, MAX_TIMEOUT_S)
    done: list[Verified] = []
    accepted: list[Path] = []
    for path, read in _read_all(paths).items():
        verified = _verified(path, read, timeout_s)
        taken = _taken(verified) if accept_new and verified.findings else None
        if not as_json:
            _print(verified, taken is not None)
        if taken is not None:
            accepted.append(path)
        done.append(taken or verified)
    if as_json:
        print_json({"notebooks": [_document(one, one.path in accepted) for one in done]})
    if junit is not None:
        _write(junit, junit_xml(done))
    wrong = [str(one.path) for one in done if one.findings]
    if wrong:
        fail(f"{len(wrong)} of {len(done)} notebooks need work: {', '.join(wrong)}")


def _read_all(paths: list[Path]) -> dict[Path, Result[Notebook, LessonError]]:
    """Each notebook once, all read before any is run.

    A broken one is an outcome like others, lest it keep a whole course from being verified. A name
    that is not a notebook's, or that nothing bears, is a slip of the pen, and ends with exit 2.
    """
    notebooks: dict[Path, Result[Notebook, LessonError]] = {}
    seen: set[Path] = set()
    for path in (found for given in paths for found in _notebooks_in(given)):
        if path.resolve() not in seen:
            seen.add(path.resolve())
            notebooks[path] = read_notebook(path)
    return notebooks


def _verified(path: Path, read: Result[Notebook, LessonError], timeout_s: int) -> Verified:
    match read:
        case Ok(notebook):
            return verify_notebook(path, notebook, timeout_s)
        case Err(error):
            return unreadable(path, error)


def _notebooks_in(path: Path) -> Iterator[Path]:
    """The path itself, or every notebook in the folder but hidden ones (Jupyter's checkpoints)."""
    path = path.expanduser()
    if not path.is_dir():
        read = read_notebook(path)
        if not read.ok and (path.suffix != ".ipynb" or not path.exists()):
            bad_usage("PATH", str(path), f"a notebook of format 4 ({read.error.message})")
        yield path
        return
    found = sorted(
        one
        for one in path.rglob("*.ipynb")
        if not any(part.startswith(".") for part in one.relative_to(path).parts)
    )
    if not found:
        bad_usage("PATH", str(path), "a notebook, or a folder with a notebook in it")
    yield from found


def _taken(verified: Verified) -> Verified | None:
    """The notebook after its new outputs were taken; None, and a warning, if they were not."""
    match accept(verified):
        case Ok(now):
            return now
        case Err(error):
            warn(readable(error.message))
            return None


def _print(verified: Verified, accepted: bool) -> None:
    cells = sum(1 for _ in code_cells(verified.stored))
    count = len(verified.findings)
    told = f"true, {cells} code {'cell' if cells == 1 else 'cells'}"
    if accepted:
        told = f"accepted, the file now holds the new outputs ({count} mended)"
    elif count:
        told = f"{count} to mend"
    print_line(f"{verified.path}: {told}")
    for finding in verified.findings:
        _print_finding(verified, finding, mended=accepted)
    for remark in remarks(verified):
        print_line(f"  note: {remark}")


def _print_finding(verified: Verified, finding: Finding, mended: bool) -> None:
    if finding.cell is None:
        print_line("  notebook")
    else:
        told = first_line(verified.stored["cells"][finding.cell - 1])
        print_line(f"  cell {finding.cell} | {readable(told)}")
    # A cell's own words may hold signs that a terminal would act on.
    what = readable(f"{finding.rule}: {finding.what}").splitlines()
    remedy = [] if mended else [finding.remedy]
    for line in [*what, *(f"  {line}" for line in finding.lines), *remedy]:
        print_line(f"    {line}")


def _document(verified: Verified, accepted: bool) -> dict[str, Any]:
    cells = verified.stored["cells"]
    return {
        "notebook": str(verified.path),
        "ok": not verified.findings,
        "accepted": accepted,
        "code_cells": sum(1 for _ in code_cells(verified.stored)),
        "findings": [
            {
                "cell": one.cell,
                "first_line": None if one.cell is None else first_line(cells[one.cell - 1]),
                "rule": one.rule,
                "what": one.what,
                "difference": list(one.lines),
                "remedy": one.remedy,
            }
            for one in verified.findings
        ],
        "remarks": list(remarks(verified)),
    }


def _write(path: Path, text: str) -> None:
    path = path.expanduser().absolute()
    written = write_atomic(DiskFs(path.parent), path.name, text.encode("utf-8"))
    if not written.ok:
        fail(f"The report could not be written. {written.error.message}")
