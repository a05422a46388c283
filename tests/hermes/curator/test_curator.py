"""run_curator: idle skills are archived, nothing is deleted, and every skill is accounted for.

The first five carry, word for word, the names of the cases that seed 5 §12 quotes from its own
suite of 21 (there `✓ skips a pinned skill / skips a non-agent-created skill` share a line).
"""

from __future__ import annotations

import json
import math

import pytest

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorPolicy,
    CuratorReport,
    FakeClock,
    MemoryFs,
    Ok,
    UsageRecord,
    UsageStore,
    run_curator,
)
from alembic_sim.hermes.curator.report import NeverActive, Skipped, Transition
from alembic_sim.hermes.curator.usage_store import UsageReceipt
from tests.meddled_fs import MeddledFs, Unspeakable, answers, fails, raises

PATH = "skills/.usage.json"
NOW = 1_780_315_200_000


def days_ago(days: float) -> int:
    return NOW - round(days * DAY_MS)


def agents(state: str = "active", idle_days: float = 0, **changes: object) -> dict:
    """An agent's skill as the sidecar holds it."""
    return {
        "createdBy": "agent",
        "createdAt": days_ago(400),
        "lastActivityAt": days_ago(idle_days),
        "state": state,
        **changes,
    }


class Library:
    """A sidecar with these records, a clock that stands at NOW, and a port to meddle with."""

    def __init__(self, records: object, **instead: object) -> None:
        self.disk = MemoryFs({PATH: json.dumps(records)})
        self.port = MeddledFs(self.disk, **instead)
        self.usage = UsageStore(self.port, FakeClock(NOW), PATH)

    def curate(self, policy: CuratorPolicy | None = None, **options: object) -> object:
        return run_curator(CuratorDeps(self.usage), policy, **options)

    def states(self) -> dict[str, str]:
        return {name: record["state"] for name, record in self.document().items()}

    def document(self) -> dict[str, dict]:
        return json.loads(self.disk.files()[PATH])

    def rewrite(self, records: object) -> None:
        self.disk.write(PATH, json.dumps(records).encode("utf-8")).expect("another process writes")


def moves(report: CuratorReport) -> list[tuple[str, str, str]]:
    return [(t.name, t.from_state, t.to_state) for t in report.transitioned]


def skips(report: CuratorReport) -> list[tuple[str, str]]:
    return [(s.name, s.reason) for s in report.skipped]


# --- the five that the seed quotes ---


def test_never_archives_a_brand_new_never_active_skill_lastActivityAt_0() -> None:
    """Seed 5 §12: `never archives a brand-new, never-active skill (lastActivityAt = 0)`."""
    library = Library({"new": agents(lastActivityAt=0)})
    report = library.curate().expect("a pass")
    assert skips(report) == [("new", "no-change")]
    assert library.states() == {"new": "active"}


def test_jumps_active_to_archived_directly_when_old_enough_skips_stale() -> None:
    """Seed 5 §12: `jumps active → archived directly when old enough (skips stale)`."""
    library = Library({"old": agents("active", idle_days=120)})
    assert moves(library.curate().value) == [("old", "active", "archived")]
    assert library.states() == {"old": "archived"}


def test_reactivates_a_stale_skill_used_again_before_the_archive_cutoff() -> None:
    """Seed 5 §12: `reactivates a stale skill used again before the archive cutoff`."""
    library = Library({"back": agents("stale", idle_days=3)})
    assert moves(library.curate().value) == [("back", "stale", "active")]
    assert library.states() == {"back": "active"}


def test_skips_a_pinned_skill() -> None:
    """Seed 5 §12: `skips a pinned skill`."""
    library = Library({"kept": agents("active", idle_days=500, pinned=True)})
    assert skips(library.curate().value) == [("kept", "pinned")]
    assert library.states() == {"kept": "active"}


@pytest.mark.parametrize("author", [None, "user", "Agent", "agent ", "", "the agent"])
def test_skips_a_non_agent_created_skill(author: str | None) -> None:
    """Seed 5 §12: `skips a non-agent-created skill`."""
    library = Library({"theirs": agents("active", idle_days=500, createdBy=author)})
    assert skips(library.curate().value) == [("theirs", "not-agent-created")]
    assert library.states() == {"theirs": "active"}


