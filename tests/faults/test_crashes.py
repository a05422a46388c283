"""The power goes at any operation: what comes back is the old state or the new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

import pytest

from alembic_sim import FaultyFs, MemoryFs
from alembic_sim.adapters.faulty_fs import FaultPlan
from alembic_sim.adapters.power_cut import CrashKind
from alembic_sim.invariants import Files, i4_what_was_said_to_be_written_is_there
from tests.faults.judging import judge, judge_going_on, next_session, trace
from tests.faults.tally import Tally
from tests.faults.workloads import (
    CURATOR_PASS,
    JOURNALLED_PASS,
    SECOND_PASS,
    UNDO,
    WORKLOADS,
    Workload,
    undo,
    undone,
    visible,
)

CRASH = "crash at every operation, then reopened"
SECOND_TRY = "an error, the same call again, then a crash"
UNDONE = "an error in a pass, its undo, then a crash"
COMPOUND = "a second fault during recovery, all pairs"

BY_LENGTH = sorted(WORKLOADS, key=lambda workload: len(trace(workload).operations))
# The three shortest, and those that make their folder: half-made folders need a second fault.
FAULTED_TWICE = [w for n, w in enumerate(BY_LENGTH) if n < 3 or not w.start]


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda w: w.name)
def test_a_crash_at_any_operation_leaves_the_old_state_or_the_new_one(
    workload: Workload, tally: Tally
) -> None:
    """No order of arrival makes a difference of its own to a store that syncs before it renames:
    that is why 0 are counted as reordered. tests/adapters/test_power_cut.py has some that do."""
    for number in range(1, len(trace(workload).operations) + 2):
        fs = FaultyFs(workload.disk(), FaultPlan.crash(number))
        answer = workload.act(fs)
        after = fs.crash()
        tally.count(CRASH, "crashes")
        for kind in get_args(CrashKind):
            tally.count(CRASH, kind, sum(crashed.kind == kind for crashed in after))
        for crashed in after:
            wrong = judge(workload, answer, crashed.fs) + judge_going_on(workload, crashed.fs)
            where = f"{workload.name}, crash at {number}, {crashed.story}"
            tally.blame(CRASH, where, wrong)
            assert wrong == (), where


# A curator pass that finds nothing to do says `no-change`, and acknowledges nothing by it.
PASSES = (CURATOR_PASS, JOURNALLED_PASS, UNDO, SECOND_PASS)
REPEATABLE = [w for w in WORKLOADS if w not in PASSES]


@pytest.mark.parametrize("workload", REPEATABLE, ids=lambda w: w.name)
def test_what_a_second_try_says_ok_to_outlives_a_crash(workload: Workload, tally: Tally) -> None:
    """Also if the first try left it uncertain, so that the second finds nothing to write."""
    for number in range(1, len(trace(workload).operations) + 1):
        disk = workload.disk()
        fs = FaultyFs(disk, FaultPlan.fail(number))
        workload.act(fs)
        answer = workload.act(fs)
        tally.count(SECOND_TRY, "errors")
        for crashed in fs.crash() if answer.ok else ():
            tally.count(SECOND_TRY, "crashes")
            acknowledged = workload.view(disk.files())
            found = workload.view(crashed.fs.files())
            wrong = i4_what_was_said_to_be_written_is_there(acknowledged, found)
            where = f"{workload.name}, error at {number}, {crashed.story}"
            tally.blame(SECOND_TRY, where, wrong)
            assert wrong == (), where


@pytest.mark.parametrize("kind", ["error", "nothing stored"])
def test_a_pass_that_failed_its_undo_and_then_a_crash_leave_nothing_half_done(
    kind: str, tally: Tally
) -> None:
    """A removal is not durable at once: the crash may bring back what the failed write left."""
    start = visible(JOURNALLED_PASS.disk().files())
    for operation in trace(JOURNALLED_PASS).operations:
        if kind == "nothing stored" and operation.name != "write":
            continue
        number = operation.number
        plan = FaultPlan.fail(number) if kind == "error" else FaultPlan.short_write(number, 0)
        fs = FaultyFs(JOURNALLED_PASS.disk(), plan)
        JOURNALLED_PASS.act(fs)
        undo(fs)
        tally.count(UNDONE, "errors")
        for crashed in fs.crash():
            tally.count(UNDONE, "crashes")
            wrong = undone(start, visible(crashed.fs.files()))
            wrong += judge_going_on(JOURNALLED_PASS, crashed.fs)
            where = f"{plan}, {crashed.story}"
            tally.blame(UNDONE, where, wrong)
            assert wrong == (), where


# --- a second fault, while the next session's write is at it ---


@dataclass(frozen=True)
class FirstFault:
    """What a first fault left, made anew for each second one.

    `make` returns the disk, and the file system that knows what of the disk is durable.
    `unsettled`: a state that nobody acknowledged the end of, so that a power cut may bring it back.
    """

    where: str
    make: Callable[[], tuple[MemoryFs, FaultyFs]]
    unsettled: tuple[Files, ...] = ()


def first_faults(workload: Workload) -> Iterator[FirstFault]:
    """Every operation failed once, and every state that a crash at it can leave."""

    def failed_at(number: int) -> tuple[MemoryFs, FaultyFs]:
        disk = workload.disk()
        fs = FaultyFs(disk, FaultPlan.fail(number))
        workload.act(fs)
        return disk, fs

    def holding(files: Files) -> tuple[MemoryFs, FaultyFs]:
        disk = MemoryFs(files)
        return disk, FaultyFs(disk)

    start = workload.view(workload.disk().files())
    for number in range(1, len(trace(workload).operations) + 1):
        yield FirstFault(f"error at {number}", lambda n=number: failed_at(n), (start,))
        fs = FaultyFs(workload.disk(), FaultPlan.crash(number))
        workload.act(fs)
        for crashed in fs.crash():
            files = crashed.fs.files()
            yield FirstFault(
                f"crash at {number} ({crashed.story})", lambda files=files: holding(files)
            )


@pytest.mark.parametrize("workload", FAULTED_TWICE, ids=lambda w: w.name)
def test_a_second_fault_during_recovery_breaks_nothing_either(
    workload: Workload, tally: Tally
) -> None:
    for first in first_faults(workload):
        disk, _fs = first.make()
        session = next_session(workload, disk)
        for number in range(1, len(trace(session).operations) + 2):
            for plan in (FaultPlan.fail(number), FaultPlan.crash(number)):
                disk, fs = first.make()
                answer = session.act(FaultyFs(fs, plan))
                crashed = plan.kind == "crash"
                for left in [c.fs for c in fs.crash()] if crashed else [disk]:
                    returned = crashed and not answer.ok and session.view(left.files())
                    wrong = () if returned in first.unsettled else judge(session, answer, left)
                    wrong += judge_going_on(session, left)
                    tally.count(COMPOUND, "outcomes")
                    where = f"{workload.name}, {first.where}, then {plan}"
                    tally.blame(COMPOUND, where, wrong)
                    assert wrong == (), where
                tally.count(COMPOUND, "pairs")
    tally.count(COMPOUND, "workloads")
