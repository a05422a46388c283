"""What add, replace and remove do to the file, and what their receipts say."""

from __future__ import annotations

import pytest

from alembic_sim import Add, MemoryFs, MemoryStore, Ok, Remove, Replace, WriteReceipt
from tests.meddled_fs import MeddledFs, fails


def started(memory: str = "", user: str = "", **limits: int) -> tuple[MemoryStore, MemoryFs]:
    fs = MemoryFs({"memory/MEMORY.md": memory, "memory/USER.md": user})
    store = MemoryStore(fs, **limits)
    store.load().expect("the session starts")
    return store, fs


def file(fs: MemoryFs, name: str = "MEMORY.md") -> str:
    return fs.read_text(f"memory/{name}").expect("the file")


def test_an_add_goes_to_the_end_of_the_file_at_once() -> None:
    store, fs = started("one")
    receipt = store.apply("memory", Add("two")).expect("an add")
    assert file(fs) == "one\n§\ntwo"
    assert receipt == WriteReceipt("added", "memory", "two", None, 0, 9, 2200)
    assert store.entries("memory") == ("one", "two")


def test_each_target_has_its_own_file() -> None:
    store, fs = started()
    store.apply("memory", Add("a note")).expect("an add")
    receipt = store.apply("user", Add("a person")).expect("an add")
    assert (file(fs), file(fs, "USER.md")) == ("a note", "a person")
    assert (receipt.target, receipt.used_chars, receipt.limit_chars) == ("user", 8, 1375)


def test_a_first_write_makes_the_folder() -> None:
    fs = MemoryFs()
    MemoryStore(fs).apply("memory", Add("one")).expect("an add")
    MemoryStore(fs, folder="home/memories").apply("memory", Add("two")).expect("an add")
    assert fs.files() == {"home/memories/MEMORY.md": b"two", "memory/MEMORY.md": b"one"}


def test_an_entry_that_is_already_there_is_reinforced_not_written() -> None:
    fs = MeddledFs(MemoryFs({"memory/MEMORY.md": "one\n§\ntwo"}))
    store = MemoryStore(fs)
    receipt = store.apply("memory", Add(" one\r\n")).expect("an add")
    assert receipt == WriteReceipt("reinforced", "memory", "one", None, 0, 9, 2200)
    assert "write" not in fs.names()


def test_reinforcing_leaves_even_an_untidy_file_as_it_is() -> None:
    untidy = "\ufeffone\r\n§\r\n\r\n§\r\none  "
    store, fs = started(untidy)
    assert store.apply("memory", Add("one")).value.kind == "reinforced"
    assert file(fs) == untidy


def test_a_real_write_tidies_the_file() -> None:
    store, fs = started("\ufeffone\r\n§\r\n\r\n§\r\none  ")
    store.apply("memory", Add("two")).expect("an add")
    assert file(fs) == "one\n§\ntwo"


def test_the_text_is_kept_stripped_and_with_line_feeds() -> None:
    store, fs = started()
    assert store.apply("memory", Add("\ufeff a\r\nb\rc \n")).value.entry == "a\nb\nc"
    assert file(fs) == "a\nb\nc"


def test_replace_swaps_the_whole_entry_in_its_place_not_the_words() -> None:
    store, fs = started("one\n§\nthe user likes tea\n§\nthree")
    receipt = store.apply("memory", Replace("tea", "coffee")).expect("a replace")
    assert file(fs) == "one\n§\ncoffee\n§\nthree"
    assert (receipt.kind, receipt.entry) == ("replaced", "coffee")
    assert (receipt.old_entry, receipt.removed_chars) == ("the user likes tea", 18)
    assert receipt.used_chars == len("one\n§\ncoffee\n§\nthree")


def test_remove_takes_out_the_whole_entry() -> None:
    store, fs = started("one\n§\nthe user likes tea\n§\nthree")
    receipt = store.apply("memory", Remove("likes")).expect("a remove")
    assert file(fs) == "one\n§\nthree"
    assert receipt == WriteReceipt("removed", "memory", None, "the user likes tea", 18, 11, 2200)


def test_removing_the_last_entry_leaves_an_empty_file() -> None:
    store, fs = started("one")
    assert store.apply("memory", Remove("one")).value.used_chars == 0
    assert fs.files()["memory/MEMORY.md"] == b""


@pytest.mark.parametrize(("target", "expected"), [("tea", "tea time"), ("tea time", "tea")])
def test_an_entry_equal_to_the_text_wins_over_those_that_contain_it(
    target: str, expected: str
) -> None:
    store, _fs = started("tea time\n§\ntea")
    store.apply("memory", Remove(target)).expect("a remove")
    assert store.entries("memory") == (expected,)


def test_a_text_with_blanks_around_it_finds_the_entry_too() -> None:
    store, _fs = started("two\nlines")
    assert store.apply("memory", Remove(" two\r\nlines\n")).ok


def test_matching_is_literal_not_by_case_or_pattern() -> None:
    store, _fs = started("A.B\n§\na.b\n§\naxb")
    assert store.apply("memory", Remove("a.b")).value.old_entry == "a.b"
    assert store.apply("memory", Remove("A.")).value.old_entry == "A.B"
    assert store.apply("memory", Remove(".*")).error.code == "no-match"


def test_a_replace_by_a_text_that_exists_later_merges_at_the_earlier_place() -> None:
    store, fs = started("one\n§\ntwo\n§\nthree")
    receipt = store.apply("memory", Replace("one", "three")).expect("a replace")
    assert file(fs) == "three\n§\ntwo"
    assert (receipt.kind, receipt.old_entry) == ("replaced", "one")


