"""The FsPort: the file primitives of a store, few enough that a power cut can be modelled.

Paths are POSIX-style and relative to the adapter's root; bytes go in and come out. No method
raises: each returns `Result[..., FsError]`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from alembic_sim.result import Result

FsErrorCode = Literal[
    "missing",
    "is-folder",
    "denied",
    "no-space",
    "io",
    "outside-root",
    "lock-timeout",
    "too-large",
]


@dataclass(frozen=True, slots=True)
class FsError:
    """Why a file operation did not happen."""

    code: FsErrorCode
    message: str


@dataclass(frozen=True, slots=True)
class FileStat:
    """What is at a path: its kind, its size in bytes, its modification time in nanoseconds."""

    kind: Literal["file", "folder"]
    size: int
    mtime_ns: int


class FsPort(Protocol):
    """A tree of files under one root."""

    def stat(self, path: str) -> Result[FileStat | None, FsError]:
        """What is there, `Ok(None)` if nothing is."""
        ...

    def read(self, path: str, max_bytes: int | None = None) -> Result[bytes, FsError]:
        """All bytes of a file; `too-large` if it holds more than `max_bytes`."""
        ...

    def write(self, path: str, data: bytes) -> Result[None, FsError]:
        """Creates or truncates the file; durable only after `sync`."""
        ...

    def append(self, path: str, data: bytes) -> Result[None, FsError]:
        """Adds bytes at the end, creating the file; durable only after `sync`."""
        ...

    def sync(self, path: str) -> Result[None, FsError]:
        """Makes a file's bytes durable."""
        ...

    def replace(self, source: str, target: str) -> Result[None, FsError]:
        """Renames `source` over `target` atomically, keeping an existing target's mode.

        Follows a symlink that stays inside the root; one that leaves it is `outside-root`.
        """
        ...

    def sync_dir(self, path: str) -> Result[None, FsError]:
        """Makes a folder's names durable (a rename may be undone by a power cut before this)."""
        ...

    def list(self, path: str) -> Result[tuple[str, ...], FsError]:
        """The sorted names in a folder."""
        ...

    def mkdir(self, path: str) -> Result[None, FsError]:
        """Makes a folder and its parents; a folder that exists is fine."""
        ...

    def remove_temp(self, path: str) -> Result[None, FsError]:
        """Removes a temporary file (`.NAME.tmp`), the only thing that is ever removed."""
        ...

    def lock(self, path: str, deadline_ms: int) -> Result[AbstractContextManager[None], FsError]:
        """Holds `path` alone until the context ends; `lock-timeout` after `deadline_ms`."""
        ...
