"""One curator pass by the rule that a scenario names: the real one, or one changed on purpose."""

from __future__ import annotations

from collections.abc import Callable

from alembic_sim.hermes.curator.curator import (
    CuratorDeps,
    gather,
    judge,
    next_state,
    run_curator,
)
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import (
    CuratorError,
    CuratorReport,
    Skipped,
    Transition,
    archivable,
)
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.result import Err, Ok, Result
from alembic_sim.sim.scenario import CuratorPlan
from alembic_sim.sim.variants import created_at_anchor, stale_first, zero_anchor

Rule = Callable[[UsageRecord, float, float], SkillState]
"""A record and the two cut-offs in, the state after one pass out: as `next_state`."""


def rule_of(plan: CuratorPlan) -> Rule:
    """The rule with the plan's anchor and order; `next_state` itself for its own."""
    if plan.order == "archive-first":
        rules: dict[str, Rule] = {
            "infinity": next_state,
            "created-at": created_at_anchor,
            "zero": zero_anchor,
        }
        return rules[plan.anchor]
    return {
        "infinity": stale_first,
        "created-at": _stale_first_from_creation,
        "zero": _stale_first_from_zero,
    }[plan.anchor]


def policy_of(plan: CuratorPlan) -> CuratorPolicy:
    """The plan's two windows."""
    return CuratorPolicy(plan.stale_after_days, plan.archive_after_days)


def run_pass(usage: UsageStore, plan: CuratorPlan) -> Result[CuratorReport, CuratorError]:
    """What one pass did: `run_curator` under its own rule, else the same pass by another rule."""
    rule = rule_of(plan)
    if rule is next_state:
        return run_curator(CuratorDeps(usage), policy_of(plan))
    return _run_by(rule, usage, policy_of(plan))


def _run_by(
    rule: Rule, usage: UsageStore, policy: CuratorPolicy
) -> Result[CuratorReport, CuratorError]:
    gathered = gather(CuratorDeps(usage), policy)
    if not gathered.ok:
        return gathered
    _now_ms, cutoffs, sidecar = gathered.value
    transitioned: list[Transition] = []
    skipped: list[Skipped] = []
    for name in sidecar.names():
        record = sidecar.records.get(name)
        if record is None:
            skipped.append(Skipped(name, "invalid-record"))
            continue
        _state, reason = judge(record, *cutoffs)
        if reason in ("not-agent-created", "pinned"):  # whom a pass may move is no variant's affair
            skipped.append(Skipped(name, reason))
            continue
        to_state = rule(record, *cutoffs)
        if to_state == record.state:
            skipped.append(Skipped(name, "no-change"))
            continue
        moved = usage.put(name, record.model_copy(update={"state": to_state}))
        if not moved.ok:
            partial = CuratorReport(tuple(transitioned), tuple(skipped))
            return Err(CuratorError(moved.error.code, moved.error.message, partial))
        transitioned.append(Transition(name, record.state, to_state))
    report = CuratorReport(tuple(transitioned), tuple(skipped), archivable=archivable(sidecar))
    return Ok(report)


def _stale_first_from_creation(
    record: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> SkillState:
    anchored = record.last_activity_at or record.created_at
    aged = record.model_copy(update={"last_activity_at": anchored})
    return stale_first(aged, stale_cutoff, archive_cutoff)


def _stale_first_from_zero(
    record: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> SkillState:
    """`stale_first` taking 0 literally: 1 ms after 1970 stands for 0, which it takes for never."""
    aged = record.model_copy(update={"last_activity_at": record.last_activity_at or 1})
    return stale_first(aged, stale_cutoff, archive_cutoff)
