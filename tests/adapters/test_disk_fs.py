"""What DiskFs owes to a real disk: modes, links, pipes, locks between processes."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from alembic_sim import Add, DiskFs, MemoryStore, Ok, write_atomic
from alembic_sim.durable import sweep_temp
from alembic_sim.ports.fs import FsError
from tests.meddled_fs import Liar

posix = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes are POSIX's")


@pytest.fixture
def fs(tmp_path: Path) -> DiskFs:
    root = tmp_path / "root"
    root.mkdir()
    return DiskFs(root)


@pytest.fixture
def umask_027() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# --- the root ---


@pytest.mark.parametrize("path", ["a.md", "deep/er/a.md"])
def test_a_root_that_does_not_exist_yet_is_made_by_the_first_write(
    tmp_path: Path, path: str
) -> None:
    fs = DiskFs(tmp_path / "new" / "root")
    assert fs.stat("") == Ok(None)
    assert fs.write_text(path, "text").ok
    assert (tmp_path / "new" / "root" / path).read_text(encoding="utf-8") == "text"


def test_looking_at_a_root_that_does_not_exist_makes_nothing(tmp_path: Path) -> None:
    fs = DiskFs(tmp_path / "new")
    assert fs.read("a.md").error.code == fs.list("").error.code == "missing"
    assert MemoryStore(fs).load().value.warnings == ()
    assert list(tmp_path.iterdir()) == []


def test_a_root_given_as_text_is_a_root_and_stays_where_it_was_when_the_process_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    fs = DiskFs("root")
    monkeypatch.chdir(tmp_path / "elsewhere")
    fs.write_text("a.md", "text").expect("a write")
    assert (tmp_path / "root" / "a.md").is_file()


@posix
def test_a_root_that_is_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    DiskFs(tmp_path / "link").write_text("a.md", "text").expect("a write")
    assert (tmp_path / "real" / "a.md").is_file()


def test_two_roots_whose_names_begin_alike_are_two_roots(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root-secret").mkdir()
    (tmp_path / "root" / "out").symlink_to(tmp_path / "root-secret")
    assert DiskFs(tmp_path / "root").list("out").error.code == "outside-root"


# --- modes ---


@posix
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o664, 0o444, 0o755])
def test_an_atomic_write_keeps_the_mode_of_the_file_it_replaces(fs: DiskFs, bits: int) -> None:
    target = fs.root / "a.md"
    target.write_text("old", encoding="utf-8")
    target.chmod(bits)
    assert write_atomic(fs, "a.md", b"new") == Ok(None)
    assert (mode(target), target.read_bytes()) == (bits, b"new")


@posix
@pytest.mark.usefixtures("umask_027")
def test_a_new_file_follows_the_umask(fs: DiskFs) -> None:
    assert write_atomic(fs, "folder/a.md", b"new") == Ok(None)
    assert mode(fs.root / "folder" / "a.md") == 0o640
    assert mode(fs.root / "folder") == 0o750


# --- links ---


@posix
def test_a_link_inside_the_root_is_written_through_and_stays_a_link(fs: DiskFs) -> None:
    (fs.root / "shared").mkdir()
    (fs.root / "shared" / "real.md").write_text("old", encoding="utf-8")
    (fs.root / "a.md").symlink_to("shared/real.md")
    assert write_atomic(fs, "a.md", b"new") == Ok(None)
    assert (fs.root / "a.md").is_symlink()
    assert (fs.root / "shared" / "real.md").read_bytes() == b"new"
    assert fs.read("a.md") == Ok(b"new")
    assert names_in(fs.root) == ["a.md", "shared"]
    assert names_in(fs.root / "shared") == ["real.md"]


@posix
def test_a_link_to_nothing_inside_the_root_is_written_through_too(fs: DiskFs) -> None:
    (fs.root / "a.md").symlink_to("real.md")
    assert fs.stat("a.md") == Ok(None)
    assert write_atomic(fs, "a.md", b"new") == Ok(None)
    assert (fs.root / "a.md").is_symlink()
    assert (fs.root / "real.md").read_bytes() == b"new"


@posix
@pytest.mark.parametrize("link_to", ["../secret.md", "../secret-folder/a.md", "{absolute}"])
def test_a_link_that_leaves_the_root_is_refused_and_what_it_points_to_untouched(
    fs: DiskFs, tmp_path: Path, link_to: str
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret", encoding="utf-8")
    (tmp_path / "secret-folder").mkdir()
    (fs.root / "a.md").symlink_to(link_to.format(absolute=secret))
    for refused in (
        fs.stat("a.md"),
        fs.read("a.md"),
        fs.write("a.md", b"new"),
        fs.append("a.md", b"new"),
        fs.sync("a.md"),
    ):
        assert refused.error.code == "outside-root"
    assert write_atomic(fs, "a.md", b"new").error.code == "write-failed"
    assert secret.read_text(encoding="utf-8") == "secret"
    assert names_in(tmp_path / "secret-folder") == []
    assert names_in(fs.root) == ["a.md"], "no temporary file stays"


@posix
def test_a_folder_link_that_leaves_the_root_is_refused(fs: DiskFs, tmp_path: Path) -> None:
    (fs.root / "out").symlink_to(tmp_path)
    for refused in (
        fs.list("out"),
        fs.mkdir("out/new"),
        fs.write("out/a.md", b"new"),
        fs.lock("out/a.md", 10),
        fs.remove_temp("out/.a.tmp"),
        fs.sync_dir("out"),
    ):
        assert refused.error.code == "outside-root"
    assert names_in(tmp_path) == ["root"]


@posix
def test_a_link_that_turns_in_a_circle_cannot_be_read_and_never_hangs(fs: DiskFs) -> None:
    (fs.root / "a").symlink_to("b")
    (fs.root / "b").symlink_to("a")
    assert not fs.read("a").ok
    assert write_atomic(fs, "a", b"new").ok == (fs.read("a") == Ok(b"new"))


@posix
@pytest.mark.parametrize("points_to", ["MEMORY.md", "../outside.md", "nothing.md"])
def test_a_sweep_removes_a_planted_link_and_never_what_it_points_to(
    fs: DiskFs, tmp_path: Path, points_to: str
) -> None:
    (fs.root / "MEMORY.md").write_text("precious", encoding="utf-8")
    (tmp_path / "outside.md").write_text("precious", encoding="utf-8")
    (fs.root / ".MEMORY.md.tmp").symlink_to(points_to)
    sweep_temp(fs, "MEMORY.md")
    assert names_in(fs.root) == ["MEMORY.md"]
    assert (fs.root / "MEMORY.md").read_text(encoding="utf-8") == "precious"
    assert (tmp_path / "outside.md").read_text(encoding="utf-8") == "precious"
    assert write_atomic(fs, "MEMORY.md", b"new") == Ok(None)


# --- pipes ---


@posix
@pytest.mark.parametrize("operation", ["read", "write", "append", "sync", "stat"])
def test_a_named_pipe_is_refused_and_never_waited_for(fs: DiskFs, operation: str) -> None:
    os.mkfifo(fs.root / "pipe")
    arguments = ("pipe", b"data") if operation in ("write", "append") else ("pipe",)
    answers: list[object] = []
    worker = threading.Thread(
        target=lambda: answers.append(getattr(fs, operation)(*arguments)), daemon=True
    )
    worker.start()
    worker.join(timeout=2)
    if worker.is_alive():  # let it go, so that only this test is red
        os.close(os.open(fs.root / "pipe", os.O_RDWR | os.O_NONBLOCK))
        pytest.fail(f"{operation} waits for the other end of a pipe")
    assert answers[0].error.code == "io"
    if operation in ("read", "sync", "stat"):  # refused unopened: opening a device may do something
        assert answers[0].error.message == "pipe: not a file"


@posix
@pytest.mark.parametrize("operation", ["write", "append"])
def test_a_named_pipe_with_a_reader_is_refused_too(fs: DiskFs, operation: str) -> None:
    os.mkfifo(fs.root / "pipe")
    reader = os.open(fs.root / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert getattr(fs, operation)("pipe", b"data").error.code == "io"
        assert os.read(reader, 10) == b""
    finally:
        os.close(reader)


@posix
def test_a_memory_file_that_is_a_pipe_is_unreadable(fs: DiskFs) -> None:
    (fs.root / "memory").mkdir()
    os.mkfifo(fs.root / "memory" / "MEMORY.md")
    store = MemoryStore(fs)
    assert "MEMORY.md" in store.load().value.warnings[0]
    assert store.apply("memory", Add("x")).error.code == "unreadable"


def special_file(kind: str, path: Path) -> None:
    """A named pipe, a bound socket, or a link to one of them inside the root."""
    if kind == "link":
        os.mkfifo(path.with_name("pipe"))
        path.symlink_to("pipe")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(os.path.relpath(path))  # a socket's whole path may hold 100 bytes or so


@posix
@pytest.mark.parametrize("kind", ["pipe", "socket", "link"])
def test_a_special_file_is_never_replaced_by_a_regular_one(fs: DiskFs, kind: str) -> None:
    """Found with `lint --junit /dev/full`, which made a file of a device."""
    special_file(kind, fs.root / "f")
    before = os.lstat(fs.root / "f")
    assert fs.stat("f").error == FsError("io", "f: not a file")
    error = write_atomic(fs, "f", b"x").error
    assert (error.code, "f: not a file" in error.message) == ("write-failed", True)
    assert not fs.write_text("f", "x").ok
    fs.write(".f.tmp", b"x").expect("a temporary file")
    assert fs.replace(".f.tmp", "f").error == FsError("io", "f: not a file")
    after = os.lstat(fs.root / "f")
    assert (after.st_mode, after.st_ino) == (before.st_mode, before.st_ino)


@posix
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_a_special_file_is_not_moved_over_a_regular_one(fs: DiskFs, kind: str) -> None:
    special_file(kind, fs.root / ".a.tmp")
    fs.write("a", b"precious").expect("a file")
    assert fs.replace(".a.tmp", "a").error.code == "io"
    assert fs.read("a") == Ok(b"precious")


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices here")
def test_a_device_is_looked_at_and_named_no_file() -> None:
    assert DiskFs("/dev").stat("null").error.code == "io"
    assert DiskFs("/dev").read("null").error.code == "io"


# --- roots ---


class RaisingPath(os.PathLike):
    def __fspath__(self) -> str:
        raise RuntimeError("no path")


@pytest.mark.parametrize(
    "root",
    [None, 5, range(3), b"bytes", ["a"], "a\0b", "\ud800", RaisingPath(), Liar()],
    ids=range(9),
)
def test_a_root_that_no_folder_can_have_is_refused_at_construction(root: object) -> None:
    with pytest.raises(ValueError, match=r"^root: .* is not a path: "):
        DiskFs(root)


@pytest.mark.parametrize("name", ["monotonic", "sleep"])
def test_a_time_that_cannot_be_called_is_refused_at_construction(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"^{name}: 5 cannot be called"):
        DiskFs(tmp_path, **{name: 5})


# --- locks ---


class TickingTime:
    """A monotonic clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds


