"""guard_pass: a plan that archives too much of a library is refused before it is run."""

from __future__ import annotations

import json
import math

import pytest

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorReport,
    FakeClock,
    MemoryFs,
    Ok,
    UsageStore,
    guard_pass,
    run_curator,
)

PATH = "skills/.usage.json"
NOW = 1_780_315_200_000


def agents(idle_days: float, **changes: object) -> dict:
    last = NOW - round(idle_days * DAY_MS)
    return {"createdBy": "agent", "createdAt": 1, "lastActivityAt": last, **changes}


def plan_of(records: dict) -> CuratorReport:
    usage = UsageStore(MemoryFs({PATH: json.dumps(records)}), FakeClock(NOW), PATH)
    return run_curator(CuratorDeps(usage), dry_run=True).expect("a plan")


def skills(old: int, young: int) -> dict:
    return {f"old-{n}": agents(100) for n in range(old)} | {
        f"young-{n}": agents(1) for n in range(young)
    }


def test_a_plan_that_would_archive_everything_is_refused_with_its_numbers() -> None:
    error = guard_pass(plan_of(skills(old=20, young=0)), max_archived_fraction=0.5).error
    assert error.code == "too-many-archived"
    assert "20 of 20" in error.message
    assert "100%" in error.message
    assert "50%" in error.message


@pytest.mark.parametrize(
    ("old", "young", "fraction", "passes"),
    [
        (1, 1, 0.5, True),  # exactly the fraction
        (2, 1, 0.5, False),
        (29, 71, 0.29, True),  # 0.29 * 100 is below 29 in floating point
        (30, 70, 0.29, False),
        (1, 99, 0.0, False),
        (0, 5, 0.0, True),
        (5, 0, 1.0, True),
        (5, 0, 1, True),
        (0, 0, 0, True),  # an empty library
    ],
)
def test_the_fraction_itself_is_allowed_and_anything_above_is_not(
    old: int, young: int, fraction: float, passes: bool
) -> None:
    assert guard_pass(plan_of(skills(old, young)), fraction).ok is passes


def test_the_share_is_told() -> None:
    assert guard_pass(plan_of(skills(1, 3))) == Ok(0.25)
    assert guard_pass(CuratorReport()) == Ok(0)


def test_half_is_allowed_unless_another_fraction_is_given() -> None:
    assert guard_pass(plan_of(skills(2, 2))).ok
    assert not guard_pass(plan_of(skills(3, 2))).ok


@pytest.mark.parametrize(
    "beside",
    [
        agents(500, pinned=True),
        agents(500, createdBy="user"),
        agents(500, createdBy=None),
        agents(500, state="archived"),
        agents(0, lastActivityAt=0),
        agents(0, useCount="many"),
    ],
    ids=["pinned", "a person's", "nobody's", "archived", "never active", "damaged"],
)
def test_what_could_not_be_archived_anyway_does_not_count(beside: dict) -> None:
    library = skills(1, 0) | {f"beside-{n}": beside for n in range(50)}
    plan = plan_of(library)
    assert plan.archivable == 1
    assert not guard_pass(plan).ok


def test_what_only_goes_stale_or_comes_back_is_not_archived() -> None:
    library = {"a": agents(45), "b": agents(45), "c": agents(1, state="stale")}
    plan = plan_of(library)
    assert len(plan.transitioned) == 3
    assert guard_pass(plan, 0.0) == Ok(0)


def test_a_stale_skill_that_is_archived_counts() -> None:
    assert not guard_pass(plan_of({"a": agents(100, state="stale")})).ok


def test_a_plan_that_does_not_say_what_could_be_archived_is_refused() -> None:
    moved = plan_of(skills(1, 9)).transitioned
    assert not guard_pass(CuratorReport(moved)).ok


@pytest.mark.parametrize("fraction", [-0.1, 1.1, math.nan, math.inf, "0.5", None, True, [0.5]])
def test_a_fraction_that_is_none_is_a_bad_argument(fraction: object) -> None:
    error = guard_pass(CuratorReport(), fraction).error
    assert error.code == "bad-argument"
    assert "from 0 to 1" in error.message


@pytest.mark.parametrize("plan", [None, {}, Ok(CuratorReport()), CuratorReport])
def test_anything_but_a_report_is_a_bad_argument(plan: object) -> None:
    assert guard_pass(plan, 0.5).error.code == "bad-argument"


def test_the_guard_changes_nothing_about_the_pass() -> None:
    """CUR-08: one bad reading of the clock, ten years ahead, and a guard before the real pass."""
    fs = MemoryFs({PATH: json.dumps(skills(0, 20))})
    usage = UsageStore(fs, FakeClock(NOW), PATH)
    late = CuratorDeps(usage, clock=FakeClock(NOW + 3653 * DAY_MS))
    before = fs.files()
    plan = run_curator(late, dry_run=True).expect("a plan")
    assert guard_pass(plan, max_archived_fraction=0.5).error.code == "too-many-archived"
    assert fs.files() == before
    assert run_curator(late).expect("nobody asked the guard") == plan
