"""What FaultyFs has beyond the port: a log of operations, faults by plan, and power cuts.

What survives a power cut is in test_power_cut.py.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from alembic_sim import DiskFs, FaultyFs, MemoryFs, Ok, write_atomic
from alembic_sim.adapters.faulty_fs import FaultPlan, Operation
from tests.meddled_fs import OPERATIONS, Liar, MeddledFs, Unspeakable, answers, fails, raises

ARGUMENTS = {
    "write": ("a", b"new"),
    "append": ("a", b"new"),
    "replace": ("a", "b"),
    "remove_temp": (".a.tmp",),
    "lock": ("a", 0),
    "list": ("",),
    "sync_dir": ("",),
    "mkdir": ("folder",),
}


def disk() -> MemoryFs:
    return MemoryFs({"a": "old", ".a.tmp": "torn"})


def call(fs: FaultyFs, operation: str) -> object:
    return getattr(fs, operation)(*ARGUMENTS.get(operation, ("a",)))


# --- the log ---


def test_every_operation_of_the_port_is_counted_with_its_path_and_its_end() -> None:
    fs = FaultyFs(MemoryFs())
    write_atomic(fs, "notes/a.md", b"text").expect("a write")
    assert [str(operation) for operation in fs.operations] == [
        " 1 stat notes/a.md: ok",
        " 2 mkdir notes: ok",
        " 3 sync_dir (the root): ok",
        " 4 write notes/.a.md.tmp: ok",
        " 5 sync notes/.a.md.tmp: ok",
        " 6 replace notes/.a.md.tmp → notes/a.md: ok",
        " 7 sync_dir notes: ok",
    ]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_of_the_eleven_is_in_the_log(operation: str) -> None:
    fs = FaultyFs(disk())
    assert call(fs, operation).ok
    [logged] = fs.operations
    assert (logged.number, logged.name, logged.outcome) == (1, operation, "ok")
    assert logged.path == ARGUMENTS.get(operation, ("a",))[0]


def test_a_refusal_of_the_inner_port_is_in_the_log_too() -> None:
    fs = FaultyFs(MemoryFs())
    fs.read("absent")
    fs.read(Liar())
    assert [o.outcome for o in fs.operations] == ["missing", "outside-root"]
    assert fs.operations[1] == Operation(2, "read", "a Liar", None, "outside-root")


def test_a_log_that_was_looked_at_does_not_grow() -> None:
    fs = FaultyFs(disk())
    before = fs.operations
    fs.read("a")
    assert before == ()


# --- faults ---


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("code", ["io", "no-space", "denied"])
def test_the_operation_that_the_plan_names_fails_without_effect(operation: str, code: str) -> None:
    inner = disk()
    fs = FaultyFs(inner, FaultPlan.fail(1, code))
    assert call(fs, operation).error.code == code
    assert fs.operations[0].outcome == code
    assert inner.files() == disk().files()
    assert call(fs, operation).ok, "the next one works again"


def test_a_persistent_fault_stays() -> None:
    fs = FaultyFs(disk(), FaultPlan.fail(2, persistent=True))
    assert [fs.read("a").ok for _ in range(4)] == [True, False, False, False]


@pytest.mark.parametrize(("operation", "left"), [("write", b"ne"), ("append", b"oldne")])
def test_a_short_write_stores_its_part_and_says_no_space(operation: str, left: bytes) -> None:
    inner = disk()
    fs = FaultyFs(inner, FaultPlan.short_write(at=1, kept=2))
    error = call(fs, operation).error
    assert error.code == "no-space"
    assert "2 of 3 bytes were stored" in error.message
    assert inner.files()["a"] == left


def test_a_short_write_of_more_than_there_is_stores_all_and_still_says_no_space() -> None:
    inner = disk()
    assert not FaultyFs(inner, FaultPlan.short_write(1, 99)).write("a", b"new").ok
    assert inner.files()["a"] == b"new"


def test_a_short_write_strikes_writes_alone_and_bytes_alone() -> None:
    fs = FaultyFs(disk(), FaultPlan.short_write(1, 0))
    assert fs.read("a").ok
    assert FaultyFs(disk(), FaultPlan.short_write(1, 0)).write("a", "text").error.code == "io"


def test_a_short_write_that_the_inner_port_refuses_gives_the_inner_ports_reason() -> None:
    fs = FaultyFs(disk(), FaultPlan.short_write(1, 1))
    assert fs.write("absent/a", b"new").error.code == "missing"


def test_once_the_power_is_off_nothing_answers_and_nothing_changes() -> None:
    inner = disk()
    fs = FaultyFs(inner, FaultPlan.crash(2))
    assert fs.read("a").ok
    for operation in OPERATIONS:
        assert call(fs, operation).error.message == "the power is off"
    assert inner.files() == disk().files()


def test_the_conveniences_are_made_of_the_primitives_and_fail_with_them() -> None:
    fs = FaultyFs(disk(), FaultPlan.fail(2))
    assert fs.write_text("a", "new").error.code == "write-failed"
    assert fs.read_text("a") == Ok("old")


# --- crash() ---


def test_what_was_there_at_the_start_is_durable_folders_included() -> None:
    inner = MemoryFs({"one/two/a": "old"})
    inner.mkdir("empty").expect("a folder")
    [after] = FaultyFs(inner).crash()
    assert (after.kind, after.story) == ("kept", "everything was synced")
    assert after.fs.files() == inner.files()
    assert after.fs.list("") == Ok(("empty", "one"))


def test_a_file_system_after_a_crash_is_another_one_each_time() -> None:
    fs = FaultyFs(disk())
    [after] = fs.crash()
    after.fs.write("a", b"new").expect("a write")
    assert fs.read("a") == Ok(b"old")
    assert fs.crash()[0].fs.read("a") == Ok(b"old")


def test_a_crash_names_what_survived() -> None:
    fs = FaultyFs(disk())
    fs.append("a", b"er")
    told = [(after.kind, after.fs.read("a").value, after.story) for after in fs.crash()]
    assert told == [
        ("lost", b"old", "lost: append a"),
        ("kept", b"older", "kept: append a"),
        ("torn", b"olde", "torn: append a (1 of 2 bytes)"),
    ]


def test_an_operation_that_failed_leaves_nothing_to_lose() -> None:
    fs = FaultyFs(disk(), FaultPlan.fail(1))
    fs.write("a", b"new")
    assert len(fs.crash()) == 1


def test_a_failed_sync_makes_nothing_durable() -> None:
    fs = FaultyFs(disk(), FaultPlan.fail(2))
    fs.write("a", b"new")
    fs.sync("a")
    assert b"old" in {after.fs.files()["a"] for after in fs.crash()}


def test_the_part_of_a_short_write_can_be_lost_or_kept() -> None:
    fs = FaultyFs(disk(), FaultPlan.short_write(1, 1))
    fs.append("a", b"new")
    assert [after.fs.files()["a"] for after in fs.crash()] == [b"old", b"oldn"]


def test_a_folder_that_the_inner_port_makes_for_its_lock_is_known(tmp_path: object) -> None:
    fs = FaultyFs(DiskFs(tmp_path))
    for data in (b"first", b"new"):
        with fs.lock("one/two/a", 10).value:
            write_atomic(fs, "one/two/a", data).expect("a write")
    assert [after.fs.files() for after in fs.crash()] == [{"one/two/a": b"new"}]


def test_a_lock_that_made_no_folder_makes_none_in_the_crash() -> None:
    fs = FaultyFs(MemoryFs())
    assert fs.lock("one/a", 0).ok
    assert fs.crash()[0].fs.stat("one") == Ok(None)


def test_what_cannot_be_read_at_the_start_counts_as_empty() -> None:
    inner = MeddledFs(MemoryFs({"a": "old", "folder/b": "b"}), read=fails("denied"))
    [after] = FaultyFs(inner).crash()
    assert after.fs.files() == {"a": b"", "folder/b": b""}


def test_what_another_one_put_there_meanwhile_counts_as_durable() -> None:
    inner = MeddledFs(MemoryFs(), list=fails("denied"))
    fs = FaultyFs(inner)
    inner.inner = MemoryFs({"one/a": "a", "one/.b.tmp": "b", "one/.c.tmp": "c", "d": "d"})
    for done in (
        fs.replace("one/.b.tmp", "one/a"),
        fs.remove_temp("one/.c.tmp"),
        fs.append("d", b"d"),
        fs.mkdir("one"),
        fs.sync("one/a"),
    ):
        assert done.ok
    assert fs.crash()[0].fs.files() == {
        "d": b"d",
        "one/.b.tmp": b"b",
        "one/.c.tmp": b"c",
        "one/a": b"a",
    }
    assert {"d": b"dd", "one/a": b"b"} in [after.fs.files() for after in fs.crash()]


# --- what it is made of ---

BROKEN = {
    "raises": raises(RuntimeError("a port of the user's")),
    "raises the unspeakable": raises(Unspeakable()),
    "returns nothing": answers(None),
    "returns Ok of a liar": answers(Ok(Liar())),
}


@pytest.mark.parametrize("meddler", BROKEN.values(), ids=BROKEN)
def test_an_inner_port_that_breaks_its_promise_is_no_exception_at_construction_or_later(
    meddler: object,
) -> None:
    inner = MeddledFs(disk(), **dict.fromkeys(OPERATIONS, meddler))
    fs = FaultyFs(inner)
    for operation in ("stat", "read", "list", "lock"):
        assert call(fs, operation).error.code == "io"
    assert not write_atomic(FaultyFs(MeddledFs(disk(), stat=meddler)), "a", b"new").ok


@pytest.mark.parametrize("inner", [None, 5, "x", object()], ids=range(4))
def test_what_is_no_file_port_cannot_be_made_faulty(inner: object) -> None:
    with pytest.raises(ValueError, match="is not a file port"):
        FaultyFs(inner)


@pytest.mark.parametrize("plan", [5, "crash", 0, False])
def test_what_is_no_plan_is_refused(plan: object) -> None:
    with pytest.raises(ValueError, match=r"^plan: .* is not a FaultPlan$"):
        FaultyFs(MemoryFs(), plan)


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege there")
def test_a_link_that_leads_in_circles_ends_the_walk_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(".")
    (tmp_path / "a").write_bytes(b"1")
    assert FaultyFs(DiskFs(tmp_path)).read("a") == Ok(b"1")
