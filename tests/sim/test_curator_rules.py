"""The variants change the rule that they name, and nothing else of a pass."""

from __future__ import annotations

from itertools import product
from typing import Literal, get_args

import pytest

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorPolicy,
    FakeClock,
    MemoryFs,
    UsageRecord,
    UsageStore,
    next_state,
    run_curator,
)
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.sim.curator_rules import policy_of, rule_of, run_pass
from alembic_sim.sim.scenario import CuratorPlan
from alembic_sim.sim.variants import created_at_anchor, stale_first, zero_anchor

Anchor = Literal["infinity", "created-at", "zero"]
NOW_MS = 1_000 * DAY_MS
PATH = "skills/.usage.json"

TABLE = [
    UsageRecord(
        created_at=NOW_MS - made * DAY_MS if made else 0,
        created_by="agent",
        last_activity_at=NOW_MS - idle * DAY_MS if idle is not None else 0,
        state=state,
    )
    for made, idle, state in product(
        (0, 1, 30, 89, 90), (None, 0, 29, 30, 89, 90, 91), get_args(SkillState)
    )
]


def by(anchor: Anchor = "infinity", **plan: object) -> CuratorPlan:
    return CuratorPlan(anchor=anchor, **plan)  # type: ignore[arg-type]


def states(plan: CuratorPlan, windows: tuple[float, float] = (30, 90)) -> list[SkillState]:
    rule = rule_of(plan)
    return [rule(record, *CuratorPolicy(*windows).cutoffs(NOW_MS)) for record in TABLE]


def test_the_plan_of_the_seeds_is_the_taught_function_itself() -> None:
    assert rule_of(CuratorPlan()) is next_state


def test_each_rule_is_the_variant_that_bears_its_name() -> None:
    assert rule_of(by("created-at")) is created_at_anchor
    assert rule_of(by("zero")) is zero_anchor
    assert rule_of(by(order="stale-first")) is stale_first


@pytest.mark.parametrize("anchor", ["infinity", "created-at", "zero"])
@pytest.mark.parametrize("windows", [(30, 90), (90, 30), (0, 0)])
def test_the_order_of_the_tests_matters_to_active_skills_beyond_both_windows_alone(
    anchor: Anchor, windows: tuple[float, float]
) -> None:
    archive_first = states(by(anchor), windows)
    stale_before = states(by(anchor, order="stale-first"), windows)
    for record, one, other in zip(TABLE, archive_first, stale_before, strict=True):
        if record.state == "active" and one == "archived":
            assert other in ("stale", "archived")
        else:
            assert other == one
    if windows == (30, 90):
        assert archive_first != stale_before


@pytest.mark.parametrize("order", ["archive-first", "stale-first"])
def test_the_anchor_matters_to_skills_that_were_never_used_alone(
    order: Literal["archive-first", "stale-first"],
) -> None:
    infinity, created, zero = (
        states(by(anchor, order=order)) for anchor in ("infinity", "created-at", "zero")
    )
    for record, at_infinity, at_creation, at_zero in zip(
        TABLE, infinity, created, zero, strict=True
    ):
        if record.last_activity_at:
            assert at_infinity == at_creation == at_zero
        elif record.state != "archived":
            oldest = "stale" if (order, record.state) == ("stale-first", "active") else "archived"
            assert (at_infinity, at_zero) == ("active", oldest)
            assert at_creation == (
                rule_of(by(order=order))(
                    record.model_copy(update={"last_activity_at": record.created_at}),
                    *CuratorPolicy().cutoffs(NOW_MS),
                )
            )


def library() -> tuple[MemoryFs, UsageStore]:
    fs, clock = MemoryFs(), FakeClock(NOW_MS)
    usage = UsageStore(fs, clock)
    for number, record in enumerate(TABLE):
        usage.put(f"s{number:03d}", record)
    old = UsageRecord(created_by="agent", created_at=1, last_activity_at=1)
    usage.put("of-a-person", old.model_copy(update={"created_by": "user"}))
    usage.put("pinned", old.model_copy(update={"pinned": True}))
    return fs, usage


def test_the_pass_of_the_seeds_is_run_curator_s_to_the_byte() -> None:
    (fs, usage), (twin_fs, twin) = library(), library()
    report = run_pass(usage, CuratorPlan(stale_after_days=14))
    assert report == run_curator(CuratorDeps(twin), CuratorPolicy(14, 90))
    assert fs.files() == twin_fs.files()


def test_a_pass_by_another_rule_moves_what_the_rule_says_and_no_other_skill() -> None:
    _fs, usage = library()
    plan = by("zero")
    before = usage.load().records
    report = run_pass(usage, plan).expect("passed")
    after = usage.load().records
    cutoffs = policy_of(plan).cutoffs(NOW_MS)
    for name, record in before.items():
        curated = name.startswith("s")
        state = zero_anchor(record, *cutoffs) if curated else record.state
        assert after[name] == record.model_copy(update={"state": state})
    moved = {(t.name, t.from_state, t.to_state) for t in report.transitioned}
    assert moved == {
        (name, before[name].state, after[name].state)
        for name in before
        if before[name].state != after[name].state
    }
    assert {s.name: s.reason for s in report.skipped if not s.name.startswith("s")} == {
        "of-a-person": "not-agent-created",
        "pinned": "pinned",
    }
    assert len(report.transitioned) + len(report.skipped) == len(before)


def test_a_damaged_record_is_left_alone_by_every_rule() -> None:
    fs = MemoryFs({PATH: '{"a": {"state": "lost"}}'})
    report = run_pass(UsageStore(fs, FakeClock()), by("zero")).expect("passed")
    assert [(s.name, s.reason) for s in report.skipped] == [("a", "invalid-record")]


def test_a_transition_that_cannot_be_saved_stops_the_pass() -> None:
    class FullFs(MemoryFs):
        def replace(self, source: str, target: str):  # type: ignore[no-untyped-def]
            raise OSError("no space")

    old = UsageRecord(created_by="agent", last_activity_at=1)
    fs = MemoryFs()
    UsageStore(fs, FakeClock()).put("a", old)
    failed = run_pass(UsageStore(FullFs(fs.files()), FakeClock()), by("zero"))
    assert failed.error.code == "write-failed"  # type: ignore[union-attr]
    assert failed.error.partial.transitioned == ()  # type: ignore[union-attr]


def test_what_was_moved_before_a_pass_stopped_is_reported() -> None:
    class OneMoreFs(MemoryFs):
        left = 1

        def replace(self, source: str, target: str):  # type: ignore[no-untyped-def]
            self.left -= 1
            if self.left < 0:
                raise OSError("no space")
            return super().replace(source, target)

    old = UsageRecord(created_by="agent", last_activity_at=1)
    fs = MemoryFs()
    usage = UsageStore(fs, FakeClock())
    for name, record in (("a", old.model_copy(update={"pinned": True})), ("b", old), ("c", old)):
        usage.put(name, record)
    failed = run_pass(UsageStore(OneMoreFs(fs.files()), FakeClock()), by("zero"))
    partial = failed.error.partial  # type: ignore[union-attr]
    assert [moved.name for moved in partial.transitioned] == ["b"]
    assert [skipped.name for skipped in partial.skipped] == ["a"]


def test_a_clock_that_raises_stops_the_pass() -> None:
    def broken() -> int:
        raise RuntimeError("no time")

    failed = run_pass(UsageStore(MemoryFs(), broken), by("zero"))
    assert failed.error.code == "bad-clock"  # type: ignore[union-attr]