# --- the other transitions ---


def test_an_active_skill_goes_stale_after_thirty_days() -> None:
    library = Library({"idle": agents("active", idle_days=45)})
    assert moves(library.curate().value) == [("idle", "active", "stale")]


def test_a_stale_skill_is_archived_after_ninety_days() -> None:
    library = Library({"idle": agents("stale", idle_days=91)})
    assert moves(library.curate().value) == [("idle", "stale", "archived")]


def test_an_archived_skill_never_comes_back_by_itself() -> None:
    library = Library({"done": agents("archived", idle_days=0)})
    assert skips(library.curate().value) == [("done", "no-change")]


@pytest.mark.parametrize(
    ("idle_ms", "state"),
    [
        (30 * DAY_MS - 1, "active"),
        (30 * DAY_MS, "stale"),
        (90 * DAY_MS - 1, "stale"),
        (90 * DAY_MS, "archived"),
    ],
)
def test_both_windows_are_inclusive_to_the_millisecond(idle_ms: int, state: str) -> None:
    library = Library({"edge": agents(lastActivityAt=NOW - idle_ms)})
    library.curate().expect("a pass")
    assert library.states() == {"edge": state}


def test_a_skill_in_its_band_stays() -> None:
    library = Library({"a": agents("active", 10), "b": agents("stale", 60)})
    assert skips(library.curate().value) == [("a", "no-change"), ("b", "no-change")]


def test_a_stale_skill_that_was_never_active_is_active_again() -> None:
    assert moves(Library({"odd": agents("stale", lastActivityAt=0)}).curate().value) == [
        ("odd", "stale", "active")
    ]


def test_provenance_is_told_before_the_pin() -> None:
    library = Library({"both": agents(idle_days=500, createdBy="user", pinned=True)})
    assert skips(library.curate().value) == [("both", "not-agent-created")]


def test_the_windows_can_be_set_and_archive_may_come_before_stale() -> None:
    library = Library({"a": agents(idle_days=8), "b": agents(idle_days=2)})
    report = library.curate(CuratorPolicy(stale_after_days=7, archive_after_days=14)).value
    assert moves(report) == [("a", "active", "stale")]
    report = library.curate(CuratorPolicy(stale_after_days=7, archive_after_days=1)).value
    assert moves(report) == [("a", "stale", "archived"), ("b", "active", "archived")]


def test_windows_of_nothing_archive_all_that_was_ever_active() -> None:
    library = Library({"now": agents(idle_days=0), "never": agents(lastActivityAt=0)})
    library.curate(CuratorPolicy(0, 0)).expect("a pass")
    assert library.states() == {"never": "active", "now": "archived"}


def test_activity_in_the_future_is_left_alone_and_told() -> None:
    library = Library({"early": agents(idle_days=-2), "now": agents(idle_days=0)})
    report = library.curate().value
    assert skips(report) == [("early", "no-change"), ("now", "no-change")]
    assert report.future_activity == ("early",)


# --- the report ---


def test_names_are_sorted_and_every_skill_is_in_exactly_one_list() -> None:
    library = Library(
        {
            "zebra": agents(idle_days=45),
            "apple": agents(idle_days=100),
            "pinned": agents(idle_days=100, pinned=True),
            "broken": agents(useCount="many"),
            "mango": agents(),
            "theirs": {},
        }
    )
    report = library.curate().expect("a pass")
    assert moves(report) == [("apple", "active", "archived"), ("zebra", "active", "stale")]
    assert skips(report) == [
        ("broken", "invalid-record"),
        ("mango", "no-change"),
        ("pinned", "pinned"),
        ("theirs", "not-agent-created"),
    ]


