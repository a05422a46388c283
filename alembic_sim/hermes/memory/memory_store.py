"""MemoryStore: two bounded notebooks in files, frozen for the prompt, durable on disk (seed 2 §1).

Lock, read again, decide on what is there now, write atomically: the deciding is in `decide.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from posixpath import join
from typing import Literal

from alembic_sim.durable import settle, sweep_temp, write_atomic
from alembic_sim.guarded import GuardedFs, checked_place
from alembic_sim.hermes.memory.decide import Change, StoreError, WriteKind, check_op, decide
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries
from alembic_sim.hermes.memory.operations import MemoryOp, MemoryTarget
from alembic_sim.hermes.memory.snapshot import MemorySnapshot, prompt_text
from alembic_sim.hermes.memory.threat_scan import ThreatScan, threat_scan
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, raised, shorten

DEFAULT_MEMORY_CHAR_LIMIT = 2200
DEFAULT_USER_CHAR_LIMIT = 1375
MAX_FILE_BYTES = 1024 * 1024
LOCK_DEADLINE_MS = 5_000

FILE_NAMES: dict[MemoryTarget, str] = {"memory": "MEMORY.md", "user": "USER.md"}


@dataclass(frozen=True, slots=True)
class WriteReceipt:
    """What a write did; sizes are code points of the whole file's text.

    `entry` is the text now in the store, `old_entry` the whole entry that went away, of
    `removed_chars` code points.
    """

    kind: WriteKind | Literal["batch"]
    target: MemoryTarget
    entry: str | None
    old_entry: str | None
    removed_chars: int
    used_chars: int
    limit_chars: int


class MemoryStore:
    """One session's view of MEMORY.md and USER.md under `folder`.

    Limits count code points of the joined text, delimiters included. Raises `ValueError` for a
    limit that is not a non-negative whole number, a folder that cannot be, and a scan that cannot
    be called: there is no store without one.
    """

    def __init__(
        self,
        fs: FsPort,
        memory_char_limit: int = DEFAULT_MEMORY_CHAR_LIMIT,
        user_char_limit: int = DEFAULT_USER_CHAR_LIMIT,
        *,
        folder: str = "memory",
        scan: ThreatScan = threat_scan,
    ) -> None:
        for name, limit in (("memory", memory_char_limit), ("user", user_char_limit)):
            if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
                raise ValueError(f"{name}_char_limit: {limit!r} is not a whole number ≥ 0")
        if not callable(scan):
            raise ValueError(f"scan: {shorten(scan)} cannot be called")
        self._fs = GuardedFs(fs)
        self._limits: dict[MemoryTarget, int] = {
            "memory": memory_char_limit,
            "user": user_char_limit,
        }
        self._folder = checked_place("folder", folder)
        self._scan = scan
        self._entries: dict[MemoryTarget, tuple[str, ...]] = {"memory": (), "user": ()}
        self._seen: dict[MemoryTarget, set[str]] = {"memory": set(), "user": set()}
        self._snapshot: MemorySnapshot | None = None
        self._behind = 0
        self._freezing = False

    def load(self) -> Result[MemorySnapshot, StoreError]:
        """The session's snapshot: taken at the first load, the same text at every later one.

        Reading is best effort and always Ok: what cannot be read is empty, and in `warnings`. Only
        a threat scan that asks for the snapshot it is being asked about gets `busy`.
        """
        if self._freezing:
            why = "the snapshot is being taken; the threat scan itself cannot wait for it"
            return Err(StoreError("busy", why))
        problems = self._refresh()
        if self._snapshot is None:
            self._freezing = True
            try:
                self._snapshot = self._freeze(problems)
            finally:
                self._freezing = False
        return Ok(replace(self._snapshot, behind=self._behind))

    def entries(self, target: MemoryTarget) -> tuple[str, ...]:
        """The live entries, as of the last load or own operation; none for an unknown target."""
        self._load_once()
        return self._entries[target] if _is_target(target) else ()

    def limit(self, target: MemoryTarget) -> int:
        """The target's limit in code points; 0 for an unknown target."""
        return self._limits[target] if _is_target(target) else 0

    def apply(self, target: MemoryTarget, op: MemoryOp) -> Result[WriteReceipt, StoreError]:
        """The receipt of one durable write, or why nothing was written."""
        changed = self._change(target, [op])
        if not changed.ok:
            return changed
        [change] = changed.value
        return Ok(self._receipt(target, change.kind, change.entry, change.old_entry))

    def apply_batch(
        self, target: MemoryTarget, ops: Iterable[MemoryOp]
    ) -> Result[WriteReceipt, StoreError]:
        """The receipt of all operations in one write, or why none was applied [ancestor].

        The budget is looked at once, on the final state; an empty batch writes nothing.
        """
        try:
            wanted = list(ops)
        except Exception as error:  # any iterable may come in, and iterating it may raise
            return Err(StoreError("unknown-op", f"the batch cannot be read: {raised(error)}"))
        changed = self._change(target, wanted)
        if not changed.ok:
            return changed
        removed = sum(len(change.old_entry or "") for change in changed.value)
        return Ok(replace(self._receipt(target, "batch", None, None), removed_chars=removed))

    def _refresh(self) -> dict[MemoryTarget, str]:
        """Reads both files again; why one could not be read, by target."""
        problems: dict[MemoryTarget, str] = {}
        for target in FILE_NAMES:
            read = self._read(target)
            if read.ok:
                self._entries[target] = read.value
                self._seen[target].update(read.value)
            else:
                problems[target] = read.error.message
        return problems

    def _freeze(self, problems: dict[MemoryTarget, str]) -> MemorySnapshot:
        """The snapshot of what was just read, whatever the scan does to this store meanwhile."""
        texts: dict[MemoryTarget, str] = {}
        warnings: list[str] = []
        for target, entries in dict(self._entries).items():
            warnings += [problems[target]] if target in problems else []
            texts[target], blocked = prompt_text(entries, self._scan)
            warnings += [f"{FILE_NAMES[target]}: an entry is blocked: {why}" for why in blocked]
            warnings += self._over_limit(target, entries)
        unreadable = tuple(problems)
        return MemorySnapshot(
            texts["memory"], texts["user"], tuple(warnings), unreadable=unreadable
        )

    def _change(
        self, target: MemoryTarget, ops: list[MemoryOp]
    ) -> Result[list[Change], StoreError]:
        """One change an operation, written; the checks come in the contract's order."""
        if not _is_target(target):
            why = f"{shorten(target)} is not a target; use 'memory' or 'user'"
            return Err(StoreError("unknown-target", why))
        self._load_once()
        checked: list[MemoryOp] = []
        for op in ops:
            clean = check_op(op, self._scan)
            if not clean.ok:
                return clean
            checked.append(clean.value)
        if not checked:
            return Ok([])
        locked = self._fs.lock(self._path(target), LOCK_DEADLINE_MS)
        if not locked.ok:
            code = "lock-timeout" if locked.error.code == "lock-timeout" else "write-failed"
            return Err(StoreError(code, f"{locked.error.message}; nothing was written"))
        with locked.value:
            return self._change_locked(target, checked)

    def _change_locked(
        self, target: MemoryTarget, ops: list[MemoryOp]
    ) -> Result[list[Change], StoreError]:
        read = self._read(target)
        if not read.ok:
            return read
        current = self._entries[target] = read.value
        changes: list[Change] = []
        seen = set(self._seen[target])
        entries = current
        for op in ops:
            decided = decide(entries, op, seen)
            if not decided.ok:
                if decided.error.entry is not None:
                    self._seen[target].add(decided.error.entry)
                return decided
            changes.append(decided.value)
            entries = decided.value.entries
            if decided.value.entry is not None:
                seen.add(decided.value.entry)
        fits = self._check_budget(target, current, entries)
        if not fits.ok:
            return fits
        written = self._write(target, current, entries)
        if self._entries[target] == entries:  # also when a failed folder sync leaves it uncertain
            self._seen[target] = seen
        return Ok(changes) if written.ok else written

    def _check_budget(
        self, target: MemoryTarget, before: tuple[str, ...], after: tuple[str, ...]
    ) -> Result[None, StoreError]:
        used, needed = len(serialise_entries(before)), len(serialise_entries(after))
        limit = self._limits[target]
        if needed <= limit or needed <= used:  # [ours] a store that is over may always shrink
            return self._check_readable(target, after)
        why = f"{FILE_NAMES[target]} holds {used} of {limit} characters; this would make {needed}"
        return Err(StoreError("over-budget", f"{why}. Replace or remove an entry first"))

    def _check_readable(
        self, target: MemoryTarget, after: tuple[str, ...]
    ) -> Result[None, StoreError]:
        """Ok if the file could be read again: a limit of millions must not make it unreadable."""
        needed_bytes = len(serialise_entries(after).encode("utf-8"))
        if needed_bytes <= MAX_FILE_BYTES:
            return Ok(None)
        why = f"{FILE_NAMES[target]} would be {needed_bytes} bytes, more than {MAX_FILE_BYTES}"
        return Err(StoreError("over-budget", f"{why}, which no later session would read"))

    def _write(
        self, target: MemoryTarget, before: tuple[str, ...], after: tuple[str, ...]
    ) -> Result[None, StoreError]:
        path = self._path(target)
        if after == before:  # what is there may be an uncertain write's; of nothing, nothing can go
            written = settle(self._fs, path) if after else Ok(None)
        else:
            sweep_temp(self._fs, path)
            written = write_atomic(self._fs, path, serialise_entries(after).encode("utf-8"))
            if written.ok or written.error.code == "write-uncertain":
                self._entries[target] = after
                self._behind += 1
        if written.ok:
            return Ok(None)
        return Err(StoreError(written.error.code, written.error.message))

    def _read(self, target: MemoryTarget) -> Result[tuple[str, ...], StoreError]:
        """The entries on disk; a missing file is empty, anything else that fails `unreadable`."""
        read = self._fs.read(self._path(target), MAX_FILE_BYTES)
        if not read.ok:
            if read.error.code == "missing":
                return Ok(())
            return self._unreadable(target, read.error.message)
        try:
            return Ok(parse_entries(read.value.decode("utf-8")))
        except UnicodeDecodeError as error:
            return self._unreadable(target, not_utf8(error))

    def _unreadable(self, target: MemoryTarget, why: str) -> Err[StoreError]:
        message = f"{self._path(target)} is there but cannot be read: {why}"
        return Err(StoreError("unreadable", f"{message}. Its bytes were left as they are"))

    def _over_limit(self, target: MemoryTarget, entries: tuple[str, ...]) -> list[str]:
        used, limit = len(serialise_entries(entries)), self._limits[target]
        if used <= limit:
            return []
        share = f"{used * 100 // limit} %" if limit else "no budget at all"
        return [f"{FILE_NAMES[target]} holds {used} of {limit} characters ({share})"]

    def _receipt(
        self,
        target: MemoryTarget,
        kind: WriteKind | Literal["batch"],
        entry: str | None,
        old_entry: str | None,
    ) -> WriteReceipt:
        used = len(serialise_entries(self._entries[target]))
        removed = len(old_entry or "")
        return WriteReceipt(kind, target, entry, old_entry, removed, used, self._limits[target])

    def _load_once(self) -> None:
        if self._snapshot is None:
            self.load()

    def _path(self, target: MemoryTarget) -> str:
        return join(self._folder, FILE_NAMES[target])


def _is_target(target: object) -> bool:
    return isinstance(target, str) and target in FILE_NAMES
