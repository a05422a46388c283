"""A file operation fails, any of them, once or from then on: old or new, and then on as before."""

from __future__ import annotations

import pytest

from alembic_sim import FaultyFs
from alembic_sim.adapters.faulty_fs import FaultPlan
from alembic_sim.invariants import Violation
from tests.faults.judging import judge, judge_going_on, trace
from tests.faults.tally import Tally
from tests.faults.workloads import WORKLOADS, Workload, leftovers

each_workload = pytest.mark.parametrize("workload", WORKLOADS, ids=lambda w: w.name)


def attack(workload: Workload, plans: list[FaultPlan], claim: str, tally: Tally) -> None:
    for plan in plans:
        disk = workload.disk()
        answer = workload.act(FaultyFs(disk, plan))
        left = [] if plan.persistent else leftovers(disk.files())  # once: it is cleaned up at once
        wrong = judge(workload, answer, disk) + judge_going_on(workload, disk)
        wrong += tuple(Violation("I5", f"{path} stayed") for path in left)
        tally.count(claim, "faults")
        tally.blame(claim, f"{workload.name}, {plan}", wrong)
        assert wrong == (), plan
    tally.count(claim, "workloads")


@each_workload
def test_an_io_error_at_any_operation_breaks_no_invariant(workload: Workload, tally: Tally) -> None:
    numbers = range(1, len(trace(workload).operations) + 1)
    attack(workload, [FaultPlan.fail(n) for n in numbers], "I/O error, once", tally)


@each_workload
def test_nor_does_one_that_stays(workload: Workload, tally: Tally) -> None:
    numbers = range(1, len(trace(workload).operations) + 1)
    plans = [FaultPlan.fail(n, persistent=True) for n in numbers]
    attack(workload, plans, "I/O error, persistent", tally)


@each_workload
def test_nor_does_a_disk_that_is_full_for_a_moment(workload: Workload, tally: Tally) -> None:
    numbers = range(1, len(trace(workload).operations) + 1)
    attack(workload, [FaultPlan.fail(n, "no-space") for n in numbers], "no space, once", tally)


@each_workload
def test_nor_does_a_permission_that_is_taken_away(workload: Workload, tally: Tally) -> None:
    numbers = range(1, len(trace(workload).operations) + 1)
    plans = [FaultPlan.fail(n, "denied", persistent=True) for n in numbers]
    attack(workload, plans, "permission denied, persistent", tally)


@each_workload
def test_nor_does_a_write_that_stores_a_part(workload: Workload, tally: Tally) -> None:
    writes = [op.number for op in trace(workload).operations if op.name in ("write", "append")]
    assert writes
    plans = [FaultPlan.short_write(n, kept) for n in writes for kept in (0, 1, 2, 5, 17, 40)]
    attack(workload, plans, "short write", tally)


def test_there_are_at_least_twelve_workloads_and_no_two_have_one_name() -> None:
    assert len({workload.name for workload in WORKLOADS}) == len(WORKLOADS) >= 12
