"""What public reports said of the files under a store, and what is right."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from alembic_sim import Add, DiskFs, MemoryStore
from tests.cases.reports import Case, check, given, of, steps

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and links are POSIX's")


def mode_of(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.fixture
def strict_umask() -> Iterator[int]:
    """A umask under which a new file is its owner's alone."""
    before = os.umask(0o077)
    yield 0o077
    os.umask(before)


@of("FS-01")
def test_an_atomic_write_keeps_the_mode_and_a_new_file_follows_the_umask(
    case: Case, tmp_path: Path, strict_umask: int
) -> None:
    file = tmp_path / "memory/MEMORY.md"
    file.parent.mkdir()
    file.write_text("old", encoding="utf-8")
    file.chmod(int(given(case)["mode"], 8))
    store = MemoryStore(DiskFs(tmp_path))
    store.apply("memory", Add("new")).expect("a write over a file")
    store.apply("user", Add("new")).expect("a write of a new file")
    assert mode_of(file) == int(check(case)["mode"], 8)
    assert mode_of(tmp_path / "memory/USER.md") == 0o666 & ~strict_umask


@of("FS-02")
def test_a_write_through_a_link_inside_the_root_leaves_the_link_and_changes_its_target(
    case: Case, tmp_path: Path
) -> None:
    link = linked(tmp_path, case, target=tmp_path / "root/shared/MEMORY.md")
    [step] = steps(case)
    fs = DiskFs(tmp_path / "root")
    fs.write_text("memory/MEMORY.md", step["content"]).expect("a write through the link")
    assert link.is_symlink() is check(case)["still_symlink"]
    target = tmp_path / "root/shared/MEMORY.md"
    assert target.read_text(encoding="utf-8") == check(case)["inside"]
    MemoryStore(fs).apply("memory", Add("more")).expect("the store's own write")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new\n§\nmore"


@of("FS-02")
def test_a_write_through_a_link_that_leaves_the_root_is_refused(case: Case, tmp_path: Path) -> None:
    outside = tmp_path / "shared/MEMORY.md"
    link = linked(tmp_path, case, target=outside)
    [step] = steps(case)
    fs = DiskFs(tmp_path / "root")
    fs.write("memory/.MEMORY.md.tmp", step["content"].encode("utf-8")).expect("a temporary file")
    for refused in (
        fs.replace("memory/.MEMORY.md.tmp", "memory/MEMORY.md"),
        fs.write("memory/MEMORY.md", b"new"),
    ):
        assert f"err {refused.error.code}" == check(case)["outside"]
    assert not MemoryStore(fs).apply("memory", Add(step["content"])).ok
    assert not fs.write_text("memory/MEMORY.md", step["content"]).ok
    assert link.is_symlink()
    assert outside.read_text(encoding="utf-8") == "old"


def linked(tmp_path: Path, case: Case, target: Path) -> Path:
    """`root/memory/MEMORY.md`, a relative link to the target, which holds `old`."""
    name, arrow, _shared = given(case)["layout"].split()
    assert arrow == "->"
    link = tmp_path / "root/memory" / name
    for folder in (link.parent, target.parent):
        folder.mkdir(parents=True, exist_ok=True)
    target.write_text("old", encoding="utf-8")
    link.symlink_to(os.path.relpath(target, link.parent))
    return link
