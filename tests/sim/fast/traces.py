"""Odd traces for hypothesis, and the slow curator that the fast engine is held to."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hypothesis import strategies as st

from alembic_sim import DAY_MS, CuratorPolicy, UsageRecord
from alembic_sim.sim.curator_rules import rule_of
from alembic_sim.sim.figures import StateChange
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.scenario import CuratorPlan
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent

START_MS = 1_735_689_600_000
"""2025-01-01, when a scenario starts by default."""

ODD_DAYS = (0, 0.25, 1 / 3, 0.5, 1, 2, 3, 7, 30, 36_500, sys.float_info.max)
"""Windows: of fractions, of nothing, of more than there is time, of more than there are numbers."""

# Few instants, so that uses, births, passes and cut-offs often fall on one another.
_INSTANTS = st.integers(0, 40).map(lambda n: START_MS + n * (DAY_MS // 4))
POLICIES = st.lists(
    st.builds(CuratorPolicy, st.sampled_from(ODD_DAYS), st.sampled_from(ODD_DAYS)),
    min_size=1,
    max_size=3,
    unique=True,
)


@st.composite
def traces(draw: st.DrawFn, instants: st.SearchStrategy[int] = _INSTANTS) -> EventTrace:
    """Up to six skills, some of them nobody's business; uses and passes tied as often as not."""
    skills = tuple(
        SkillLife(
            name,
            1.0,
            draw(instants),
            created_by=draw(st.sampled_from(["agent", "agent", "agent", "user"])),
            pinned=draw(st.sampled_from([False, False, False, True])),
        )
        for name in draw(st.permutations("fedcba"))[: draw(st.integers(0, 6))]
    )
    births = {skill.name: skill.birth_ms for skill in skills}
    uses = [
        (max(draw(instants), births[name]), name)
        for name in draw(
            st.lists(st.sampled_from(sorted(births)), max_size=25) if births else st.just([])
        )
    ]
    turns = [(at_ms, None) for at_ms in draw(st.lists(instants, max_size=12))]
    events, passes = [], []
    steps = sorted(draw(st.permutations([*uses, *turns])), key=lambda step: step[0])
    for sequence, (at_ms, name) in enumerate(steps):
        if name is None:
            passes.append(CuratorPass(at_ms, sequence))
        else:
            events.append(UseEvent(at_ms, sequence, name, "use", draw(st.booleans())))
    return EventTrace(skills, tuple(events), tuple(passes))


def pass_by_pass(
    trace: EventTrace, policy: CuratorPolicy, plan: CuratorPlan
) -> tuple[list[StateChange], dict[str, str], list[tuple[int, int, int]]]:
    """The moves, the last states and the counts after each pass, by the rule itself, one by one."""
    records: dict[str, UsageRecord] = {}
    moves: list[StateChange] = []
    counts: list[tuple[int, int, int]] = []
    for step in _in_order(trace):
        match step:
            case SkillLife(name=name):
                made = {"created_at": step.birth_ms, "created_by": step.created_by}
                records[name] = UsageRecord(**made, pinned=step.pinned)
            case UseEvent(name=name, counted=True) if records[name].state != "archived":
                used = {"last_activity_at": step.at_ms}
                records[name] = records[name].model_copy(update=used)
            case CuratorPass(at_ms=at_ms):
                moves += _passed(records, at_ms, policy, plan)
                states = [record.state for record in records.values()]
                counts.append(tuple(map(states.count, ("active", "stale", "archived"))))
    last = {skill.name: "active" for skill in trace.skills}
    return moves, last | {name: record.state for name, record in records.items()}, counts


def _in_order(trace: EventTrace) -> Sequence[SkillLife | UseEvent | CuratorPass]:
    steps = [
        *((skill.birth_ms, -1, skill) for skill in trace.skills),
        *((step.at_ms, step.sequence, step) for step in (*trace.events, *trace.passes)),
    ]
    return [step for _at_ms, _rank, step in sorted(steps, key=lambda one: one[:2])]


def _passed(
    records: dict[str, UsageRecord], at_ms: int, policy: CuratorPolicy, plan: CuratorPlan
) -> list[StateChange]:
    moves = []
    for name, record in sorted(records.items()):
        if record.created_by != "agent" or record.pinned:
            continue
        state = rule_of(plan)(record, *policy.cutoffs(at_ms))
        if state != record.state:
            moves.append(StateChange(at_ms, name, record.state, state))
            records[name] = record.model_copy(update={"state": state})
    return moves
