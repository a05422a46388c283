"""forecast_skill: both curators' course with one skill, under every policy, and why they differ."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.ancestor import AncestorRecord
from alembic_sim.sim.forecast.chances import PolicyTables
from alembic_sim.sim.forecast.differences import cause_of_difference
from alembic_sim.sim.forecast.evidence import count_events
from alembic_sim.sim.forecast.library import SkillLibrary
from alembic_sim.sim.forecast.moves import Step, days_until, moves_if_unused
from alembic_sim.sim.forecast.skill_forecast import (
    Course,
    OutOfPlay,
    PolicyForecast,
    SkillForecast,
    alembic_step,
    ancestor_step,
)
from alembic_sim.sim.forecast.usage_model import Belief


def forecast_skill(
    library: SkillLibrary,
    name: str,
    stopped: bool,
    belief: Belief,
    now_ms: int,
    policies: Sequence[tuple[CuratorPolicy, PolicyTables]],
) -> SkillForecast:
    """The forecast of one skill of the library, by what is believed of its use.

    `stopped` says that the ancestor's pass ends before or at this skill.
    """
    record, ancestor = library.sidecar.records.get(name), library.ancestor.get(name)
    by_policy = []
    for policy, tables in policies:
        ours = _alembic_course(record, policy, tables, belief, now_ms)
        theirs = _ancestor_course(ancestor, stopped, policy, tables, belief, now_ms)
        differ = ours.moves != theirs.moves
        cause = cause_of_difference(record, ancestor, stopped, policy) if differ else None
        by_policy.append(PolicyForecast(policy, ours, theirs, cause))
    active_ms = 0 if record is None else record.last_activity_at
    birth_ms = 0 if record is None else record.created_at
    return SkillForecast(
        name=name,
        state=by_policy[0].alembic.start,
        idle_days=(now_ms - active_ms) / DAY_MS if active_ms else None,
        age_days=(now_ms - birth_ms) / DAY_MS if birth_ms else None,
        events=0 if record is None else count_events(record),
        events_per_day=None if record is None else belief.mean_rate(),
        by_policy=tuple(by_policy),
    )


def _alembic_course(
    record: UsageRecord | None,
    policy: CuratorPolicy,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if record is None:
        return Course("damaged", (), "invalid-record")
    why = judge(record, *policy.cutoffs(now_ms))[1]
    out: OutOfPlay | None = why if why in ("not-agent-created", "pinned") else None
    if out is None and record.state == "archived":
        out = "archived"
    return _course(record.state, alembic_step(record, policy), out, tables, belief, now_ms)


def _ancestor_course(
    record: AncestorRecord | None,
    stopped: bool,
    policy: CuratorPolicy,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if record is None:
        return Course("damaged", (), "invalid-record")
    if not record.curated:
        return Course(record.state, (), "not-agent-created")
    if record.pinned:
        return Course(record.state, (), "pinned")
    if stopped:
        return Course(record.state, (), "pass-stops")
    out: OutOfPlay | None = "archived" if record.state == "archived" else None
    return _course(record.state, ancestor_step(record, policy), out, tables, belief, now_ms)


def _course(
    state: str,
    step: Step,
    out: OutOfPlay | None,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if out is not None:
        return Course(state, (), out)
    moves = moves_if_unused(state, step, now_ms)
    to_stale = days_until(("stale", "archived"), state, moves, now_ms)
    to_archive = days_until(("archived",), state, moves, now_ms)
    return Course(
        start=state,
        moves=moves,
        stale=tables.chance_of_stale(belief, to_stale),
        archived=tables.chance_of_archived(belief, to_archive),
        regret=tables.chance_of_regret(belief, to_archive),
    )
