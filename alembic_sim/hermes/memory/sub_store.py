"""SubStore: an append-only log of records beside the two notebooks (seed 5 §12).

Nothing in it is ever changed or removed: a record is one more line, and listing writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from posixpath import dirname, join
from typing import Literal, get_args

from alembic_sim.durable import sweep_temp, write_atomic
from alembic_sim.guarded import GuardedFs, checked_place, read_clock
from alembic_sim.hermes.memory.decide import StoreError
from alembic_sim.hermes.memory.memory_store import LOCK_DEADLINE_MS
from alembic_sim.hermes.memory.sub_record import (
    SubListing,
    SubRecord,
    check_record,
    ids_in,
    next_id,
    parse_records,
    record_line,
)
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import Clock
from alembic_sim.ports.fs import FsError, FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

SubStoreName = Literal["episodic", "semantic", "procedural", "decision", "transcript"]
SUB_STORES: tuple[SubStoreName, ...] = get_args(SubStoreName)
MAX_SUB_STORE_BYTES = 64 * 1024 * 1024

IdFactory = Callable[[tuple[str, ...]], str]
"""The ids on disk in, a new one out: it continues from the highest."""


class SubStore:
    """The records in `<folder>/<name>.jsonl`, each stamped with an id, an agent and an instant.

    Raises `ValueError` for a name that is no sub-store, a folder that cannot be, an agent that is
    no visible text, and a factory of ids that cannot be called.
    """

    def __init__(
        self,
        fs: FsPort,
        clock: Clock,
        name: SubStoreName,
        folder: str = "memory",
        agent: str = "cli",
        new_id: IdFactory | None = None,
    ) -> None:
        if not isinstance(name, str) or name not in SUB_STORES:
            raise ValueError(f"name: {shorten(name)} is not one of {', '.join(SUB_STORES)}")
        if not (isinstance(agent, str) and agent.strip() and agent.isprintable()):
            raise ValueError(f"agent: {shorten(agent)} is not a name on one line")
        if not callable(new_id or next_id):
            raise ValueError(f"new_id: {shorten(new_id)} cannot be called")
        self._fs = GuardedFs(fs)
        self._clock = clock
        self._agent = agent
        self._new_id = new_id or next_id
        self.path = join(checked_place("folder", folder), f"{name}.jsonl")

    def list(self) -> Result[SubListing, StoreError]:
        """All records, newest first, and a warning for each line that is none.

        A missing file has none; one that is there and cannot be read is `unreadable`.
        """
        read = self._read()
        return Ok(parse_records(read.value or b"")) if read.ok else read

    def append(self, record: dict[str, object]) -> Result[SubRecord, StoreError]:
        """The record as it is now durably on disk, or why it is not: no earlier line changes.

        `write-uncertain`: the line is there, but a power cut may still take it.
        """
        checked = check_record(record)
        if not checked.ok:
            return _refuse("bad-record", f"the record cannot be stored: {checked.error.message}")
        locked = self._fs.lock(self.path, LOCK_DEADLINE_MS)
        if not locked.ok:
            code = "lock-timeout" if locked.error.code == "lock-timeout" else "write-failed"
            return _refuse(code, f"{locked.error.message}; nothing was written")
        with locked.value:
            return self._append_locked(checked.value)

    def _append_locked(self, record: dict[str, object]) -> Result[SubRecord, StoreError]:
        read = self._read()
        if not read.ok:
            return read
        old = read.value or b""
        new_id = self._id_after(ids_in(old))
        if not new_id.ok:
            return new_id
        now = read_clock(self._clock)
        if not now.ok:
            return _refuse(now.error.code, now.error.message)
        stored = SubRecord(new_id.value, self._agent, iso_from_ms(now.value), record)
        line = record_line(stored)
        if old and not old.endswith(b"\n"):  # a line that broke off must not swallow this one
            line = b"\n" + line
        if len(old) + len(line) > MAX_SUB_STORE_BYTES:
            why = f"{self.path} would hold more than {MAX_SUB_STORE_BYTES} bytes"
            return _refuse("over-budget", f"{why}, which nobody would read again; start a new file")
        sweep_temp(self._fs, self.path)
        written = self._create(line) if read.value is None else self._add(stored.id, line)
        return Ok(stored) if written.ok else written

    def _create(self, line: bytes) -> Result[None, StoreError]:
        made = write_atomic(self._fs, self.path, line)
        return made if made.ok else _refuse(made.error.code, made.error.message)

    def _add(self, new_id: str, line: bytes) -> Result[None, StoreError]:
        added = self._fs.append(self.path, line)
        if not added.ok:
            return self._after_failed_append(new_id, added.error)
        synced = self._fs.sync(self.path)
        # The folder too: an earlier write may have made the file and failed to sync its name.
        settled = self._fs.sync_dir(dirname(self.path)) if synced.ok else synced
        if not settled.ok:
            why = f"{self.path}: the record {new_id} is there, but syncing failed"
            return _refuse("write-uncertain", f"{why} ({settled.error.message})")
        return Ok(None)

    def _after_failed_append(self, new_id: str, error: FsError) -> Err[StoreError]:
        """`write-failed`, unless all of the line got there, or nobody can say."""
        now = self.list()
        if now.ok and all(record.id != new_id for record in now.value.records):
            why = f"{self.path}: could not append: {error.message}; the earlier lines are intact"
            return _refuse("write-failed", why)
        why = f"{self.path}: appending {new_id} failed ({error.message}), yet it may be there"
        return _refuse("write-uncertain", f"{why}; list the store before trying again")

    def _id_after(self, taken: tuple[str, ...]) -> Result[str, StoreError]:
        try:
            new = self._new_id(taken)
        except Exception as error:  # an injected factory may raise anything
            return _refuse("bad-id", f"the id factory raised {raised(error)}")
        if not (isinstance(new, str) and new.strip() and new.isprintable()) or new in taken:
            return _refuse("bad-id", f"the id factory said {shorten(new)}, not a new id")
        return Ok(new)

    def _read(self) -> Result[bytes | None, StoreError]:
        """The file's bytes; None if there is no file."""
        read = self._fs.read(self.path, MAX_SUB_STORE_BYTES)
        if read.ok or read.error.code == "missing":
            return Ok(read.value if read.ok else None)
        why = f"{self.path} is there but cannot be read: {read.error.message}"
        return _refuse("unreadable", f"{why}. Its bytes were left as they are")


def _refuse(code: str, message: str) -> Err[StoreError]:
    return Err(StoreError(code, message))
