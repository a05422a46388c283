"""Copies of the lessons for a learner: brought up to date, and never over what they changed.

A small manifest in the learner's folder remembers what was put there, so that a copy that was only
left behind by an update is told from one that was edited. Edited is what a learner would miss: a
text that was typed, a cell added or moved, an output that a run changed. What JupyterLab writes
into a file that is opened and saved (versions, counts, how cells are folded) is not. Without the
manifest, or with a damaged one, every lesson that differs counts as edited.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.strict_json import parse_strict_json
from alembic_sim.teaching.lessons.catalog import (
    CURRICULUM,
    Lesson,
    lessons_folder,
    written_lessons,
)
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.folders import make_folder
from alembic_sim.teaching.lessons.notebook import (
    Notebook,
    Output,
    is_json,
    joined,
    outputs_of,
    parse_notebook,
    source_of,
)

MANIFEST = ".alembic-lessons.json"
COPIES = "alembic-lessons"
"""What the folder of copies is called, unless its owner gave it another name."""


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What one copying did in `folder`; every list holds file names.

    `written`: new, or an unedited older copy brought up to date. `unchanged`: up to date before.
    `opened`: the newest lesson as well, opened and saved by JupyterLab; left alone.
    `kept`: edited by the learner, left alone. `updates`: newer versions put beside edited copies.
    """

    folder: Path
    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()


def copies_folder(asked: Path | None) -> Path:
    """The folder of the learner's copies: the one asked for, else the one that is here.

    Whoever stands inside it means this very folder, not another one within.
    """
    if asked is not None:
        return asked.expanduser().absolute()
    here = Path.cwd()
    return here if (here / MANIFEST).is_file() else here / COPIES


def copy_lessons(
    folder: Path, source: Path | None = None, only: Collection[Lesson] = CURRICULUM
) -> Result[CopyReport, LessonError]:
    """A report on `folder`, where a copy of every written lesson lies now; doing it twice is safe.

    An `Err` (`no-lessons`, `own-folder`, `in-the-way`, `unreadable`, `write-failed`) stops at the
    first file that could not be dealt with; those before it are in place.
    """
    origin = lessons_folder() if source is None else source
    lessons = [file for file in written_lessons(origin) if file.lesson in only]
    if not lessons:
        return Err(LessonError("no-lessons", f"there are no lessons in {origin}; reinstall"))
    if folder.resolve() == origin.resolve():
        why = f"{folder} is where the lessons themselves are kept; choose another folder"
        return Err(LessonError("own-folder", why))
    made = make_folder(folder)
    if not made.ok:
        return made
    copying = _Copying(folder, _read_manifest(folder))
    failed = None
    for lesson in lessons:
        done = copying.bring(lesson.path)
        if not done.ok:
            failed = done
            break
    remembered = copying.remember()
    if failed is not None:
        return failed
    return Ok(copying.report()) if remembered.ok else remembered


