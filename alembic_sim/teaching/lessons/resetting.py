"""Puts a fresh copy of a lesson back, and keeps what the learner made of theirs beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.catalog import LessonFile
from alembic_sim.teaching.lessons.copying import copy_lessons
from alembic_sim.teaching.lessons.errors import LessonError


@dataclass(frozen=True, slots=True)
class Reset:
    """What became of one lesson's copy; `kept_as` names the learner's own version, if there was."""

    name: str
    kept_as: str | None


def reset_lessons(
    folder: Path, lessons: Iterable[LessonFile]
) -> Result[tuple[Reset, ...], LessonError]:
    """What was done to the copies of these lessons in `folder`: each is fresh now, none is lost.

    An `Err` (`no-copies`, `unreadable`, or one of `copy_lessons`) stops at the first lesson that
    could not be dealt with. Whatever was moved aside lies where the error says.
    """
    if not folder.is_dir():
        return Err(LessonError("no-copies", f"there is no folder {folder}"))
    done: list[Reset] = []
    for lesson in lessons:
        reset = _reset(folder, lesson)
        if not reset.ok:
            return reset
        done.append(reset.value)
    return Ok(tuple(done))


def _reset(folder: Path, lesson: LessonFile) -> Result[Reset, LessonError]:
    mine, name = folder / lesson.path.name, lesson.path.name
    try:
        if mine.is_file() and mine.read_bytes() != lesson.path.read_bytes():
            kept = _move_aside(mine)
        else:
            kept = None
    except OSError as error:
        return Err(LessonError("unreadable", f"{error.filename}: {error.strerror or error}"))
    copied = copy_lessons(folder, lesson.path.parent, only=[lesson.lesson])
    if copied.ok:
        return Ok(Reset(name, kept))
    where = f"; yours is {folder / kept}" if kept else ""
    return Err(LessonError(copied.error.code, f"{copied.error.message}{where}"))


def _move_aside(mine: Path) -> str:
    """The name under which the file lies now, the first that was free.

    It is moved, not copied: what a running Jupyter saved a moment ago goes with it.
    """
    for name in _names_aside(mine.name):
        if not (mine.parent / name).exists():
            mine.rename(mine.parent / name)
            return name
    raise AssertionError("the names never end")


def _names_aside(name: str) -> Iterator[str]:
    """`03_x.mine.ipynb`, then `03_x.mine-2.ipynb` and so on."""
    stem = name.removesuffix(".ipynb")
    yield f"{stem}.mine.ipynb"
    number = 2
    while True:
        yield f"{stem}.mine-{number}.ipynb"
        number += 1