def test_never_active_skills_are_reported_with_their_age() -> None:
    """[ours] The price of the +∞ anchor: what nobody ever used is never archived."""
    library = Library(
        {
            "b-old": agents(lastActivityAt=0, createdAt=days_ago(400)),
            "a-new": agents(lastActivityAt=0, createdAt=days_ago(0.9)),
            "c-unknown": agents(lastActivityAt=0, createdAt=0),
            "pinned": agents(lastActivityAt=0, createdAt=days_ago(2), pinned=True),
            "archived": agents("archived", lastActivityAt=0),
            "theirs": agents(lastActivityAt=0, createdBy="user"),
            "used": agents(),
        }
    )
    assert library.curate().value.never_active == (
        NeverActive("a-new", 0),
        NeverActive("b-old", 400),
        NeverActive("c-unknown", None),
        NeverActive("pinned", 2),
    )


def test_the_report_counts_what_a_pass_could_archive_at_all() -> None:
    """[ours] What guard_pass measures a plan against."""
    library = Library(
        {
            "active": agents(),
            "stale": agents("stale", 45),
            "archived": agents("archived", 200),
            "pinned": agents(idle_days=200, pinned=True),
            "theirs": agents(idle_days=200, createdBy="user"),
            "never": agents(lastActivityAt=0),
            "broken": agents(useCount="many"),
        }
    )
    plan = library.curate(dry_run=True).expect("a plan")
    assert plan.archivable == 2
    assert library.curate().value.archivable == 2, "counted before the pass, not after it"


def test_the_report_as_json_says_from_and_to() -> None:
    library = Library(
        {"a": agents(idle_days=45), "b": agents(lastActivityAt=0), "c": agents("stale", -1)}
    )
    document = library.curate().value.to_json()
    assert document == {
        "transitioned": [
            {"name": "a", "from": "active", "to": "stale"},
            {"name": "c", "from": "stale", "to": "active"},
        ],
        "skipped": [{"name": "b", "reason": "no-change"}],
        "never_active": [{"name": "b", "age_days": 400}],
        "future_activity": ["c"],
    }
    json.dumps(document, allow_nan=False)


def test_an_empty_library_gives_an_empty_report() -> None:
    assert Library({}).curate() == Ok(CuratorReport())
    nothing = UsageStore(MemoryFs(), FakeClock(NOW))
    assert run_curator(CuratorDeps(nothing)) == Ok(CuratorReport())


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"a": 1, "a": 2}', b"NaN"])
def test_a_sidecar_that_is_no_json_object_reads_as_empty_and_is_not_written_over(
    data: bytes,
) -> None:
    library = Library({})
    library.disk.write(PATH, data).expect("somebody breaks it")
    assert library.curate() == Ok(CuratorReport())
    assert library.disk.files() == {PATH: data}


# --- what a pass writes ---


def test_a_transition_changes_the_state_and_nothing_else() -> None:
    before = agents("active", 45, useCount=7, viewCount=3, patchCount=1, note={"theirs": [1, None]})
    library = Library({"idle": before, "other": {"createdBy": "user", "more": 1}})
    library.curate().expect("a pass")
    after = library.document()
    assert after["idle"] == {**before, "pinned": False, "state": "stale"}
    assert after["other"]["more"] == 1


def test_one_write_per_transition_and_none_where_nothing_moves() -> None:
    library = Library({"a": agents(idle_days=45), "b": agents(), "c": agents(idle_days=99)})
    library.curate().expect("a pass")
    assert library.port.names().count("replace") == 2
    library.port.calls.clear()
    library.curate().expect("a second pass")
    assert not {"write", "replace", "lock"} & set(library.port.names())


def test_curating_twice_leaves_the_same_bytes() -> None:
    library = Library({"b": agents(idle_days=45), "a": agents(idle_days=99), "c": {"odd": "é"}})
    library.curate().expect("a pass")
    once = library.disk.files()
    assert moves(library.curate().value) == []
    assert library.disk.files() == once


def test_a_damaged_record_is_kept_as_it_is_and_told() -> None:
    broken = {"createdBy": "agent", "lastActivityAt": "long ago", "state": "active", "x": [1.5]}
    library = Library({"broken": broken, "idle": agents(idle_days=45)})
    report = library.curate().expect("a pass")
    assert skips(report) == [("broken", "invalid-record")]
    assert library.document()["broken"] == broken


def test_nothing_is_ever_deleted() -> None:
    library = Library({f"skill-{n}": agents(idle_days=n * 10) for n in range(20)})
    for _ in range(3):
        library.curate().expect("a pass")
    assert len(library.document()) == 20


