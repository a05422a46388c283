"""FaultyFs: any file port, counted, failing by plan, and what a power cut would leave of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from posixpath import dirname, join
from typing import TypeVar

from alembic_sim.adapters.fault_plan import FaultPlan as FaultPlan
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.adapters.paths import relative_path
from alembic_sim.adapters.power_cut import CrashKind, PowerCut, Tree
from alembic_sim.adapters.text_files import TextFiles
from alembic_sim.guarded import GuardedFs
from alembic_sim.ports.fs import FileStat, FsError, FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

T = TypeVar("T")

MAX_DEPTH = 16
"""How deep the tree is looked at: a link on a disk may lead in circles."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One call of the port: its number from 1, its name, its path, and how it ended.

    >>> str(Operation(3, "replace", ".a.tmp", "a", "io"))
    ' 3 replace .a.tmp → a: io'
    """

    number: int
    name: str
    path: str
    target: str | None = None
    outcome: str = "ok"

    def __str__(self) -> str:
        where = self.path if self.target is None else f"{self.path} → {self.target}"
        return f"{self.number:2} {self.name} {where or '(the root)'}: {self.outcome}"


@dataclass(frozen=True, slots=True)
class Crashed:
    """A file system as a power cut could leave it; `story` says which effects survived."""

    kind: CrashKind
    fs: MemoryFs
    story: str


class FaultyFs(TextFiles):
    """The port `inner`, every operation counted, and the one that `plan` names going wrong.

    What `inner` holds at the start counts as durable (and what cannot be read, as empty). An inner
    port that raises is an `io` error. Raises `ValueError` for what is no file port, or no plan.
    """

    def __init__(self, inner: FsPort, plan: FaultPlan | None = None) -> None:
        if not isinstance(plan, FaultPlan | None):
            raise ValueError(f"plan: {shorten(plan)} is not a FaultPlan")
        self._inner = GuardedFs(inner)
        self._plan = FaultPlan() if plan is None else plan
        self._operations: list[Operation] = []
        self._power = PowerCut()
        self._know_all()

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Every operation so far, failed ones included."""
        return tuple(self._operations)

    def crash(self) -> tuple[Crashed, ...]:
        """The different file systems that a power cut could leave now, most lost first."""
        return tuple(
            Crashed(after.kind, _memory_fs(after.tree), after.story)
            for after in self._power.aftermaths()
        )

    def stat(self, path: str) -> Result[FileStat | None, FsError]:
        return self._count("stat", path, lambda: self._inner.stat(path))

    def read(self, path: str, max_bytes: int | None = None) -> Result[bytes, FsError]:
        return self._count("read", path, lambda: self._inner.read(path, max_bytes))

    def write(self, path: str, data: bytes) -> Result[None, FsError]:
        return self._store("write", path, data, self._inner.write, self._power.wrote)

    def append(self, path: str, data: bytes) -> Result[None, FsError]:
        return self._store("append", path, data, self._inner.append, self._power.appended)

    def sync(self, path: str) -> Result[None, FsError]:
        self._know(path)
        done = self._count("sync", path, lambda: self._inner.sync(path))
        return _then(done, lambda: self._power.synced(_name(path)))

    def replace(self, source: str, target: str) -> Result[None, FsError]:
        self._know(source)
        self._know(target)
        done = self._count("replace", source, lambda: self._inner.replace(source, target), target)
        return _then(done, lambda: self._power.renamed(_name(source), _name(target)))

    def sync_dir(self, path: str) -> Result[None, FsError]:
        done = self._count("sync_dir", path, lambda: self._inner.sync_dir(path))
        return _then(done, lambda: self._power.synced_folder(_name(path)))

    def list(self, path: str) -> Result[tuple[str, ...], FsError]:
        return self._count("list", path, lambda: self._inner.list(path))

    def mkdir(self, path: str) -> Result[None, FsError]:
        self._know(path)
        done = self._count("mkdir", path, lambda: self._inner.mkdir(path))
        return _then(done, lambda: self._power.made_folder(_name(path)))

    def remove_temp(self, path: str) -> Result[None, FsError]:
        self._know(path)
        done = self._count("remove_temp", path, lambda: self._inner.remove_temp(path))
        return _then(done, lambda: self._power.removed(_name(path)))

    def lock(self, path: str, deadline_ms: int) -> Result[AbstractContextManager[None], FsError]:
        return self._count("lock", path, lambda: self._inner.lock(path, deadline_ms))

    def _count(
        self,
        name: str,
        path: str,
        action: Callable[[], Result[T, FsError]],
        target: str | None = None,
    ) -> Result[T, FsError]:
        """The action's answer, or the plan's, written down."""
        number = len(self._operations) + 1
        refusal = self._plan.refusal(number)
        answer = action() if refusal is None else Err(refusal)
        outcome = "ok" if answer.ok else answer.error.code
        to = None if target is None else _printable(target)
        self._operations.append(Operation(number, name, _printable(path), to, outcome))
        return answer

    def _store(
        self,
        name: str,
        path: str,
        data: bytes,
        action: Callable[[str, bytes], Result[None, FsError]],
        happened: Callable[[str, bytes], None],
    ) -> Result[None, FsError]:
        """A write or append of all the data, or of the part that the plan lets through."""
        self._know(path)
        short = self._plan.cuts_short(len(self._operations) + 1) and isinstance(data, bytes)
        part = data[: self._plan.kept] if short else data

        def store() -> Result[None, FsError]:
            done = _then(action(path, part), lambda: happened(_name(path), part))
            if not (done.ok and short):
                return done
            return Err(FsError("no-space", f"{path}: {len(part)} of {len(data)} bytes were stored"))

        return self._count(name, path, store)

    def _know(self, path: str) -> None:
        """Takes in what is at the path, and the folders above it, if nobody told of it yet.

        A lock may have made the folder, or another process the file: that counts as durable.
        """
        name = relative_path(path)
        if not name.ok or self._power.knows(name.value):
            return
        self._know(dirname(name.value))
        there = self._inner.stat(name.value)
        if there.ok and there.value is not None:
            read = Ok(None) if there.value.kind == "folder" else self._inner.read(name.value)
            self._power.already_there(name.value, read.value if read.ok else b"")

    def _know_all(self) -> None:
        folders = [""]
        for folder in folders:  # grows while it is walked
            listed = self._inner.list(folder)
            for name in listed.value if listed.ok else ():
                path = join(folder, name)
                self._know(path)
                if self._power.is_folder(path) and path.count("/") < MAX_DEPTH:
                    folders.append(path)


def _then(done: Result[None, FsError], note: Callable[[], None]) -> Result[None, FsError]:
    if done.ok:
        note()
    return done


def _name(path: str) -> str:
    return relative_path(path).expect("a path that the inner port took")


def _printable(path: object) -> str:
    return path if isinstance(path, str) and path.isprintable() else shorten(path)


def _memory_fs(tree: Tree) -> MemoryFs:
    fs = MemoryFs()
    for path, data in tree.items():  # sorted: a folder comes before what is in it
        made = fs.mkdir(path) if data is None else fs.write(path, data)
        made.expect("a tree that can be")
    return fs
