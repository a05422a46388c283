"""write_atomic: the old bytes or the new ones, in an order that a power cut cannot break."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alembic_sim import Err, MemoryFs, Ok, write_atomic
from alembic_sim.durable import settle, sweep_temp, temp_path
from alembic_sim.guarded import GuardedFs
from alembic_sim.ports.fs import FileStat
from tests.meddled_fs import MeddledFs, Unspeakable, answers, fails, raises

STEPS = ["write", "sync", "replace", "sync_dir"]


def test_the_steps_are_write_sync_replace_and_sync_the_folder() -> None:
    fs = MeddledFs(MemoryFs({"notes/a.md": "old"}))
    assert write_atomic(fs, "notes/a.md", b"new") == Ok(None)
    assert [call for call in fs.calls if call[0] != "stat"] == [
        ("write", "notes/.a.md.tmp", b"new"),
        ("sync", "notes/.a.md.tmp"),
        ("replace", "notes/.a.md.tmp", "notes/a.md"),
        ("sync_dir", "notes"),
    ]
    assert fs.inner.files() == {"notes/a.md": b"new"}


def test_missing_folders_are_made_and_their_names_synced_before_anything_is_written() -> None:
    fs = MeddledFs(MemoryFs())
    assert write_atomic(fs, "one/two/a.md", b"new") == Ok(None)
    changes = [call[:2] for call in fs.calls if call[0] != "stat"]
    assert changes[:3] == [("mkdir", "one/two"), ("sync_dir", "one"), ("sync_dir", "")]
    assert changes[-1] == ("sync_dir", "one/two")
    assert fs.inner.files() == {"one/two/a.md": b"new"}


def test_a_first_write_syncs_the_names_of_folders_that_are_there_too() -> None:
    """An earlier write may have made them and failed: a power cut would take them, and the file."""
    fs = MeddledFs(MemoryFs({"one/b.md": "other"}))
    assert write_atomic(fs, "one/a.md", b"new") == Ok(None)
    assert [call[1] for call in fs.calls if call[0] == "sync_dir"] == ["", "one"]


def test_a_file_at_the_root_needs_no_folder() -> None:
    fs = MeddledFs(MemoryFs())
    assert write_atomic(fs, "a.md", b"new") == Ok(None)
    assert [call for call in fs.calls if call[0] == "sync_dir"] == [("sync_dir", "")]
    assert fs.inner.files() == {"a.md": b"new"}


@pytest.mark.parametrize("step", ["write", "sync", "replace"])
def test_a_step_that_fails_before_the_rename_leaves_the_old_bytes_and_no_temporary(
    step: str,
) -> None:
    fs = MeddledFs(MemoryFs({"a.md": "old"}), **{step: fails("no-space")})
    error = write_atomic(fs, "a.md", b"new").error
    assert error.code == "write-failed"
    assert "a.md" in error.message
    assert "the test says no-space" in error.message
    assert "old bytes are intact" in error.message
    assert fs.inner.files() == {"a.md": b"old"}
    assert fs.names()[fs.names().index(step) + 1 :] == ["remove_temp"], "nothing is tried after it"


@pytest.mark.parametrize(("step", "doing"), [("stat", "look at it"), ("mkdir", "make its folder")])
def test_what_fails_before_the_first_byte_leaves_nothing_behind(step: str, doing: str) -> None:
    fs = MeddledFs(MemoryFs(), **{step: fails("denied")})
    error = write_atomic(fs, "one/a.md", b"new").error
    assert error.code == "write-failed"
    assert f"could not {doing}" in error.message
    assert "write" not in fs.names()
    assert fs.inner.files() == {}


def test_a_temporary_that_cannot_be_removed_either_stays_for_the_next_sweep() -> None:
    inner = MemoryFs({"a.md": "old"})
    broken = MeddledFs(inner, replace=fails("io"), remove_temp=fails("io"))
    assert write_atomic(broken, "a.md", b"new").error.code == "write-failed"
    assert inner.files() == {".a.md.tmp": b"new", "a.md": b"old"}
    sweep_temp(inner, "a.md")
    assert inner.files() == {"a.md": b"old"}


def test_a_failed_folder_sync_is_uncertain_and_says_that_the_new_bytes_are_there() -> None:
    fs = MeddledFs(MemoryFs({"notes/a.md": "old"}), sync_dir=fails("io"))
    error = write_atomic(fs, "notes/a.md", b"new").error
    assert error.code == "write-uncertain"
    assert "the new bytes are there" in error.message
    assert fs.inner.files() == {"notes/a.md": b"new"}


def test_a_failed_sync_above_the_folder_fails_before_anything_is_written() -> None:
    def only_the_root_fails(path: str) -> object:
        return fails("io")() if path == "" else Ok(None)

    fs = MeddledFs(MemoryFs(), sync_dir=only_the_root_fails)
    assert write_atomic(fs, "new/a.md", b"new").error.code == "write-failed"
    assert "write" not in fs.names()
    assert fs.inner.files() == {}


def test_the_temporary_file_stands_beside_its_target() -> None:
    assert temp_path("notes/a.md") == "notes/.a.md.tmp"
    assert temp_path("a.md") == ".a.md.tmp"
    assert temp_path("skills/.usage.json") == "skills/..usage.json.tmp"


def test_a_sweep_removes_the_temporary_file_and_nothing_else() -> None:
    fs = MemoryFs({"a.md": "a", ".a.md.tmp": "torn", ".b.md.tmp": "not ours", "b.md": "b"})
    sweep_temp(fs, "a.md")
    assert fs.files() == {".b.md.tmp": b"not ours", "a.md": b"a", "b.md": b"b"}


def test_a_sweep_of_nothing_asks_for_no_removal() -> None:
    fs = MeddledFs(MemoryFs({"a.md": "a"}))
    sweep_temp(fs, "a.md")
    assert "write" not in fs.names()
    assert fs.inner.files() == {"a.md": b"a"}


def test_a_path_outside_the_root_is_refused_and_nothing_is_written() -> None:
    fs = MemoryFs()
    for path in ("../a.md", "/a.md", "a\\b.md", "a\0b", ""):
        assert write_atomic(fs, path, b"new").error.code == "write-failed"
    assert fs.files() == {}


@pytest.mark.parametrize(
    ("path", "data"), [(5, b"new"), (None, b"new"), ("a.md", "text"), ("a", 5)]
)
def test_a_path_or_data_of_the_wrong_type_is_an_error_value(path: object, data: object) -> None:
    fs = MemoryFs()
    assert write_atomic(fs, path, data).error.code == "write-failed"
    assert fs.files() == {}


NONSENSE = {
    "raises": raises(RuntimeError("a port of the user's")),
    "returns nothing": answers(None),
    "returns a text": answers("done"),
    "returns an Err without an FsError": answers(Err("no")),
}


@pytest.mark.parametrize("meddler", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("step", STEPS)
def test_a_port_that_breaks_its_promise_never_breaks_a_store(
    step: str, meddler: Callable[..., object]
) -> None:
    """Stores look at their port through `GuardedFs`; a write over it is an error value."""
    fs = MeddledFs(MemoryFs({"notes/a.md": "old"}), **{step: meddler})
    error = write_atomic(GuardedFs(fs), "notes/a.md", b"new").error
    assert error.code == ("write-uncertain" if step == "sync_dir" else "write-failed")
    assert "the file port" in error.message


@pytest.mark.parametrize("meddler", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("step", STEPS)
def test_an_unguarded_port_that_breaks_its_promise_is_an_error_value_too(
    step: str, meddler: Callable[..., object]
) -> None:
    fs = MeddledFs(MemoryFs({"notes/a.md": "old"}), **{step: meddler})
    error = write_atomic(fs, "notes/a.md", b"new").error
    assert error.code == ("write-uncertain" if step == "sync_dir" else "write-failed")
    assert fs.inner.read("notes/a.md") == Ok(b"new" if step == "sync_dir" else b"old")


@pytest.mark.parametrize("step", ["mkdir", "sync_dir", "remove_temp"])
def test_an_unguarded_port_that_raises_on_the_way_to_a_first_file_breaks_nothing(step: str) -> None:
    fs = MeddledFs(MemoryFs(), replace=fails("io"), **{step: raises(Unspeakable())})
    assert write_atomic(fs, "one/two/a.md", b"new").error.code == "write-failed"
    sweep_temp(fs, "one/two/a.md")
    assert fs.inner.read("one/two/a.md").error.code == "missing"


@pytest.mark.parametrize("fs", [None, 5, object()], ids=["nothing", "number", "object"])
def test_what_is_no_port_at_all_cannot_be_written_to(fs: object) -> None:
    assert write_atomic(fs, "a.md", b"new").error.code == "write-failed"
    assert settle(fs, "a.md").error.code == "write-uncertain"
    sweep_temp(fs, "a.md")


def test_a_folder_in_the_way_of_the_file_is_an_error_value() -> None:
    fs = MemoryFs()
    fs.mkdir("a.md").expect("a folder")
    assert write_atomic(fs, "a.md", b"new").error.code == "write-failed"
    assert fs.files() == {}
    assert fs.stat("a.md") == Ok(FileStat("folder", 0, 0))
