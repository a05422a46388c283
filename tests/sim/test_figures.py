"""What a run tells is counted from what happened, with stated windows."""

from __future__ import annotations

import pytest

from alembic_sim import DAY_MS
from alembic_sim.sim.figures import StateChange, WeekCount, library_figures, transitions_per_week
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.trace import EventTrace, UseEvent
from tests.sim.small_worlds import START_MS, at, trace_of


def archived(day: float, name: str = "s") -> StateChange:
    return StateChange(at(day), name, "stale", "archived")


@pytest.mark.parametrize(
    ("needed", "regretted"),
    [([99.0], 0), ([100.0], 0), ([100.001], 1), ([130.0], 1), ([130.001], 0), ([101.0, 102.0], 1)],
)
def test_regret_is_a_need_within_30_days_after_being_archived(
    needed: list[float], regretted: int
) -> None:
    found = library_figures(trace_of({"s": needed}, []), [archived(100)], {}, at(200))
    assert found.regretted == regretted


@pytest.mark.parametrize(
    ("used", "counted", "in_use"),
    [
        (69.999, False, 0),
        (70.0, False, 1),
        (100.0, False, 1),
        (100.001, False, 0),
        (90.0, True, 0),
    ],
)
def test_archived_in_use_is_an_uncounted_use_in_the_30_days_before(
    used: float, counted: bool, in_use: int
) -> None:
    trace = trace_of({"s": [used]}, [], counted=counted)
    found = library_figures(trace, [archived(100)], {}, at(200))
    assert found.archived_in_use == in_use


def test_another_skill_s_needs_are_no_regret() -> None:
    trace = trace_of({"s": [], "t": [101.0]}, [])
    assert library_figures(trace, [archived(100)], {}, at(200)).regretted == 0


def test_false_comfort_counts_unused_active_skills_of_the_curator_s_by_age() -> None:
    births = {"new": 100 - 29.999, "young": 70.0, "middle": 10.001, "old": 10.0, "oldest": 0.0}
    skills = [SkillLife(name, 0, at(day)) for name, day in births.items()]
    skills += [
        SkillLife("used", 0, START_MS),
        SkillLife("missed", 0, START_MS),
        SkillLife("stale", 0, START_MS),
        SkillLife("of-a-person", 0, START_MS, created_by="user"),
        SkillLife("pinned", 0, START_MS, pinned=True),
    ]
    events = (UseEvent(at(1), 0, "used"), UseEvent(at(1), 1, "missed", counted=False))
    states = {skill.name: "active" for skill in skills} | {"stale": "stale"}
    found = library_figures(EventTrace((*skills,), events, ()), [], states, START_MS + 100 * DAY_MS)  # type: ignore[arg-type]
    assert found.false_comfort == (1, 2, 2)


def test_transitions_are_counted_by_week_and_state_the_pass_of_its_end_included() -> None:
    changes = [
        StateChange(at(0.5), "a", "active", "stale"),
        StateChange(at(7), "b", "active", "stale"),
        StateChange(at(7.001), "c", "stale", "active"),
        StateChange(at(14), "d", "stale", "archived"),
        StateChange(at(15), "e", "active", "archived"),
    ]
    weeks = transitions_per_week(changes, START_MS, days=15)
    assert weeks == (WeekCount(0, 0, 2, 0), WeekCount(1, 1, 0, 1), WeekCount(2, 0, 0, 1))


def test_states_are_those_of_the_end_and_the_archived_are_counted_once_each() -> None:
    states = {"s": "archived", "t": "stale", "u": "active"}
    found = library_figures(
        trace_of({"s": [], "t": [], "u": []}, []),
        [StateChange(at(30), "t", "active", "stale"), archived(90), archived(95)],
        states,  # type: ignore[arg-type]
        at(100),
    )
    assert (found.skills, found.archived, found.stale, found.archived_ever) == (3, 1, 1, 1)
