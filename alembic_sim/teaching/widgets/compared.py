"""Rows for `Compare`, each computed by the engine: policies, rules, gates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import UsageError, UsageReceipt
from alembic_sim.ports.clock import MAX_SAFE_INTEGER, Clock
from alembic_sim.result import Err, Result
from alembic_sim.shorten import shorten
from alembic_sim.teaching.probing import Decide, Timeline
from alembic_sim.teaching.widgets.checked import check_fraction, check_list, check_whole
from alembic_sim.teaching.widgets.compare_picture import Row
from alembic_sim.teaching.widgets.loop_trace import proposal_words, trace_loop


def policy_rows(
    records: Mapping[str, UsageRecord] | UsageSidecar,
    policy_a: CuratorPolicy,
    policy_b: CuratorPolicy,
    now: int,
) -> tuple[Row, ...]:
    """One row a skill: what one pass makes of it under either policy, or why it is left alone.

    Rows come in the order of the records given, a sidecar's by name.
    """
    check_whole("now", now, 0, MAX_SAFE_INTEGER)
    for field, policy in (("policy_a", policy_a), ("policy_b", policy_b)):
        if not isinstance(policy, CuratorPolicy):
            raise ValueError(f"{field}: {shorten(policy)} is not a CuratorPolicy")
    sidecar = records if isinstance(records, UsageSidecar) else UsageSidecar(_checked(records))
    left, right = (_pass(sidecar, policy, now) for policy in (policy_a, policy_b))
    names = sidecar.names() if isinstance(records, UsageSidecar) else tuple(records)
    return tuple((name, left[name], right[name]) for name in names)


def rule_rows(
    records: Mapping[str, UsageRecord],
    rules: Sequence[Decide],
    policy: CuratorPolicy | None,
    now: int,
) -> tuple[Row, ...]:
    """One row a record: what either rule answers for it."""
    judges = [Timeline(now, policy or CuratorPolicy(), rule) for rule in rules]
    rows = []
    for name, record in _checked(records).items():
        left, right = (_moved(record.state, judge.after(record)) for judge in judges)
        rows.append((name, left, right))
    return tuple(rows)


def gate_rows(
    proposals: Sequence[object], threshold_a: float, threshold_b: float, memory_char_limit: int
) -> tuple[Row, ...]:
    """One row a proposal: its bucket behind either gate, with the reason where there is one."""
    check_list("proposals", proposals, "raw proposals")
    check_fraction("threshold_a", threshold_a)
    check_fraction("threshold_b", threshold_b)
    traces = [trace_loop(proposals, one, memory_char_limit) for one in (threshold_a, threshold_b)]
    rows = []
    for place, raw in enumerate(proposals):
        handled = [trace.handled[place : place + 1] for trace in traces]
        left, right = (
            _ended(one[0].bucket, one[0].reason) if one else "no turn" for one in handled
        )
        rows.append((proposal_words(raw), left, right))
    return tuple(rows)


def _checked(records: object) -> dict[str, UsageRecord]:
    if not isinstance(records, Mapping) or not records:
        raise ValueError(f"records: {shorten(records)} is not a dict of names and UsageRecords")
    for name, record in records.items():
        if not isinstance(name, str) or not isinstance(record, UsageRecord):
            raise ValueError(f"records[{shorten(name)}]: {shorten(record)} is not a UsageRecord")
    return dict(records)


def _pass(sidecar: UsageSidecar, policy: CuratorPolicy, now: int) -> dict[str, str]:
    """Every skill's fate, by name, from the report of a dry run."""
    ledger = _ColdLedger(sidecar, lambda: now)
    report = run_curator(CuratorDeps(ledger), policy, dry_run=True).expect("a dry run")
    fates = {one.name: _moved(one.from_state, one.to_state) for one in report.transitioned}
    for one in report.skipped:
        record = sidecar.records.get(one.name)
        state = record.state if record else "damaged"
        fates[one.name] = state if one.reason == "no-change" else f"{state} ({one.reason})"
    return fates


@dataclass(frozen=True, slots=True)
class _ColdLedger:
    """Records to read, and nothing to write to: all that a dry run needs."""

    sidecar: UsageSidecar
    clock: Clock

    def load(self) -> UsageSidecar:
        return self.sidecar

    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]:
        return Err(UsageError("read-only", f"{shorten(name)}: a comparison writes nothing"))


def _moved(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _ended(bucket: str | None, reason: str) -> str:
    told = bucket or "stops the step"
    return f"{told}: {reason}" if reason else told
