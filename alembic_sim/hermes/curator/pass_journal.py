"""A pass that is written down, and undone if it was wrong [ours]: around run_curator, not in it.

The intent is on disk before the first transition, so a pass that was cut off can be undone too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from alembic_sim.guarded import read_clock
from alembic_sim.hermes.curator.curator import (
    CuratorDeps,
    UsageLedger,
    gather,
    judge,
    run_curator,
)
from alembic_sim.hermes.curator.guard import guard_pass
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorError, CuratorReport, Transition
from alembic_sim.hermes.curator.run_files import RunFiles, RunFilesError
from alembic_sim.hermes.curator.run_record import ChangedSince, RunRecord, SavedRun
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import UsageError, UsageReceipt, UsageStore
from alembic_sim.ports.clock import Clock
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

_NO_TIME = (math.nan, math.nan)  # no activity is before or after it: the two gates alone speak


@dataclass(frozen=True, slots=True)
class UndoError:
    """Why a pass is not undone: `no-run`, `already-undone`, `invalid-run`, or what a port said.

    `partial` is the run as far as it went, if it had begun.
    """

    code: str
    message: str
    partial: RunRecord | None = None


@dataclass(frozen=True, slots=True)
class _Seen:
    """The library as it was when it was planned for; changes go to the real one."""

    usage: UsageLedger
    sidecar: UsageSidecar
    clock: Clock

    def load(self) -> UsageSidecar:
        return self.sidecar

    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]:
        return self.usage.update(name, change)


def run_journalled_pass(
    deps: CuratorDeps,
    runs: RunFiles,
    policy: CuratorPolicy | None = None,
    max_archived_fraction: float | None = None,
) -> Result[RunRecord, CuratorError]:
    """The pass as it was written down, or why it was refused, stopped or not written down.

    `max_archived_fraction` is `guard_pass`'s, None for none. A pass moves only what its intent
    names: the library is read once, and each record again under the lock, as ever.
    """
    if not isinstance(runs, RunFiles):
        return Err(CuratorError("bad-argument", f"runs: {shorten(runs)} is not RunFiles(fs, path)"))
    held = runs.lock()
    if not held.ok:
        return Err(CuratorError(held.error.code, held.error.message))
    with held.value:
        rules = CuratorPolicy() if policy is None else policy
        return _locked_pass(deps, runs, rules, max_archived_fraction)


def _locked_pass(
    deps: CuratorDeps, runs: RunFiles, policy: CuratorPolicy, max_archived_fraction: float | None
) -> Result[RunRecord, CuratorError]:
    gathered = gather(deps, policy)
    if not gathered.ok:
        return gathered
    now_ms, _cutoffs, sidecar = gathered.value
    seen = CuratorDeps(_Seen(deps.usage, sidecar, lambda: now_ms))
    plan = run_curator(seen, policy, dry_run=True).expect("a plan for what was just read")
    if max_archived_fraction is not None:
        guarded = guard_pass(plan, max_archived_fraction)
        if not guarded.ok:
            return Err(CuratorError(guarded.error.code, guarded.error.message))
    new_id = runs.start_id()
    if not new_id.ok:
        return Err(CuratorError(new_id.error.code, new_id.error.message))
    intent = RunRecord(
        new_id.value, runs.sidecar, now_ms, "started", plan.transitioned, policy=policy
    )
    begun = _begin(runs, intent)
    if not begun.ok:
        return Err(CuratorError(begun.error.code, begun.error.message))
    done = run_curator(seen, policy)
    if not done.ok:
        error = f"{done.error.code}: {done.error.message}"
        runs.write(replace(intent, status="stopped", report=done.error.partial, error=error))
        return done
    run = replace(intent, status="completed", report=done.value)
    written = runs.write(run)
    if not written.ok:
        why = f"the pass is done and can be undone, but not told: {written.error.message}"
        return Err(CuratorError(written.error.code, why, done.value))
    return Ok(run)


def _begin(runs: RunFiles, intent: RunRecord) -> Result[None, RunFilesError]:
    """Ok once the intent is durable; if not, the run says that it was not begun, if it can."""
    begun = runs.write(intent)
    if begun.ok:
        return begun
    kind = "pass" if intent.undoes is None else "undo"
    why = f"the {kind} was not begun: {begun.error.message}"
    runs.write(replace(intent, status="not-begun", error=why))  # the intent may be there
    return Err(RunFilesError(begun.error.code, why))


def undo_last_pass(usage: UsageStore, runs: RunFiles) -> Result[RunRecord, UndoError]:
    """The undoing as it was written down: of the last pass that moved anything.

    Each skill that still has the state that the pass gave it goes back, by its state alone, if the
    curator may move it now; the others are listed. A pass that was undone once is not undone again.
    """
    if not isinstance(usage, UsageStore):
        return Err(UndoError("bad-argument", f"usage: {shorten(usage)} is not a UsageStore"))
    if not isinstance(runs, RunFiles):
        return Err(UndoError("bad-argument", f"runs: {shorten(runs)} is not RunFiles(fs, path)"))
    now = read_clock(usage.clock)
    if not now.ok:
        return Err(UndoError(now.error.code, now.error.message))
    held = runs.lock()
    if not held.ok:
        return _stop(held.error)
    with held.value:
        sidecar = usage.load()
        if sidecar.problem is not None:
            code = "foreign-format" if sidecar.foreign else "unreadable"
            return Err(UndoError(code, f"{runs.sidecar}: {sidecar.problem}"))
        last = _last_pass(runs, sidecar)
        if not last.ok:
            return last
        undoes, moves = last.value
        new_id = runs.start_id()
        if not new_id.ok:
            return _stop(new_id.error)
        back = tuple(Transition(m.name, m.to_state, m.from_state) for m in moves)
        intent = RunRecord(new_id.value, runs.sidecar, now.value, "started", back, undoes=undoes)
        begun = _begin(runs, intent)
        return _move_back(usage, runs, intent) if begun.ok else _stop(begun.error)


def _last_pass(
    runs: RunFiles, sidecar: UsageSidecar
) -> Result[tuple[str, tuple[Transition, ...]], UndoError]:
    """The id and the moves of the last pass that moved anything, unless it was undone already."""
    ids = runs.ids()
    if not ids.ok:
        return _stop(ids.error)
    undone: set[str | None] = set()
    found: str | None = None  # what a later undo found to be that pass: it has moved states since
    for run_id in reversed(ids.value):
        read = runs.read(run_id)
        if not read.ok:
            return _stop(read.error)
        run = read.value
        if run is None:
            continue
        if run.kind == "undo":
            found = run.undoes
            undone |= {found} if run.status == "completed" else set()
        elif run_id == found or (found is None and _moved_anything(run, sidecar)):
            if run_id not in undone:
                return Ok((run_id, run.moves()))
            why = f"{run_id}, the last pass that moved anything, was undone already"
            return Err(UndoError("already-undone", why))
    why = f"no pass that moved anything is written down in {runs.folder}"
    return Err(UndoError("no-run", why))


def _moved_anything(run: SavedRun, sidecar: UsageSidecar) -> bool:
    """True if the pass moved anything; of one that was cut off, what it planned has to show it."""
    if run.transitioned:
        return True
    now = {name: record.state for name, record in sidecar.records.items()}
    return any(now.get(move.name) == move.to_state for move in run.moves())


def _move_back(
    usage: UsageStore, runs: RunFiles, intent: RunRecord
) -> Result[RunRecord, UndoError]:
    run = replace(intent, status="stopped")
    for move in intent.planned:
        updated = usage.update(move.name, _back(move))
        if not updated.ok and updated.error.code not in ("unknown-skill", "invalid-record"):
            run = replace(run, error=f"{updated.error.code}: {updated.error.message}")
            runs.write(run)
            return Err(UndoError(updated.error.code, updated.error.message, run))
        run = _told(run, move, updated)
    run = replace(run, status="completed")
    written = runs.write(run)
    if not written.ok:
        why = f"all is back, but not told: {written.error.message}"
        return Err(UndoError(written.error.code, why, run))
    return Ok(run)


def _back(move: Transition) -> Callable[[UsageRecord], UsageRecord]:
    """The change that one undoing makes: the state alone, judged on what is on disk now."""

    def back(fresh: UsageRecord) -> UsageRecord:
        if _found(move, fresh) != move.from_state:
            return fresh
        return fresh.model_copy(update={"state": move.to_state})

    return back


def _found(move: Transition, record: UsageRecord | None) -> str:
    """How the skill is found: its state or, unless it is as before, why it may not be moved."""
    if record is None:
        return "not in the sidecar, or damaged"
    _state, gate = judge(record, *_NO_TIME)
    if gate in ("not-agent-created", "pinned") and record.state != move.to_state:
        return gate
    return record.state


def _told(run: RunRecord, move: Transition, updated: Result[UsageReceipt, UsageError]) -> RunRecord:
    """The run with one more skill in exactly one of its three lists."""
    found = _found(move, updated.value.before if updated.ok else None)
    if found == move.from_state:
        moved = CuratorReport((*run.report.transitioned, move))
        return replace(run, report=moved)
    if found == move.to_state:
        return replace(run, as_before=(*run.as_before, move.name))
    changed = ChangedSince(move.name, found)
    return replace(run, changed_since=(*run.changed_since, changed))


def _stop(error: RunFilesError) -> Err[UndoError]:
    return Err(UndoError(error.code, error.message))
