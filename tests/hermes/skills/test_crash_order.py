"""Two files change a call: what fails in between loses no text, and the call can be repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from alembic_sim import FakeClock, FaultyFs, MemoryFs, SkillStore, UsageStore
from alembic_sim.adapters.fault_plan import FaultPlan
from alembic_sim.ports.fs import FsPort
from tests.hermes.skills.desk import START, bodies, leftovers

CALLS: dict[str, Callable[[SkillStore], object]] = {
    "create": lambda skills: skills.create("new", "d", "first"),
    "patch": lambda skills: skills.patch("old", "v3"),
    "view": lambda skills: skills.view("old"),
    "use": lambda skills: skills.use("old"),
    "archive": lambda skills: skills.archive("old"),
    "restore": lambda skills: skills.restore("gone"),
    "pin": lambda skills: skills.pin("old"),
}


def opened(fs: FsPort) -> SkillStore:
    return SkillStore(fs, UsageStore(fs, FakeClock(START)))


def library() -> MemoryFs:
    """Two skills, one of them patched once, the other archived."""
    disk = MemoryFs()
    skills = opened(disk)
    skills.create("old", "d", "v1").expect("a skill")
    skills.patch("old", "v2").expect("a patch")
    skills.create("gone", "d", "asleep").expect("a skill")
    skills.archive("gone").expect("archived")
    return disk


def operations(call: str) -> int:
    fs = FaultyFs(library())
    assert CALLS[call](opened(fs)).ok
    return len(fs.operations)


def plans(call: str) -> Iterator[FaultPlan]:
    for at in range(1, operations(call) + 1):
        yield FaultPlan.fail(at=at)
        yield FaultPlan.fail(at=at, code="no-space", persistent=True)
        yield FaultPlan.short_write(at=at, kept=3)


def check(disk: MemoryFs, call: str) -> None:
    """No text is lost, every record of an agent has its text, and the same call finishes."""
    assert set(bodies(disk, "old")) >= {"v1", "v2"}
    assert bodies(disk, "gone") == ["asleep"]
    skills = opened(disk)
    listed = {skill.name: skill for skill in skills.list().expect("a listing").skills}
    assert {"old", "gone"} <= listed.keys()
    for skill in listed.values():
        assert skill.problems in ((), ("it has no record, so it is not curated",))
    done = CALLS[call](skills)
    complete = call == "create" and "new" in listed and listed["new"].record is not None
    assert (done.ok, getattr(getattr(done, "error", None), "code", None)) == (
        (False, "exists") if complete else (True, None)
    )
    assert set(bodies(disk, "old")) >= {"v1", "v2"} | ({"v3"} if call == "patch" else set())
    if call == "create":
        assert bodies(disk, "new") == ["first"]
        assert skills.list().value.skills[1].curated
    if call == "patch":
        assert bodies(disk, "old") == ["v1", "v2", "v3"]
    if call in ("create", "patch") and not complete:
        assert leftovers(disk) == []


@pytest.mark.parametrize("call", CALLS)
def test_whichever_operation_fails_no_text_is_lost_and_the_call_can_be_repeated(call: str) -> None:
    for plan in plans(call):
        disk = library()
        CALLS[call](opened(FaultyFs(disk, plan)))
        check(disk, call)


@pytest.mark.parametrize("call", CALLS)
def test_whenever_the_power_goes_no_text_is_lost_and_the_call_can_be_repeated(call: str) -> None:
    for at in range(1, operations(call) + 2):
        fs = FaultyFs(library(), FaultPlan.crash(at=at))
        done = CALLS[call](opened(fs))
        for after in fs.crash():
            if done.ok and call == "create":
                assert bodies(after.fs, "new") == ["first"], after.story
            if done.ok and call == "patch":
                assert bodies(after.fs, "old")[-1] == "v3", after.story
            check(after.fs, call)


def test_a_create_is_finished_by_the_same_call_and_by_no_other() -> None:
    for text, code in (("first", None), ("other", "exists")):
        disk = library()
        made = opened(disk)
        made._usage.create = lambda *_args: None  # the power goes between the two files
        assert made.create("new", "d", "first").error.code == "bad-port"
        skills = opened(disk)
        assert [skill.curated for skill in skills.list().value.skills] == [True, False, True]
        done = skills.create("new", "d", text)
        assert done.ok if code is None else done.error.code == code
        assert bodies(disk, "new") == ["first"]


def test_a_patch_that_broke_off_keeps_one_copy_not_two() -> None:
    disk = library()
    for at in range(1, operations("patch") + 1):
        CALLS["patch"](opened(FaultyFs(disk, FaultPlan.fail(at=at))))
    assert bodies(disk, "old") == ["v1", "v2", "v3"]


def test_a_copy_that_may_not_be_durable_is_synced_before_the_text_is_replaced() -> None:
    disk = library()
    at = next(
        step.number
        for step in _steps_of_a_patch(library())
        if step.name == "sync_dir" and step.path == "skills/old"
    )
    first = opened(FaultyFs(disk, FaultPlan.fail(at=at))).patch("old", "v3").error
    assert (first.code, "stays" in first.message) == ("write-failed", True)
    again = FaultyFs(disk)
    opened(again).patch("old", "v3").expect("a patch")
    told = [(step.name, step.target) for step in again.operations]
    assert told.index(("sync_dir", None)) < told.index(("replace", "skills/old/SKILL.md"))
    broken = library()
    opened(FaultyFs(broken, FaultPlan.fail(at=at))).patch("old", "v3")
    at_again = next(s.number for s in again.operations if s.name == "sync_dir")
    second = opened(FaultyFs(broken, FaultPlan.fail(at=at_again))).patch("old", "v3").error
    assert (second.code, "could not be kept" in second.message) == ("write-failed", True)
    assert bodies(broken, "old")[-1] == "v2"


def _steps_of_a_patch(disk: MemoryFs) -> tuple[object, ...]:
    fs = FaultyFs(disk)
    opened(fs).patch("old", "v3").expect("a patch")
    return fs.operations
