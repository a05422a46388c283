"""DiskFs: the FsPort over a real folder, and nothing outside that folder."""

from __future__ import annotations

import errno
import os
import stat as stat_module
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from posixpath import basename, dirname
from typing import TypeVar

from filelock import BaseFileLock, FileLock, Timeout

from alembic_sim.adapters.paths import check_amount, check_data, is_temp_name, relative_path
from alembic_sim.adapters.text_files import TextFiles
from alembic_sim.ports.fs import FileStat, FsError, FsErrorCode
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

T = TypeVar("T")

_POLL_S = 0.01


class DiskFs(TextFiles):
    """The files under `root`, which need not exist yet.

    Symlinks are followed only to places inside the root. Locks are `NAME.lock` files beside what
    they guard; their deadline alone is measured by `monotonic` (seconds). Raises `ValueError` for
    a root that no folder can have, and for a `monotonic` or `sleep` that cannot be called.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.root = _root(root)
        for name, port in (("monotonic", monotonic), ("sleep", sleep)):
            if not callable(port):
                raise ValueError(f"{name}: {shorten(port)} cannot be called")
        self._monotonic = monotonic
        self._sleep = sleep

    def stat(self, path: str) -> Result[FileStat | None, FsError]:
        found = self._attempt(path, _file_stat)
        return Ok(None) if not found.ok and found.error.code == "missing" else found

    def read(self, path: str, max_bytes: int | None = None) -> Result[bytes, FsError]:
        usable = check_amount(path, 0 if max_bytes is None else max_bytes)
        if not usable.ok:
            return usable

        def read_up_to_limit(real: Path) -> bytes:
            found = _regular(real)  # a FIFO would block for ever
            with real.open("rb") as file:
                # Python would first set aside all the bytes that it is allowed to read.
                return file.read(-1 if max_bytes is None else min(max_bytes + 1, found.st_size))

        data = self._attempt(path, read_up_to_limit)
        if data.ok and max_bytes is not None and len(data.value) > max_bytes:
            return Err(FsError("too-large", f"{path} holds more than {max_bytes} bytes"))
        return data

    def write(self, path: str, data: bytes) -> Result[None, FsError]:
        usable = check_data(path, data)
        if not usable.ok:
            return usable
        return self._attempt(path, lambda real: _write_all(real, data, os.O_TRUNC))

    def append(self, path: str, data: bytes) -> Result[None, FsError]:
        usable = check_data(path, data)
        if not usable.ok:
            return usable
        return self._attempt(path, lambda real: _write_all(real, data, os.O_APPEND))

    def sync(self, path: str) -> Result[None, FsError]:
        def sync_file(real: Path) -> None:
            _regular(real)
            _fsync(real, os.O_RDWR)

        return self._attempt(path, sync_file)

    def replace(self, source: str, target: str) -> Result[None, FsError]:
        old = self._inside(source)
        if not old.ok:
            return old

        def keep_mode_and_rename(real: Path) -> None:
            _regular(old.value)  # a source that is missing is the first thing to say
            if real.exists():  # a pipe or a device there would be gone, and no message say so
                old.value.chmod(stat_module.S_IMODE(_regular(real).st_mode))
            old.value.replace(real)
            if real.parent != old.value.parent:  # through a symlink: that folder changed as well
                _sync_folder(real.parent)

        return self._attempt(target, keep_mode_and_rename)

    def sync_dir(self, path: str) -> Result[None, FsError]:
        return self._attempt(path, _sync_folder)

    def list(self, path: str) -> Result[tuple[str, ...], FsError]:
        return self._attempt(path, lambda real: tuple(sorted(os.listdir(real))))  # noqa: PTH208

    def mkdir(self, path: str) -> Result[None, FsError]:
        return self._attempt(path, _make_folder)

    def remove_temp(self, path: str) -> Result[None, FsError]:
        name = relative_path(path)
        if not name.ok:
            return name
        if not is_temp_name(name.value):
            return Err(FsError("denied", f"{path} is not a temporary file; nothing else goes"))
        # The name itself goes, never what a link of that name points to.
        folder, temp = dirname(name.value), basename(name.value)
        return self._attempt(path, lambda real: (real / temp).unlink(), resolve=folder)

    def lock(self, path: str, deadline_ms: int) -> Result[AbstractContextManager[None], FsError]:
        name = check_amount(path, deadline_ms)
        if not name.ok:
            return name
        held = self._attempt(f"{name.value}.lock", lambda real: self._acquire(real, deadline_ms))
        if not held.ok:
            return held
        if held.value is None:
            why = f"{path} is locked by another process; waited {shorten(deadline_ms)} ms"
            return Err(FsError("lock-timeout", why))
        return Ok(_release_after(held.value))

    def _acquire(self, real: Path, deadline_ms: int) -> BaseFileLock | None:
        _make_folder(real.parent)
        lock = FileLock(real, is_singleton=False)
        began = self._monotonic()
        while True:
            try:
                lock.acquire(blocking=False)
                return lock
            except Timeout:
                if (self._monotonic() - began) * 1000 >= deadline_ms:  # of any size: no division
                    return None
                self._sleep(_POLL_S)

    def _inside(self, path: str) -> Result[Path, FsError]:
        """The real path (symlinks resolved), or `outside-root`."""
        name = relative_path(path)
        if not name.ok:
            return name
        root = os.path.realpath(self.root)
        real = os.path.realpath(os.path.join(root, name.value))  # noqa: PTH118
        if real != root and not real.startswith(root.rstrip(os.sep) + os.sep):
            return Err(FsError("outside-root", f"{path} leads out of the root through a link"))
        return Ok(Path(real))

    def _attempt(
        self, path: str, action: Callable[[Path], T], *, resolve: str | None = None
    ) -> Result[T, FsError]:
        """The action's value on the real path of `resolve` (else of `path`), or why it failed."""
        try:
            real = self._inside(path if resolve is None else resolve)
            return Ok(action(real.value)) if real.ok else real
        except OSError as error:
            return Err(FsError(_code_of(error), f"{path}: {error.strerror or error}"))


