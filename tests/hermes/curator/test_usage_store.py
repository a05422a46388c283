"""UsageStore: what counts as what, what stands on disk, and what is never lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import (
    DAY_MS,
    DiskFs,
    Err,
    FakeClock,
    FaultyFs,
    MemoryFs,
    Ok,
    UsageRecord,
    UsageStore,
)
from alembic_sim.adapters.fault_plan import FaultPlan
from alembic_sim.hermes.curator.usage_store import UsageReceipt
from alembic_sim.ports.fs import FileStat
from tests.meddled_fs import (
    OPERATIONS,
    Incomparable,
    Liar,
    MeddledFs,
    RaisesOnEnter,
    RaisesOnExit,
    Unspeakable,
    answers,
    fails,
    raises,
)

PATH = "skills/.usage.json"
START = 1_735_689_600_000  # 2025-01-01
DAMAGED = {"createdBy": "agent", "useCount": "many", "theirs": [1, None, "é"]}


class Desk:
    """A store over a disk that the test can look at and meddle with."""

    def __init__(self, records: object = None, **instead: object) -> None:
        files = {} if records is None else {PATH: json.dumps(records)}
        self.disk = MemoryFs(files)
        self.port = MeddledFs(self.disk, **instead)
        self.clock = FakeClock(START)
        self.usage = UsageStore(self.port, self.clock, PATH)

    def text(self) -> str:
        return self.disk.read_text(PATH).expect("a sidecar")

    def document(self) -> dict:
        return json.loads(self.text())


# --- create ---


def test_a_new_skill_is_active_and_creating_it_is_not_activity() -> None:
    desk = Desk()
    receipt = desk.usage.create("fix-ci", created_by="agent").expect("a skill")
    assert receipt.record == UsageRecord(
        created_at=START, created_by="agent", state="active", pinned=False, last_activity_at=0
    )
    assert (receipt.name, receipt.before, receipt.corrupt_copy) == ("fix-ci", None, None)
    assert desk.usage.get("fix-ci") == Ok(receipt.record)


def test_the_bytes_on_disk_are_exactly_these() -> None:
    desk = Desk()
    desk.usage.create("fix-ci", created_by="agent").expect("a skill")
    desk.usage.create("a.b_c-1").expect("a skill of nobody's")
    desk.clock.advance(days=1)
    desk.usage.record("fix-ci", "use").expect("a use")
    assert desk.text() == (
        "{\n"
        '  "a.b_c-1": {\n'
        '    "createdAt": 1735689600000,\n'
        '    "createdBy": null,\n'
        '    "lastActivityAt": 0,\n'
        '    "patchCount": 0,\n'
        '    "pinned": false,\n'
        '    "state": "active",\n'
        '    "useCount": 0,\n'
        '    "viewCount": 0\n'
        "  },\n"
        '  "fix-ci": {\n'
        '    "createdAt": 1735689600000,\n'
        '    "createdBy": "agent",\n'
        '    "lastActivityAt": 1735776000000,\n'
        '    "patchCount": 0,\n'
        '    "pinned": false,\n'
        '    "state": "active",\n'
        '    "useCount": 1,\n'
        '    "viewCount": 0\n'
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize("name", ["a", "0", "x" * 64, "fix-ci", "a.b", "_", "-", "a..b", ".a"])
def test_a_name_of_these_letters_is_allowed(name: str) -> None:
    assert Desk().usage.create(name).ok


@pytest.mark.parametrize(
    "name",
    ["", "x" * 65, "Fix", "fix ci", "fix/ci", "é", ".", "..", "...", "a\n", "a\0", "\ud800", "ß",
     None, 5, b"a", ["a"], Liar(), 10**5000],
    ids=range(19),
)  # fmt: skip
def test_any_other_name_is_a_bad_name_and_nothing_is_written(name: object) -> None:
    desk = Desk()
    error = desk.usage.create(name, "agent").error
    assert error.code == "bad-name"
    assert "1 to 64" in error.message
    assert desk.disk.files() == {}


def test_a_name_that_exists_is_refused_and_kept() -> None:
    desk = Desk()
    desk.usage.create("fix-ci", "agent").expect("a skill")
    before = desk.text()
    error = desk.usage.create("fix-ci", "user").error
    assert error.code == "exists"
    assert "another name" in error.message
    assert desk.text() == before


def test_a_name_that_differs_only_in_case_exists_too() -> None:
    error = Desk({"FIX-CI": {}}).usage.create("fix-ci").error
    assert error.code == "exists"
    assert "'FIX-CI'" in error.message


def test_the_name_of_an_archived_skill_points_to_restoring_it() -> None:
    error = Desk({"fix-ci": {"state": "archived"}}).usage.create("fix-ci").error
    assert error.code == "exists"
    assert "archived" in error.message
    assert "restore" in error.message


def test_the_name_of_a_damaged_record_exists() -> None:
    desk = Desk({"broken": DAMAGED})
    assert desk.usage.create("broken").error.code == "exists"
    assert desk.document() == {"broken": DAMAGED}


@pytest.mark.parametrize("author", [5, True, ["agent"], b"agent", Liar()], ids=range(5))
def test_an_author_that_is_not_text_is_refused(author: object) -> None:
    desk = Desk()
    assert desk.usage.create("a", author).error.code == "bad-author"
    assert desk.disk.files() == {}


def test_an_author_that_json_cannot_hold_is_refused() -> None:
    desk = Desk()
    assert desk.usage.create("a", "\ud800").error.code == "bad-record"
    assert desk.disk.files() == {}


# --- record ---


@pytest.mark.parametrize(
    ("event", "counter"),
    [("use", "use_count"), ("view", "view_count"), ("patch", "patch_count")],
)
def test_an_event_counts_one_and_stamps_the_clocks_time(event: str, counter: str) -> None:
    desk = Desk({"a": {"useCount": 5, "viewCount": 5, "patchCount": 5, "lastActivityAt": 3}})
    desk.clock.advance(days=2)
    receipt = desk.usage.record("a", event).expect("an event")
    counts = {"use_count": 5, "view_count": 5, "patch_count": 5} | {counter: 6}
    assert receipt.record == UsageRecord(last_activity_at=START + 2 * DAY_MS, **counts)
    assert receipt.before.last_activity_at == 3


def test_an_event_of_an_unknown_skill_makes_an_active_record_without_author() -> None:
    """Telemetry never breaks the host's call; what has no author is never curated."""
    desk = Desk()
    receipt = desk.usage.record("found-in-the-wild", "view").expect("an event")
    assert receipt == UsageReceipt(
        "found-in-the-wild",
        UsageRecord(created_at=START, created_by=None, last_activity_at=START, view_count=1),
    )


