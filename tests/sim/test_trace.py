"""A trace is the world: drawn before any policy, in one order, and free of contradictions."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim import trace as trace_module
from alembic_sim.sim.population import SkillLife, weekday
from alembic_sim.sim.scenario import Archetype, Bursts, CuratorPlan, Rate, Scenario, SimFaults
from alembic_sim.sim.trace import CuratorPass, EventTrace, UseEvent, draw_trace, expected_uses


def at_rate(median: float, days: int = 50, missed: float = 0, **kind: object) -> Scenario:
    archetype = Archetype(rate_per_day=Rate(kind="fixed", median=median), **kind)  # type: ignore[arg-type]
    return Scenario(days=days, population=(archetype,), faults=SimFaults(missed_probability=missed))


def test_the_same_scenario_draws_the_same_trace() -> None:
    assert draw_trace(at_rate(0.2)) == draw_trace(at_rate(0.2))


def test_events_come_at_the_rate_and_each_day_s_number_is_a_poisson_s() -> None:
    scenario = at_rate(0.5, days=100, count=200)
    events = draw_trace(scenario).events
    assert len(events) == pytest.approx(10_000, abs=4 * 100)
    numbers = Counter((e.name, (e.at_ms - scenario.start_ms) // DAY_MS) for e in events)
    per_day = Counter(numbers.values())
    for number in (1, 2, 3):
        expected = 20_000 * math.exp(-0.5) * 0.5**number / math.factorial(number)
        assert per_day[number] == pytest.approx(expected, abs=4 * math.sqrt(expected))


def test_as_many_uses_are_drawn_as_are_expected() -> None:
    burst = Bursts(every_days=9, lasts_days=2, factor=5)
    scenario = at_rate(
        0.5, count=300, weekdays=(1, 1, 1, 1, 1, 0, 2), bursts=burst, abandon_after_days=30
    ).model_copy(update={"arrivals_per_month": 60.0, "days": 60})
    trace = draw_trace(scenario)
    expected = sum(expected_uses(scenario, skill) for skill in trace.skills)
    assert len(trace.events) == pytest.approx(expected, abs=4 * math.sqrt(expected))
    whole_life = SkillLife("a", 0.5, scenario.start_ms)
    assert expected_uses(scenario, whole_life) == pytest.approx(0.5 * 60)


def test_times_of_day_are_spread_evenly() -> None:
    scenario = at_rate(5, days=100, count=20)
    hours = Counter(
        (e.at_ms - scenario.start_ms) % DAY_MS // 3_600_000 for e in draw_trace(scenario).events
    )
    expected = hours.total() / 24
    assert all(
        hours[h] == pytest.approx(expected, abs=4.5 * math.sqrt(expected)) for h in range(24)
    )


def test_use_view_and_patch_have_their_shares() -> None:
    kinds = Counter(event.kind for event in draw_trace(at_rate(1, days=100)).events)
    for kind, share in (("use", 0.70), ("view", 0.25), ("patch", 0.05)):
        margin = 4 * math.sqrt(share * (1 - share) / kinds.total())
        assert kinds[kind] / kinds.total() == pytest.approx(share, abs=margin)


def test_no_event_on_a_day_of_rate_0_and_more_on_a_day_of_a_burst() -> None:
    scenario = at_rate(1, days=70, weekdays=(1, 1, 1, 1, 1, 0, 0))
    assert {weekday(event.at_ms) for event in draw_trace(scenario).events} == {0, 1, 2, 3, 4}
    burst = Bursts(every_days=10, lasts_days=1, factor=9)
    plain, bursting = (draw_trace(at_rate(1, days=100, bursts=b)) for b in (None, burst))
    assert len(bursting.events) / len(plain.events) == pytest.approx(1.8, abs=0.1)


def test_no_event_before_birth_or_from_the_abandonment_on_or_after_the_end() -> None:
    scenario = at_rate(3, count=100, abandon_after_days=20).model_copy(
        update={"arrivals_per_month": 60.0}
    )
    trace = draw_trace(scenario)
    lives = {skill.name: skill for skill in trace.skills}
    for event in trace.events:
        life = lives[event.name]
        assert life.birth_ms <= event.at_ms < min(life.abandon_ms or math.inf, scenario.end_ms)


def test_passes_come_every_interval_the_end_included() -> None:
    scenario = at_rate(0.1, days=21).model_copy(update={"curator": CuratorPlan(interval_days=7)})
    passes = [(turn.at_ms - scenario.start_ms) / DAY_MS for turn in draw_trace(scenario).passes]
    assert passes == [7, 14, 21]


def test_sequences_count_events_and_passes_together() -> None:
    trace = draw_trace(at_rate(0.5))
    steps = sorted([*trace.events, *trace.passes], key=lambda step: step.sequence)
    assert [step.sequence for step in steps] == list(range(len(steps)))
    assert [step.at_ms for step in steps] == sorted(step.at_ms for step in steps)


def test_what_telemetry_misses_changes_no_use() -> None:
    all_seen, some_missed, all_missed = (draw_trace(at_rate(0.5, missed=p)) for p in (0, 0.25, 1))
    uses = [
        [(e.at_ms, e.name, e.kind) for e in t.events] for t in (all_seen, some_missed, all_missed)
    ]
    assert uses[0] == uses[1] == uses[2]
    assert all(event.counted for event in all_seen.events)
    assert not any(event.counted for event in all_missed.events)
    share = sum(not event.counted for event in some_missed.events) / len(some_missed.events)
    assert share == pytest.approx(0.25, abs=4 * math.sqrt(0.19 / len(some_missed.events)))


def test_whether_a_use_is_missed_has_nothing_to_do_with_what_it_is() -> None:
    missed = [e.kind for e in draw_trace(at_rate(2, days=50, missed=0.25)).events if not e.counted]
    for kind, share in (("use", 0.70), ("view", 0.25), ("patch", 0.05)):
        margin = 4 * math.sqrt(share * (1 - share) / len(missed))
        assert missed.count(kind) / len(missed) == pytest.approx(share, abs=margin)  # type: ignore[arg-type]


def test_at_the_instant_of_a_pass_the_pass_comes_before_the_uses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = at_rate(1, days=7, count=2)
    instants = [scenario.start_ms, scenario.end_ms]
    monkeypatch.setattr(trace_module, "_instants", lambda *_given: iter(instants))
    trace = draw_trace(scenario)
    [turn] = trace.passes
    assert [event.sequence for event in trace.events] == [0, 1, 3, 4]
    assert (turn.at_ms, turn.sequence) == (scenario.end_ms, 2)
    assert [event.name for event in trace.events] == ["skill-0001", "skill-0002"] * 2


def test_windows_and_rules_of_the_curator_change_nothing() -> None:
    scenario = at_rate(0.5)
    odd = CuratorPlan(stale_after_days=1, archive_after_days=0, anchor="zero", order="stale-first")
    assert draw_trace(scenario.model_copy(update={"curator": odd})) == draw_trace(scenario)


def test_another_skill_changes_no_other_skill_s_events() -> None:
    few, many = (draw_trace(at_rate(0.5, count=count)) for count in (3, 4))

    def of_three(trace: EventTrace) -> list[tuple[int, str]]:
        return [(e.at_ms, e.name) for e in trace.events if e.name != "skill-0004"]

    assert of_three(few) == of_three(many)


SKILL = SkillLife("a", 0, birth_ms=5)


@pytest.mark.parametrize(
    ("skills", "events", "passes", "why"),
    [
        ((SKILL, SKILL), (), (), "same name"),
        ((SKILL,), (UseEvent(9, 1, "a"), UseEvent(8, 2, "a")), (), "order"),
        ((SKILL,), (UseEvent(9, 2, "a"), UseEvent(9, 1, "a")), (), "order"),
        ((SKILL,), (), (CuratorPass(9, 1), CuratorPass(8, 2)), "order"),
        ((SKILL,), (UseEvent(9, 1, "a"),), (CuratorPass(9, 1),), "twice"),
        ((SKILL,), (UseEvent(9, -1, "a"),), (), "below 0"),
        ((SKILL,), (UseEvent(9, 0, "b"),), (), "'b'"),
        ((SkillLife("../a", 0, 5),), (), (), "'../a'"),
        ((SKILL,), (UseEvent(4, 0, "a"),), (), "born"),
        ((SKILL,), (UseEvent(9, 0, "a", "read"),), (), "use, view or patch"),  # type: ignore[arg-type]
    ],
)
def test_a_trace_that_contradicts_itself_is_refused(
    skills: tuple[SkillLife, ...],
    events: tuple[UseEvent, ...],
    passes: tuple[CuratorPass, ...],
    why: str,
) -> None:
    with pytest.raises(ValueError, match=why):
        EventTrace(skills, events, passes)


def test_a_use_at_the_instant_of_birth_is_fine() -> None:
    assert EventTrace((SKILL,), (UseEvent(5, 0, "a"),), ()).events
