"""A workload's run, judged: is what is on disk allowed by what was answered, and can it go on?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from alembic_sim import FaultyFs, MemoryFs
from alembic_sim.adapters.faulty_fs import FaultPlan, Operation
from alembic_sim.invariants import Files, Violation, Violations
from tests.faults.workloads import Answer, Workload, leftovers, visible

WORD = "then"


@dataclass(frozen=True)
class Trace:
    """What a workload does when nothing fails: its operations, and the states it goes through."""

    operations: tuple[Operation, ...]
    states: tuple[Files, ...]


@cache
def trace(workload: Workload) -> Trace:
    full = FaultyFs(workload.disk())
    answer = workload.act(full)
    assert answer.ok, (workload.name, answer)
    states: list[Files] = []
    for number in range(1, len(full.operations) + 2):
        disk = workload.disk()
        workload.act(FaultyFs(disk, FaultPlan.crash(number)))
        state = workload.view(disk.files())
        if state not in states:
            states.append(state)
    assert len(states) > 1, f"{workload.name} writes nothing"
    return Trace(full.operations, tuple(states))


def judge(workload: Workload, answer: Answer, disk: MemoryFs) -> Violations:
    """The violations in what is on disk after the answer."""
    found, states = workload.view(disk.files()), trace(workload).states
    allowed = workload.allowed(states, answer)
    wrong: Violations = workload.also(
        visible(workload.disk().files()), answer, visible(disk.files())
    )
    if found not in allowed:
        name = "I4" if answer.ok else "I5"
        wrong += (Violation(name, f"{answer} and on disk {found}, not one of {allowed}"),)
    return wrong


def judge_going_on(workload: Workload, disk: MemoryFs) -> Violations:
    """The violations after a next session's write: it must work as if nothing had happened."""
    before = workload.view(disk.files())
    undisturbed = MemoryFs(visible(disk.files()))
    workload.again(undisturbed, WORD).expect("a write to a healthy disk")
    answer = workload.again(disk, WORD)
    after = workload.view(disk.files())
    problems = {
        f"a healthy disk, and the next write: {answer}": not answer.ok,
        f"left over: {leftovers(disk.files())}": bool(leftovers(disk.files())),
        f"went on to {after}": after != workload.view(undisturbed.files()),
        f"Ok, and the write is not in {after}": not any(WORD.encode() in d for d in after.values()),
        f"a log lost lines: {after}": any(
            path.endswith(".jsonl") and not after[path].startswith(data)
            for path, data in before.items()
        ),
    }
    return tuple(Violation("I4", why) for why, wrong in problems.items() if wrong)


def next_session(workload: Workload, disk: MemoryFs) -> Workload:
    """The next session's one write as a workload of its own, from what is on disk now."""
    return Workload(
        f"{workload.name}, next session",
        dict(disk.files()),
        lambda fs: workload.again(fs, "next"),
        workload.again,
        view=workload.view,
    )