@dataclass(slots=True)
class _Copying:
    """One run over the lessons: what the folder held before, and what has been done so far."""

    folder: Path
    given: dict[str, str]
    """The manifest: for each name, the digest of the last version that the learner was given."""
    done: dict[str, list[str]] = field(
        default_factory=lambda: {
            field: [] for field in ("written", "unchanged", "opened", "kept", "updates")
        }
    )

    def bring(self, lesson: Path) -> Result[None, LessonError]:
        """Puts one lesson in place: copies it, refreshes an old copy, or lays it beside."""
        try:
            fresh = lesson.read_bytes()
        except OSError as error:
            return _unreadable(lesson, error)
        name, digest = lesson.name, _digest(fresh)
        mine = _read(self.folder / name)
        if not mine.ok:
            return mine
        if mine.value is not None and _digest(mine.value) == digest:
            self._note("unchanged" if mine.value == fresh else "opened", name, digest)
            return Ok(None)
        if mine.value is None or _digest(mine.value) == self.given.get(name):
            return self._write("written", name, name, fresh)
        self.done["kept"].append(name)
        if self.given.get(name) == digest:  # they have had this version, and edited it
            return Ok(None)
        return self._lay_beside(name, fresh)

    def _lay_beside(self, name: str, fresh: bytes) -> Result[None, LessonError]:
        """Puts the newer version beside the edited copy, under the first name that is free."""
        for beside in _names_beside(name):
            there = _read(self.folder / beside)
            if not there.ok:
                return there
            if there.value is not None and _digest(there.value) == _digest(fresh):
                same = "unchanged" if there.value == fresh else "opened"
                self._note(same, beside, _digest(fresh))
                self.given[name] = _digest(fresh)
                return Ok(None)
            if there.value is None or _digest(there.value) == self.given.get(beside):
                written = self._write("updates", beside, beside, fresh)
                if written.ok:
                    self.given[name] = _digest(fresh)
                return written
        raise AssertionError("the names never end")

    def _write(self, what: str, name: str, path: str, data: bytes) -> Result[None, LessonError]:
        written = write_atomic(DiskFs(self.folder), path, data)
        if not written.ok:
            return Err(LessonError("write-failed", f"{self.folder}: {written.error.message}"))
        self._note(what, name, _digest(data))
        return Ok(None)

    def _note(self, what: str, name: str, digest: str) -> None:
        self.done[what].append(name)
        self.given[name] = digest

    def remember(self) -> Result[None, LessonError]:
        """Writes the manifest, if it changed."""
        if self.given == _read_manifest(self.folder):
            return Ok(None)
        text = json.dumps(self.given, indent=1, sort_keys=True) + "\n"
        written = write_atomic(DiskFs(self.folder), MANIFEST, text.encode("utf-8"))
        if written.ok:
            return Ok(None)
        return Err(LessonError("write-failed", f"{self.folder}: {written.error.message}"))

    def report(self) -> CopyReport:
        return CopyReport(self.folder, **{what: tuple(names) for what, names in self.done.items()})


def _names_beside(name: str) -> Iterator[str]:
    """`03_x.new.ipynb`, then `03_x.new-2.ipynb` and so on."""
    stem = name.removesuffix(".ipynb")
    yield f"{stem}.new.ipynb"
    number = 2
    while True:
        yield f"{stem}.new-{number}.ipynb"
        number += 1


def _read(path: Path) -> Result[bytes | None, LessonError]:
    """The file's bytes, None if there is none."""
    try:
        return Ok(path.read_bytes())
    except FileNotFoundError:
        return Ok(None)
    except IsADirectoryError:
        why = f"{path} is a folder, where a lesson should lie; rename it, or choose another folder"
        return Err(LessonError("in-the-way", why))
    except OSError as error:
        return _unreadable(path, error)


def _unreadable(path: Path, error: OSError) -> Err[LessonError]:
    return Err(LessonError("unreadable", f"{path}: {error.strerror or error}"))


def _read_manifest(folder: Path) -> dict[str, str]:
    """What the manifest says; empty if it is missing, unreadable or damaged."""
    try:
        parsed = parse_strict_json((folder / MANIFEST).read_bytes())
    except OSError:
        return {}
    if not parsed.ok or not isinstance(parsed.value, dict):
        return {}
    return {name: digest for name, digest in parsed.value.items() if isinstance(digest, str)}


def _digest(data: bytes) -> str:
    """A digest of what a learner sees and may change; of the bytes, if they are no notebook."""
    notebook = parse_notebook(data)
    seen = data if not notebook.ok else _seen(notebook.value)
    return hashlib.sha256(seen).hexdigest()


def _seen(notebook: Notebook) -> bytes:
    """The cells in order: their kinds, sources and attachments, and what each of them shows."""
    cells = [
        [
            cell["cell_type"],
            source_of(cell),
            cell.get("attachments") or {},
            [_shown(output) for output in outputs_of(cell)],
        ]
        for cell in notebook["cells"]
    ]
    return json.dumps(cells, sort_keys=True).encode("utf-8")


def _shown(output: Output) -> list[object]:
    """The output without its count and metadata; a traceback differs in every environment."""
    match output["output_type"]:
        case "stream":
            return [output["name"], joined(output["text"])]
        case "error":
            return [output["ename"], output["evalue"]]
        case kind:
            data = output["data"]
            return [
                kind,
                {mime: data[mime] if is_json(mime) else joined(data[mime]) for mime in data},
            ]
