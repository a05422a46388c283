"""Which operations a plan strikes: pure, no file system."""

from __future__ import annotations

import pytest

from alembic_sim.adapters.fault_plan import FaultPlan
from tests.meddled_fs import Liar


def struck(plan: FaultPlan) -> list[str | None]:
    return [refusal and refusal.code for refusal in map(plan.refusal, range(1, 5))]


def test_a_plan_without_faults_strikes_nothing() -> None:
    assert struck(FaultPlan()) == [None, None, None, None]


def test_a_failure_strikes_its_operation_alone_or_all_from_there_on() -> None:
    assert struck(FaultPlan.fail(2)) == [None, "io", None, None]
    assert struck(FaultPlan.fail(2, "denied")) == [None, "denied", None, None]
    assert struck(FaultPlan.fail(3, "no-space", True)) == [None, None, "no-space", "no-space"]
    assert "operation 2 fails by plan (io)" in FaultPlan.fail(2).refusal(2).message


def test_after_a_crash_the_power_stays_off() -> None:
    assert struck(FaultPlan.crash(3)) == [None, None, "io", "io"]
    assert FaultPlan.crash(1).refusal(7).message == "the power is off"


def test_a_short_write_refuses_nothing_and_cuts_one_operation() -> None:
    plan = FaultPlan.short_write(at=2, kept=1)
    assert struck(plan) == [None, None, None, None]
    assert [plan.cuts_short(number) for number in (1, 2, 3)] == [False, True, False]
    assert not FaultPlan.fail(2).cuts_short(2)


@pytest.mark.parametrize("number", [0, -1, 1.0, True, "1", None])
def test_an_impossible_plan_is_refused(number: object) -> None:
    for make in (FaultPlan.fail, FaultPlan.crash, lambda n: FaultPlan.short_write(n, 0)):
        with pytest.raises(ValueError, match=r"at: .* is not a whole number ≥ 1"):
            make(number)


def test_so_is_an_unknown_code_and_a_negative_part() -> None:
    with pytest.raises(ValueError, match="code: 'fire' is not io, no-space or denied"):
        FaultPlan.fail(1, "fire")
    with pytest.raises(ValueError, match="kept: -1 is not a whole number ≥ 0"):
        FaultPlan.short_write(1, -1)


@pytest.mark.parametrize("kind", ["fire", None, 5, Liar()], ids=range(4))
def test_so_is_a_kind_of_fault_that_is_not_known(kind: object) -> None:
    with pytest.raises(ValueError, match=r"^kind: .* is not none, fail, short-write, crash$"):
        FaultPlan(kind)


def test_so_are_values_that_cannot_be_compared_and_a_doubtful_persistence() -> None:
    with pytest.raises(ValueError, match=r"^code: a Liar is not"):
        FaultPlan.fail(1, Liar())
    with pytest.raises(ValueError, match=r"^persistent: 'yes' is neither True nor False$"):
        FaultPlan.fail(1, persistent="yes")
