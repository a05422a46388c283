"""MemoryFs: a file tree in a dictionary, for lessons, tests and simulations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from posixpath import basename, dirname

from alembic_sim.adapters.paths import check_amount, check_data, is_temp_name, relative_path
from alembic_sim.adapters.text_files import TextFiles
from alembic_sim.ports.fs import FileStat, FsError
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten


class MemoryFs(TextFiles):
    """A tree that starts empty, or with `files` (path to bytes or text).

    Modification times count writes (1 ns each), so the same steps give the same times.
    Raises `ValueError` if `files` is no mapping, or a starting file is impossible.
    """

    def __init__(self, files: Mapping[str, bytes | str] | None = None) -> None:
        self._bytes: dict[str, bytes] = {}
        self._mtimes: dict[str, int] = {}
        self._folders: set[str] = {""}
        self._locked: set[str] = set()
        self._ticks = 0
        if not isinstance(files, Mapping | None):
            raise ValueError(f"files: {shorten(files)} is not a mapping of paths to bytes or text")
        for path, content in (files or {}).items():
            data = content.encode("utf-8") if isinstance(content, str) else content
            folder = dirname(path) if isinstance(path, str) else ""
            if not (self.mkdir(folder).ok and self.write(path, data).ok):
                raise ValueError(f"impossible file in MemoryFs: {shorten(path)}")

    def files(self) -> dict[str, bytes]:
        """Every file's bytes by path, sorted by path: a copy."""
        return dict(sorted(self._bytes.items()))

    def stat(self, path: str) -> Result[FileStat | None, FsError]:
        match self._place(path):
            case Err() as refused:
                return refused
            case Ok(name) if name in self._bytes:
                return Ok(FileStat("file", len(self._bytes[name]), self._mtimes[name]))
            case Ok(name) if name in self._folders:
                return Ok(FileStat("folder", 0, 0))
        return Ok(None)

    def read(self, path: str, max_bytes: int | None = None) -> Result[bytes, FsError]:
        usable = check_amount(path, 0 if max_bytes is None else max_bytes)
        if not usable.ok:
            return usable
        name = self._existing_file(path)
        if not name.ok:
            return name
        data = self._bytes[name.value]
        if max_bytes is not None and len(data) > max_bytes:
            return Err(FsError("too-large", f"{path} holds more than {max_bytes} bytes"))
        return Ok(data)

    def write(self, path: str, data: bytes) -> Result[None, FsError]:
        usable = check_data(path, data)
        name = self._writable(path) if usable.ok else usable
        if not name.ok:
            return name
        self._put(name.value, data)
        return Ok(None)

    def append(self, path: str, data: bytes) -> Result[None, FsError]:
        usable = check_data(path, data)
        name = self._writable(path) if usable.ok else usable
        if not name.ok:
            return name
        self._put(name.value, self._bytes.get(name.value, b"") + data)
        return Ok(None)

    def sync(self, path: str) -> Result[None, FsError]:
        name = self._existing_file(path)
        return Ok(None) if name.ok else name

    def replace(self, source: str, target: str) -> Result[None, FsError]:
        place = relative_path(target)
        old = self._existing_file(source) if place.ok else place
        if not old.ok:
            return old
        new = self._writable(target)
        if not new.ok:
            return new
        if new.value != old.value:
            self._bytes[new.value] = self._bytes.pop(old.value)
            self._mtimes[new.value] = self._mtimes.pop(old.value)
        return Ok(None)

    def sync_dir(self, path: str) -> Result[None, FsError]:
        folder = self._existing_folder(path)
        return Ok(None) if folder.ok else folder

    def list(self, path: str) -> Result[tuple[str, ...], FsError]:
        folder = self._existing_folder(path)
        if not folder.ok:
            return folder
        everything = [*self._bytes, *(self._folders - {""})]
        return Ok(tuple(sorted(basename(n) for n in everything if dirname(n) == folder.value)))

    def mkdir(self, path: str) -> Result[None, FsError]:
        name = self._place(path)
        if not name.ok:
            return name
        if name.value in self._bytes:
            return Err(FsError("io", f"{path} is a file, not a folder"))
        self._folders |= {name.value, *_parents(name.value)}
        return Ok(None)

    def remove_temp(self, path: str) -> Result[None, FsError]:
        place = relative_path(path)
        if place.ok and not is_temp_name(place.value):
            return Err(FsError("denied", f"{path} is not a temporary file; nothing else goes"))
        name = self._existing_file(path)
        if not name.ok:
            return name
        del self._bytes[name.value], self._mtimes[name.value]
        return Ok(None)

    def lock(self, path: str, deadline_ms: int) -> Result[AbstractContextManager[None], FsError]:
        usable = check_amount(path, deadline_ms)
        name = self._place(path) if usable.ok else usable
        if not name.ok:
            return name
        if name.value in self._locked:
            waited = f"waited {shorten(deadline_ms)} ms"  # an int may have more digits than prints
            return Err(FsError("lock-timeout", f"{path} is locked; {waited}"))
        self._locked.add(name.value)
        return Ok(self._unlock_after(name.value))

    @contextmanager
    def _unlock_after(self, name: str) -> Iterator[None]:
        try:
            yield
        finally:
            self._locked.discard(name)

    def _place(self, path: str) -> Result[str, FsError]:
        """The path normalised, unless it is outside the root or leads through a file."""
        name = relative_path(path)
        if not name.ok:
            return name
        in_the_way = self._bytes.keys() & set(_parents(name.value))
        if in_the_way:
            return Err(FsError("io", f"{path}: {min(in_the_way)} is a file, not a folder"))
        return name

    def _put(self, name: str, data: bytes) -> None:
        self._ticks += 1
        self._bytes[name] = bytes(data)
        self._mtimes[name] = self._ticks

    def _existing_file(self, path: str) -> Result[str, FsError]:
        match self._place(path):
            case Err() as refused:
                return refused
            case Ok(name) if name in self._folders:
                return Err(FsError("is-folder", f"{path} is a folder"))
            case Ok(name) if name not in self._bytes:
                return Err(FsError("missing", f"{path} does not exist"))
            case Ok(name):
                return Ok(name)

    def _existing_folder(self, path: str) -> Result[str, FsError]:
        match self._place(path):
            case Err() as refused:
                return refused
            case Ok(name) if name in self._bytes:
                return Err(FsError("io", f"{path} is a file, not a folder"))
            case Ok(name) if name not in self._folders:
                return Err(FsError("missing", f"{path} does not exist"))
            case Ok(name):
                return Ok(name)

    def _writable(self, path: str) -> Result[str, FsError]:
        match self._place(path):
            case Err() as refused:
                return refused
            case Ok(name) if name in self._folders:
                return Err(FsError("is-folder", f"{path} is a folder"))
            case Ok(name) if dirname(name) not in self._folders:
                return Err(FsError("missing", f"the folder of {path} does not exist"))
            case Ok(name):
                return Ok(name)


def _parents(name: str) -> Iterator[str]:
    while name:
        name = dirname(name)
        yield name
