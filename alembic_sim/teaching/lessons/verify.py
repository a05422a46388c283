"""Verifies an instructor's own notebook: does a fresh run show what the file stores?

The notebook may lie anywhere and hold anything; it is run in its own folder, as Jupyter does.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.canonical import canonical_notebook, canonical_text
from alembic_sim.teaching.lessons.comparing import pictures_in, stale_outputs
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.hygiene import OWN_RULES, Finding, code_cells, findings
from alembic_sim.teaching.lessons.notebook import (
    Cell,
    Notebook,
    outputs_of,
    read_notebook,
    source_of,
    tags_of,
)
from alembic_sim.teaching.lessons.running import CELL_TIMEOUT_S, Run, Stop, run_notebook

FAILURES = (
    *("cell-failed", "cell-timeout", "shell-failed"),
    *("kernel-died", "no-kernel", "not-python"),
    *("unreadable", "not-a-notebook"),
)
"""The rules whose findings say that the notebook does not run: no new output mends them."""

IGNORE_TAG = "nbval-ignore-output"
_IGNORE_COMMENT = re.compile(r"^\s*#\s*NBVAL_IGNORE_OUTPUT\b", re.MULTILINE)

_ABOUT_OUTPUTS = ("stale", "address", "path", "timing", "random-id", "printed-set")


@dataclass(frozen=True, slots=True)
class Verified:
    """A notebook, what a fresh run of it gave, and everything that is to be mended in it."""

    path: Path
    stored: Notebook
    run: Run
    findings: tuple[Finding, ...]
    seconds: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether the notebook did not run as it should."""
        return any(finding.rule in FAILURES for finding in self.findings)

    @property
    def renewed(self) -> Notebook:
        """The notebook as it would be with the new outputs."""
        return canonical_notebook(self.run.notebook, own=True)

    @property
    def left_to_mend(self) -> tuple[Finding, ...]:
        """What there would be to mend with the new outputs: a path of this machine, a timing."""
        return judge(self.renewed, self.run)


def verify_notebook(path: Path, notebook: Notebook, timeout_s: int = CELL_TIMEOUT_S) -> Verified:
    """The notebook that was read from `path`, run in its folder and compared; nothing is written.

    What the cells themselves write, they write. Raises KeyboardInterrupt on Ctrl-C.
    """
    begun = time.monotonic()
    run = _run_of_other_language(notebook) or run_notebook(
        notebook, path.absolute().parent, timeout_s
    )
    took = time.monotonic() - begun
    return Verified(path, notebook, run, judge(notebook, run), took)


def unreadable(path: Path, error: LessonError) -> Verified:
    """What there is to say of a file that holds no notebook: it fails, and the others go on."""
    nothing: Notebook = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    stop = Stop(error.code, None, error.message)
    return Verified(path, nothing, Run(nothing, stop), tuple(_failures(Run(nothing, stop))))


def accept(verified: Verified) -> Result[Verified, LessonError]:
    """The notebook with the new outputs written over the old ones: nothing is left to mend.

    Only outputs, counts and the kernel's name change. A notebook that does not run is refused, and
    so is one whose new outputs break a rule.
    """
    if verified.failed:
        why = f"{verified.path}: not accepted, it does not run as it should"
        return Err(LessonError("not-accepted", why))
    left = verified.left_to_mend
    if left:
        lines = (f"  {finding.text()}" for finding in left)
        why = f"{verified.path}: not accepted, its new outputs would be no better:"
        return Err(LessonError("not-accepted", "\n".join([why, *lines])))
    if read_notebook(verified.path) != Ok(verified.stored):
        why = f"{verified.path} was changed while it ran; save it, and verify it again"
        return Err(LessonError("not-accepted", why))
    fresh = verified.renewed
    data = canonical_text(fresh, own=True).encode("utf-8")
    path = verified.path.absolute()
    written = write_atomic(DiskFs(path.parent), path.name, data)
    if not written.ok:
        return Err(LessonError("write-failed", written.error.message))
    return Ok(replace(verified, stored=fresh, findings=()))


def first_line(cell: Cell) -> str:
    """The first line of the cell's source that is not blank, to recognise it by."""
    lines = (line.strip() for line in source_of(cell).splitlines())
    line = next((line for line in lines if line), "(empty)")
    return line if len(line) <= 72 else f"{line[:71]}…"