def test_a_replace_by_a_text_that_exists_earlier_merges_there() -> None:
    store, fs = started("one\n§\ntwo\n§\nthree")
    store.apply("memory", Replace("three", "one")).expect("a replace")
    assert file(fs) == "one\n§\ntwo"


def test_a_replace_by_itself_succeeds_without_a_write() -> None:
    fs = MeddledFs(MemoryFs({"memory/MEMORY.md": "one"}))
    store = MemoryStore(fs)
    receipt = store.apply("memory", Replace("one", "one")).expect("a replace")
    assert receipt.kind == "replaced"
    assert "write" not in fs.names()


def test_what_is_left_of_a_crash_is_gone_after_the_next_write() -> None:
    store, fs = started("one")
    fs.write("memory/.MEMORY.md.tmp", b"torn").expect("a crash")
    store.apply("memory", Add("two")).expect("an add")
    assert sorted(fs.files()) == ["memory/MEMORY.md", "memory/USER.md"]


def test_a_write_that_fails_leaves_the_old_bytes_and_the_store_on_its_old_entries() -> None:
    disk = MemoryFs({"memory/MEMORY.md": "one"})
    store = MemoryStore(MeddledFs(disk, replace=fails("no-space")))
    error = store.apply("memory", Add("two")).error
    assert error.code == "write-failed"
    assert "old bytes are intact" in error.message
    assert disk.files() == {"memory/MEMORY.md": b"one"}
    assert store.entries("memory") == ("one",)
    assert store.load().value.behind == 0


def test_an_uncertain_write_says_so_and_the_store_knows_the_new_entries() -> None:
    disk = MemoryFs({"memory/MEMORY.md": "one"})
    store = MemoryStore(MeddledFs(disk, sync_dir=fails("io")))
    assert store.apply("memory", Add("two")).error.code == "write-uncertain"
    assert disk.files() == {"memory/MEMORY.md": "one\n§\ntwo".encode()}
    assert store.entries("memory") == ("one", "two")
    assert store.load().value.behind == 1


def test_the_decision_is_taken_on_what_is_on_disk_now() -> None:
    store, fs = started("one")
    fs.write("memory/MEMORY.md", "one\n§\nforeign".encode()).expect("another session writes")
    assert store.apply("memory", Add("foreign")).value.kind == "reinforced"
    store.apply("memory", Add("two")).expect("an add")
    assert file(fs) == "one\n§\nforeign\n§\ntwo"


def test_the_file_is_read_again_under_the_lock() -> None:
    disk = MemoryFs({"memory/MEMORY.md": "one"})

    def another_process_was_faster(path: str, deadline_ms: int) -> object:
        disk.write("memory/MEMORY.md", "one\n§\nforeign".encode()).expect("its write")
        return disk.lock(path, deadline_ms)

    store = MemoryStore(MeddledFs(disk, lock=another_process_was_faster))
    store.load().expect("the session starts")
    store.apply("memory", Add("two")).expect("an add")
    assert file(disk) == "one\n§\nforeign\n§\ntwo"


def test_the_lock_is_held_over_reading_and_writing_and_given_back() -> None:
    disk = MemoryFs({"memory/MEMORY.md": "one"})

    def only_under_the_lock(*args: object) -> object:
        assert disk.lock("memory/MEMORY.md", 0).error.code == "lock-timeout"
        return disk.replace(*args)

    fs = MeddledFs(disk, replace=only_under_the_lock)
    MemoryStore(fs).apply("memory", Add("two")).expect("an add")
    calls = fs.names()
    assert calls.index("lock") < len(calls) - 1 - calls[::-1].index("read")
    assert disk.lock("memory/MEMORY.md", 0).ok


@pytest.mark.parametrize("limit", [-1, 1.5, "100", None, True, float("inf")])
def test_an_impossible_limit_is_refused_at_once(limit: object) -> None:
    with pytest.raises(ValueError, match="memory_char_limit"):
        MemoryStore(MemoryFs(), memory_char_limit=limit)
    with pytest.raises(ValueError, match="user_char_limit"):
        MemoryStore(MemoryFs(), user_char_limit=limit)


@pytest.mark.parametrize("folder", [None, 5, b"memory", "..", "/abs", "a/../../b", "a\0b"])
def test_a_folder_that_cannot_be_is_refused_at_once(folder: object) -> None:
    with pytest.raises(ValueError, match=r"^folder: .* is not a path inside the root"):
        MemoryStore(MemoryFs(), folder=folder)


@pytest.mark.parametrize("folder", ["", "."])
def test_the_folder_may_be_the_root_itself(folder: str) -> None:
    fs = MemoryFs()
    MemoryStore(fs, folder=folder).apply("memory", Add("one")).expect("an add")
    assert fs.files() == {"MEMORY.md": b"one"}


@pytest.mark.parametrize("scan", [None, 5, "threat"])
def test_a_store_without_a_scan_is_refused_at_once(scan: object) -> None:
    with pytest.raises(ValueError, match=r"^scan: .* cannot be called$"):
        MemoryStore(MemoryFs(), scan=scan)


def test_a_store_over_what_is_no_file_port_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"^fs: 5 is not a file port: it has no stat$"):
        MemoryStore(5)


def test_entries_of_an_unknown_target_are_none() -> None:
    store, _fs = started("one")
    for target in ("notes", "", None, 5, [], {}):
        assert store.entries(target) == ()


def test_a_receipt_is_a_value() -> None:
    store, _fs = started()
    first = store.apply("memory", Add("one"))
    assert first == Ok(WriteReceipt("added", "memory", "one", None, 0, 3, 2200))