def test_a_lock_waits_as_long_as_it_was_told_and_no_real_time(tmp_path: Path) -> None:
    time = TickingTime()
    waiting = DiskFs(tmp_path, monotonic=time, sleep=time.sleep)
    with DiskFs(tmp_path).lock("a", 0).value:
        refused = waiting.lock("a", 5_000).error
    assert refused.code == "lock-timeout"
    assert "5000 ms" in refused.message
    assert 105.0 <= time.now_s <= 105.1


def test_a_lock_that_is_given_back_while_waiting_is_taken(tmp_path: Path) -> None:
    time = TickingTime()
    held = DiskFs(tmp_path).lock("a", 0).value
    held.__enter__()

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        if len(time.slept) == 3:
            held.__exit__(None, None, None)

    taken = DiskFs(tmp_path, monotonic=time, sleep=sleep).lock("a", 5_000)
    assert taken.ok
    assert len(time.slept) == 3


def test_a_deadline_of_nothing_asks_once_and_does_not_sleep(tmp_path: Path) -> None:
    time = TickingTime()
    with DiskFs(tmp_path).lock("a", 0).value:
        assert not DiskFs(tmp_path, monotonic=time, sleep=time.sleep).lock("a", 0).ok
    assert time.slept == []


def test_a_lock_stands_in_a_file_beside_what_it_guards_and_makes_its_folder(fs: DiskFs) -> None:
    with fs.lock("memory/MEMORY.md", 10).value:
        assert names_in(fs.root / "memory") == ["MEMORY.md.lock"]


