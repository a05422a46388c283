"""SidecarMemo and the fast serialiser: the same records, the same bytes, sooner."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import DiskFs, FakeClock, MemoryFs, UsageRecord, UsageStore
from alembic_sim.hermes.curator import sidecar_memo, usage_store
from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar, serialise_sidecar
from alembic_sim.strict_json import dump_strict_json

PATH = "skills/.usage.json"
START = 1_735_689_600_000

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ['"', "\\", "\b\f\n\r\t", "\0\x1f\x7f\x80", "\u2028\u2029", "/", "é🜁", "\n  "]
)
COUNTS = st.integers(0, 2**53 - 1)
FIELDS = {
    "createdAt": COUNTS,
    "createdBy": st.none() | TEXT,
    "lastActivityAt": COUNTS,
    "pinned": st.booleans(),
    "state": st.sampled_from(["active", "stale", "archived"]),
    "useCount": COUNTS,
}
THEIRS = st.dictionaries(st.sampled_from(["note", "a", "zz"]), TEXT | st.lists(TEXT), max_size=1)
PLAIN = st.fixed_dictionaries({}, optional=FIELDS)
ANY = st.one_of(
    PLAIN, PLAIN, st.tuples(PLAIN, THEIRS).map(lambda two: two[0] | two[1]), st.just({"state": 5})
)
NAMES = st.sampled_from("abc") | TEXT


def slowly(sidecar: UsageSidecar) -> bytes:
    """The oracle: Python's own serialiser, as the contract words it."""
    records = {name: record.to_json() for name, record in sidecar.records.items()}
    return dump_strict_json({**records, **sidecar.invalid}).encode("utf-8")


@given(st.dictionaries(NAMES, ANY, max_size=6))
@settings(max_examples=300)
def test_the_fast_serialiser_makes_the_bytes_of_the_slow_one(library: dict) -> None:
    sidecar = parse_sidecar(json.dumps(library).encode())
    assert serialise_sidecar(sidecar) == slowly(sidecar)


def test_a_record_may_hold_every_character_and_the_bytes_are_the_same() -> None:
    for start in range(0, 0x3000, 0x400):
        text = "".join(map(chr, range(start, start + 0x400)))
        sidecar = UsageSidecar({text: UsageRecord(created_by=text)})
        assert serialise_sidecar(sidecar) == slowly(sidecar)
        assert dict(parse_sidecar(slowly(sidecar)).records) == dict(sidecar.records)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["use", "view", "patch", "create", "pin", "theirs", "rewrite"]),
        st.sampled_from("abcd"),
        ANY,
    ),
    max_size=8,
)


@given(st.dictionaries(st.sampled_from("abc"), ANY, max_size=3), STEPS)
@settings(max_examples=300)
def test_one_store_that_remembers_and_new_ones_that_do_not_write_the_same_bytes(
    library: dict, steps: list[tuple[str, str, dict]]
) -> None:
    """Whatever the memo does: a store that is opened anew for each call is the oracle."""
    one, many = (MemoryFs({PATH: json.dumps(library)}) for _ in range(2))
    lasting = UsageStore(one, FakeClock(START), PATH)
    for step, name, raw in steps:
        results = []
        for fs, usage in ((one, lasting), (many, UsageStore(many, FakeClock(START), PATH))):
            if step == "rewrite":  # another process writes
                document = json.loads(fs.files()[PATH]) | {name: raw}
                fs.write(PATH, json.dumps(document).encode()).expect("a write")
            elif step == "create":
                results.append(usage.create(name, "agent"))
            elif step == "pin":
                results.append(usage.pin(name))
            elif step == "theirs":
                record = parse_sidecar(json.dumps({name: raw}).encode()).records.get(name)
                results.append(usage.put(name, record))
            else:
                results.append(usage.record(name, step))
        assert results[::2] == results[1::2]
        assert one.files() == many.files()
        assert lasting.load() == UsageStore(many, FakeClock(START), PATH).load()
        assert list(lasting.load().records) == sorted(lasting.load().records)


def plain_library(count: int = 3) -> MemoryFs:
    fs = MemoryFs()
    usage = UsageStore(fs, FakeClock(START), PATH)
    for n in range(count):
        usage.create(f"skill-{n}", "agent").expect("a skill")
    return fs


def test_bytes_that_did_not_change_are_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = UsageStore(plain_library(), FakeClock(START), PATH)
    usage.load()
    parsed: list[bytes] = []
    monkeypatch.setattr(
        sidecar_memo, "parse_sidecar", lambda data: parsed.append(data) or parse_sidecar(data)
    )
    usage.record("skill-0", "use").expect("a use")
    usage.record("skill-1", "use").expect("a use")
    assert usage.get("skill-0").value.use_count == 1
    assert parsed == []