# --- a dry run ---


def test_a_dry_run_reports_what_a_real_run_would_do_and_touches_nothing() -> None:
    library = Library(
        {"a": agents(idle_days=45), "b": agents(idle_days=99), "c": agents(pinned=True)}
    )
    before, mtime = library.disk.files(), library.disk.stat(PATH)
    plan = library.curate(dry_run=True)
    assert set(library.port.names()) == {"read"}, "not even a lock"
    assert (library.disk.files(), library.disk.stat(PATH)) == (before, mtime)
    assert library.curate() == plan


# --- fail closed ---


def test_a_transition_that_cannot_be_saved_stops_the_pass_and_tells_what_was_saved() -> None:
    library = Library({name: agents(idle_days=45) for name in ("a", "b", "c")} | {"aa": {}})

    def full_at_the_second_write(*args: object) -> object:
        if library.port.names().count("replace") >= 2:
            return fails("no-space")()
        return library.disk.replace(*args)

    library.port.instead["replace"] = full_at_the_second_write
    error = library.curate().error
    assert error.code == "write-failed"
    assert "the test says no-space" in error.message
    assert error.partial == CuratorReport(
        transitioned=(Transition("a", "active", "stale"),),
        skipped=(Skipped("aa", "not-agent-created"),),
    )
    assert library.states() | {"aa": ""} == {"a": "stale", "aa": "", "b": "active", "c": "active"}


@pytest.mark.parametrize(
    ("operation", "code", "told"),
    [
        ("lock", "lock-timeout", "lock-timeout"),
        ("lock", "denied", "write-failed"),
        ("sync", "io", "write-failed"),
        ("sync_dir", "io", "write-uncertain"),
    ],
)
def test_whatever_keeps_a_transition_from_disk_is_told_with_its_code(
    operation: str, code: str, told: str
) -> None:
    library = Library({"a": agents(idle_days=45)}, **{operation: fails(code)})
    error = library.curate().error
    assert error.code == told
    assert error.partial == CuratorReport()


def test_a_pass_without_transitions_needs_no_lock() -> None:
    assert Library({"a": agents()}, lock=fails("lock-timeout")).curate().ok


@pytest.mark.parametrize("clock", [lambda: -1, lambda: "now", lambda: math.nan, lambda: None, 5])
def test_a_clock_that_says_nonsense_stops_the_pass_before_anything_is_read(clock: object) -> None:
    library = Library({"a": agents(idle_days=45)})
    usage = UsageStore(library.port, clock, PATH)
    error = run_curator(CuratorDeps(usage)).error
    assert error.code == "bad-clock"
    assert library.port.calls == []


def test_a_clock_that_raises_is_an_error_value() -> None:
    usage = UsageStore(MemoryFs(), raises(Unspeakable()))
    assert run_curator(CuratorDeps(usage)).error.code == "bad-clock"


# --- the clock ---


def test_the_sidecars_own_clock_decides_unless_another_is_given() -> None:
    library = Library({"a": agents(idle_days=0)})
    later = FakeClock(NOW + 45 * DAY_MS)
    assert moves(run_curator(CuratorDeps(library.usage, clock=later), dry_run=True).value) == [
        ("a", "active", "stale")
    ]
    assert moves(library.curate(dry_run=True).value) == []


def test_a_given_clock_counts_even_if_it_looks_empty() -> None:
    class Empty(FakeClock):
        def __len__(self) -> int:
            return 0

    library = Library({"a": agents(idle_days=0)})
    deps = CuratorDeps(library.usage, clock=Empty(NOW + 45 * DAY_MS))
    assert moves(run_curator(deps, dry_run=True).value) == [("a", "active", "stale")]


def test_an_event_recorded_now_and_a_transition_decided_now_agree() -> None:
    clock = FakeClock(NOW)
    usage = UsageStore(MemoryFs(), clock)
    usage.create("skill", created_by="agent").expect("a skill")
    usage.record("skill", "use").expect("a use")
    clock.advance(days=30, ms=-1)
    assert moves(run_curator(CuratorDeps(usage)).value) == []
    clock.advance(ms=1)
    assert moves(run_curator(CuratorDeps(usage)).value) == [("skill", "active", "stale")]
    usage.record("skill", "view").expect("a view")
    assert moves(run_curator(CuratorDeps(usage)).value) == [("skill", "stale", "active")]


