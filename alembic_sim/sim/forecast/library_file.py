"""read_library: the skill library that a path on disk means, to be forecast; only ever read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from alembic_sim.hermes.curator.sidecar import parse_document, parse_sidecar
from alembic_sim.hermes.curator.sidecar_format import is_native, looks_like_sidecar
from alembic_sim.hermes.curator.usage_store import MAX_SIDECAR_BYTES
from alembic_sim.result import Err, Ok, Result
from alembic_sim.sim.forecast.library import SkillLibrary, library_of, library_of_hermes
from alembic_sim.sim.input_file import read_input

_SIDECARS = (Path("skills", ".usage.json"), Path(".usage.json"))


@dataclass(frozen=True, slots=True)
class LibraryError:
    """Why there is no library: `unreadable`, or `not-a-library`."""

    code: str
    message: str


def read_library(path: str | Path) -> Result[SkillLibrary, LibraryError]:
    """The library in a `.usage.json`, in the skills folder that holds one, or in the home above it.

    One of ours or of a Hermes home.

    >>> read_library("no-such-home").error.code
    'unreadable'
    """
    data = read_input(_sidecar_at(path), MAX_SIDECAR_BYTES)
    if not data.ok:
        return Err(LibraryError("unreadable", data.error))
    parsed = parse_document(data.value)
    if not parsed.ok:
        return _no_library(path, parsed.error.message)
    document = parsed.value
    if not isinstance(document, dict) or not looks_like_sidecar(document):
        return _no_library(path, "nothing in it looks like a skill's record")
    if is_native(document):
        return Ok(library_of(parse_sidecar(data.value)))
    return Ok(library_of_hermes(document))


def _sidecar_at(path: object) -> object:
    """The sidecar below a folder; what is no folder is taken as it is."""
    try:
        found = [Path(path, name) for name in _SIDECARS]  # type: ignore[arg-type]
        return next((file for file in found if file.is_file()), path)
    except (OSError, TypeError, ValueError):  # no path: whoever reads it says why
        return path


def _no_library(path: object, why: str) -> Err[LibraryError]:
    return Err(LibraryError("not-a-library", f"{path}: {why}"))