@pytest.mark.parametrize("in_the_way", ["folder", "link out"])
def test_a_lock_file_that_cannot_be_one_is_an_error_value(
    fs: DiskFs, tmp_path: Path, in_the_way: str
) -> None:
    if in_the_way == "folder":
        (fs.root / "a.lock").mkdir()
    else:
        (fs.root / "a.lock").symlink_to(tmp_path / "elsewhere")
    assert fs.lock("a", 50).error.code in ("io", "is-folder", "denied", "outside-root")
    assert not (tmp_path / "elsewhere").exists()


HOLDER = """
import sys
from alembic_sim import DiskFs
with DiskFs(sys.argv[1]).lock("memory/MEMORY.md", 1000).value:
    print("held", flush=True)
    sys.stdin.readline()
print("released", flush=True)
"""


def test_a_lock_held_by_another_process_is_a_timeout_then_free(tmp_path: Path) -> None:
    time = TickingTime()
    fs = DiskFs(tmp_path, monotonic=time, sleep=time.sleep)
    store = MemoryStore(fs)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        refused = store.apply("memory", Add("a fact")).error
        assert refused.code == "lock-timeout"
        assert fs.stat("memory/MEMORY.md") == Ok(None), "nothing was written"
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "released\n"
    assert store.apply("memory", Add("a fact")).ok


