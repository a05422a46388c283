"""The contract of the FsPort: one suite, and every adapter passes it.

A new adapter joins by a line in `ADAPTERS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from alembic_sim import DiskFs, FaultyFs, FsPort, MemoryFs, Ok, write_atomic
from alembic_sim.durable import sweep_temp
from tests.meddled_fs import Liar

ADAPTERS: dict[str, Callable[[Path], FsPort]] = {
    "MemoryFs": lambda _root: MemoryFs(),
    "DiskFs": DiskFs,
    "FaultyFs without faults": lambda _root: FaultyFs(MemoryFs()),
    "FaultyFs over DiskFs": lambda root: FaultyFs(DiskFs(root)),
}


@pytest.fixture(params=ADAPTERS)
def fs(request: pytest.FixtureRequest, tmp_path: Path) -> FsPort:
    return ADAPTERS[request.param](tmp_path)


def put(fs: FsPort, path: str, data: bytes = b"bytes") -> None:
    if "/" in path:
        fs.mkdir(path.rpartition("/")[0]).expect("a folder")
    fs.write(path, data).expect("a file")


# --- what is written is what is read ---


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xfe", b"a\r\nb", bytes(range(256)) * 4096])
def test_a_file_reads_back_byte_for_byte(fs: FsPort, data: bytes) -> None:
    assert fs.write("a", data) == Ok(None)
    assert fs.read("a") == Ok(data)
    assert fs.stat("a").value.size == len(data)


def test_a_write_replaces_all_of_a_file_also_by_less(fs: FsPort) -> None:
    put(fs, "a", b"a long text")
    fs.write("a", b"short").expect("a write")
    assert fs.read("a") == Ok(b"short")


def test_an_append_adds_at_the_end_and_makes_the_file_if_need_be(fs: FsPort) -> None:
    assert fs.append("log", b"one\n") == Ok(None)
    assert fs.append("log", b"two\n") == Ok(None)
    assert fs.read("log") == Ok(b"one\ntwo\n")


def test_bytes_given_are_copied_not_kept(fs: FsPort) -> None:
    data = b"abc"
    fs.write("a", data).expect("a write")
    read = fs.read("a").value
    assert type(read) is bytes
    assert read == b"abc"


def test_a_file_as_large_as_the_limit_is_read_and_one_byte_more_is_too_large(fs: FsPort) -> None:
    put(fs, "a", b"12345")
    assert fs.read("a", 5) == Ok(b"12345")
    refused = fs.read("a", 4).error
    assert refused.code == "too-large"
    assert "a holds more than 4 bytes" in refused.message


# --- what is there ---


def test_stat_tells_files_folders_and_nothing_apart(fs: FsPort) -> None:
    put(fs, "folder/a", b"12")
    assert (fs.stat("folder/a").value.kind, fs.stat("folder/a").value.size) == ("file", 2)
    assert (fs.stat("folder").value.kind, fs.stat("folder").value.size) == ("folder", 0)
    assert fs.stat("").value.kind == "folder"
    assert fs.stat("folder/b") == Ok(None)
    assert fs.stat("no/folder/b") == Ok(None)


def test_a_list_holds_the_sorted_names_of_one_folder(fs: FsPort) -> None:
    for path in ("b", "a", "folder/c", "folder/deep/d", ".hidden", "é"):
        put(fs, path)
    assert fs.list("") == Ok((".hidden", "a", "b", "folder", "é"))
    assert fs.list("folder") == Ok(("c", "deep"))
    assert fs.list("folder/deep") == Ok(("d",))


def test_a_new_folder_is_empty_and_making_it_twice_is_fine(fs: FsPort) -> None:
    assert fs.mkdir("one/two") == fs.mkdir("one/two") == fs.mkdir("one") == Ok(None)
    assert fs.list("one") == Ok(("two",))
    assert fs.list("one/two") == Ok(())


def test_a_change_moves_the_modification_time_and_reading_does_not(fs: FsPort) -> None:
    put(fs, "a")
    before = fs.stat("a").value.mtime_ns
    fs.read("a").expect("a read")
    fs.sync("a").expect("a sync")
    fs.list("").expect("a list")
    with fs.lock("a", 100).value:
        pass
    assert fs.stat("a").value.mtime_ns == before
    for _ in range(50):  # a coarse disk clock may need a few writes to be seen moving
        put(fs, "a", b"other")
        if fs.stat("a").value.mtime_ns > before:
            return
        time.sleep(0.002)
    raise AssertionError("fifty writes, and the modification time stands still")


# --- replace ---


def test_replace_moves_the_bytes_and_the_source_is_gone(fs: FsPort) -> None:
    put(fs, "old", b"old")
    put(fs, "new", b"new")
    assert fs.replace("new", "old") == Ok(None)
    assert fs.read("old") == Ok(b"new")
    assert fs.stat("new") == Ok(None)


def test_replace_makes_a_target_that_was_not_there(fs: FsPort) -> None:
    put(fs, "new", b"new")
    fs.mkdir("folder").expect("a folder")
    assert fs.replace("new", "folder/a") == Ok(None)
    assert fs.read("folder/a") == Ok(b"new")


def test_replace_by_itself_changes_nothing(fs: FsPort) -> None:
    put(fs, "a", b"same")
    assert fs.replace("a", "a") == Ok(None)
    assert fs.read("a") == Ok(b"same")


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("absent", "file", "missing"),
        ("absent", "absent too", "missing"),
        ("folder", "file", "is-folder"),
        ("folder", "new name", "is-folder"),
        ("file", "folder", "is-folder"),
        ("file", "no folder/a", "missing"),
        ("file", "file/a", "io"),
        ("file", "../a", "outside-root"),
        ("../a", "file", "outside-root"),
    ],
)
def test_a_replace_that_cannot_be_done_changes_nothing(
    fs: FsPort, source: str, target: str, code: str
) -> None:
    put(fs, "file", b"file")
    put(fs, "folder/inside", b"inside")
    assert fs.replace(source, target).error.code == code
    assert fs.list("") == Ok(("file", "folder"))
    assert fs.read("file") == Ok(b"file")
    assert fs.read("folder/inside") == Ok(b"inside")


# --- only temporary files go ---


def test_a_temporary_file_can_be_removed(fs: FsPort) -> None:
    put(fs, "folder/.a.md.tmp")
    assert fs.remove_temp("folder/.a.md.tmp") == Ok(None)
    assert fs.list("folder") == Ok(())


@pytest.mark.parametrize(
    "path", ["a.md", "a.tmp", ".a.md", "..tmp", ".tmp", ".a.tmp/a", "a.md.tmp"]
)
def test_nothing_else_can_be_removed(fs: FsPort, path: str) -> None:
    put(fs, path)
    assert fs.remove_temp(path).error.code == "denied"
    assert fs.read(path) == Ok(b"bytes")


def test_a_folder_named_like_a_temporary_file_stays(fs: FsPort) -> None:
    fs.mkdir(".a.tmp").expect("a folder")
    assert fs.remove_temp(".a.tmp").error.code == "is-folder"
    assert fs.stat(".a.tmp").value.kind == "folder"


def test_removing_a_temporary_file_that_is_not_there_is_missing(fs: FsPort) -> None:
    assert fs.remove_temp(".a.tmp").error.code == "missing"


# --- every refusal has its code ---

REFUSALS = [
    ("read", ("absent",), "missing"),
    ("sync", ("absent",), "missing"),
    ("list", ("absent",), "missing"),
    ("sync_dir", ("absent",), "missing"),
    ("write", ("absent/a", b""), "missing"),
    ("append", ("absent/a", b""), "missing"),
    ("read", ("folder",), "is-folder"),
    ("sync", ("folder",), "is-folder"),
    ("write", ("folder", b""), "is-folder"),
    ("append", ("folder", b""), "is-folder"),
    ("read", ("",), "is-folder"),
    ("write", ("", b""), "is-folder"),
    ("list", ("file",), "io"),
    ("sync_dir", ("file",), "io"),
    ("mkdir", ("file",), "io"),
    ("mkdir", ("file/deep/er",), "io"),
    ("stat", ("file/a",), "io"),
    ("read", ("file/a",), "io"),
    ("sync", ("file/a",), "io"),
    ("list", ("file/a",), "io"),
    ("sync_dir", ("file/a",), "io"),
    ("write", ("file/a", b""), "io"),
    ("append", ("file/a", b""), "io"),
    ("remove_temp", ("file/.a.tmp",), "io"),
    ("lock", ("file/a", 10), "io"),
]


@pytest.mark.parametrize(("operation", "arguments", "code"), REFUSALS)
def test_a_refusal_has_its_code_names_the_path_and_changes_nothing(
    fs: FsPort, operation: str, arguments: tuple[object, ...], code: str
) -> None:
    put(fs, "file", b"file")
    put(fs, "folder/inside", b"inside")
    error = getattr(fs, operation)(*arguments).error
    assert error.code == code
    assert str(arguments[0]) in error.message
    assert fs.list("") == Ok(("file", "folder"))
    assert fs.read("file") == Ok(b"file")


# --- nothing outside the root ---

OUTSIDE = {
    "climbs": "../a",
    "climbs later": "folder/../../a",
    "climbs and comes back": "folder/../a",
    "climbs at the end": "folder/..",
    "absolute": "/a",
    "backslash": "folder\\a",
    "drive": "C:/a",
    "NUL": "a\0b",
    "lone surrogate": "\ud800",
    "bytes": b"a",
    "number": 5,
    "nothing": None,
    "many digits": 10**5000,
    "liar": Liar(),
}

CALLS: dict[str, Callable[[FsPort, object], object]] = {
    "stat": lambda fs, path: fs.stat(path),
    "read": lambda fs, path: fs.read(path),
    "write": lambda fs, path: fs.write(path, b""),
    "append": lambda fs, path: fs.append(path, b""),
    "sync": lambda fs, path: fs.sync(path),
    "replace from": lambda fs, path: fs.replace(path, "a"),
    "replace to": lambda fs, path: fs.replace(".a.tmp", path),
    "sync_dir": lambda fs, path: fs.sync_dir(path),
    "list": lambda fs, path: fs.list(path),
    "mkdir": lambda fs, path: fs.mkdir(path),
    "remove_temp": lambda fs, path: fs.remove_temp(path),
    "lock": lambda fs, path: fs.lock(path, 10),
    "read_text": lambda fs, path: fs.read_text(path),
}


@pytest.mark.parametrize("path", OUTSIDE.values(), ids=OUTSIDE)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_path_that_is_not_inside_the_root_is_refused(
    fs: FsPort, tmp_path: Path, call: Callable[[FsPort, object], object], path: object
) -> None:
    put(fs, ".a.tmp")
    before = sorted(tmp_path.parent.rglob("*"))
    error = call(fs, path).error
    assert error.code == "outside-root"
    assert len(error.message) < 250
    assert sorted(tmp_path.parent.rglob("*")) == before


@pytest.mark.parametrize("path", ["folder/a", "./folder/a", "folder//a", "folder/./a", "folder/a/"])
def test_slashes_and_dots_that_go_nowhere_mean_the_same_file(fs: FsPort, path: str) -> None:
    put(fs, "folder/a", b"same")
    assert fs.read(path) == Ok(b"same")


@pytest.mark.parametrize("data", ["text", 5, None, [1], Liar()], ids=range(5))
@pytest.mark.parametrize("operation", ["write", "append"])
def test_data_that_is_not_bytes_is_refused(fs: FsPort, operation: str, data: object) -> None:
    put(fs, "a", b"old")
    assert getattr(fs, operation)("a", data).error.code == "io"
    assert fs.read("a") == Ok(b"old")


# --- locks ---


def test_a_lock_holds_its_path_alone_until_its_context_ends(fs: FsPort) -> None:
    with fs.lock("a", 10).value:
        refused = fs.lock("a", 0).error
        assert refused.code == "lock-timeout"
        assert "a is locked" in refused.message
        with fs.lock("b", 10).value:
            pass  # another path is free
    with fs.lock("a", 10).value:
        pass


def test_a_lock_is_released_when_the_work_under_it_raises(fs: FsPort) -> None:
    with pytest.raises(ZeroDivisionError), fs.lock("a", 10).value:
        raise ZeroDivisionError
    assert fs.lock("a", 10).ok


def test_a_locked_file_can_be_read_and_written_by_the_one_who_holds_it(fs: FsPort) -> None:
    with fs.lock("folder/a", 10).value:
        put(fs, "folder/a", b"new")
        assert fs.read("folder/a") == Ok(b"new")


def test_one_file_has_one_lock_however_its_path_is_written(fs: FsPort) -> None:
    fs.mkdir("folder").expect("a folder")
    with fs.lock("folder/a", 10).value:
        assert fs.lock("./folder//a", 0).error.code == "lock-timeout"


# --- the conveniences ---


@pytest.mark.parametrize("text", ["", "é § 😀\n", "a\r\nb\rc", "\ufeffwith a mark", "\0"])
def test_text_is_written_as_it_is_and_parents_are_made(fs: FsPort, text: str) -> None:
    assert fs.write_text("one/two/a", text) == Ok(None)
    assert fs.read_text("one/two/a") == Ok(text)
    assert fs.read("one/two/a") == Ok(text.encode("utf-8"))
    assert fs.list("one/two") == Ok(("a",))


def test_text_that_is_not_utf8_is_an_io_error(fs: FsPort) -> None:
    put(fs, "a", b"\xff")
    error = fs.read_text("a").error
    assert (error.code, error.message) == ("io", "a: byte 0 is not UTF-8")


@pytest.mark.parametrize("text", ["\ud800", 5, None, b"bytes"])
def test_text_that_cannot_be_written_leaves_the_old_one(fs: FsPort, text: object) -> None:
    put(fs, "a", b"old")
    assert not fs.write_text("a", text).ok
    assert fs.read_text("a") == Ok("old")


def test_read_text_says_why_there_is_nothing_to_read(fs: FsPort) -> None:
    assert fs.read_text("a").error.code == "missing"


# --- write_atomic over the real primitives ---


def test_an_atomic_write_leaves_the_new_bytes_and_no_other_name(fs: FsPort) -> None:
    assert write_atomic(fs, "one/two/a", b"new") == Ok(None)
    assert write_atomic(fs, "one/two/a", b"newer") == Ok(None)
    assert (fs.list("one/two"), fs.read("one/two/a")) == (Ok(("a",)), Ok(b"newer"))


def test_a_sweep_removes_what_a_crash_left(fs: FsPort) -> None:
    put(fs, "a", b"old")
    put(fs, ".a.tmp", b"torn")
    sweep_temp(fs, "a")
    assert fs.list("") == Ok(("a",))
