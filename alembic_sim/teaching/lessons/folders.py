"""The folder that copies or pages are written to."""

from __future__ import annotations

from pathlib import Path

from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.errors import LessonError


def make_folder(folder: Path) -> Result[None, LessonError]:
    """Ok once the folder is there; `in-the-way` or `write-failed` if it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        why = f"{folder} is not a folder; choose another name"
        return Err(LessonError("in-the-way", why))
    except OSError as error:
        why = f"{folder} could not be made: {error.strerror or error}; choose another folder"
        return Err(LessonError("write-failed", why))
    return Ok(None)