def remarks(verified: Verified) -> tuple[str, ...]:
    """What was not compared: a green notebook may still be wrong there."""
    cells = [cell for _, cell in code_cells(verified.stored)]
    said = []
    pictures = sum(map(pictures_in, cells))
    if pictures:
        said.append(f"{_count(pictures, 'picture')} of pixels not compared: print their facts")
    ignored = sum(map(_is_ignored, cells))
    if ignored:
        said.append(f"{_count(ignored, 'cell')} not compared, as tagged {IGNORE_TAG}")
    return tuple(said)


def _run_of_other_language(notebook: Notebook) -> Run | None:
    """The run that cannot be, of a notebook that is not written in Python."""
    metadata = notebook.get("metadata", {})
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        told = metadata.get(part)
        language = told.get(key) if isinstance(told, dict) else None
        if isinstance(language, str) and language.lower() not in ("python", "ipython"):
            what = f"it is written in {language}; only Python notebooks can be run here"
            return Run(notebook, Stop("not-python", None, what))
    return None


def judge(stored: Notebook, run: Run) -> tuple[Finding, ...]:
    """What the run, the comparison and the rules find, in the order of the cells."""
    failures = tuple(_failures(run))
    failed = {finding.cell for finding in failures}
    ignored = {place for place, cell in code_cells(stored) if _is_ignored(cell)}
    kept = [
        one
        for one in (*_stale(stored, run), *findings(stored, OWN_RULES))
        # What comes of a failure is not told beside it.
        if one.cell not in failed and not (one.cell in ignored and one.rule in _ABOUT_OUTPUTS)
    ]
    return tuple(sorted([*failures, *kept], key=lambda finding: finding.cell or 0))


def _failures(run: Run) -> Iterator[Finding]:
    if run.stop is not None:
        remedy = _REMEDIES[run.stop.code]
        yield Finding(run.stop.cell, run.stop.code, run.stop.what.strip(), remedy)
    for failure in run.shell_failures:
        what = f"{failure.command.strip()!r} ended with exit status {failure.status}"
        yield Finding(failure.cell, "shell-failed", what, _REMEDIES["shell-failed"])
    for place, cell in _cells_that_ended(run):
        # IPython shows what went wrong in a script that it was told to %run, and goes on.
        errors = [output for output in outputs_of(cell) if output["output_type"] == "error"]
        if errors and "raises-exception" not in tags_of(cell):
            what = f"showed {errors[0]['ename']}: {errors[0]['evalue']}"
            yield Finding(place, "cell-failed", what, _REMEDIES["cell-failed"])


_REMEDIES = {
    "cell-failed": "Mend the cell, or tag it raises-exception if it must fail.",
    "cell-timeout": "Make it faster, or allow more with --timeout SECONDS.",
    "kernel-died": "Run the cell in Jupyter: either memory runs out, or it ends its own process.",
    "no-kernel": "See what is wrong with: alembic-sim doctor",
    "not-python": "Verify it with a tool of its own language.",
    "unreadable": "Let this user read it, or take it out of the folder.",
    "not-a-notebook": "Save it anew in Jupyter, or take it out of the folder.",
    "shell-failed": "Mend the command; if it may fail, end it with: || true",
}


def _cells_that_ended(run: Run) -> Iterator[tuple[int, Cell]]:
    """The code cells that ran to their end, with what they showed."""
    for place, cell in code_cells(run.notebook):
        if run.stop is None or (run.stop.cell is not None and place < run.stop.cell):
            yield place, cell


def _stale(stored: Notebook, run: Run) -> Iterator[Finding]:
    """The outputs that differ; that a cell was never run is another finding."""
    for place, fresh in _cells_that_ended(run):
        cell = stored["cells"][place - 1]
        if cell.get("execution_count") is None and not outputs_of(cell):
            continue
        for stale in stale_outputs(cell, fresh):
            what = f"{stale.kind} is not what is stored (- stored, + now)"
            remedy = "If the new output is right, take it with --accept; else mend the cell."
            yield Finding(place, "stale", what, remedy, stale.lines)


def _is_ignored(cell: Cell) -> bool:
    return IGNORE_TAG in tags_of(cell) or bool(_IGNORE_COMMENT.search(source_of(cell)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