def test_a_lock_of_a_process_that_died_is_free(tmp_path: Path) -> None:
    dies = HOLDER.replace('print("held", flush=True)', "import os; os._exit(9)")
    done = subprocess.run([sys.executable, "-c", dies, str(tmp_path)], check=False)
    assert done.returncode == 9
    assert DiskFs(tmp_path).lock("memory/MEMORY.md", 0).ok


ADDS_TWENTY = """
import sys
from alembic_sim import Add, DiskFs, MemoryStore
store = MemoryStore(DiskFs(sys.argv[1]))
for number in range(20):
    store.apply("memory", Add(f"{sys.argv[2]} {number}")).expect("an add")
"""


def test_two_processes_that_add_to_one_file_lose_nothing(tmp_path: Path) -> None:
    workers = [
        subprocess.Popen([sys.executable, "-c", ADDS_TWENTY, str(tmp_path), name])
        for name in ("left", "right")
    ]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    entries = MemoryStore(DiskFs(tmp_path)).entries("memory")
    expected = {f"{name} {number}" for name in ("left", "right") for number in range(20)}
    assert len(entries) == 40
    assert set(entries) == expected


# --- the system's own errors ---


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "Permission denied"), "denied"),
        (OSError(28, "No space left on device"), "no-space"),
        (FileNotFoundError(2, "No such file"), "missing"),
        (IsADirectoryError(21, "Is a directory"), "is-folder"),
        (OSError(5, "Input/output error"), "io"),
        (OSError("without a number"), "io"),
    ],
)
def test_what_the_system_says_becomes_a_code(
    fs: DiskFs, monkeypatch: pytest.MonkeyPatch, error: OSError, code: str
) -> None:
    def refuses(*_args: object) -> int:
        raise error

    (fs.root / "a.md").write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "open", refuses)
    got = fs.write("a.md", b"new").error
    monkeypatch.undo()
    assert got.code == code
    assert got.message.startswith("a.md: ")
    assert (fs.root / "a.md").read_bytes() == b"old"


def test_a_name_that_is_too_long_for_the_disk_is_an_error_value(fs: DiskFs) -> None:
    assert fs.stat("n" * 300).error.code == "io"
    assert write_atomic(fs, "n" * 300, b"").error.code == "write-failed"


def test_a_write_that_the_disk_takes_in_pieces_is_whole(
    fs: DiskFs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A raw write may take fewer bytes than it was given; the rest must follow."""
    import io

    class Sluggish(io.FileIO):
        def write(self, data: memoryview) -> int:
            return super().write(bytes(data[:3]))

    monkeypatch.setattr(
        "alembic_sim.adapters.disk_fs.open",
        lambda handle, _mode, buffering: Sluggish(handle, "wb"),
        raising=False,
    )
    assert fs.write("a.md", b"0123456789") == Ok(None)
    assert (fs.root / "a.md").read_bytes() == b"0123456789"


def test_bytes_are_synced_to_the_disk_file_first_then_folder(
    fs: DiskFs, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    real_fsync = os.fsync

    def spy(handle: int) -> None:
        synced.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        real_fsync(handle)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc to see which file is synced")
    monkeypatch.setattr(os, "fsync", spy)
    assert write_atomic(fs, "a.md", b"new") == Ok(None)
    assert synced == [".a.md.tmp", "root"]
