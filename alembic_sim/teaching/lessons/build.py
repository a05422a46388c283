"""Build and check lessons: run in a fresh kernel, write down canonically, compare with the file."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.canonical import canonical_notebook, canonical_text
from alembic_sim.teaching.lessons.differences import Difference, differences
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.notebook import parse_notebook
from alembic_sim.teaching.lessons.running import CELL_TIMEOUT_S, run_notebook

_PIXELS = re.compile(r'("image/(?:png|jpeg)": \[\s*")[^"]*"')


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
    """The differences between the stored file and the fresh run, first those of content.

    Pixels are not compared, as nbval does not: another machine's fonts draw others. Their numbers
    are printed beside them.
    """
    stored_text, fresh_text = (
        _PIXELS.sub(r'\1"', text) for text in (rebuilt.stored, rebuilt.fresh)
    )
    if stored_text == fresh_text:
        return ()
    stored = parse_notebook(stored_text).expect("it was parsed to be run")
    fresh = parse_notebook(fresh_text).expect("we wrote it")
    content = differences(canonical_notebook(stored), fresh)
    return content or (
        Difference(None, "not in canonical form (ids, metadata, counts or layout); build it"),
    )


def rebuild(
    path: Path,
    timeout_s: int = CELL_TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
) -> Result[Rebuilt, LessonError]:
    """The file's text and the text that a fresh run in an empty folder gives; nothing is written.

    `environment` is added to the kernel's. The errors of a run that does not come to its end are
    those of `Stop`.
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
    with tempfile.TemporaryDirectory(prefix="alembic-sim-lesson-") as empty:
        run = run_notebook(notebook.value, Path(empty), timeout_s, environment)
    if run.stop is not None:
        return Err(LessonError(run.stop.code, f"{path.name}, {run.stop.text()}"))
    return Ok(Rebuilt(path, stored, canonical_text(run.notebook)))
