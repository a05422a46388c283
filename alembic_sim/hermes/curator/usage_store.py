"""UsageStore: a sidecar that counts use, view and patch of skills (seed 5 §07).

Reading never breaks a hot path: what cannot be read is empty. Writing is atomic, under a lock,
and a write that fails says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from posixpath import basename, dirname, join
from typing import Literal, get_args

from alembic_sim.durable import settle, sweep_temp, write_atomic
from alembic_sim.guarded import GuardedFs, checked_place, read_clock
from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar, serialise_sidecar
from alembic_sim.hermes.curator.sidecar_memo import SidecarMemo
from alembic_sim.hermes.curator.skill_name import check_name
from alembic_sim.hermes.curator.usage_receipt import UsageError as UsageError
from alembic_sim.hermes.curator.usage_receipt import UsageReceipt as UsageReceipt
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import Clock
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

UsageEvent = Literal["use", "view", "patch"]
DEFAULT_SIDECAR_PATH = "skills/.usage.json"
LOCK_DEADLINE_MS = 5_000
MAX_SIDECAR_BYTES = 64 * 1024 * 1024


Change = Callable[[UsageSidecar], Result[UsageRecord, UsageError]]
"""What is on disk now in, the named skill's new record out."""


class UsageStore:
    """The telemetry of one skill library, in one JSON file at `path`.

    Raises `ValueError` for a path at which no file can be.
    """

    def __init__(self, fs: FsPort, clock: Clock, path: str = DEFAULT_SIDECAR_PATH) -> None:
        self._clock = clock
        self._fs = GuardedFs(fs)
        self._path = checked_place("path", path)
        self._memo = SidecarMemo()

    @property
    def clock(self) -> Clock:
        """The clock that stamps events: give the curator the same one (seed 5 §08)."""
        return self._clock

    def load(self) -> UsageSidecar:
        """All records, best effort: a missing, unreadable or damaged file reads as empty."""
        read = self._fs.read(self._path, MAX_SIDECAR_BYTES)
        if read.ok:
            return self._memo.parse(read.value)
        missing = read.error.code == "missing"
        return UsageSidecar(problem=None if missing else read.error.message)

    def get(self, name: str) -> Result[UsageRecord, UsageError]:
        """The skill's record, `unknown-skill` or `invalid-record`."""
        return _existing(self.load(), name)

    def create(self, name: str, created_by: str | None = None) -> Result[UsageReceipt, UsageError]:
        """A new, active record. Creating is not activity: `last_activity_at` stays 0."""

        def newborn(now: int, sidecar: UsageSidecar) -> Result[UsageRecord, UsageError]:
            why = check_name(name)
            if why is not None:
                return _refuse("bad-name", f"{shorten(name)}: {why}")
            taken = next((n for n in sidecar.names() if n.casefold() == name.casefold()), None)
            if taken is not None:
                archived = taken in sidecar.records and sidecar.records[taken].state == "archived"
                remedy = "it is archived: restore it instead" if archived else "choose another name"
                return _refuse("exists", f"the skill {taken!r} exists; {remedy}")
            if not isinstance(created_by, str | None):
                return _refuse("bad-author", f"created_by: {shorten(created_by)} is not a text")
            return Ok(UsageRecord(created_at=now, created_by=created_by))

        return self._write_at_now(name, newborn)

    def record(self, name: str, event: UsageEvent) -> Result[UsageReceipt, UsageError]:
        """One event counted and stamped: counter + 1, `last_activity_at` = now (seed 5 §07).

        An unknown name gets an active record without author, which no curator touches:
        telemetry never breaks the host's call.
        """
        if not isinstance(event, str) or event not in get_args(UsageEvent):
            return _refuse("unknown-event", f"{shorten(event)} is not use, view or patch")

        def counted(now: int, sidecar: UsageSidecar) -> Result[UsageRecord, UsageError]:
            found = _existing_or_new(sidecar, name)
            if not found.ok:
                return found
            record = found.value or UsageRecord(created_at=now)
            counter = f"{event}_count"
            count = getattr(record, counter) + 1
            return Ok(record.model_copy(update={counter: count, "last_activity_at": now}))

        return self._write_at_now(name, counted)

    def pin(self, name: str, pinned: bool = True) -> Result[UsageReceipt, UsageError]:
        """The record pinned (exempt from every transition) or unpinned."""
        if not isinstance(pinned, bool):
            return _refuse("bad-record", f"pinned: {shorten(pinned)} is not true or false")
        return self.update(name, lambda record: record.model_copy(update={"pinned": pinned}))

    def put(self, name: str, record: UsageRecord) -> Result[UsageReceipt, UsageError]:
        """The given record in place of what is there, or as a new one."""
        try:
            checked = UsageRecord.model_validate(record.to_json(), by_alias=True, by_name=False)
        except Exception:  # not a record, or one built around its own checks
            return _refuse("bad-record", f"{shorten(record)} is not a UsageRecord")

        def given(sidecar: UsageSidecar) -> Result[UsageRecord, UsageError]:
            usable = _existing_or_new(sidecar, name)
            return Ok(checked) if usable.ok else usable

        return self._write(name, given)

    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]:
        """The record after `change`, which sees what is on disk now, under the lock.

        Nothing is written if `change` returns an equal record.
        """

        def changed(sidecar: UsageSidecar) -> Result[UsageRecord, UsageError]:
            found = _existing(sidecar, name)
            if not found.ok:
                return found
            try:
                record = change(found.value)
            except Exception as error:  # the caller's function may raise anything
                return _refuse("raised", f"the change raised {raised(error)}")
            if not isinstance(record, UsageRecord):
                return _refuse("bad-record", f"{shorten(record)} is not a UsageRecord")
            return Ok(record)

        return self._write(name, changed)

    def _write_at_now(
        self,
        name: str,
        change: Callable[[int, UsageSidecar], Result[UsageRecord, UsageError]],
    ) -> Result[UsageReceipt, UsageError]:
        now = read_clock(self._clock)
        if not now.ok:
            return _refuse(now.error.code, now.error.message)
        return self._write(name, lambda sidecar: change(now.value, sidecar))

    def _write(self, name: str, change: Change) -> Result[UsageReceipt, UsageError]:
        """Lock, read again, change one record, write atomically."""
        locked = self._fs.lock(self._path, LOCK_DEADLINE_MS)
        if not locked.ok:
            code = "lock-timeout" if locked.error.code == "lock-timeout" else "write-failed"
            return _refuse(code, f"{locked.error.message}; nothing was written")
        with locked.value:
            read = self._fs.read(self._path, MAX_SIDECAR_BYTES)
            if not read.ok and read.error.code != "missing":
                why = f"{read.error.message}; its bytes were left as they are"
                return _refuse("unreadable", why)
            old_bytes = read.value if read.ok else b""
            sidecar = self._memo.parse(old_bytes) if read.ok else UsageSidecar()
            if sidecar.foreign:
                why = f"{self._path} belongs to a Hermes home, which is never written"
                return _refuse("foreign-format", why)
            changed = change(sidecar)
            if not changed.ok:
                return changed
            before = sidecar.records.get(name)
            receipt = UsageReceipt(name, changed.value, before)
            if before == changed.value:  # what is there may be an uncertain write's
                settled = settle(self._fs, self._path)
                if not settled.ok:
                    return _refuse(settled.error.code, settled.error.message)
                return Ok(receipt)
            return self._write_locked(receipt, sidecar, old_bytes)

    def _write_locked(
        self, receipt: UsageReceipt, sidecar: UsageSidecar, old_bytes: bytes
    ) -> Result[UsageReceipt, UsageError]:
        alone = UsageSidecar({receipt.name: receipt.record})
        try:
            # The other records came from JSON and read back; this one has yet to show that it does.
            reads_back = parse_sidecar(serialise_sidecar(alone)).records == alone.records
        except Exception as error:  # an unknown field may hold anything: NaN, a set, a surrogate
            return _refuse("bad-record", f"{shorten(receipt.name)}: not JSON: {raised(error)}")
        if not reads_back:
            why = "a field holds what could not be read back"
            return _refuse("bad-record", f"{shorten(receipt.name)}: {why}; nothing was written")
        data = self._memo.serialise(old_bytes, sidecar, receipt.name, receipt.record)
        if len(data) > MAX_SIDECAR_BYTES:
            why = f"the sidecar would hold more than {MAX_SIDECAR_BYTES} bytes"
            return _refuse("write-failed", f"{why}; nothing was written")
        copied = self._keep_unreadable(sidecar, old_bytes)
        if not copied.ok:
            return copied
        sweep_temp(self._fs, self._path)
        written = write_atomic(self._fs, self._path, data)
        if not written.ok:
            return _refuse(written.error.code, written.error.message)
        return Ok(replace(receipt, corrupt_copy=copied.value))

    def _keep_unreadable(
        self, sidecar: UsageSidecar, old_bytes: bytes
    ) -> Result[str | None, UsageError]:
        """Where bytes that could not be understood were copied before they are written over."""
        if sidecar.problem is None or not old_bytes.strip():
            return Ok(None)
        now = read_clock(self._clock)
        if not now.ok:
            return _refuse(now.error.code, now.error.message)
        prefix = f"{basename(self._path)}.corrupt-"
        listed = self._fs.list(dirname(self._path))
        kept = [name for name in (listed.value if listed.ok else ()) if name.startswith(prefix)]
        for name in kept:
            if self._fs.read(join(dirname(self._path), name)) == Ok(old_bytes):
                return Ok(join(dirname(self._path), name))  # copied once, by a write that failed
        copy = f"{prefix}{now.value}"
        while copy in kept:  # other bytes of the same millisecond
            copy += "+"
        copy = join(dirname(self._path), copy)
        written = write_atomic(self._fs, copy, old_bytes)
        if not written.ok:
            return _refuse(
                written.error.code, f"unreadable bytes not kept: {written.error.message}"
            )
        return Ok(copy)


def _existing(sidecar: UsageSidecar, name: str) -> Result[UsageRecord, UsageError]:
    if not isinstance(name, str) or name not in sidecar.names():
        return _refuse("unknown-skill", f"there is no skill {shorten(name)} in the sidecar")
    if name in sidecar.invalid:
        why = f"the record of {name!r} is damaged ({sidecar.why_invalid[name]})"
        return _refuse("invalid-record", f"{why}; it is kept as it is: mend it by hand")
    return Ok(sidecar.records[name])


def _existing_or_new(sidecar: UsageSidecar, name: str) -> Result[UsageRecord | None, UsageError]:
    """The skill's record, `Ok(None)` if there is none yet and the name is allowed."""
    found = _existing(sidecar, name)
    if found.ok or found.error.code != "unknown-skill":
        return found
    why = check_name(name)
    return Ok(None) if why is None else _refuse("bad-name", f"{shorten(name)}: {why}")


def _refuse(code: str, message: str) -> Err[UsageError]:
    return Err(UsageError(code, message))