@pytest.mark.parametrize(
    "event", ["Use", "uses", "", None, 5, ["use"], "created", Liar()], ids=range(8)
)
def test_an_unknown_event_is_refused_and_nothing_is_written(event: object) -> None:
    desk = Desk({"a": {}})
    before = desk.text()
    error = desk.usage.record("a", event).error
    assert error.code == "unknown-event"
    assert "use, view or patch" in error.message
    assert desk.text() == before


@pytest.mark.parametrize("name", ["Bad Name", "", None, 5, Liar()], ids=range(5))
def test_an_event_of_a_bad_name_is_refused(name: object) -> None:
    desk = Desk({"a": {}})
    assert desk.usage.record(name, "use").error.code == "bad-name"


def test_an_event_of_a_name_that_is_on_disk_counts_even_if_it_could_not_be_created() -> None:
    desk = Desk({"Fix CI!": {"createdBy": "user"}})
    assert desk.usage.record("Fix CI!", "use").value.record.use_count == 1


def test_an_event_wakes_no_archived_and_no_stale_skill() -> None:
    """Coming back is the curator's to decide, or a person's."""
    desk = Desk({"a": {"state": "archived"}, "b": {"state": "stale"}})
    assert desk.usage.record("a", "use").value.record.state == "archived"
    assert desk.usage.record("b", "use").value.record.state == "stale"


