"""Small worlds for tests: traces written by hand, and traces that hypothesis chooses."""

from __future__ import annotations

from hypothesis import strategies as st

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.scenario import CuratorPlan, Scenario, SimFaults
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent

START = "2025-01-01T00:00:00Z"
START_MS = 1_735_689_600_000


def at(day: float) -> int:
    """The instant that many days after the start, in ms."""
    return START_MS + round(day * DAY_MS)


def trace_of(
    uses: dict[str, list[float]],
    passes: list[float],
    *,
    counted: bool = True,
    **life: object,
) -> EventTrace:
    """A trace of skills born on day 0 and used on these days; at one instant the pass is first."""
    skills = tuple(SkillLife(name, 0.0, START_MS, **life) for name in uses)  # type: ignore[arg-type]
    steps = sorted(
        [(at(day), 0, "") for day in passes]
        + [(at(day), 1, name) for name, days in uses.items() for day in days]
    )
    events = [
        UseEvent(at_ms, number, name, counted=counted)
        for number, (at_ms, _rank, name) in enumerate(steps)
        if name
    ]
    turns = [
        CuratorPass(at_ms, number) for number, (at_ms, _, name) in enumerate(steps) if not name
    ]
    return EventTrace(skills, tuple(events), tuple(turns))


@st.composite
def traces(draw: st.DrawFn, days: int = 40) -> EventTrace:
    """Few skills, few instants, many ties: uses and passes at one instant in any order."""
    names = [f"s{number}" for number in range(draw(st.integers(1, 4)))]
    skills = tuple(
        SkillLife(
            name,
            0.0,
            at(draw(st.integers(0, days // 2))),
            created_by=draw(st.sampled_from(["agent", "agent", "agent", "user"])),
            pinned=draw(st.sampled_from([False, False, False, True])),
        )
        for name in names
    )
    births = {skill.name: skill.birth_ms for skill in skills}
    uses = draw(
        st.lists(
            st.tuples(st.integers(0, days), st.sampled_from(names), st.booleans()), max_size=25
        )
    )
    steps: list[tuple[int, str, bool]] = [
        (at(day), name, counted) for day, name, counted in uses if at(day) >= births[name]
    ]
    steps += [(at(day), "", False) for day in draw(st.sets(st.integers(1, days), max_size=15))]
    order = draw(st.permutations(range(len(steps))))
    ranked = sorted(zip(steps, order, strict=True), key=lambda step: (step[0][0], step[1]))
    events, turns = [], []
    for number, ((at_ms, name, counted), _rank) in enumerate(ranked):
        if name:
            events.append(UseEvent(at_ms, number, name, "use", counted))
        else:
            turns.append(CuratorPass(at_ms, number))
    return EventTrace(skills, tuple(events), tuple(turns))


@st.composite
def plans(draw: st.DrawFn) -> CuratorPlan:
    """Any windows, archive < stale too, any anchor, any order."""
    return CuratorPlan(
        stale_after_days=draw(st.integers(0, 20) | st.floats(0, 20)),
        archive_after_days=draw(st.integers(0, 30) | st.floats(0, 30)),
        anchor=draw(st.sampled_from(["infinity", "infinity", "created-at", "zero"])),
        order=draw(st.sampled_from(["archive-first", "stale-first"])),
    )


def world(days: int = 40, plan: CuratorPlan | None = None, **faults: object) -> Scenario:
    """A scenario for a trace of one's own: no skill of its own, no learning."""
    return Scenario(
        start=START,
        days=days,
        curator=CuratorPlan() if plan is None else plan,
        faults=SimFaults(**faults),  # type: ignore[arg-type]
    )