def test_the_lines_of_one_record_are_all_that_a_second_event_serialises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fs = plain_library(50)
    usage = UsageStore(fs, FakeClock(START), PATH)
    usage.record("skill-0", "use").expect("a use")
    sizes: list[int] = []
    monkeypatch.setattr(
        sidecar_memo,
        "serialise_sidecar",
        lambda sidecar: sizes.append(len(sidecar.records)) or serialise_sidecar(sidecar),
    )
    usage.record("skill-1", "use").expect("a use")
    assert sizes == [1, 1]
    assert fs.files()[PATH] == slowly(parse_sidecar(fs.files()[PATH]))


def test_a_file_of_the_same_size_and_time_with_other_bytes_is_seen(tmp_path: Path) -> None:
    """Inodes alternate and clocks are coarse: only the bytes tell."""
    usage = UsageStore(DiskFs(tmp_path), FakeClock(START), PATH)
    usage.create("a", "agent").expect("a skill")
    file = tmp_path / PATH
    was = file.stat()
    file.write_bytes(file.read_bytes().replace(b'"useCount": 0', b'"useCount": 7'))
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert file.stat().st_size == was.st_size
    assert usage.get("a").value.use_count == 7
    assert usage.record("a", "use").value.record.use_count == 8


def test_a_file_that_is_gone_is_empty_again(tmp_path: Path) -> None:
    usage = UsageStore(DiskFs(tmp_path), FakeClock(START), PATH)
    usage.create("a", "agent").expect("a skill")
    (tmp_path / PATH).unlink()
    assert usage.load().names() == ()
    assert usage.create("b", "agent").ok
    assert usage.load().names() == ("b",)


def test_nobody_can_change_what_the_store_remembers_through_a_list_in_a_field_of_theirs() -> None:
    fs = MemoryFs({PATH: '{"a": {"theirs": [1]}}'})
    usage = UsageStore(fs, FakeClock(START), PATH)
    usage.get("a").value.theirs.append("not written")
    assert usage.get("a").value.theirs == [1]
    usage.record("a", "use").value.record.theirs.append("nor this")
    assert usage.get("a").value.theirs == [1]
    usage.record("b", "use").expect("a use")
    assert json.loads(fs.files()[PATH])["a"]["theirs"] == [1]


def test_nor_through_a_record_that_was_the_first_to_bring_such_a_field() -> None:
    usage = UsageStore(plain_library(), FakeClock(START), PATH)
    usage.record("skill-0", "use").expect("a use: from now on the store remembers")
    receipt = usage.put("skill-1", UsageRecord(theirs=[1])).expect("a record")
    receipt.record.theirs.append("not written")
    assert usage.get("skill-1").value.theirs == [1]


def test_a_file_in_another_order_is_put_in_order_by_the_next_write() -> None:
    """Its lines are all as they would be written; it is the file that is not."""
    fs = plain_library()
    records = json.loads(fs.files()[PATH])
    unsorted = json.dumps(dict(reversed(records.items())), indent=2) + "\n"
    fs.write(PATH, unsorted.encode()).expect("somebody edits the file")
    usage = UsageStore(fs, FakeClock(START), PATH)
    usage.load()
    usage.record("skill-1", "use").expect("a use")
    assert fs.files()[PATH] == slowly(parse_sidecar(fs.files()[PATH]))


def test_a_change_that_alters_the_old_record_in_place_still_writes_the_library_as_it_is() -> None:
    fs = MemoryFs({PATH: '{"a": {"theirs": [1]}, "b": {}}'})
    usage = UsageStore(fs, FakeClock(START), PATH)
    usage.pin("b").expect("a pin: from now on the bytes are the store's own")

    def alters(record: UsageRecord) -> UsageRecord:
        changed = record.model_copy(update={"use_count": 3}, deep=True)
        record.theirs.append(2)
        return changed

    usage.update("a", alters).expect("an update")
    document = json.loads(fs.files()[PATH])
    assert (document["a"]["useCount"], document["a"]["theirs"]) == (3, [1])
    assert fs.files()[PATH] == slowly(parse_sidecar(fs.files()[PATH]))


def test_a_write_that_failed_is_not_remembered() -> None:
    fs = plain_library()
    usage = UsageStore(fs, FakeClock(START), PATH)
    before = fs.files()[PATH]
    with fs.lock("elsewhere", 0).value:
        fs.mkdir("skills/..usage.json.tmp").expect("in the way of the temporary file")
    assert usage.record("skill-0", "use").error.code == "write-failed"
    assert fs.files()[PATH] == before
    assert usage.get("skill-0").value.use_count == 0


def test_a_library_that_would_grow_beyond_what_is_read_is_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fs = plain_library()
    before = fs.files()
    monkeypatch.setattr(usage_store, "MAX_SIDECAR_BYTES", len(before[PATH]) + 10)
    error = UsageStore(fs, FakeClock(START), PATH).create("one-more").error
    assert error.code == "write-failed"
    assert "more than" in error.message
    assert fs.files() == before
