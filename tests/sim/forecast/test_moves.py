"""The dates of a forecast are the dates of a replay, day by day, by the engine itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import CuratorDeps, CuratorPolicy, FakeClock, MemoryFs, UsageStore, run_curator
from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.sidecar import serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.forecast.ancestor import AncestorRecord, ancestor_next_state
from alembic_sim.sim.forecast.forecast import forecast
from alembic_sim.sim.forecast.moves import LAST_MS, Move, days_until, moves_if_unused
from alembic_sim.sim.forecast.skill_forecast import alembic_step, ancestor_step
from tests.sim.forecast.homes import NOW_MS, home

NOW = 20_000 * DAY_MS
DAYS = 200
POLICIES = (CuratorPolicy(30, 90), CuratorPolicy(14, 30))

states = st.sampled_from(["active", "stale", "archived"])
ages = st.integers(-5 * DAY_MS, 150 * DAY_MS) | st.integers(-2, 150).map(lambda d: d * DAY_MS)
windows = st.integers(0, 120) | st.floats(0, 120)
policies = st.builds(CuratorPolicy, windows, windows)


@st.composite
def records(draw: st.DrawFn) -> UsageRecord:
    used = draw(st.booleans())
    return UsageRecord.model_validate(
        {
            "created_by": draw(st.sampled_from(["agent", "agent", "agent", "user", None])),
            "pinned": draw(st.sampled_from([False, False, True])),
            "state": draw(states),
            "created_at": NOW - draw(ages),
            "last_activity_at": NOW - draw(ages) if used else 0,
            "use_count": draw(st.integers(0, 3)),
        }
    )


@given(records(), policies)
def test_every_move_is_the_move_of_a_replay_by_judge(
    record: UsageRecord, policy: CuratorPolicy
) -> None:
    replayed, state = [], record.state
    for day in range(DAYS + 1):
        at_ms = NOW + day * DAY_MS
        now_is = record.model_copy(update={"state": state})
        after, _why = judge(now_is, *policy.cutoffs(at_ms))
        if after != state:
            replayed.append(Move(at_ms, state, after))
            state = after
    found = moves_if_unused(record.state, alembic_step(record, policy), NOW)
    assert [move for move in found if move.at_ms <= NOW + DAYS * DAY_MS] == replayed


@given(
    st.builds(
        AncestorRecord,
        curated=st.sampled_from([True, True, False]),
        pinned=st.sampled_from([False, False, True]),
        state=states | st.just("bogus"),
        active_us=st.none() | ages.map(lambda age: (NOW - age) * 1000 + 1),
        created_us=st.none() | ages.map(lambda age: (NOW - age) * 1000),
        never_used=st.sampled_from([True, False, None]),
    ),
    policies,
)
def test_every_move_of_the_ancestor_is_that_of_a_replay(
    record: AncestorRecord, policy: CuratorPolicy
) -> None:
    replayed, state = [], record.state
    for day in range(DAYS + 1):
        at_ms = NOW + day * DAY_MS
        after = ancestor_next_state(record, state, policy, at_ms)
        if after != state:
            replayed.append(Move(at_ms, state, after))
            state = after
    found = moves_if_unused(record.state, ancestor_step(record, policy), NOW)
    assert [move for move in found if move.at_ms <= NOW + DAYS * DAY_MS] == replayed


@pytest.mark.parametrize("name", ["hermes_home", "hermes_home_mixed"])
@pytest.mark.parametrize("index", [0, 1], ids=["30-90", "14-30"])
def test_a_real_home_is_replayed_by_run_curator_itself(name: str, index: int) -> None:
    library = home(name)
    policy = POLICIES[index]
    records_only = UsageSidecar(library.sidecar.records)
    fs = MemoryFs({"skills/.usage.json": serialise_sidecar(records_only)})
    clock = FakeClock(NOW_MS)
    usage = UsageStore(fs, clock)
    replayed: dict[str, list[Move]] = {record: [] for record in library.sidecar.records}
    for _day in range(101):
        report = run_curator(CuratorDeps(usage), policy).expect("a pass")
        for moved in report.transitioned:
            replayed[moved.name].append(Move(clock(), moved.from_state, moved.to_state))
        clock.advance(days=1)

    made = forecast(library, NOW_MS, POLICIES).expect("a forecast")
    forecasted = {
        skill.name: [m for m in skill.by_policy[index].alembic.moves if m.at_ms < clock()]
        for skill in made.skills
        if skill.name in replayed
    }
    assert forecasted == replayed
    assert sum(map(len, replayed.values())) > 5


def test_a_skill_used_again_becomes_active_then_stale_then_archived() -> None:
    record = UsageRecord(created_by="agent", state="stale", last_activity_at=NOW - 5 * DAY_MS)
    moves = moves_if_unused("stale", alembic_step(record, CuratorPolicy(30, 90)), NOW)
    assert moves == (
        Move(NOW, "stale", "active"),
        Move(NOW + 25 * DAY_MS, "active", "stale"),
        Move(NOW + 85 * DAY_MS, "stale", "archived"),
    )
    assert days_until(("stale", "archived"), "stale", moves, NOW) == 25
    assert days_until(("archived",), "stale", moves, NOW) == 85


def test_a_window_longer_than_the_calendar_never_ends() -> None:
    record = UsageRecord(created_by="agent", last_activity_at=NOW)
    policy = CuratorPolicy(1e9, 1e300)
    assert moves_if_unused("active", alembic_step(record, policy), NOW) == ()


def test_the_last_day_of_the_calendar_is_still_looked_at() -> None:
    record = UsageRecord(created_by="agent", last_activity_at=LAST_MS - 10 * DAY_MS)
    step = alembic_step(record, CuratorPolicy(10, 10))
    assert moves_if_unused("active", step, LAST_MS) == (Move(LAST_MS, "active", "archived"),)


def test_a_skill_that_stays_stale_is_stale_from_the_first_pass_on() -> None:
    assert days_until(("stale", "archived"), "stale", (), NOW) == 0
    assert days_until(("archived",), "stale", (), NOW) is None
