"""Build and check lessons: run in a fresh kernel, write down canonically, compare with the file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.canonical import canonical_notebook, canonical_text
from alembic_sim.teaching.lessons.differences import Difference, differences
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.notebook import Notebook, parse_notebook

CELL_TIMEOUT_S = 60
"""How long one cell may run. A dead kernel is noticed at once, a hanging one after this."""

STARTUP_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A lesson as it is stored, and as a fresh run writes it."""

    path: Path
    stored: str
    fresh: str

    @property
    def changed(self) -> bool:
        """Whether the file does not hold, byte for byte, what a fresh run gives."""
        return self.stored != self.fresh


def build_lesson(path: Path, timeout_s: int = CELL_TIMEOUT_S) -> Result[Rebuilt, LessonError]:
    """The rebuilt lesson, written over the file (atomically, and only if a byte changes)."""
    rebuilt = rebuild(path, timeout_s)
    if not rebuilt.ok or not rebuilt.value.changed:
        return rebuilt
    data = rebuilt.value.fresh.encode("utf-8")
    written = write_atomic(DiskFs(path.absolute().parent), path.name, data)
    if not written.ok:
        return Err(LessonError("write-failed", written.error.message))
    return rebuilt


def check_lesson(
    path: Path, timeout_s: int = CELL_TIMEOUT_S
) -> Result[tuple[Difference, ...], LessonError]:
    """What `build_lesson` would change in the file: nothing at all if the lesson is true."""
    rebuilt = rebuild(path, timeout_s)
    if not rebuilt.ok:
        return rebuilt
    return Ok(what_changed(rebuilt.value))


def what_changed(rebuilt: Rebuilt) -> tuple[Difference, ...]:
    """The differences between the stored file and the fresh run, first those of content."""
    if not rebuilt.changed:
        return ()
    stored = parse_notebook(rebuilt.stored).expect("it was parsed to be run")
    fresh = parse_notebook(rebuilt.fresh).expect("we wrote it")
    content = differences(canonical_notebook(stored), fresh)
    return content or (
        Difference(None, "not in canonical form (ids, metadata, counts or layout); build it"),
    )


def rebuild(
    path: Path,
    timeout_s: int = CELL_TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
) -> Result[Rebuilt, LessonError]:
    """The file's text and the text that a fresh run gives; the file is not touched.

    `environment` is added to the kernel's. A cell that fails is `cell-failed`, one that takes too
    long `cell-timeout`, a kernel that dies or does not start `kernel-died`.
    """
    try:
        stored = path.read_bytes().decode("utf-8")
    except OSError as error:
        return Err(LessonError("unreadable", f"{path}: {error.strerror or error}"))
    except UnicodeDecodeError as error:
        return Err(LessonError("not-a-notebook", f"{path}: not UTF-8: {error}"))
    notebook = parse_notebook(stored, str(path))
    if not notebook.ok:
        return notebook
    executed = execute(notebook.value, path.name, timeout_s, environment)
    return Ok(Rebuilt(path, stored, canonical_text(executed.value))) if executed.ok else executed


def execute(
    notebook: Notebook,
    name: str,
    timeout_s: int = CELL_TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
) -> Result[Notebook, LessonError]:
    """The notebook as it is after restart and run all, in this interpreter and an empty folder.

    Neither the user's kernelspecs, nor their IPython profile, nor stored outputs have a say.
    """
    import nbformat  # slow to import, and most callers of this package never run a lesson
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    clean = nbformat.reads(json.dumps(_without_outputs(notebook)), as_version=4)
    running = [0]

    def note_place(cell: object, cell_index: int) -> None:
        running[0] = cell_index + 1

    def failed(code: str, what: str) -> Err[LessonError]:
        return Err(LessonError(code, f"{name}, cell {running[0]}: {what}"))

    with (
        tempfile.TemporaryDirectory(prefix="alembic-sim-lesson-") as cwd,
        tempfile.TemporaryDirectory(prefix="alembic-sim-profile-") as profile,
    ):
        client = NotebookClient(
            clean,
            km=AsyncKernelManager(
                kernel_name="python3",
                # No folder of specs: what is left is this very interpreter.
                kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            ),
            timeout=timeout_s,
            startup_timeout=STARTUP_TIMEOUT_S,
            record_timing=False,
            on_cell_start=note_place,
            resources={"metadata": {"path": cwd}},
        )
        kernel_environment = {**os.environ, "IPYTHONDIR": profile, **(environment or {})}
        try:
            # What the kernel process itself says is no cell's output, and may hold paths.
            client.execute(cleanup_kc=True, env=kernel_environment, stdout=DEVNULL, stderr=DEVNULL)
        except CellTimeoutError:
            return failed("cell-timeout", f"did not end within {timeout_s} s")
        except CellExecutionError as error:
            return failed("cell-failed", f"raised {error.ename}: {error.evalue}")
        except (DeadKernelError, RuntimeError) as error:
            return failed("kernel-died", f"lost its kernel ({error})")
    return Ok(json.loads(json.dumps(clean)))


def _without_outputs(notebook: Notebook) -> Notebook:
    """The notebook as if it had never run."""
    cells = canonical_notebook(notebook)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    return {**canonical_notebook({"cells": cells}), "cells": cells}
