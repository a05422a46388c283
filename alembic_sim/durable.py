"""write_atomic: the old bytes or the new ones, never neither, over the port's primitives."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import basename, dirname, join

from alembic_sim.ports.fs import FsError, FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten


@dataclass(frozen=True, slots=True)
class WriteError:
    """Why a write is not known to be durable.

    `write-failed`: the old bytes are intact. `write-uncertain`: the new bytes are there, but the
    folder could not be synced, so a power cut may still bring the old ones back.
    """

    code: str
    message: str


def write_atomic(fs: FsPort, path: str, data: bytes) -> Result[None, WriteError]:
    """Ok once `data` is durably at `path`: temporary file, sync, replace, sync the folder.

    Missing parent folders are made. The caller holds the lock on `path`: two writers would share
    one temporary name.
    """
    if not isinstance(path, str) or basename(path) in ("", ".", ".."):
        return Err(WriteError("write-failed", f"{shorten(path)} does not name a file"))
    temp = temp_path(path)
    made = _make_parents(fs, path)
    if not made.ok:
        return _failed(path, "make its folder", made.error)
    written = fs.write(temp, data)
    synced = fs.sync(temp) if written.ok else written
    replaced = fs.replace(temp, path) if synced.ok else synced
    if not replaced.ok:
        fs.remove_temp(temp)  # best effort: the next write sweeps what stays
        return _failed(path, "write it", replaced.error)
    for folder in (dirname(path), *made.value):
        settled = fs.sync_dir(folder)
        if not settled.ok:
            why = f"{path}: the new bytes are there, but syncing its folder failed"
            return Err(WriteError("write-uncertain", f"{why} ({settled.error.message})"))
    return Ok(None)


def sweep_temp(fs: FsPort, path: str) -> None:
    """Removes what a crash left of an earlier write to `path`; the caller holds the lock."""
    fs.remove_temp(temp_path(path))  # usually there is none; one that stays is written over


def temp_path(path: str) -> str:
    """Where `write_atomic` prepares the bytes of `path`: `.NAME.tmp` in the same folder."""
    return join(dirname(path), f".{basename(path)}.tmp")


def _make_parents(fs: FsPort, path: str) -> Result[tuple[str, ...], FsError]:
    """The folders whose names must be synced because a child folder was made in them."""
    missing: list[str] = []
    folder = dirname(path)
    while True:
        there = fs.stat(folder)
        if not there.ok:
            return there
        if there.value is not None:
            break
        missing.append(folder)
        if not folder:  # the root itself: its own folder is outside, the adapter's business
            break
        folder = dirname(folder)
    if not missing:
        return Ok(())
    made = fs.mkdir(missing[0])
    return Ok(tuple(dirname(name) for name in missing if name)) if made.ok else made


def _failed(path: str, doing: str, error: FsError) -> Err[WriteError]:
    why = f"{path}: could not {doing}: {error.message}; the old bytes are intact"
    return Err(WriteError("write-failed", why))
