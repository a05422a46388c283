"""What public reports said of memories, and what is right."""

from __future__ import annotations

from pathlib import Path

from alembic_sim import ENTRY_DELIMITER, Add, FsPort, MemoryStore, Replace
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries
from tests.cases.reports import (
    Case,
    buckets,
    check,
    entries_on_disk,
    given,
    learn_from,
    learn_from_text,
    of,
    op_of,
    put,
    put_text,
    session,
    step_of,
    steps,
    temp_files,
    tree,
)

MEMORY = "memory/MEMORY.md"


@of("MEM-02")
def test_an_entry_that_ends_in_a_separator_line_is_refused_and_harms_no_neighbour(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    *adds, _reload = steps(case)
    results = [store.apply("memory", op_of(step)) for step in adds]
    assert results[0].error.code == "delimiter-in-content"
    assert results[1].ok
    assert entries_on_disk(fs) == ["right"]
    entries = store.entries("memory")
    assert parse_entries(serialise_entries(entries)) == entries  # the report's `must_hold`
    naive = ENTRY_DELIMITER.join(step["content"] for step in adds).split(ENTRY_DELIMITER)
    assert naive == check(case)["naive_roundtrip"]  # what joining without a check would do


@of("MEM-03")
def test_a_section_sign_in_prose_splits_nothing(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    *adds, _reload = steps(case)
    for step in adds:
        store.apply("memory", op_of(step)).expect("an add")
    assert entries_on_disk(fs) == check(case)["entries_after_reload"]


@of("MEM-05")
def test_an_entry_that_is_part_of_another_can_be_removed_by_its_whole_text(
    case: Case, fs: FsPort
) -> None:
    [removal] = steps(case)
    assert session(fs, case).apply("memory", op_of(removal)).ok
    assert entries_on_disk(fs) == check(case)["entries_after"]


@of("MEM-06")
def test_a_replace_takes_the_whole_entry_and_its_receipt_shows_what_was_lost(
    case: Case, fs: FsPort
) -> None:
    [step] = steps(case)
    receipt = session(fs, case).apply("memory", op_of(step)).expect("a replace")
    assert entries_on_disk(fs) == check(case)["entries_after"]
    shown = {"old_entry": receipt.old_entry, "new_entry": receipt.entry}
    assert set(check(case)["outcome_has"]) == set(shown)
    assert shown == {"old_entry": check(case)["old_entry"], "new_entry": step["content"]}
    assert receipt.removed_chars == len(check(case)["old_entry"])


@of("MEM-07")
def test_a_stale_session_cannot_wipe_what_another_writer_put_there(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    put_text(fs, MEMORY, given(case)["disk_after_load"])
    before = fs.read(MEMORY)
    [step] = steps(case)
    assert store.apply("memory", op_of(step)).error.code in ("no-match", "drift")
    assert fs.read(MEMORY) == before


@of("MEM-08")
def test_an_add_lands_after_a_foreign_entry(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    put_text(fs, MEMORY, given(case)["disk_after_load"])
    [step] = steps(case)
    assert store.apply("memory", op_of(step)).ok
    assert entries_on_disk(fs) == check(case)["entries_after"]


@of("MEM-15")
def test_the_limit_counts_code_points_not_units_or_bytes(case: Case, fs: FsPort) -> None:
    [step] = steps(case)
    text = step["content"]
    assert check(case) == {
        "code_points": len(text),
        "utf16_units": len(text.encode("utf-16-le")) // 2,
        "utf8_bytes": len(text.encode("utf-8")),
    }
    receipt = session(fs, case).apply("memory", op_of(step)).expect("2202 units, 1101 characters")
    assert receipt.used_chars == check(case)["code_points"]


@of("MEM-16")
def test_every_way_to_write_has_the_same_limit(case: Case, fs: FsPort) -> None:
    store = session(fs, case, target="user")
    before = tree(fs)
    [step] = steps(case)
    replaced = op_of(step)
    for refused in (
        store.apply("user", replaced),
        store.apply("user", Add(step["content"])),
        store.apply_batch("user", [replaced]),
        store.apply_batch("user", [Add("u2"), Add("u3")]),
    ):
        assert refused.error.code == "over-budget"
    raw = {"action": "replace", "old_text": step["old_text"], "content": step["content"]}
    proposal = {"target": "user", "op": raw, "rationale": "longer", "score": 0.9}
    assert buckets(learn_from([proposal], store).value)["failed"] == 1
    assert {path: seen for path, seen in tree(fs).items() if path.endswith(".md")} == {
        path: seen for path, seen in before.items() if path.endswith(".md")
    }


@of("MEM-17")
def test_a_store_over_its_limit_loads_says_so_and_may_only_shrink(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    [warning] = store.load().value.warnings
    assert f"{check(case)['chars_at_load']} of {given(case)['limit']}" in warning
    assert "116 %" in warning
    _load, growth, shrinking = steps(case)
    assert store.apply("memory", op_of(growth)).error.code == "over-budget"
    assert store.apply("memory", op_of(shrinking)).value.kind == "removed"
    assert check(case)["results"] == ["ok", "failed", "applied"]


@of("MEM-17")
def test_a_store_that_is_still_over_after_it_shrank_may_shrink_all_the_same(
    case: Case, fs: FsPort
) -> None:
    put_text(fs, MEMORY, ENTRY_DELIMITER.join(given(case)["entries"]))
    _load, growth, shrinking = steps(case)
    store = MemoryStore(fs, memory_char_limit=1000)
    assert store.apply("memory", op_of(shrinking)).value.used_chars == 1281
    assert store.apply("memory", op_of(growth)).error.code == "over-budget"


@of("MEM-18")
def test_a_fact_learnt_twice_is_reinforced_and_kept_once(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    outcome = learn_from([step["propose"] for step in steps(case)], store).expect("a step")
    assert buckets(outcome) == check(case)["buckets"]
    assert entries_on_disk(fs) == check(case)["entries_after"]


@of("MEM-19")
def test_a_replace_that_does_not_fit_leaves_the_old_entry(case: Case, fs: FsPort) -> None:
    [step] = steps(case)
    assert session(fs, case).apply("memory", op_of(step)).error.code == "over-budget"
    assert entries_on_disk(fs) == check(case)["entries_after"]


@of("MEM-21")
def test_content_is_data_and_no_pattern_in_it_is_expanded(case: Case, fs: FsPort) -> None:
    store = session(fs, case)
    put_text(fs, "memory/USER.md", "TODO of the user")  # the near-named file stays as it is
    [step] = steps(case)
    store.apply("memory", op_of(step)).expect("a replace")
    assert entries_on_disk(fs) == check(case)["entries_after"]
    assert entries_on_disk(fs, "user") == ["TODO of the user"]


@of("MEM-22")
def test_a_target_that_is_a_path_fails_at_the_schema_and_makes_no_file(
    case: Case, fs: FsPort, tmp_path: Path
) -> None:
    store = session(fs, case)
    for step in steps(case):
        learned = learn_from([step["propose"]], store)
        assert (step_of(learned), learned.error.code) == (check(case)["step"], "invalid-proposal")
        raw = step["propose"]
        assert store.apply(raw["target"], Add(raw["op"]["content"])).error.code == "unknown-target"
    assert tree(fs) == {}
    outside = [path for path in tmp_path.iterdir() if path.name != "root"]
    assert len(outside) == check(case)["files_outside_root"]


@of("MEM-24")
def test_a_byte_order_mark_is_part_of_no_entry_and_of_no_prompt(case: Case, fs: FsPort) -> None:
    put(fs, MEMORY, bytes.fromhex(given(case)["file_bytes_hex"]))
    store = MemoryStore(fs)
    assert store.load().value.memory[0] == check(case)["snapshot_first_char"]
    _load, removal = steps(case)
    store.apply("memory", op_of(removal)).expect("an exact text")
    assert list(store.entries("memory")) == entries_on_disk(fs) == check(case)["entries_after"]


@of("MEM-25")
def test_bytes_that_cannot_be_read_are_reported_and_never_written_over(
    case: Case, fs: FsPort
) -> None:
    before = bytes.fromhex(given(case)["file_bytes_hex"])
    put(fs, MEMORY, before)
    store = MemoryStore(fs)
    [warning] = store.load().value.warnings
    assert "cannot be read" in warning
    _load, add = steps(case)
    assert store.apply("memory", op_of(add)).error.code == "unreadable"
    assert fs.read(MEMORY).value == before
    assert check(case)["bytes_still_on_disk"] in before.hex()


@of("MEM-27")
def test_a_lone_surrogate_in_a_reply_is_a_typed_error_and_leaves_no_file(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    before = tree(fs)
    [step] = steps(case)
    learned = learn_from_text(step["proposer_text"], store)
    assert step_of(learned) == check(case)["step"]
    assert tree(fs) == before
    assert len(temp_files(fs)) == check(case)["temp_files"]


@of("MEM-27")
def test_a_lone_surrogate_that_gets_as_far_as_the_store_is_refused_there(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    before = tree(fs)
    for operation in (Add("bad \udcb2"), Replace("keep", "bad \udcb2"), Replace("\udcb2", "x")):
        assert store.apply("memory", operation).error.code == "not-text"
    assert tree(fs) == before
