"""What a power cut can leave: the rules of real file systems, one by one."""

from __future__ import annotations

from itertools import product

import pytest

from alembic_sim import FaultyFs, MemoryFs, write_atomic
from alembic_sim.adapters.power_cut import PowerCut

OLD = {"a": b"old"}


def trees(fs: FaultyFs) -> list[dict[str, bytes]]:
    return [after.fs.files() for after in fs.crash()]


def started(files: dict[str, bytes] | None = None) -> FaultyFs:
    return FaultyFs(MemoryFs(OLD if files is None else files))


def holding(names: str) -> PowerCut:
    power = PowerCut()
    for name in names:
        power.already_there(name, b"")
    return power


def test_a_write_in_place_can_lose_the_old_bytes_and_the_new_ones() -> None:
    fs = started()
    fs.write("a", b"new")
    assert [t["a"] for t in trees(fs)] == [b"old", b"new", b"", b"n", b"ne"]


def test_a_synced_write_stays() -> None:
    fs = started()
    fs.write("a", b"new")
    fs.sync("a")
    assert trees(fs) == [{"a": b"new"}]


def test_a_new_file_can_lose_its_name_although_its_bytes_are_synced() -> None:
    fs = started()
    fs.write("b", b"new")
    fs.sync("b")
    assert trees(fs) == [OLD, {**OLD, "b": b"new"}]
    fs.sync_dir("")
    assert trees(fs) == [{**OLD, "b": b"new"}]


def test_a_new_file_can_keep_its_name_and_lose_its_bytes() -> None:
    fs = started()
    fs.write("b", b"new")
    fs.sync_dir("")
    assert {**OLD, "b": b""} in trees(fs)


def test_a_rename_can_be_undone_until_the_folder_is_synced() -> None:
    fs = started({"a": b"old", ".a.tmp": b"new"})
    fs.replace(".a.tmp", "a")
    assert trees(fs) == [{"a": b"old", ".a.tmp": b"new"}, {"a": b"new"}]
    fs.sync_dir("")
    assert trees(fs) == [{"a": b"new"}]


def test_without_a_sync_before_the_rename_the_name_can_arrive_before_the_bytes() -> None:
    """The mistake that write_atomic avoids: an empty file in the place of the old one."""
    fs = started()
    fs.write(".a.tmp", b"new")
    fs.replace(".a.tmp", "a")
    fs.sync_dir("")
    assert {"a": b""} in trees(fs)
    assert {"a": b"ne"} in trees(fs)


def test_later_effects_can_arrive_without_earlier_ones() -> None:
    fs = started({"a": b"", "b": b""})
    fs.write("a", b"1")
    fs.write("b", b"2")
    reordered = [after.fs.files() for after in fs.crash() if after.kind == "reordered"]
    assert reordered == [{"a": b"", "b": b"2"}]


def test_a_later_append_can_arrive_without_an_earlier_one_and_leaves_zeros_for_it() -> None:
    fs = started({"log": b"0"})
    fs.append("log", b"11")
    fs.append("log", b"2")
    whole = {after.fs.files()["log"] for after in fs.crash() if after.kind != "torn"}
    assert whole == {b"0", b"011", b"0112", b"0\0\x002"}
    torn = {after.fs.files()["log"] for after in fs.crash() if after.kind == "torn"}
    assert torn == {b"01", b"01\x002", b"0\0\0"}


def test_a_new_folder_can_be_lost_with_all_that_is_in_it() -> None:
    fs = started({})
    fs.mkdir("one/two")
    fs.write("one/two/a", b"new")
    fs.sync("one/two/a")
    fs.sync_dir("one/two")
    assert {} in trees(fs)
    fs.sync_dir("one")
    assert {} in trees(fs), "its parent's name is not durable yet"
    fs.sync_dir("")
    assert trees(fs) == [{"one/two/a": b"new"}]


def test_a_removal_can_be_undone() -> None:
    fs = started({".a.tmp": b"torn"})
    fs.remove_temp(".a.tmp")
    assert trees(fs) == [{".a.tmp": b"torn"}, {}]
    fs.sync_dir("")
    assert trees(fs) == [{}]


def test_a_rename_to_another_folder_is_settled_by_that_folders_sync() -> None:
    fs = started({"new": b"new", "folder/a": b"old"})
    fs.replace("new", "folder/a")
    fs.sync_dir("folder")
    assert trees(fs) == [{"folder/a": b"new"}]


def test_a_rename_over_itself_changes_nothing() -> None:
    fs = started()
    fs.replace("a", "a")
    assert trees(fs) == [OLD]


def test_an_atomic_write_leaves_old_or_new_whatever_happens_at_whatever_step() -> None:
    fs = started()
    write_atomic(fs, "a", b"new").expect("a write")
    assert trees(fs) == [{"a": b"new"}]


@pytest.mark.parametrize(("size", "cuts"), [(0, 0), (1, 1), (16, 16), (17, 4), (5000, 4)])
def test_few_bytes_are_torn_anywhere_and_many_at_four_places(size: int, cuts: int) -> None:
    power = holding("a")
    power.appended("a", b"x" * size)
    torn = [after for after in power.aftermaths() if after.kind == "torn"]
    lengths = {len(after.tree["a"]) for after in power.aftermaths()}
    assert lengths >= {0, min(1, size), max(0, size - 1), size}
    assert len(torn) == max(0, cuts - 1), "torn at byte 0 is the same as lost"


def test_up_to_six_effects_survive_in_every_combination() -> None:
    power = holding("abcdef")
    for name in "abcdef":
        power.appended(name, b"x")
    found = [tuple(after.tree.values()) for after in power.aftermaths()]
    assert set(found) == set(product([b"", b"x"], repeat=6))
    assert len(found) == 64, "each of them once"


def test_of_more_effects_the_first_ones_the_single_ones_and_all_but_one_survive() -> None:
    power = holding("abcdefgh")
    for name in "abcdefgh":
        power.appended(name, b"x")
    whole = [after.tree for after in power.aftermaths() if after.kind != "torn"]
    found = ["".join(name for name, data in tree.items() if data) for tree in whole]
    assert found[:9] == ["abcdefgh"[:n] for n in range(9)]
    assert set(found[9:]) == {*"bcdefgh", *("abcdefgh".replace(n, "") for n in "abcdefg")}


def test_the_same_steps_give_the_same_aftermaths_in_the_same_order() -> None:
    def steps() -> list[tuple[str, str, dict[str, bytes]]]:
        fs = started()
        fs.mkdir("f")
        fs.write("f/b", b"new")
        fs.append("a", b"er")
        return [(after.kind, after.story, after.fs.files()) for after in fs.crash()]

    assert steps() == steps()
    assert steps()[0] == ("lost", "lost: make folder f, create f/b, write f/b, append a", OLD)
