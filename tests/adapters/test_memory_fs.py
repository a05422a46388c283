"""What MemoryFs has beyond the port: starting files, a view of all bytes, times that repeat."""

from __future__ import annotations

import pytest

from alembic_sim import MemoryFs, Ok


def test_starting_files_may_be_text_or_bytes_and_their_folders_are_made() -> None:
    fs = MemoryFs({"b/c.md": "é", "a.md": b"\xff"})
    assert fs.files() == {"a.md": b"\xff", "b/c.md": b"\xc3\xa9"}
    assert list(fs.files()) == ["a.md", "b/c.md"], "sorted by path"
    assert fs.list("b") == Ok(("c.md",))


def test_the_view_of_the_files_is_a_copy() -> None:
    fs = MemoryFs({"a.md": "text"})
    fs.files().clear()
    assert fs.files() == {"a.md": b"text"}


@pytest.mark.parametrize(
    "files", [{"../a": ""}, {"/a": ""}, {"": "x"}, {"a": "", "a/b": ""}, {5: "x"}, {"a": 5}]
)
def test_an_impossible_starting_file_is_refused(files: dict[object, object]) -> None:
    with pytest.raises(ValueError, match="impossible file in MemoryFs"):
        MemoryFs(files)


@pytest.mark.parametrize("files", ["x", "", 5, 0, [], [("a", "b")], b"a"], ids=range(7))
def test_what_is_no_mapping_of_files_is_refused(files: object) -> None:
    with pytest.raises(ValueError, match=r"^files: .* is not a mapping of paths to bytes or text$"):
        MemoryFs(files)


def test_the_same_steps_give_the_same_modification_times() -> None:
    def steps() -> list[int]:
        fs = MemoryFs({"a": "1"})
        fs.write("b", b"2")
        fs.append("a", b"3")
        fs.replace("b", "c")
        return [fs.stat(name).value.mtime_ns for name in ("a", "c")]

    assert steps() == steps() == [3, 2]


def test_a_rename_keeps_the_time_of_the_bytes() -> None:
    fs = MemoryFs({"a": "1"})
    before = fs.stat("a").value.mtime_ns
    fs.replace("a", "b").expect("a rename")
    assert fs.stat("b").value.mtime_ns == before


def test_two_file_systems_share_nothing() -> None:
    one, two = MemoryFs(), MemoryFs()
    one.write("a", b"1").expect("a write")
    with one.lock("a", 0).value:
        assert two.lock("a", 0).ok
    assert two.files() == {}
