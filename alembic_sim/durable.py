"""write_atomic: the old bytes or the new ones, never neither, over the port's primitives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from posixpath import basename, dirname, join

from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Coded, Err, Ok, Result, ask
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
    one temporary name. A port that raises is one that failed.
    """
    if not isinstance(path, str) or basename(path) in ("", ".", ".."):
        return Err(WriteError("write-failed", f"{shorten(path)} does not name a file"))
    temp = temp_path(path)
    there = _told(lambda: fs.stat(path))
    if not there.ok:
        return _failed(path, "look at it", there.error)
    # A file that is there came through the making of its folder before.
    ready = _make_folder_of(fs, path) if there.value is None else there
    if not ready.ok:
        return _failed(path, "make its folder", ready.error)
    written = _told(lambda: fs.write(temp, data))
    synced = _told(lambda: fs.sync(temp)) if written.ok else written
    replaced = _told(lambda: fs.replace(temp, path)) if synced.ok else synced
    if not replaced.ok:
        sweep_temp(fs, path)  # best effort: the next write sweeps what stays
        return _failed(path, "write it", replaced.error)
    return settle(fs, path)


def settle(fs: FsPort, path: str) -> Result[None, WriteError]:
    """Ok once the bytes at `path` would outlive a power cut: what a write ends with.

    A store that finds nothing to write settles before it says Ok: the bytes that it found may be
    those of a write that stayed uncertain.
    """
    settled = _sync_folder(fs, dirname(path))
    if settled.ok:
        return Ok(None)
    why = f"{path}: the new bytes are there, but syncing its folder failed"
    return Err(WriteError("write-uncertain", f"{why} ({settled.error.message})"))


def sweep_temp(fs: FsPort, path: str) -> None:
    """Removes what a crash left of an earlier write to `path`; the caller holds the lock."""
    # Usually there is none; one that stays is written over.
    _told(lambda: fs.remove_temp(temp_path(path)))


def temp_path(path: str) -> str:
    """Where `write_atomic` prepares the bytes of `path`: `.NAME.tmp` in the same folder."""
    return join(dirname(path), f".{basename(path)}.tmp")


def _make_folder_of(fs: FsPort, path: str) -> Result[object, Coded]:
    """Ok once the folder of `path` is there, and the names of the folders above it are durable.

    Every name is synced, also of folders that are there: a write that failed may have made them,
    and a power cut would undo that.
    """
    folder = dirname(path)
    done = _told(lambda: fs.mkdir(folder))
    while done.ok and folder:
        folder = dirname(folder)
        done = _sync_folder(fs, folder)
    return done


def _sync_folder(fs: FsPort, folder: str) -> Result[object, Coded]:
    return _told(lambda: fs.sync_dir(folder))


def _told(call: Callable[[], object]) -> Result[object, Coded]:
    """The port's answer, also if it raises: stores guard their port, other callers need not."""

    def file_port() -> object:
        return call()

    return ask(file_port, returns=object)


def _failed(path: str, doing: str, error: Coded) -> Err[WriteError]:
    why = f"{path}: could not {doing}: {error.message}; the old bytes are intact"
    return Err(WriteError("write-failed", why))
