"""RunFiles: the folder of run reports beside a sidecar, one numbered folder for each run.

The numbers continue from the highest on disk. Runs are ordered by them and never by time, for a
clock may jump back.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from posixpath import basename, dirname, join

from alembic_sim.durable import sweep_temp, temp_path, write_atomic
from alembic_sim.guarded import GuardedFs, checked_place
from alembic_sim.hermes.curator.run_record import RunRecord, SavedRun, read_saved_run
from alembic_sim.hermes.curator.run_report import run_report
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, LOCK_DEADLINE_MS
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Err, Ok, Result, ask
from alembic_sim.shorten import shorten

MAX_RUN_BYTES = 64 * 1024 * 1024

IdFactory = Callable[[tuple[str, ...]], str]
"""The ids on disk in, ascending; a new and higher one out."""

_RUN, _REPORT = "run.json", "REPORT.md"
_ID = re.compile(r"run_[0-9]{6,12}")


@dataclass(frozen=True, slots=True)
class RunFilesError:
    """Why a run could not be read or written down."""

    code: str
    message: str


def next_run_id(taken: tuple[str, ...]) -> str:
    """The id after the highest: `run_000001`, `run_000002`, …"""
    return f"run_{max(map(_number, taken), default=0) + 1:06d}"


class RunFiles:
    """The runs over the sidecar at `path`, in the folder `.curator` beside it.

    Whoever writes or undoes one holds `lock()` from beginning to end. Raises `ValueError` for a
    path at which no file can be, and a `new_id` that cannot be called.
    """

    def __init__(
        self, fs: FsPort, path: str = DEFAULT_SIDECAR_PATH, new_id: IdFactory = next_run_id
    ) -> None:
        self._fs = GuardedFs(fs)
        if not callable(new_id):
            raise ValueError(f"new_id: {shorten(new_id)} cannot be called")
        self._new_id = new_id
        path = checked_place("path", path)
        self.folder = join(dirname(path), ".curator")
        self.sidecar = basename(path)

    def lock(self) -> Result[AbstractContextManager[None], RunFilesError]:
        """The lock of all runs, already held; `lock-timeout` if another process runs a pass."""
        locked = self._fs.lock(f"{self.folder}/runs", LOCK_DEADLINE_MS)
        if locked.ok:
            return locked
        code = "lock-timeout" if locked.error.code == "lock-timeout" else "write-failed"
        return _refuse(code, f"{locked.error.message}; nothing was done")

    def ids(self) -> Result[tuple[str, ...], RunFilesError]:
        """The ids of all runs on disk, ascending."""
        listed = self._fs.list(self.folder)
        if not listed.ok:
            missing = listed.error.code == "missing"
            return Ok(()) if missing else _refuse("unreadable", listed.error.message)
        return Ok(tuple(sorted(filter(_ID.fullmatch, listed.value), key=_number)))

    def start_id(self) -> Result[str, RunFilesError]:
        """The id for a new run; what failed writes and crashes left of earlier ones is swept."""
        taken = self.ids()
        if not taken.ok:
            return taken
        made = ask(lambda: Ok(self._new_id(taken.value)), returns=str)
        if not made.ok:
            return _refuse("bad-id", made.error.message)
        last = taken.value[-1] if taken.value else None
        if not _ID.fullmatch(made.value) or (last and _number(made.value) <= _number(last)):
            why = f"{shorten(made.value)} is not a new id such as {next_run_id(taken.value)}"
            return _refuse("bad-id", why)
        for run_id in taken.value:
            self._sweep(run_id)
        return made

    def _sweep(self, run_id: str) -> None:
        """Removes what is half written in a run's folder, of the last run or of any before it.

        A removal is no more durable than a write: a power cut may bring the file back after other
        runs were written down.
        """
        folder = f"{self.folder}/{run_id}"
        listed = self._fs.list(folder)
        for path in (f"{folder}/{_RUN}", f"{folder}/{_REPORT}"):
            if listed.ok and basename(temp_path(path)) in listed.value:
                sweep_temp(self._fs, path)

    def write(self, run: RunRecord) -> Result[None, RunFilesError]:
        """Ok once `run.json` and `REPORT.md` are durable, in place of the run's earlier ones.

        `run.json`, which an undo goes by, comes last: without it there is no run.
        """
        texts = {_REPORT: run_report(run).encode("utf-8"), _RUN: run.to_bytes()}
        for name, data in texts.items():
            written = write_atomic(self._fs, f"{self.folder}/{run.id}/{name}", data)
            if not written.ok:
                return _refuse(written.error.code, written.error.message)
        return Ok(None)

    def read(self, run_id: str) -> Result[SavedRun | None, RunFilesError]:
        """What the run wrote down; None if it was cut off before that, or of another sidecar."""
        path = f"{self.folder}/{run_id}/{_RUN}"
        read = self._fs.read(path, MAX_RUN_BYTES)
        if not read.ok:
            missing = read.error.code == "missing"
            return Ok(None) if missing else _refuse("unreadable", read.error.message)
        saved = read_saved_run(read.value)
        if not saved.ok:
            return _not_ours(path, saved.error.message)
        if saved.value.id != run_id:
            return _not_ours(path, f"id: {shorten(saved.value.id)} is not its folder's name")
        return Ok(saved.value if saved.value.sidecar == self.sidecar else None)


def _number(run_id: str) -> int:
    return int(run_id.removeprefix("run_"))


def _not_ours(path: str, why: str) -> Err[RunFilesError]:
    return _refuse("invalid-run", f"{path} is not a run of ours: {why}; mend it by hand")


def _refuse(code: str, message: str) -> Err[RunFilesError]:
    return Err(RunFilesError(code, message))