# --- what another process did between the reading and the lock ---


def raced(after: object, **before: object) -> tuple[Library, object]:
    """A pass over one idle skill; when the pass takes the lock, `after` is on disk."""
    library = Library({"a": agents(idle_days=45, **before)})

    def lock(*args: object) -> object:
        library.rewrite(after)
        return library.disk.lock(*args)

    library.port.instead["lock"] = lock
    return library, library.curate()


def test_a_skill_used_in_the_meantime_is_not_moved() -> None:
    library, result = raced({"a": agents(idle_days=0, useCount=1)})
    assert skips(result.value) == [("a", "no-change")]
    assert library.document() == {"a": agents(idle_days=0, useCount=1)}


def test_a_skill_pinned_in_the_meantime_is_not_moved() -> None:
    library, result = raced({"a": agents(idle_days=45, pinned=True)})
    assert skips(result.value) == [("a", "pinned")]
    assert library.states() == {"a": "active"}


def test_a_skill_that_changed_hands_in_the_meantime_is_not_moved() -> None:
    library, result = raced({"a": agents(idle_days=45, createdBy="user")})
    assert skips(result.value) == [("a", "not-agent-created")]
    assert library.states() == {"a": "active"}


def test_a_skill_moved_in_the_meantime_is_not_moved_twice() -> None:
    _library, result = raced({"a": agents("stale", idle_days=45)})
    assert skips(result.value) == [("a", "no-change")]


def test_counts_and_notes_made_in_the_meantime_survive_the_transition() -> None:
    library, result = raced({"a": agents(idle_days=45, viewCount=9, note="new"), "b": agents()})
    assert moves(result.value) == [("a", "active", "stale")]
    assert library.document()["a"]["viewCount"] == 9
    assert library.document()["a"]["note"] == "new"
    assert "b" in library.document()


def test_a_skill_idle_even_longer_in_the_meantime_goes_where_it_belongs_now() -> None:
    library, result = raced({"a": agents(idle_days=200)})
    assert moves(result.value) == [("a", "active", "archived")]
    assert library.states() == {"a": "archived"}


def test_a_skill_that_vanished_or_broke_in_the_meantime_stops_the_pass() -> None:
    assert raced({})[1].error.code == "unknown-skill"
    library, result = raced({"a": agents(useCount=-1)})
    assert result.error.code == "invalid-record"
    assert library.document() == {"a": agents(useCount=-1)}


# --- a store that breaks its promise ---


@pytest.mark.parametrize(
    "update",
    [raises(Unspeakable()), answers(None), answers(Ok(None)), answers("done")],
    ids=["raises", "nothing", "Ok(nothing)", "text"],
)
def test_a_store_of_the_users_that_breaks_its_promise_stops_the_pass(update: object) -> None:
    library = Library({"a": agents(idle_days=45)})

    class Store:
        clock = FakeClock(NOW)
        load = staticmethod(library.usage.load)

    Store.update = staticmethod(update)
    error = run_curator(CuratorDeps(Store())).error
    assert isinstance(error.message, str)
    assert error.partial == CuratorReport()
    assert library.states() == {"a": "active"}


def test_a_receipt_without_a_before_is_read_as_the_record_that_was_loaded() -> None:
    """A store that keeps no history is honest too."""
    library = Library({"a": agents(idle_days=45)})
    record = library.usage.get("a").value

    class Store:
        clock = FakeClock(NOW)
        load = staticmethod(library.usage.load)

        @staticmethod
        def update(name: str, change: object) -> object:
            return Ok(UsageReceipt(name, change(record)))

    assert moves(run_curator(CuratorDeps(Store())).value) == [("a", "active", "stale")]


def test_records_are_values_that_a_pass_never_changes_in_place() -> None:
    library = Library({"a": agents(idle_days=45)})
    loaded = library.usage.load()
    library.curate().expect("a pass")
    assert loaded.records["a"].state == "active"
    assert isinstance(loaded.records["a"], UsageRecord)