def test_a_thousand_events_are_a_thousand_counts() -> None:
    desk = Desk()
    for _ in range(100):
        desk.usage.record("a", "use").expect("a use")
    assert desk.usage.get("a").value.use_count == 100


@pytest.mark.parametrize(
    "clock", [raises(Unspeakable()), lambda: -1, lambda: 1.5, lambda: 10**310, None, "noon"]
)
def test_a_clock_that_fails_keeps_an_event_from_being_written(clock: object) -> None:
    disk = MemoryFs({PATH: '{"a": {}}'})
    usage = UsageStore(disk, clock, PATH)
    assert usage.record("a", "use").error.code == "bad-clock"
    assert usage.create("b").error.code == "bad-clock"
    assert disk.files() == {PATH: b'{"a": {}}'}


# --- get, put, pin, update ---


def test_a_skill_that_is_not_there_is_unknown_everywhere() -> None:
    desk = Desk({"a": {}})
    for name in ("b", "", None, 5, ["a"], Liar()):
        for result in (
            desk.usage.get(name),
            desk.usage.pin(name),
            desk.usage.update(name, lambda record: record),
        ):
            assert result.error.code == "unknown-skill"
    assert "'b'" in desk.usage.get("b").error.message


def test_put_writes_the_record_given_over_the_old_one_or_as_a_new_one() -> None:
    desk = Desk({"a": {"useCount": 1}})
    new = UsageRecord(created_by="agent", use_count=7)
    assert desk.usage.put("a", new).value.before == UsageRecord(use_count=1)
    assert desk.usage.put("b", new).value.before is None
    assert desk.usage.get("a") == desk.usage.get("b") == Ok(new)


def test_put_of_a_bad_name_or_over_a_damaged_record_is_refused() -> None:
    desk = Desk({"broken": DAMAGED})
    assert desk.usage.put("Bad Name", UsageRecord()).error.code == "bad-name"
    assert desk.usage.put("broken", UsageRecord()).error.code == "invalid-record"
    assert desk.document() == {"broken": DAMAGED}


UNFIT = {
    "nothing": lambda: None,
    "a dict": lambda: {"state": "active"},
    "a liar": Liar,
    "the class itself": lambda: UsageRecord,
    "a forged count": lambda: UsageRecord.model_construct(use_count=-1),
    "a forged state": lambda: UsageRecord().model_copy(update={"state": "deleted"}),
    "a count beyond JavaScript's": lambda: UsageRecord().model_copy(update={"use_count": 2**53}),
    "a count of many digits": lambda: UsageRecord().model_copy(update={"use_count": 10**400}),
    "NaN in a field of theirs": lambda: UsageRecord(theirs=float("nan")),
    "Infinity in a field of theirs": lambda: UsageRecord(theirs=[float("inf")]),
    "a set in a field of theirs": lambda: UsageRecord(theirs={1}),
    "bytes in a field of theirs": lambda: UsageRecord(theirs=b"x"),
    "a lone surrogate": lambda: UsageRecord(theirs="\ud800"),
    "a number of 301 digits": lambda: UsageRecord(theirs=10**300),
    "nesting of 40": lambda: UsageRecord(theirs=json.loads("[" * 40 + "]" * 40)),
}


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("make", UNFIT.values(), ids=UNFIT)
def test_a_record_that_could_not_be_read_back_is_never_written(make: object) -> None:
    desk = Desk({"a": {}, "other": {"useCount": 3}})
    before = desk.text()
    assert desk.usage.put("a", make()).error.code == "bad-record"
    assert desk.usage.update("a", lambda _record: make()).error.code == "bad-record"
    assert desk.text() == before


def test_a_counter_at_its_end_is_refused_and_the_library_stays_readable() -> None:
    desk = Desk({"a": {"useCount": 2**53 - 1}, "b": {"useCount": 2}})
    before = desk.text()
    assert desk.usage.record("a", "use").error.code == "bad-record"
    assert desk.text() == before
    assert desk.usage.get("b").value.use_count == 2