def _root(root: str | os.PathLike[str]) -> Path:
    try:
        path = os.path.abspath(root)  # noqa: PTH100 - keeps a symlinked root's own name
        if b"\0" in os.fsencode(path):
            raise ValueError("a path holds no NUL")
        return Path(path)
    except Exception as error:  # neither text nor path, not encodable, or its own method raises
        raise ValueError(f"root: {shorten(root)} is not a path: {raised(error)}") from error


def _file_stat(real: Path) -> FileStat:
    found = real.stat()
    if stat_module.S_ISDIR(found.st_mode):
        return FileStat("folder", 0, found.st_mtime_ns)
    found = _regular(real)
    return FileStat("file", found.st_size, found.st_mtime_ns)


def _regular(real: Path) -> os.stat_result:
    """The stat of a regular file; raises for a folder, and for a pipe, a socket or a device."""
    found = real.stat()
    if stat_module.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    if not stat_module.S_ISREG(found.st_mode):
        raise OSError(errno.EIO, "not a file")
    return found


def _write_all(real: Path, data: bytes, how: int) -> None:
    # Not blocking, for a named pipe without a reader would be waited for, for ever.
    flags = os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_BINARY", getattr(os, "O_NONBLOCK", 0))
    with open(os.open(real, flags, 0o666), "wb", buffering=0) as file:  # noqa: PTH123
        if not stat_module.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EIO, "not a file")
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]


def _make_folder(real: Path) -> None:
    """Makes the folder and its parents; each new name is durable in the folder above it."""
    if real.is_dir():
        return
    _make_folder(real.parent)
    real.mkdir(exist_ok=True)
    _sync_folder(real.parent)


def _fsync(real: Path, how: int) -> None:
    handle = os.open(real, how)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(real: Path) -> None:
    real.stat()  # says why, if it is not there
    if not real.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "not a folder")
    if os.name != "nt":  # Windows cannot open a folder; its renames are journalled
        _fsync(real, os.O_RDONLY)


@contextmanager
def _release_after(lock: BaseFileLock) -> Iterator[None]:
    try:
        yield
    finally:
        lock.release()


def _code_of(error: OSError) -> FsErrorCode:
    if isinstance(error, FileNotFoundError):
        return "missing"
    if isinstance(error, IsADirectoryError):
        return "is-folder"
    if isinstance(error, PermissionError):
        return "denied"
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return "no-space"
    return "io"
