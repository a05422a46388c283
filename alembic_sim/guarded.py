"""What users hand in, checked at the edge: a port that raises or answers with nonsense becomes an
`Err`, and a store that could not be is refused at construction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Literal, TypeVar

from alembic_sim.ports.clock import MAX_SAFE_INTEGER, Clock
from alembic_sim.ports.fs import FileStat, FsError, FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

T = TypeVar("T")

_OPERATIONS = (
    *("stat", "read", "write", "append", "sync", "replace"),
    *("sync_dir", "list", "mkdir", "remove_temp", "lock"),
)


class GuardedFs:
    """The given file port, never raising: every store looks at its port through this.

    Raises `ValueError` for what is no file port: one of the operations is not there.
    """

    def __init__(self, fs: FsPort) -> None:
        lacking = [name for name in _OPERATIONS if not _can(fs, name)]
        if lacking:
            raise ValueError(f"fs: {shorten(fs)} is not a file port: it has no {lacking[0]}")
        self._fs = fs

    def stat(self, path: str) -> Result[FileStat | None, FsError]:
        return _guard(path, lambda: self._fs.stat(path), FileStat, type(None))

    def read(self, path: str, max_bytes: int | None = None) -> Result[bytes, FsError]:
        return _guard(path, lambda: self._fs.read(path, max_bytes), bytes)

    def write(self, path: str, data: bytes) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.write(path, data))

    def append(self, path: str, data: bytes) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.append(path, data))

    def sync(self, path: str) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.sync(path))

    def replace(self, source: str, target: str) -> Result[None, FsError]:
        return _guard(target, lambda: self._fs.replace(source, target))

    def sync_dir(self, path: str) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.sync_dir(path))

    def list(self, path: str) -> Result[tuple[str, ...], FsError]:
        names = _guard(path, lambda: self._fs.list(path), tuple)
        if names.ok and not all(isinstance(name, str) for name in names.value):
            return Err(
                FsError("io", f"{shorten(path)}: the file port listed {shorten(names.value)}")
            )
        return names

    def mkdir(self, path: str) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.mkdir(path))

    def remove_temp(self, path: str) -> Result[None, FsError]:
        return _guard(path, lambda: self._fs.remove_temp(path))

    def lock(self, path: str, deadline_ms: int) -> Result[AbstractContextManager[None], FsError]:
        """The lock, already held: leaving the context releases it, and never raises."""

        locked = _guard(path, lambda: self._fs.lock(path, deadline_ms), AbstractContextManager)
        if not locked.ok:
            return locked

        def enter() -> Result[AbstractContextManager[None], FsError]:
            locked.value.__enter__()
            return Ok(_leaving(locked.value))

        return _guard(path, enter)


def _can(fs: object, operation: str) -> bool:
    try:
        return callable(getattr(fs, operation, None))
    except Exception:  # looking may raise too
        return False


@contextmanager
def _leaving(entered: AbstractContextManager[None]) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(Exception):  # the write is durable by now; a lock that jams hides nothing
            entered.__exit__(None, None, None)


def _guard(path: str, call: Callable[[], Result[T, FsError]], *types: type) -> Result[T, FsError]:
    """The port's answer if it is one of the promised types (none given: any), else `io`."""
    try:
        answer = call()
    except Exception as error:  # whatever a user's port raises: this is where it becomes a value
        return Err(FsError("io", f"{shorten(path)}: the file port raised {raised(error)}"))
    match answer:
        case Ok(value) if not types or isinstance(value, types):
            return answer
        case Err(FsError()):
            return answer
    return Err(FsError("io", f"{shorten(path)}: the file port answered {shorten(answer)}"))


def relative_path(path: object) -> Result[str, FsError]:
    """The path normalised (`""` is the root), or `outside-root`: what every file port takes."""
    if not isinstance(path, str):
        return _refused(path, "a path is a text")
    if path.startswith("/") or "\\" in path or "\0" in path or ":" in path.split("/")[0]:
        return _refused(path, "a path is relative, with forward slashes")
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return _refused(path, "a path is encodable text")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        return _refused(path, "a path does not climb with `..`")
    return Ok("/".join(parts))


def checked_place(setting: Literal["path", "folder"], place: object) -> str:
    """The place of a store, normalised: a folder may be the root (`""`), a path names a file.

    Raises `ValueError` for a place that no file port takes: it is for constructors.
    """
    inside = relative_path(place)
    if not inside.ok:
        raise ValueError(f"{setting}: {inside.error.message}")
    if setting == "path" and not inside.value:
        raise ValueError(f"path: {shorten(place)} does not name a file")
    return inside.value


def _refused(path: object, rule: str) -> Err[FsError]:
    why = f"{shorten(path, 80)} is not a path inside the root"
    return Err(FsError("outside-root", f"{why}: {rule}"))


@dataclass(frozen=True, slots=True)
class ClockError:
    """A clock that raised, or answered with anything but whole milliseconds since the epoch."""

    code: str
    message: str


def read_clock(clock: Clock) -> Result[int, ClockError]:
    """The clock's time in ms, or `bad-clock`."""
    try:
        now = clock()
    except Exception as error:  # a user's clock may raise anything
        return Err(ClockError("bad-clock", f"the clock raised {raised(error)}"))
    if isinstance(now, bool) or not isinstance(now, int) or not 0 <= now <= MAX_SAFE_INTEGER:
        return Err(ClockError("bad-clock", f"the clock said {shorten(now)}, not whole ms ≥ 0"))
    return Ok(now)