def test_pin_and_unpin_change_that_field_alone() -> None:
    desk = Desk({"a": {"useCount": 4, "lastActivityAt": 9, "theirs": "kept"}})
    pinned = desk.usage.pin("a").expect("a pin").record
    assert pinned == UsageRecord(use_count=4, last_activity_at=9, pinned=True, theirs="kept")
    assert desk.usage.pin("a", pinned=False).value.record == desk.usage.get("a").value
    assert desk.usage.get("a").value.pinned is False


def test_update_sees_what_is_on_disk_now() -> None:
    desk = Desk({"a": {"useCount": 1}})
    desk.usage.load()
    desk.disk.write(PATH, b'{"a": {"useCount": 5}}').expect("another process writes")
    receipt = desk.usage.update(
        "a", lambda record: record.model_copy(update={"view_count": record.use_count})
    ).expect("an update")
    assert (receipt.record.view_count, receipt.before.use_count) == (5, 5)


def test_an_update_to_an_equal_record_writes_nothing() -> None:
    desk = Desk({"a": {"useCount": 1}})
    before = desk.text()
    receipt = desk.usage.update("a", lambda record: record.model_copy()).expect("an update")
    assert receipt.before == receipt.record
    assert desk.text() == before
    assert "write" not in desk.port.names()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (raises(Unspeakable()), "raised"),
        (raises(ZeroDivisionError("oh")), "raised"),
        (None, "raised"),
        (answers(None), "bad-record"),
        (answers({}), "bad-record"),
    ],
    ids=range(5),
)
def test_a_change_that_raises_or_gives_no_record_writes_nothing(change: object, code: str) -> None:
    desk = Desk({"a": {}})
    before = desk.text()
    assert desk.usage.update("a", change).error.code == code
    assert desk.text() == before
    assert desk.disk.lock(PATH, 0).ok, "the lock was given back"


# --- what is not ours is kept ---


def test_unknown_fields_survive_every_kind_of_write() -> None:
    theirs = {"note": "é", "deep": {"list": [1, 2.5, None, {"x": True}]}, "_private": 1}
    desk = Desk({"a": {"createdBy": "agent", **theirs}, "b": {"more": 1}})
    desk.usage.record("a", "use").expect("a use")
    desk.usage.pin("a").expect("a pin")
    desk.usage.create("c").expect("a skill")
    document = desk.document()
    assert {key: document["a"][key] for key in theirs} == theirs
    assert document["b"]["more"] == 1


def test_a_key_in_the_ancestors_spelling_makes_the_file_theirs() -> None:
    desk = Desk({"a": {"use_count": "seven", "useCount": 1}})
    result = desk.usage.record("a", "use")
    assert not result.ok
    assert result.error.code == "foreign-format"


def test_missing_fields_take_their_defaults() -> None:
    assert Desk({"a": {}}).usage.get("a") == Ok(
        UsageRecord(
            created_at=0, created_by=None, last_activity_at=0, patch_count=0, pinned=False,
            state="active", use_count=0, view_count=0,
        )
    )  # fmt: skip


WRONG = [
    ("createdAt", "2025-01-01"),
    ("createdAt", -1),
    ("createdAt", None),
    ("createdBy", 5),
    ("createdBy", ["agent"]),
    ("lastActivityAt", 1.5),
    ("lastActivityAt", "0"),
    ("lastActivityAt", 2**53),
    ("patchCount", True),
    ("pinned", 1),
    ("pinned", "true"),
    ("pinned", None),
    ("state", "deleted"),
    ("state", "Active"),
    ("state", None),
    ("useCount", -1),
    ("useCount", 1.0),
    ("viewCount", "3"),
]


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_known_field_of_the_wrong_type_makes_that_one_record_invalid_and_hides_no_other(
    field: str, value: object
) -> None:
    desk = Desk({"broken": {"createdBy": "agent", field: value}, "fine": {"useCount": 1}})
    loaded = desk.usage.load()
    assert set(loaded.records) == {"fine"}
    assert set(loaded.invalid) == {"broken"}
    assert loaded.names() == ("broken", "fine")
    assert field in loaded.why_invalid["broken"]
    error = desk.usage.get("broken").error
    assert error.code == "invalid-record"
    assert field in error.message


