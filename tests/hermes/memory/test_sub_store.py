"""SubStore: a record is one more line, durable once acknowledged; nothing earlier ever changes."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import DiskFs, Err, FakeClock, MemoryFs, Ok
from alembic_sim.hermes.memory import sub_store as module
from alembic_sim.hermes.memory.sub_store import SUB_STORES, SubStore
from alembic_sim.ports.fs import FsError
from tests.meddled_fs import Liar, MeddledFs, Unspeakable, answers, fails, raises

FILE = "memory/procedural.jsonl"
FIRST = (
    b'{"id": "mem_000001", "agent": "cli", "at": "2025-01-01T00:00:00.000Z", '
    b'"record": {"content": "prefira early-return"}}\n'
)
CLOCK = FakeClock("2025-01-01T00:00:00Z")


def store_on(fs: object, **settings: object) -> SubStore:
    return SubStore(fs, CLOCK, "procedural", **settings)


def disk(data: bytes | None = None) -> MemoryFs:
    return MemoryFs({} if data is None else {FILE: data})


def line(number: int, record: str = "{}") -> bytes:
    return (
        f'{{"id": "mem_{number:06d}", "agent": "cli", "at": "2025-01-01T00:00:00.000Z", '
        f'"record": {record}}}\n'
    ).encode()


def ids(store: SubStore) -> list[str]:
    return [record.id for record in store.list().value.records]


# --- what is stored ---


def test_a_record_is_one_line_with_its_id_agent_instant_and_content() -> None:
    fs = disk()
    stored = store_on(fs).append({"content": "prefira early-return"}).value
    assert fs.files() == {FILE: FIRST}
    assert (stored.id, stored.agent) == ("mem_000001", "cli")
    assert stored.at == "2025-01-01T00:00:00.000Z"
    assert stored.record == {"content": "prefira early-return"}


def test_the_instant_is_the_clocks_with_milliseconds() -> None:
    clock = FakeClock("2025-06-30T12:00:00Z")
    clock.advance(ms=7)
    assert SubStore(disk(), clock, "episodic").append({}).value.at == "2025-06-30T12:00:00.007Z"


def test_each_of_the_five_stores_has_a_file_of_its_own() -> None:
    fs = MemoryFs()
    for name in SUB_STORES:
        SubStore(fs, CLOCK, name).append({"in": name}).expect("a record")
    assert list(fs.files()) == sorted(f"memory/{name}.jsonl" for name in SUB_STORES)
    assert SUB_STORES == ("episodic", "semantic", "procedural", "decision", "transcript")


def test_the_newest_record_comes_first_also_when_the_clock_was_set_back() -> None:
    fs, clock = disk(), FakeClock("2025-01-01T00:00:00Z")
    SubStore(fs, clock, "procedural").append({"n": 1})
    SubStore(fs, lambda: 0, "procedural").append({"n": 2})
    listed = SubStore(fs, clock, "procedural").list().value
    assert [record.record for record in listed.records] == [{"n": 2}, {"n": 1}]
    assert listed.warnings == ()


def test_listing_changes_nothing_and_takes_no_lock() -> None:
    fs = MeddledFs(disk(FIRST[:-1]))
    store_on(fs).list().expect("a listing")
    assert fs.names() == ["read"]
    assert fs.inner.files() == {FILE: FIRST[:-1]}


def test_a_store_that_does_not_exist_is_empty_and_stays_so_when_listed(tmp_path: Path) -> None:
    assert store_on(DiskFs(tmp_path / "none")).list().value.records == ()
    assert not (tmp_path / "none").exists()


def test_a_record_is_a_copy_that_later_changes_do_not_reach() -> None:
    record = {"tags": ["a"]}
    stored = store_on(disk()).append(record).value
    record["tags"].append("b")
    assert stored.record == {"tags": ["a"]}


@pytest.mark.parametrize(
    "record",
    [
        *({}, {"": None}, {"a": [1, 2.5, True, None, {"b": "c"}]}, {"text": "é 😀 § \n\r\u2028\0"}),
        {"big": 10**299},
        {"deep": json.loads("[" * 30 + "]" * 30)},
    ],
    ids=range(6),
)
def test_whatever_json_can_say_comes_back_as_it_was(record: dict) -> None:
    fs = disk(line(1))
    store_on(fs).append(record).expect("a record")
    assert store_on(fs).list().value.records[0].record == record
    assert fs.files()[FILE].count(b"\n") == 2, "one line each"


CYCLE: dict = {}
CYCLE["self"] = CYCLE


@pytest.mark.parametrize(
    "record",
    [
        *(None, [], "text", 5, [("a", 1)], Liar()),
        *({"a": math.nan}, {"a": math.inf}, {"a": {1, 2}}, {"a": b"x"}, {"a": Liar()}, CYCLE),
        *({1: "a number as key"}, {"a": (1, 2)}, {None: 1}),
        *({"a": "\ud800"}, {"\udfff": 1}, {"a": 10**300}, {"a": 10**5000}),
        {"too deep": json.loads("[" * 31 + "]" * 31)},
    ],
    ids=range(20),
)
def test_what_would_not_come_back_the_same_is_refused_and_nothing_is_touched(
    record: object,
) -> None:
    fs = MeddledFs(disk())
    error = store_on(fs).append(record).error
    assert error.code == "bad-record"
    assert error.message.startswith("the record cannot be stored: ")
    assert fs.calls == []


# --- ids ---


def test_ids_continue_from_the_highest_on_disk_not_from_the_number_of_lines() -> None:
    fs = disk(line(7) + line(3))
    assert store_on(fs).append({}).value.id == "mem_000008"
    assert store_on(fs).append({}).value.id == "mem_000009"


def test_an_id_of_a_line_that_was_damaged_is_not_given_out_again() -> None:
    fs = disk(line(1) + line(2).replace(b"cli", b"c\xffi") + line(3)[:40])
    assert ids(store_on(fs)) == ["mem_000001"]
    assert store_on(fs).append({}).value.id == "mem_000004"


def test_ids_come_from_the_injected_factory_which_sees_those_on_disk() -> None:
    asked: list[tuple[str, ...]] = []

    def new_id(taken: tuple[str, ...]) -> str:
        asked.append(taken)
        return f"note-{len(taken)}"

    fs = disk(b'{"agent": "a", "id": "imported", "at": "then", "record": {}}\n' + line(5))
    assert store_on(fs, new_id=new_id).append({}).value.id == "note-2"
    assert asked == [("imported", "mem_000005")]


@pytest.mark.parametrize(
    "new_id",
    [
        raises(Unspeakable()),
        answers(None),
        answers(7),
        answers(" "),
        answers("a\nb"),
        answers("\ud800"),
        answers(Liar()),
        answers("mem_000001"),
    ],
    ids=["raises", "None", "7", "blank", "two lines", "surrogate", "liar", "taken"],
)
def test_a_factory_that_gives_no_new_id_writes_nothing(new_id: object) -> None:
    fs = disk(FIRST)
    assert store_on(fs, new_id=new_id).append({}).error.code == "bad-id"
    assert fs.files() == {FILE: FIRST}


@pytest.mark.parametrize("clock", [lambda: None, lambda: -1, lambda: 1.5, raises(OSError())])
def test_a_clock_that_says_no_time_writes_nothing(clock: object) -> None:
    fs = disk(FIRST)
    assert SubStore(fs, clock, "procedural").append({}).error.code == "bad-clock"
    assert fs.files() == {FILE: FIRST}


def test_an_endless_number_on_disk_does_not_stop_the_store() -> None:
    fs = disk(line(10**15 - 1) + line(10**40))
    given_ids = [store_on(fs).append({}).value.id for _ in range(2)]
    assert given_ids == ["mem_1000000000000000", "mem_1000000000000001"]


# --- torn and damaged lines ---


@pytest.mark.parametrize("kept", range(1, len(FIRST) - 1))
def test_a_torn_last_line_is_skipped_and_told_and_the_next_append_starts_afresh(
    kept: int,
) -> None:
    fs = disk(line(1) + FIRST[:kept].replace(b"mem_000001", b"mem_000002"))
    before = fs.files()[FILE]
    listed = store_on(fs).list().value
    assert len(listed.records) == 1
    [warning] = listed.warnings
    assert warning.startswith("line 2 is torn: a write broke off there; skipped (")
    store_on(fs).append({"n": 2}).expect("an append after the power cut")
    assert fs.files()[FILE].startswith(before + b"\n"), "no byte of the torn line is lost"
    assert [record.record for record in store_on(fs).list().value.records] == [{"n": 2}, {}]


def test_a_line_torn_within_a_character_is_just_as_torn() -> None:
    text = line(2, '{"a": "é"}').partition(b"\xa9")[0]
    fs = disk(line(1) + text)
    assert ids(store_on(fs)) == ["mem_000001"]
    assert "torn" in store_on(fs).list().value.warnings[0]


def test_a_last_line_without_a_newline_counts_and_the_next_does_not_run_into_it() -> None:
    fs = disk(FIRST[:-1])
    assert store_on(fs).list().value.warnings == ()
    assert ids(store_on(fs)) == ["mem_000001"]
    assert store_on(fs).append({}).value.id == "mem_000002"
    assert fs.files()[FILE] == FIRST + line(2)


@pytest.mark.parametrize(
    ("damaged", "says"),
    [
        (b"not json", "not strict JSON"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"\0" * 40, "not strict JSON"),
        (b"[1]", "it is not an object"),
        (b'{"id": "a", "agent": "b", "at": "c"}', "its record is not an object"),
        (b'{"id": "a", "agent": "b", "at": "c", "record": []}', "its record is not an object"),
        (b'{"id": 1, "agent": "b", "at": "c", "record": {}}', "its id is not a text"),
        (b'{"id": "a", "agent": null, "at": "c", "record": {}}', "its agent is not a text"),
        (b'{"id": "a", "agent": "b", "at": 5, "record": {}}', "its at is not a text"),
        (b'{"id": "a", "id": "b", "agent": "b", "at": "c", "record": {}}', "appears twice"),
        (b'{"id": "a", "agent": "b", "at": "c", "record": {"n": NaN}}', "NaN"),
        (b'{"id": "a", "agent": "b", "at": "c", "record": {"n": 1e999}}', "too large"),
    ],
)
def test_a_damaged_line_is_told_by_its_number_and_hides_no_other(damaged: bytes, says: str) -> None:
    fs = disk(line(1) + damaged + b"\n" + line(2))
    listed = store_on(fs).list().value
    assert [record.id for record in listed.records] == ["mem_000002", "mem_000001"]
    [warning] = listed.warnings
    assert warning.startswith("line 2 is damaged; skipped (")
    assert says in warning
    store_on(fs).append({}).expect("an append beside the damage")
    assert damaged in fs.files()[FILE]


def test_a_last_line_that_is_whole_but_no_record_is_damaged_not_torn() -> None:
    [warning] = store_on(disk(line(1) + b"not json\n")).list().value.warnings
    assert warning.startswith("line 2 is damaged; skipped (")


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_are_no_damage() -> None:
    data = b"\xef\xbb\xbf" + line(1).replace(b"\n", b"\r\n") + b"\r\n \n\n" + line(2)
    fs = disk(data)
    assert ids(store_on(fs)) == ["mem_000002", "mem_000001"]
    assert store_on(fs).list().value.warnings == ()
    assert store_on(fs).append({}).value.id == "mem_000003"


def test_keys_that_a_later_version_may_add_are_no_damage_and_stay_in_the_file() -> None:
    later = b'{"id": "a", "agent": "b", "at": "c", "record": {}, "mood": "good"}\n'
    fs = disk(later)
    assert ids(store_on(fs)) == ["a"]
    store_on(fs).append({})
    assert fs.files()[FILE].startswith(later)


# --- what cannot be read is never written over ---


def a_folder() -> MeddledFs:
    fs = MemoryFs()
    fs.mkdir(FILE).expect("a folder in the way")
    return MeddledFs(fs)


UNREADABLE: dict[str, Callable[[], MeddledFs]] = {
    "a folder": a_folder,
    "permission denied": lambda: MeddledFs(disk(FIRST), read=fails("denied")),
    "an I/O error": lambda: MeddledFs(disk(FIRST), read=fails("io")),
    "a link out of the root": lambda: MeddledFs(disk(FIRST), read=fails("outside-root")),
    "huge": lambda: MeddledFs(disk(FIRST), read=fails("too-large")),
    "a port that raises": lambda: MeddledFs(disk(FIRST), read=raises(Unspeakable())),
    "a port that answers text": lambda: MeddledFs(disk(FIRST), read=answers(Ok("text"))),
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_there_but_cannot_be_read_is_unreadable_and_untouched(
    make: Callable[[], MeddledFs],
) -> None:
    fs = make()
    before = fs.inner.files()
    for result in (store_on(fs).list(), store_on(fs).append({})):
        assert result.error.code == "unreadable"
        assert f"{FILE} is there but cannot be read" in result.error.message
    assert fs.inner.files() == before
    assert not {"write", "append", "replace", "remove_temp"} & set(fs.names())


def test_no_more_than_the_cap_is_read_and_a_record_that_would_pass_it_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fs = MeddledFs(disk(FIRST))
    store_on(fs).list()
    assert fs.calls == [("read", FILE, 64 * 1024 * 1024)]
    monkeypatch.setattr(module, "MAX_SUB_STORE_BYTES", len(FIRST) + len(line(2)))
    assert store_on(fs).append({"a": 1}).error.code == "over-budget"
    assert fs.inner.files() == {FILE: FIRST}
    store_on(fs).append({}).expect("exactly at the cap")
    assert len(store_on(fs).list().value.records) == 2
    monkeypatch.setattr(module, "MAX_SUB_STORE_BYTES", 10)
    assert store_on(fs).list().error.code == "unreadable"


# --- durable, or told that it is not ---


def test_the_first_record_is_written_synced_renamed_and_its_folder_synced() -> None:
    fs = MeddledFs(MemoryFs())
    store_on(fs).append({}).expect("a record")
    tail = fs.names()[fs.names().index("write") :]
    assert tail[:4] == ["write", "sync", "replace", "sync_dir"]
    assert ("sync_dir", "memory") in fs.calls
    assert ("sync_dir", "") in fs.calls, "the new folder's name as well"


def test_a_later_record_is_appended_and_synced_before_it_is_acknowledged() -> None:
    fs = MeddledFs(disk(FIRST))
    store_on(fs).append({}).expect("a record")
    assert fs.names() == ["lock", "read", "remove_temp", "append", "sync", "sync_dir"]
    assert fs.calls[-1] == ("sync_dir", "memory"), "whoever made the file may not have synced it"
    assert fs.calls[3] == ("append", FILE, line(2))


@pytest.mark.parametrize("code", ["no-space", "io", "denied"])
def test_an_append_that_fails_is_told_and_the_earlier_lines_are_intact(code: str) -> None:
    fs = MeddledFs(disk(FIRST), append=fails(code))
    error = store_on(fs).append({}).error
    assert error.code == "write-failed"
    assert "earlier lines are intact" in error.message
    assert fs.inner.files() == {FILE: FIRST}


@pytest.mark.parametrize("kept", range(len(line(2)) + 1))
def test_a_short_append_damages_nothing_and_the_next_one_can_be_read(kept: int) -> None:
    inner = disk(FIRST)

    def short(path: str, data: bytes) -> object:
        inner.append(path, data[:kept]).expect("some of it")
        return Err(FsError("no-space", "the disk is full"))

    error = store_on(MeddledFs(inner, append=short)).append({}).error
    arrived = kept >= len(line(2)) - 1
    assert error.code == ("write-uncertain" if arrived else "write-failed")
    assert (("mem_000002" in ids(store_on(inner))) is arrived) is True
    again = store_on(inner).append({"again": 1}).value
    listed = store_on(inner).list().value
    assert listed.records[0] == again
    assert listed.records[-1].record == {"content": "prefira early-return"}
    assert len({record.id for record in listed.records}) == len(listed.records)
    assert inner.files()[FILE].startswith(FIRST)


def test_after_a_failed_append_that_cannot_be_looked_into_nothing_is_promised() -> None:
    reads = iter([Ok(FIRST), Err(FsError("io", "gone"))])
    fs = MeddledFs(disk(FIRST), append=fails("io"), read=lambda *_a: next(reads))
    error = store_on(fs).append({}).error
    assert error.code == "write-uncertain"
    assert "list the store before trying again" in error.message


@pytest.mark.parametrize("operation", ["sync", "sync_dir"])
def test_a_sync_that_fails_leaves_the_record_uncertain(operation: str) -> None:
    fs = MeddledFs(disk(FIRST), **{operation: fails("io")})
    assert store_on(fs).append({}).error.code == "write-uncertain"
    assert ids(store_on(fs)) == ["mem_000002", "mem_000001"]


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        ("mkdir", "write-failed"),
        ("write", "write-failed"),
        ("sync", "write-failed"),
        ("replace", "write-failed"),
        ("sync_dir", "write-uncertain"),
    ],
)
def test_a_first_record_that_fails_leaves_no_file_or_a_whole_one(operation: str, code: str) -> None:
    inner = MemoryFs()
    refuses = fails("io")
    meddler = refuses
    if operation == "sync_dir":  # of its own folder, once the file is there
        meddler = lambda path: refuses() if path == "memory" else inner.sync_dir(path)  # noqa: E731
    fs = MeddledFs(inner, **{operation: meddler})
    assert store_on(fs).append({}).error.code == code
    assert list(fs.inner.files()) == ([FILE] if code == "write-uncertain" else [])
    fs.instead = {}
    store_on(fs).append({}).expect("the next append")
    assert list(fs.inner.files()) == [FILE]
    assert store_on(fs).list().value.warnings == ()


@pytest.mark.parametrize(
    ("lock", "code"), [(fails("lock-timeout"), "lock-timeout"), (fails("denied"), "write-failed")]
)
def test_without_the_lock_nothing_is_read_or_written(lock: object, code: str) -> None:
    fs = MeddledFs(disk(FIRST), lock=lock)
    error = store_on(fs).append({}).error
    assert error.code == code
    assert "nothing was written" in error.message
    assert fs.calls == [("lock", FILE, 5_000)]


def test_a_leftover_of_a_crashed_creation_is_swept_by_the_next_append() -> None:
    fs = MemoryFs({FILE: FIRST, "memory/.procedural.jsonl.tmp": b"half"})
    store_on(fs).append({}).expect("a record")
    assert list(fs.files()) == [FILE]


def test_writers_at_once_lose_no_record_and_share_no_id(tmp_path: Path) -> None:
    def write() -> None:
        for number in range(15):
            store_on(DiskFs(tmp_path)).append({"n": number}).expect("a record")

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [f"mem_{number:06d}" for number in range(60, 0, -1)]
    assert ids(store_on(DiskFs(tmp_path))) == expected


# --- arguments, and no exception ever ---


@pytest.mark.parametrize(
    "settings",
    [
        *({"name": "dreams"}, {"name": None}, {"name": ["episodic"]}, {"name": Liar()}),
        *({"folder": None}, {"folder": b"memory"}, {"folder": ".."}, {"folder": "/abs"}),
        *({"folder": "a/../../b"}, {"folder": "a\0b"}, {"new_id": 5}),
        *({"agent": ""}, {"agent": " "}, {"agent": "a\nb"}, {"agent": None}, {"agent": "\ud800"}),
    ],
    ids=range(16),
)
def test_an_impossible_setting_is_refused_at_construction(settings: dict) -> None:
    with pytest.raises(ValueError, match=r"^(name|folder|agent|new_id): "):
        SubStore(MemoryFs(), CLOCK, **{"name": "episodic", **settings})


def test_the_folder_may_be_the_root_itself() -> None:
    fs = MemoryFs()
    store_on(fs, folder="").append({}).expect("a record")
    assert list(fs.files()) == ["procedural.jsonl"]


def test_the_agent_and_the_folder_can_be_chosen() -> None:
    fs = MemoryFs()
    stored = store_on(fs, folder="elsewhere/deep", agent="revisor nº 2").append({}).value
    assert stored.agent == "revisor nº 2"
    assert list(fs.files()) == ["elsewhere/deep/procedural.jsonl"]


@given(st.binary(max_size=200) | st.lists(st.sampled_from([line(1), line(2), b"\n", b"{"])))
@example(b"")
@example(b'{"id": "')
@example(b'{"id": "\xff"')
def test_no_bytes_on_disk_make_the_store_raise_lose_a_byte_or_hide_a_new_record(
    data: bytes | list[bytes],
) -> None:
    start = data if isinstance(data, bytes) else b"".join(data)
    fs = disk(start)
    before = store_on(fs).list().value
    stored = store_on(fs).append({"new": True}).expect("an append")
    after = store_on(fs).list().value
    assert after.records == (stored, *before.records)
    assert len(after.warnings) == len(before.warnings)
    assert fs.files()[FILE].startswith(start)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_a_record_is_stored_and_comes_back_the_same_or_is_refused(record: object) -> None:
    fs = disk()
    result = store_on(fs).append(record)
    if result.ok:
        assert store_on(fs).list().value.records[0].record == record
    else:
        assert result.error.code == "bad-record"
        assert fs.files() == {}
