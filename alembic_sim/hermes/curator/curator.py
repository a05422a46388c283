"""run_curator: idle skills go active → stale → archived, and nothing is ever deleted (seed 5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from alembic_sim.guarded import read_clock
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import (
    CuratorError,
    CuratorReport,
    Skipped,
    SkipReason,
    Transition,
    archivable,
    future_activity,
    never_active,
)
from alembic_sim.hermes.curator.usage_receipt import UsageError, UsageReceipt
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import Clock
from alembic_sim.result import Err, Ok, Result, ask
from alembic_sim.shorten import shorten

if TYPE_CHECKING:  # deciding needs no pydantic: it is loaded by whoever reads a file
    from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord


def next_state(record: UsageRecord, stale_cutoff: float, archive_cutoff: float) -> SkillState:
    """The state after one pass. Cut-offs are instants in ms; activity on a cut-off is over it."""
    anchor = record.last_activity_at if record.last_activity_at > 0 else math.inf
    if anchor <= archive_cutoff and record.state != "archived":
        return "archived"
    if anchor <= stale_cutoff and record.state == "active":
        return "stale"
    if anchor > stale_cutoff and record.state == "stale":
        return "active"  # used again
    return record.state


class UsageLedger(Protocol):
    """The usage store as the curator sees it: cold records to read, one way to change one."""

    @property
    def clock(self) -> Clock: ...
    def load(self) -> UsageSidecar: ...
    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]: ...


@dataclass(frozen=True, slots=True)
class CuratorDeps:
    """The sidecar and the clock: the sidecar's own one unless another is given (seed 5 §08)."""

    usage: UsageLedger
    clock: Clock | None = None


def run_curator(
    deps: CuratorDeps, policy: CuratorPolicy | None = None, dry_run: bool = False
) -> Result[CuratorReport, CuratorError]:
    """What one deterministic pass did, or would do; a transition that cannot be saved stops it."""
    gathered = gather(deps, CuratorPolicy() if policy is None else policy)
    if not gathered.ok:
        return gathered
    now_ms, cutoffs, sidecar = gathered.value
    transitioned: list[Transition] = []
    skipped: list[Skipped] = []
    for name in sidecar.names():
        record = sidecar.records.get(name)
        if record is None:
            skipped.append(Skipped(name, "invalid-record"))
            continue
        to_state, reason = judge(record, *cutoffs)
        if reason is None and not dry_run:
            persisted = ask(deps.usage.update, name, _settle(*cutoffs), returns=UsageReceipt)
            if not persisted.ok:  # fail closed: never report work that is not saved
                partial = CuratorReport(tuple(transitioned), tuple(skipped))
                return Err(CuratorError(persisted.error.code, persisted.error.message, partial))
            record = persisted.value.before or record  # what was there when the lock was held
            to_state, reason = judge(record, *cutoffs)
        if reason is None:
            transitioned.append(Transition(name, record.state, to_state))
        else:
            skipped.append(Skipped(name, reason))
    return Ok(
        CuratorReport(
            tuple(transitioned),
            tuple(skipped),
            never_active(sidecar, now_ms),
            future_activity(sidecar, now_ms),
            archivable(sidecar),
        )
    )


def judge(
    record: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> tuple[SkillState, SkipReason | None]:
    """The state after one pass and, where that is no transition, why: provenance, then pin."""
    if record.created_by != "agent":
        return record.state, "not-agent-created"
    if record.pinned:
        return record.state, "pinned"
    to_state = next_state(record, stale_cutoff, archive_cutoff)
    return to_state, "no-change" if to_state == record.state else None


def gather(
    deps: CuratorDeps, policy: CuratorPolicy
) -> Result[tuple[int, tuple[float, float], UsageSidecar], CuratorError]:
    """The time, the cut-offs (stale, archive) and the cold records: all that a pass looks at."""
    if not isinstance(deps, CuratorDeps):
        return _bad_argument(f"deps: {shorten(deps)} is not CuratorDeps(usage=…)")
    if not isinstance(policy, CuratorPolicy):
        return _bad_argument(f"policy: {shorten(policy)} is not a CuratorPolicy(30, 90)")
    now = read_clock(deps.usage.clock if deps.clock is None else deps.clock)
    if not now.ok:
        return Err(CuratorError(now.error.code, now.error.message))
    loaded = ask(lambda: Ok(deps.usage.load()), returns=UsageSidecar)
    if not loaded.ok:
        return Err(CuratorError(loaded.error.code, loaded.error.message))
    return Ok((now.value, policy.cutoffs(now.value), loaded.value))


def _bad_argument(message: str) -> Err[CuratorError]:
    return Err(CuratorError("bad-argument", message))


def _settle(stale_cutoff: float, archive_cutoff: float) -> Callable[[UsageRecord], UsageRecord]:
    """The change that one `put` makes: the state alone, judged again on what is on disk now."""

    def settle(fresh: UsageRecord) -> UsageRecord:
        to_state, _reason = judge(fresh, stale_cutoff, archive_cutoff)
        return fresh.model_copy(update={"state": to_state})

    return settle