@pytest.mark.parametrize("raw", [None, 5, "text", [], True, DAMAGED])
def test_a_damaged_record_is_kept_as_it_is_through_every_write(raw: object) -> None:
    desk = Desk({"broken": raw, "fine": {}})
    desk.usage.record("fine", "use").expect("a use")
    desk.usage.create("new").expect("a skill")
    for refused in (
        desk.usage.record("broken", "use"),
        desk.usage.pin("broken"),
        desk.usage.update("broken", lambda record: record),
    ):
        assert refused.error.code == "invalid-record"
        assert "by hand" in refused.error.message
    assert desk.document()["broken"] == raw


# --- a file that cannot be understood ---

GARBAGE = {
    "cut off": b'{"a": {"useCount": 3',
    "not an object": b"[1, 2]",
    "null": b"null",
    "not UTF-8": b'{"a": "\xff"}',
    "a key twice": b'{"a": {}, "a": {}}',
    "NaN": b'{"a": {"theirs": NaN}}',
    "prose": b"deleted, sorry",
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
def test_a_file_that_is_no_strict_json_object_reads_as_empty_and_says_why(data: bytes) -> None:
    usage = UsageStore(MemoryFs({PATH: data}), FakeClock(START), PATH)
    loaded = usage.load()
    assert (dict(loaded.records), dict(loaded.invalid)) == ({}, {})
    assert loaded.problem
    assert usage.get("a").error.code == "unknown-skill"


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
def test_its_bytes_are_copied_aside_once_before_the_first_write_and_the_receipt_says_so(
    data: bytes,
) -> None:
    desk = Desk()
    desk.disk.write_text(PATH, "").expect("a folder")
    desk.disk.write(PATH, data).expect("damage")
    copy = f"{PATH}.corrupt-{START}"
    receipt = desk.usage.record("a", "use").expect("a use")
    assert receipt.corrupt_copy == copy
    assert desk.disk.files()[copy] == data
    assert list(desk.document()) == ["a"]
    names = [call for call in desk.port.calls if call[0] == "replace"]
    assert [call[2] for call in names] == [copy, PATH], "first the copy, then the new file"
    desk.clock.advance(ms=1)
    assert desk.usage.record("a", "use").value.corrupt_copy is None
    assert sorted(desk.disk.files()) == [PATH, copy]


def test_reading_a_damaged_file_copies_nothing() -> None:
    disk = MemoryFs({PATH: b"garbage"})
    usage = UsageStore(disk, FakeClock(START), PATH)
    usage.load()
    usage.get("a")
    usage.pin("a")
    usage.record("a", "no such event")
    assert disk.files() == {PATH: b"garbage"}


@pytest.mark.parametrize("data", [b"", b" \n\t "])
def test_an_empty_file_holds_nothing_to_copy(data: bytes) -> None:
    disk = MemoryFs({PATH: data})
    receipt = UsageStore(disk, FakeClock(START), PATH).create("a").expect("a skill")
    assert receipt.corrupt_copy is None
    assert list(disk.files()) == [PATH]


def test_a_copy_that_cannot_be_made_keeps_the_garbage_from_being_written_over() -> None:
    disk = MemoryFs({PATH: b"garbage"})
    usage = UsageStore(MeddledFs(disk, sync=fails("no-space")), FakeClock(START), PATH)
    error = usage.record("a", "use").error
    assert error.code == "write-failed"
    assert "not kept" in error.message
    assert disk.files() == {PATH: b"garbage"}


def test_a_write_that_failed_after_the_copy_does_not_copy_again() -> None:
    disk = MemoryFs({PATH: b"garbage"})
    clock = FakeClock(START)
    port = MeddledFs(
        disk,
        replace=lambda source, target: (
            fails("io")() if target == PATH else disk.replace(source, target)
        ),
    )
    usage = UsageStore(port, clock, PATH)
    assert usage.create("a").error.code == "write-failed"
    copy = f"{PATH}.corrupt-{START}"
    assert disk.files() == {PATH: b"garbage", copy: b"garbage"}
    port.instead.clear()
    clock.advance(days=1)
    assert usage.create("a").value.corrupt_copy == copy
    assert sorted(disk.files()) == [PATH, copy]


def test_a_clock_that_fails_keeps_the_garbage_from_being_written_over_too() -> None:
    disk = MemoryFs({PATH: b"garbage"})
    usage = UsageStore(disk, raises(Unspeakable()), PATH)
    assert usage.put("a", UsageRecord()).error.code == "bad-clock"
    assert disk.files() == {PATH: b"garbage"}


def test_a_copy_of_the_same_millisecond_is_not_written_over() -> None:
    copy = f"{PATH}.corrupt-{START}"
    disk = MemoryFs({PATH: b"garbage", copy: b"older garbage"})
    receipt = UsageStore(disk, FakeClock(START), PATH).create("a").expect("a skill")
    assert receipt.corrupt_copy != copy
    assert disk.files()[copy] == b"older garbage"
    assert disk.files()[receipt.corrupt_copy] == b"garbage"


def test_the_search_for_a_free_name_ends_even_if_every_name_is_taken() -> None:
    asked: list[str] = []

    def always_there(path: str) -> object:
        asked.append(path)
        if len(asked) > 1000:
            raise AssertionError("still looking")  # the guard turns this into an Err: no hang
        return Ok(FileStat("file", 1, 1))

    disk = MemoryFs({PATH: b"garbage"})
    usage = UsageStore(MeddledFs(disk, stat=always_there), FakeClock(START), PATH)
    usage.create("a")
    assert len(asked) <= 1000


def test_a_byte_order_mark_is_dropped_with_the_next_write_and_nothing_is_copied_aside() -> None:
    disk = MemoryFs({PATH: b"\xef\xbb\xbf" + b'{"a": {"useCount": 2}}'})
    receipt = UsageStore(disk, FakeClock(START), PATH).record("a", "use").expect("a use")
    assert (receipt.record.use_count, receipt.corrupt_copy) == (3, None)
    assert list(disk.files()) == [PATH]
    assert disk.files()[PATH].startswith(b'{\n  "a": {')


# --- a file that cannot be read ---


@pytest.mark.parametrize("code", ["denied", "io", "is-folder", "too-large", "outside-root"])
def test_a_file_that_cannot_be_read_reads_as_empty_but_is_never_written_over(code: str) -> None:
    desk = Desk({"a": {"useCount": 3}}, read=fails(code))
    loaded = desk.usage.load()
    assert (loaded.names(), bool(loaded.problem)) == ((), True)
    before = desk.disk.files()
    for result in (
        desk.usage.create("b"),
        desk.usage.record("a", "use"),
        desk.usage.put("a", UsageRecord()),
        desk.usage.pin("a"),
    ):
        assert result.error.code == "unreadable"
        assert "left as they are" in result.error.message
    assert desk.disk.files() == before


def test_a_missing_file_is_an_empty_library_without_a_problem() -> None:
    assert Desk().usage.load().problem is None
    assert Desk().usage.load().names() == ()


# --- writing fails closed ---


@pytest.mark.parametrize(
    ("operation", "code", "told"),
    [
        ("lock", "lock-timeout", "lock-timeout"),
        ("lock", "denied", "write-failed"),
        ("write", "no-space", "write-failed"),
        ("sync", "io", "write-failed"),
        ("replace", "denied", "write-failed"),
        ("sync_dir", "io", "write-uncertain"),
    ],
)
def test_a_write_that_fails_says_so_and_leaves_old_or_new_bytes(
    operation: str, code: str, told: str
) -> None:
    desk = Desk({"a": {}}, **{operation: fails(code)})
    before = desk.text()
    assert desk.usage.record("a", "use").error.code == told
    if told == "write-uncertain":
        assert desk.document()["a"]["useCount"] == 1
    else:
        assert desk.text() == before
    assert sorted(desk.disk.files()) == [PATH]


def test_the_lock_is_held_over_reading_and_writing_and_waits_five_seconds() -> None:
    desk = Desk({"a": {}})
    desk.usage.record("a", "use").expect("a use")
    assert desk.port.calls[0] == ("lock", PATH, 5_000)
    assert desk.port.names()[1] == "read"
    assert desk.disk.lock(PATH, 0).ok


def test_what_another_process_wrote_before_the_lock_is_not_lost() -> None:
    disk = MemoryFs({PATH: '{"a": {"useCount": 1}}'})

    def lock(*args: object) -> object:
        disk.write(PATH, b'{"a": {"useCount": 41}, "b": {}}').expect("another process writes")
        return disk.lock(*args)

    usage = UsageStore(MeddledFs(disk, lock=lock), FakeClock(START), PATH)
    usage.load()
    assert usage.record("a", "use").value.record.use_count == 42
    assert usage.load().names() == ("a", "b")


def test_what_is_left_of_a_crash_is_gone_after_the_next_write() -> None:
    desk = Desk({"a": {}})
    desk.disk.write("skills/..usage.json.tmp", b"torn").expect("a crash")
    desk.usage.record("a", "use").expect("a use")
    assert sorted(desk.disk.files()) == [PATH]


def test_a_write_follows_the_atomic_order() -> None:
    desk = Desk({"a": {}})
    desk.usage.pin("a").expect("a pin")
    order = [name for name in desk.port.names() if name not in ("stat", "remove_temp")]
    assert order == ["lock", "read", "write", "sync", "replace", "sync_dir"]


# --- the same records give the same bytes ---


def test_keys_are_sorted_at_every_level_whatever_order_they_came_in() -> None:
    one = '{"b": {"z": {"y": 1, "x": 2}, "useCount": 1}, "a": {}}'
    two = '{"a": {}, "b": {"useCount": 1, "z": {"x": 2, "y": 1}}}'
    texts = []
    for text in (one, two):
        disk = MemoryFs({PATH: text})
        UsageStore(disk, FakeClock(START), PATH).create("c").expect("a skill")
        texts.append(disk.files()[PATH])
    assert texts[0] == texts[1]
    assert list(json.loads(texts[0])) == ["a", "b", "c"]
    assert list(json.loads(texts[0])["b"])[-1] == "z"
    assert list(json.loads(texts[0])["b"]["z"]) == ["x", "y"]


def test_letters_are_written_as_letters() -> None:
    desk = Desk({"a": {"note": "é § 😀"}})
    desk.usage.pin("a").expect("a pin")
    assert "é § 😀" in desk.text()
    assert desk.text().endswith("}\n")


def test_a_sidecar_on_a_real_disk_has_the_same_bytes_as_in_memory(tmp_path: Path) -> None:
    memory = MemoryFs()
    for fs in (memory, DiskFs(tmp_path)):
        usage = UsageStore(fs, FakeClock(START))
        usage.create("b", "agent").expect("a skill")
        usage.record("a", "use").expect("a use")
    assert (tmp_path / "skills" / ".usage.json").read_bytes() == memory.files()[PATH]


# --- whatever comes in ---

ANYTHING = st.one_of(
    st.text(max_size=5), st.none(), st.integers(), st.floats(), st.binary(max_size=3),
    st.lists(st.integers(), max_size=2), st.builds(Incomparable), st.builds(object),
    st.sampled_from(["a", "use", "view", "agent"]), st.builds(UsageRecord),
)  # fmt: skip
CALLS = st.sampled_from(["create", "record", "get", "put", "pin", "update"])


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@given(
    st.binary(max_size=30) | st.sampled_from([b'{"a": {}}', b'{"a": {"useCount": true}, "b": 5}']),
    st.lists(st.tuples(CALLS, ANYTHING, ANYTHING), max_size=5),
)
@settings(max_examples=300)
def test_no_call_raises_whatever_the_file_and_the_arguments_are(
    data: bytes, calls: list[tuple[str, object, object]]
) -> None:
    disk = MemoryFs({PATH: data})
    usage = UsageStore(disk, FakeClock(START), PATH)
    for name, one, two in calls:
        before = disk.files()
        arguments = (one,) if name == "get" else (one, two)
        result = getattr(usage, name)(*arguments)
        assert isinstance(result, Ok | Err)
        if not result.ok:
            assert isinstance(result.error.code, str)
            assert len(result.error.message) < 1000
            assert disk.files() == before
    assert usage.load().problem is None or disk.files()[PATH] == data, "what we write, we can read"


MISBEHAVIOURS = {
    "raises": raises(RuntimeError("a port of the user's")),
    "raises the unspeakable": raises(Unspeakable()),
    "returns nothing": answers(None),
    "returns Ok of a text": answers(Ok("text")),
    "returns Ok of a liar": answers(Ok(Liar())),
    "returns Ok of numbers": answers(Ok((1, 2))),
    "returns Err of a text": answers(Err("text")),
    "breaks on enter": answers(Ok(RaisesOnEnter())),
    "breaks on exit": answers(Ok(RaisesOnExit())),
}


@pytest.mark.parametrize("misbehave", MISBEHAVIOURS.values(), ids=MISBEHAVIOURS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_that_misbehaves_is_an_error_value_never_an_exception(
    operation: str, misbehave: object
) -> None:
    for data in ('{"a": {}}', "garbage"):
        disk = MemoryFs({PATH: data, "skills/..usage.json.tmp": "torn"})
        usage = UsageStore(MeddledFs(disk, **{operation: misbehave}), FakeClock(START), PATH)
        assert isinstance(usage.load().names(), tuple)
        for result in (
            usage.create("b", "agent"),
            usage.record("a", "use"),
            usage.put("c", UsageRecord()),
            usage.pin("a"),
            usage.get("a"),
        ):
            assert isinstance(result, Ok | Err)


def test_the_clock_of_a_store_is_the_one_it_was_built_with() -> None:
    desk = Desk()
    assert desk.usage.clock is desk.clock


def test_an_equal_record_is_ok_only_once_its_name_is_durable() -> None:
    """A first try may have ended uncertain: the second finds nothing to write, and syncs."""
    disk = MemoryFs()
    store = UsageStore(disk, FakeClock())
    store.create("a", created_by="agent").expect("a new name")
    store.pin("a").expect("it exists")
    watched = FaultyFs(disk)
    assert UsageStore(watched, FakeClock()).pin("a").ok
    [sync] = [one.number for one in watched.operations if one.name == "sync_dir"]
    failing = FaultyFs(disk, FaultPlan.fail(sync))
    assert UsageStore(failing, FakeClock()).pin("a").error.code == "write-uncertain"


@pytest.mark.parametrize("path", [None, 5, "", ".", "..", "/abs", "a/../../b", "a\0b", b"a"])
def test_a_path_at_which_no_file_can_be_is_refused_at_construction(path: object) -> None:
    with pytest.raises(ValueError, match=r"^path: .* (is not a path inside|does not name a file)"):
        UsageStore(MemoryFs(), FakeClock(), path)


def test_a_path_is_one_file_however_it_is_written() -> None:
    disk = MemoryFs()
    for path in ("./lib//use.json", "lib/use.json/", "lib/use.json"):
        UsageStore(disk, FakeClock(), path).record("a", "use").expect("a use")
    assert list(disk.files()) == ["lib/use.json"]
    assert UsageStore(disk, FakeClock(), "lib/use.json").get("a").value.use_count == 3
