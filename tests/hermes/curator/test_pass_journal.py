"""A pass that is written down: what stands on disk before, after, and once it is undone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorPolicy,
    DiskFs,
    FakeClock,
    FaultyFs,
    MemoryFs,
    UsageStore,
    run_curator,
)
from alembic_sim.adapters.faulty_fs import FaultPlan
from alembic_sim.hermes.curator.pass_journal import (
    UndoError,
    run_journalled_pass,
    undo_last_pass,
)
from alembic_sim.hermes.curator.report import CuratorError, CuratorReport, Transition
from alembic_sim.hermes.curator.run_files import RunFiles
from alembic_sim.hermes.curator.run_record import ChangedSince, RunRecord
from alembic_sim.invariants import i11_the_curator_left_the_others_alone
from alembic_sim.result import Err, Result
from alembic_sim.strict_json import parse_strict_json
from tests.hermes.curator.test_any_library import LIBRARIES, POLICIES
from tests.meddled_fs import MeddledFs, fails

PATH = "skills/.usage.json"
RUNS = "skills/.curator"
NOW = 1_780_315_200_000


def agents(idle_days: float, state: str = "active", **changes: object) -> dict:
    last = NOW - round(idle_days * DAY_MS)
    return {"createdBy": "agent", "lastActivityAt": last, "state": state, **changes}


THREE_MOVES = {
    "a-idle": agents(45, note="kept"),
    "b-old": agents(120),
    "c-back": agents(1, "stale"),
    "d-fresh": agents(2),
    "e-pinned": agents(400, pinned=True),
    "f-broken": {"useCount": "many"},
}
STATES_BEFORE = {"a-idle": "active", "b-old": "active", "c-back": "stale"}
STATES_AFTER = {"a-idle": "stale", "b-old": "archived", "c-back": "active"}


class Desk:
    """A library and its runs over one file port; each call opens both anew, as a process does."""

    def __init__(self, records: object = THREE_MOVES, fs: object = None) -> None:
        self.disk = MemoryFs({PATH: json.dumps(records)}) if fs is None else fs
        self.port = MeddledFs(self.disk)
        self.clock = FakeClock(NOW)

    def usage(self) -> UsageStore:
        return UsageStore(self.port, self.clock, PATH)

    def runs(self) -> RunFiles:
        return RunFiles(self.port, PATH)

    def curate(
        self, policy: CuratorPolicy | None = None, limit: float | None = None
    ) -> Result[RunRecord, CuratorError]:
        return run_journalled_pass(CuratorDeps(self.usage()), self.runs(), policy, limit)

    def undo(self) -> Result[RunRecord, UndoError]:
        return undo_last_pass(self.usage(), self.runs())

    def states(self) -> dict[str, str]:
        records = self.usage().load().records
        return {name: records[name].state for name in STATES_BEFORE if name in records}

    def told(self, run_id: str) -> dict:
        return json.loads(self.disk.files()[f"{RUNS}/{run_id}/run.json"])

    def report(self, run_id: str) -> str:
        return self.disk.files()[f"{RUNS}/{run_id}/REPORT.md"].decode("utf-8")

    def set_state(self, name: str, state: str) -> None:
        change = {"state": state}
        self.usage().update(name, lambda r: r.model_copy(update=change)).expect("a new state")


# --- what a pass writes down ---


def test_a_pass_is_the_pass_of_run_curator_and_is_written_down_beside_the_sidecar() -> None:
    desk, plain = Desk(), Desk()
    report = run_curator(CuratorDeps(plain.usage())).expect("a pass")
    run = desk.curate().expect("a pass")
    assert run.report == report
    assert (run.id, run.status, run.planned) == ("run_000001", "completed", report.transitioned)
    assert desk.disk.files()[PATH] == plain.disk.files()[PATH]
    assert sorted(desk.disk.files()) == [
        f"{RUNS}/run_000001/REPORT.md",
        f"{RUNS}/run_000001/run.json",
        PATH,
    ]
    told = desk.told("run_000001")
    assert told["status"] == "completed"
    assert told["policy"] == {"stale_after_days": 30, "archive_after_days": 90}
    assert {key: told[key] for key in report.to_json()} == report.to_json()


def test_the_report_for_a_person_names_every_move_and_counts_the_rest() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    assert desk.report("run_000001") == (
        "# Curator pass run_000001\n"
        "\n"
        "This run is complete.\n"
        "Time: 2026-06-01T12:00:00.000Z.\n"
        "Stale after 30 idle days, archived after 90.\n"
        "\n"
        "## Moved\n"
        "\n"
        "    a-idle  active → stale\n"
        "    b-old  active → archived\n"
        "    c-back  stale → active\n"
        "\n"
        "## Skipped\n"
        "\n"
        "    invalid-record: 1\n"
        "    no-change: 1\n"
        "    pinned: 1\n"
    )


def test_names_cannot_break_out_of_the_report() -> None:
    nasty = "# head\n\n<b>`x`</b>\x1b[2J"
    later = NOW + 519 * DAY_MS
    idle = {"": {}, "n": {}, "o": {"createdAt": later}, "p": {"createdAt": NOW - DAY_MS}}
    never = {name: agents(0, lastActivityAt=0, **more) for name, more in idle.items()}
    desk = Desk({nasty: agents(45), "f": agents(-2), **never})
    desk.curate().expect("a pass")
    text = desk.report("run_000001")
    assert "\x1b" not in text
    line = next(line for line in text.splitlines() if "head" in line)
    assert line == f"    {nasty!r}  active → stale"
    assert "    ''  creation time unknown\n    n  creation time unknown\n" in text
    assert "    o  created in the future (a clock was wrong)\n    p  created 1 day ago\n" in text
    assert "## Active in the future\n\n    f\n" in text


def test_the_intent_is_durable_before_the_first_transition() -> None:
    desk = Desk()

    def look_first(path: str, deadline_ms: int) -> object:
        if path == PATH:
            told = desk.told("run_000001")
            assert told["status"] == "started"
            assert [move["name"] for move in told["planned"]] == list(STATES_BEFORE)
            assert "was cut off" in desk.report("run_000001")
            assert "    b-old  active → archived\n" in desk.report("run_000001")
        return desk.disk.lock(path, deadline_ms)

    desk.port.instead["lock"] = look_first
    assert desk.curate().expect("a pass").report.transitioned


def test_a_pass_without_moves_is_a_run_too() -> None:
    desk = Desk({"d": agents(1)})
    assert desk.curate().value.id == "run_000001"
    assert "## Moved\n\n    nothing\n" in desk.report("run_000001")


def test_ids_continue_from_the_highest_whatever_the_clock_says() -> None:
    """CUR-07: a clock that is set back reorders nothing."""
    desk = Desk({"s": agents(0)})
    ids = []
    for days in (0, -30, 60):
        desk.clock = FakeClock(NOW + days * DAY_MS)
        ids.append(desk.curate().value.id)
    assert ids == ["run_000001", "run_000002", "run_000003"]
    assert desk.told("run_000002")["future_activity"] == ["s"]


def test_a_pass_moves_nothing_that_its_intent_does_not_name() -> None:
    """A skill that appears after the plan waits for the next pass."""
    desk = Desk()

    def add_one(path: str, data: bytes) -> object:
        if b'"started"' in data:
            document = json.loads(desk.disk.files()[PATH]) | {"late": agents(500)}
            desk.disk.write(PATH, json.dumps(document).encode()).expect("another process writes")
        return desk.disk.write(path, data)

    desk.port.instead["write"] = add_one
    assert [t.name for t in desk.curate().value.report.transitioned] == list(STATES_BEFORE)
    assert desk.usage().get("late").value.state == "active"


def test_a_skill_used_after_the_plan_is_not_moved_and_the_run_says_so() -> None:
    desk = Desk()

    def use_it(path: str, deadline_ms: int) -> object:
        if path == PATH:
            del desk.port.instead["lock"]
            desk.usage().record("a-idle", "use").expect("a use")
        return desk.disk.lock(path, deadline_ms)

    desk.port.instead["lock"] = use_it
    run = desk.curate().expect("a pass")
    assert [t.name for t in run.report.transitioned] == ["b-old", "c-back"]
    assert [t.name for t in run.planned] == ["a-idle", "b-old", "c-back"]
    assert [t.name for t in desk.undo().value.report.transitioned] == ["b-old", "c-back"]


@given(LIBRARIES, POLICIES)
@settings(max_examples=100)
def test_a_dry_run_plans_what_the_written_pass_does_and_undo_brings_every_byte_of_state_back(
    library: dict, policy: CuratorPolicy
) -> None:
    desk = Desk(library)
    before = dict(desk.usage().load().records)
    plan = run_curator(CuratorDeps(desk.usage()), policy, dry_run=True).expect("a plan")
    run = desk.curate(policy).expect("a pass")
    assert run.report == plan, "I8"
    for path, data in desk.disk.files().items():
        assert not path.endswith(".json") or parse_strict_json(data).ok, "I9"
    undone = desk.undo()
    if plan.transitioned:
        assert len(undone.value.report.transitioned) == len(plan.transitioned)
    else:
        assert undone.error.code == "no-run"
    assert dict(desk.usage().load().records) == before


# --- refused, stopped, not told ---


def test_the_guard_refuses_before_anything_is_written() -> None:
    desk = Desk({"a": agents(100), "b": agents(100)})
    before = desk.disk.files()
    assert desk.curate(limit=0.5).error.code == "too-many-archived"
    assert desk.disk.files() == before
    assert len(desk.curate(limit=None).value.report.transitioned) == 2


def test_a_pass_within_the_fraction_runs() -> None:
    run = Desk({"a": agents(100), "b": agents(1)}).curate(limit=0.5).expect("half is allowed")
    assert run.report.transitioned == (Transition("a", "active", "archived"),)


def test_a_pass_that_stops_says_so_in_its_run_and_what_it_saved_can_be_undone() -> None:
    desk = Desk()
    locks: list[str] = []

    def second_fails(path: str, deadline_ms: int) -> object:
        locks.append(path)
        if locks.count(PATH) == 2:
            return fails("lock-timeout")()
        return desk.disk.lock(path, deadline_ms)

    desk.port.instead["lock"] = second_fails
    error = desk.curate().error
    assert error.code == "lock-timeout"
    assert [t.name for t in error.partial.transitioned] == ["a-idle"]
    told = desk.told("run_000001")
    assert told["status"] == "stopped"
    assert told["error"].startswith("lock-timeout: ")
    assert "Why it stopped: " in desk.report("run_000001")
    del desk.port.instead["lock"]
    undone = desk.undo().expect("undone")
    assert undone.report.transitioned == (Transition("a-idle", "stale", "active"),)
    assert undone.as_before == ("b-old", "c-back")
    assert desk.states() == STATES_BEFORE


@pytest.mark.parametrize(
    ("operation", "code"),
    [("lock", "lock-timeout"), ("lock", "denied"), ("list", "denied"), ("write", "no-space")],
)
def test_a_pass_that_cannot_be_written_down_is_not_begun(operation: str, code: str) -> None:
    desk = Desk()
    desk.port.instead[operation] = fails(code)
    result = desk.curate()
    assert not result.ok
    assert result.error.partial == CuratorReport()
    assert desk.states() == STATES_BEFORE


def test_a_pass_that_is_done_but_cannot_be_told_says_both() -> None:
    desk = Desk()

    def full(path: str, data: bytes) -> object:
        done = b'"completed"' in data
        return fails("no-space")() if done else desk.disk.write(path, data)

    desk.port.instead["write"] = full
    error = desk.curate().error
    assert (error.code, len(error.partial.transitioned)) == ("write-failed", 3)
    assert "can be undone" in error.message
    assert desk.states() == STATES_AFTER
    del desk.port.instead["write"]
    assert len(desk.undo().value.report.transitioned) == 3


def test_words_of_a_port_that_utf8_cannot_hold_do_not_break_the_run() -> None:
    desk = Desk()
    desk.port.instead["lock"] = lambda path, ms: (
        fails("denied")() if path == PATH else desk.disk.lock(path, ms)
    )

    class Torn(UsageStore):
        def update(self, *_args: object) -> object:
            return Err(UndoError("odd", "\ud800"))

    result = run_journalled_pass(CuratorDeps(Torn(desk.port, desk.clock, PATH)), desk.runs())
    assert result.error.code == "odd"
    assert desk.told("run_000001")["error"] == "odd: ?"


def test_two_passes_at_a_time_are_one_after_the_other() -> None:
    desk = Desk()
    with desk.runs().lock().value:
        assert desk.curate().error.code == "lock-timeout"
        assert desk.undo().error.code == "lock-timeout"
    assert desk.curate().ok


@pytest.mark.parametrize("clock", [lambda: -1, lambda: None])
def test_a_clock_that_says_nonsense_begins_nothing(clock: object) -> None:
    desk = Desk()
    before = desk.disk.files()
    usage = UsageStore(desk.port, clock, PATH)
    assert run_journalled_pass(CuratorDeps(usage), desk.runs()).error.code == "bad-clock"
    assert undo_last_pass(usage, desk.runs()).error.code == "bad-clock"
    assert desk.disk.files() == before


def test_what_is_none_of_the_arguments_is_a_bad_argument() -> None:
    desk = Desk()
    deps, usage, runs = CuratorDeps(desk.usage()), desk.usage(), desk.runs()
    for result in (
        run_journalled_pass(deps, PATH),
        run_journalled_pass(usage, runs),
        run_journalled_pass(deps, runs, (30, 90)),
        run_journalled_pass(deps, runs, None, "half"),
        undo_last_pass(deps, runs),
        undo_last_pass(usage, None),
    ):
        assert result.error.code == "bad-argument"
    assert list(desk.disk.files()) == [PATH]


# --- undo ---


def test_undo_puts_every_state_back_and_nothing_else() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.clock.advance(days=1)
    desk.usage().record("a-idle", "view").expect("activity since")
    run = desk.undo().expect("undone")
    assert (run.id, run.undoes, run.status) == ("run_000002", "run_000001", "completed")
    assert [t.name for t in run.report.transitioned] == list(STATES_BEFORE)
    assert desk.states() == STATES_BEFORE
    after = desk.usage().get("a-idle").value
    assert (after.view_count, after.last_activity_at, after.note) == (1, NOW + DAY_MS, "kept")
    told = desk.told("run_000002")
    assert (told["kind"], told["undoes"], told["status"]) == ("undo", "run_000001", "completed")
    assert "# Undo of run_000001, run_000002\n" in desk.report("run_000002")


def test_undoing_twice_says_so_and_changes_nothing() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.undo().expect("undone")
    before = desk.disk.files()
    error = desk.undo().error
    assert error.code == "already-undone"
    assert "run_000001" in error.message
    assert desk.disk.files() == before


def test_a_state_that_changed_since_is_left_alone_and_listed() -> None:
    desk = Desk(THREE_MOVES | {"g-gone": agents(45), "h-hurt": agents(45)})
    desk.curate().expect("a pass")
    desk.set_state("a-idle", "archived")
    desk.set_state("b-old", "active")
    document = json.loads(desk.disk.files()[PATH])
    del document["g-gone"]
    document["h-hurt"]["state"] = 5
    desk.disk.write(PATH, json.dumps(document).encode()).expect("somebody edits the file")
    run = desk.undo().expect("undone")
    assert run.report.transitioned == (Transition("c-back", "active", "stale"),)
    assert run.as_before == ("b-old",)
    gone = "not in the sidecar, or damaged"
    assert run.changed_since == (
        ChangedSince("a-idle", "archived"),
        ChangedSince("g-gone", gone),
        ChangedSince("h-hurt", gone),
    )
    assert desk.states() == {"a-idle": "archived", "b-old": "active", "c-back": "stale"}
    text = desk.report("run_000002")
    assert "left alone\n\n    a-idle  now archived\n" in text
    assert "already\n\n    b-old\n" in text
    assert desk.told("run_000002")["changed_since"][0] == {"name": "a-idle", "found": "archived"}


def test_without_a_pass_that_moved_anything_there_is_nothing_to_undo() -> None:
    desk = Desk({"d": agents(1)})
    assert desk.undo().error.code == "no-run"
    desk.curate().expect("a pass without moves")
    assert desk.undo().error.code == "no-run"


def test_passes_that_moved_nothing_are_passed_over() -> None:
    desk = Desk()
    for _ in range(3):
        desk.curate().expect("a pass")
    assert desk.undo().value.undoes == "run_000001"


def test_a_pass_that_was_not_begun_leaves_the_undo_to_the_one_before_it() -> None:
    """The disk was full while the intent was written: nothing moved, nothing is to take back."""
    desk = Desk()
    desk.curate().expect("a pass")
    later = CuratorPolicy(10, 20)
    desk.port.instead["write"] = lambda path, data: (
        fails("no-space")() if path.endswith("REPORT.md.tmp") else desk.disk.write(path, data)
    )
    assert "the pass was not begun" in desk.curate(later).error.message
    del desk.port.instead["write"]
    assert desk.undo().value.undoes == "run_000001"
    assert desk.states() == STATES_BEFORE


def test_a_run_whose_intent_stayed_uncertain_says_that_it_was_not_begun() -> None:
    """So that a state which somebody else set since is not taken for the pass's."""
    desk = Desk()
    synced: list[str] = []

    def third_fails(path: str) -> object:
        synced.append(path)
        last = path.endswith("run_000001") and synced.count(path) == 2  # after run.json
        return fails("io")() if last else desk.disk.sync_dir(path)

    desk.port.instead["sync_dir"] = third_fails
    error = desk.curate().error
    assert (error.code, error.partial) == ("write-uncertain", CuratorReport())
    told = desk.told("run_000001")
    assert (told["status"], told["error"]) == ("not-begun", error.message)
    assert "This run was not begun: nothing was moved." in desk.report("run_000001")
    assert "## Moved\n\n    nothing\n" in desk.report("run_000001")
    desk.set_state("b-old", "archived")
    assert desk.undo().error.code == "no-run"
    assert desk.states()["b-old"] == "archived"


def test_an_undo_that_was_not_begun_says_so_and_uses_nothing_up() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.port.instead["write"] = lambda path, data: (
        fails("no-space")() if b'"started"' in data else desk.disk.write(path, data)
    )
    assert "the undo was not begun" in desk.undo().error.message
    del desk.port.instead["write"]
    assert desk.told("run_000002")["status"] == "not-begun"
    assert desk.states() == STATES_AFTER
    assert desk.undo().value.undoes == "run_000001"
    assert desk.states() == STATES_BEFORE


def two_passes(plan: FaultPlan) -> list[tuple[MemoryFs, dict, str]]:
    """After a second pass met a fault: what may be on disk, the states there, what they were before
    the last pass that moved anything, and its id."""
    desk = Desk()
    desk.curate().expect("the first pass")
    fs = FaultyFs(desk.disk, plan)
    clock = FakeClock(NOW + 60 * DAY_MS)
    run_journalled_pass(CuratorDeps(UsageStore(fs, clock, PATH)), RunFiles(fs, PATH))
    disks = [left.fs for left in fs.crash()] if plan.kind == "crash" else [desk.disk]
    found = []
    for disk in disks:
        moved = Desk(fs=disk).states() != STATES_AFTER
        found.append((disk, STATES_AFTER if moved else STATES_BEFORE, f"run_00000{1 + moved}"))
    return found


def test_a_fault_in_a_second_pass_leaves_exactly_the_last_one_that_moved_anything_to_undo() -> None:
    desk = Desk()
    desk.curate().expect("the first pass")
    fs = FaultyFs(desk.disk)
    clock = FakeClock(NOW + 60 * DAY_MS)
    run_journalled_pass(CuratorDeps(UsageStore(fs, clock, PATH)), RunFiles(fs, PATH))
    assert desk.states() != STATES_AFTER
    undone = set()
    for at in range(1, len(fs.operations) + 1):
        for plan in (FaultPlan.crash(at), FaultPlan.fail(at, "no-space"), FaultPlan.fail(at)):
            for disk, wanted, run_id in two_passes(plan):
                left = Desk(fs=disk)
                assert left.undo().value.undoes == run_id, plan
                assert left.states() == wanted, plan
                assert left.undo().error.code == "already-undone", plan
                assert left.states() == wanted, plan
                undone.add(run_id)
    assert undone == {"run_000001", "run_000002"}


def cut_off(desk: Desk) -> None:
    """The journal as if the power had gone before the end of the last run was told."""
    path = f"{RUNS}/{desk.runs().ids().value[-1]}/run.json"
    told = json.loads(desk.disk.files()[path]) | {"status": "started", "transitioned": []}
    desk.disk.write(path, json.dumps(told).encode()).expect("the intent")


def test_an_undo_that_was_cut_off_when_all_was_back_is_finished_and_goes_no_further() -> None:
    """Everything is as before by then, yet that pass did move: the one before it must stay."""
    desk = Desk()
    desk.curate().expect("the first pass")
    desk.clock.advance(days=60)
    desk.curate().expect("the second")
    cut_off(desk)
    between = STATES_AFTER
    desk.undo().expect("undone")
    cut_off(desk)
    assert desk.states() == between
    again = desk.undo().expect("finished")
    assert (again.undoes, again.report.transitioned) == ("run_000002", ())
    assert desk.undo().error.code == "already-undone"
    assert desk.states() == between


def test_a_pass_that_moved_nothing_is_not_taken_for_one_that_did_after_the_undo_of_another() -> (
    None
):
    """Undoing the first pass gives c-back the state that the second had planned for it."""
    desk = Desk()
    desk.curate().expect("the first pass")
    desk.clock.advance(days=60)
    desk.port.instead["write"] = lambda path, data: (
        desk.disk.write(path, data) if b'"started"' in data or b"cut off" in data else fails("io")()
    )
    assert not desk.curate().ok
    del desk.port.instead["write"]
    cut_off(desk)
    assert {"name": "c-back", "from": "active", "to": "stale"} in desk.told("run_000002")["planned"]
    assert desk.undo().value.undoes == "run_000001"
    assert desk.states() == STATES_BEFORE
    assert desk.undo().error.code == "already-undone"
    assert desk.states() == STATES_BEFORE


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"{", "unreadable"), (b'{"a": {"use_count": 1}}', "foreign-format")],
)
def test_an_undo_over_a_sidecar_that_cannot_be_read_is_not_begun(content: bytes, code: str) -> None:
    """Every skill would seem to be gone, and the undo be used up."""
    desk = Desk()
    desk.curate().expect("a pass")
    good = desk.disk.files()[PATH]
    desk.disk.write(PATH, content).expect("damage")
    before = desk.disk.files()
    error = desk.undo().error
    assert error.code == code
    assert error.message.startswith(".usage.json: ")
    assert desk.disk.files() == before
    desk.disk.write(PATH, good).expect("mended")
    assert len(desk.undo().value.report.transitioned) == 3


# --- who may be moved back ---


def test_undo_leaves_a_skill_that_was_pinned_or_given_to_a_person_since_and_says_why() -> None:
    """I11: nobody's and pinned skills are never moved by the curator, also not back."""
    desk = Desk()
    desk.curate().expect("a pass")
    desk.usage().pin("b-old").expect("a pin")
    given_away = {"created_by": "Ana", "pinned": True}
    desk.usage().update("a-idle", lambda r: r.model_copy(update=given_away)).expect("hers now")
    before = desk.usage().load()
    run = desk.undo().expect("undone")
    assert run.report.transitioned == (Transition("c-back", "active", "stale"),)
    assert run.changed_since == (
        ChangedSince("a-idle", "not-agent-created"),
        ChangedSince("b-old", "pinned"),
    )
    assert i11_the_curator_left_the_others_alone(before, desk.usage().load()) == ()
    assert "    b-old  now pinned\n" in desk.report("run_000002")


def test_a_pinned_skill_in_its_old_state_is_as_before() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.set_state("b-old", "active")
    desk.usage().pin("b-old").expect("a pin")
    assert desk.undo().value.as_before == ("b-old",)


@pytest.mark.parametrize(
    ("before", "after"),
    [("archived", "archived"), ("archived", "stale"), ("stale", "stale"), ("gone", "stale")],
)
def test_undo_goes_by_no_run_json_that_says_what_no_pass_does(before: str, after: str) -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    told = desk.told("run_000001")
    told["transitioned"][0] |= {"from": before, "to": after}
    path = f"{RUNS}/run_000001/run.json"
    desk.disk.write(path, json.dumps(told).encode()).expect("somebody edits the run")
    files = desk.disk.files()
    assert desk.undo().error.code == "invalid-run"
    assert desk.disk.files() == files


@given(st.data())
@settings(max_examples=100)
def test_whatever_happened_since_undo_moves_only_the_agents_unpinned_skills_and_only_to_from(
    data: st.DataObject,
) -> None:
    desk = Desk()
    moved = {t.name: t.from_state for t in desk.curate().value.report.transitioned}
    changes = st.fixed_dictionaries(
        {
            "state": st.sampled_from(["active", "stale", "archived"]),
            "pinned": st.booleans(),
            "created_by": st.sampled_from(["agent", "Ana", None]),
        }
    )
    for name, change in data.draw(st.dictionaries(st.sampled_from(sorted(moved)), changes)).items():
        desk.usage().update(name, lambda r, c=change: r.model_copy(update=c)).expect("a change")
    before = desk.usage().load()
    run = desk.undo().expect("undone")
    after = desk.usage().load()
    assert i11_the_curator_left_the_others_alone(before, after) == ()
    for name, record in after.records.items():
        assert record.state in (before.records[name].state, moved.get(name))
    told = [t.name for t in run.report.transitioned], [c.name for c in run.changed_since]
    assert sorted([*told[0], *told[1], *run.as_before]) == sorted(moved)


def test_only_the_last_pass_is_undone_and_a_newer_one_opens_a_new_chance() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.undo().expect("undone")
    assert desk.curate().value.id == "run_000003"
    assert desk.undo().value.undoes == "run_000003"
    assert desk.undo().error.code == "already-undone"


def test_a_run_that_cannot_be_read_stops_the_undo() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    for broken in (b"", b'{"kind": "pass"}', b'{"kind": "pass", "kind": "undo"}', b"\xff"):
        desk.disk.write(f"{RUNS}/run_000001/run.json", broken).expect("damage")
        error = desk.undo().error
        assert error.code == "invalid-run"
        assert "run_000001/run.json" in error.message
    desk.port.instead["read"] = fails("denied")
    assert desk.undo().error.code == "unreadable"
    del desk.port.instead["read"]
    assert desk.states() == STATES_AFTER


def test_a_folder_of_runs_that_cannot_be_listed_stops_the_undo() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.port.instead["list"] = fails("io")
    assert desk.undo().error.code == "unreadable"


def test_runs_of_another_sidecar_in_the_same_folder_are_not_undone() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    other = "skills/other.json"
    desk.disk.write(other, desk.disk.files()[PATH]).expect("a second library")
    usage = UsageStore(desk.disk, desk.clock, other)
    assert undo_last_pass(usage, RunFiles(desk.disk, other)).error.code == "no-run"
    assert desk.states() == STATES_AFTER


def test_an_undo_that_stops_says_how_far_it_went_and_can_be_repeated() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    locks: list[str] = []

    def second_fails(path: str, deadline_ms: int) -> object:
        locks.append(path)
        return fails("denied")() if locks.count(PATH) == 2 else desk.disk.lock(path, deadline_ms)

    desk.port.instead["lock"] = second_fails
    error = desk.undo().error
    assert error.code == "write-failed"
    assert [t.name for t in error.partial.report.transitioned] == ["a-idle"]
    assert desk.told("run_000002")["status"] == "stopped"
    del desk.port.instead["lock"]
    run = desk.undo().expect("undone")
    assert (run.id, run.undoes, run.as_before) == ("run_000003", "run_000001", ("a-idle",))
    assert desk.states() == STATES_BEFORE


@pytest.mark.parametrize("status", [b'"started"', b'"completed"'])
def test_an_undo_that_cannot_be_written_down_says_so(status: bytes) -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    desk.port.instead["write"] = lambda path, data: (
        fails("no-space")() if status in data else desk.disk.write(path, data)
    )
    assert desk.undo().error.code == "write-failed"
    begun = status == b'"completed"'
    assert desk.states() == (STATES_BEFORE if begun else STATES_AFTER)
    del desk.port.instead["write"]
    assert desk.undo().ok
    assert desk.states() == STATES_BEFORE


def test_an_undo_whose_id_cannot_be_had_begins_nothing() -> None:
    desk = Desk()
    desk.curate().expect("a pass")
    runs = RunFiles(desk.port, PATH, new_id=lambda _taken: "run_000001")
    assert undo_last_pass(desk.usage(), runs).error.code == "bad-id"
    assert run_journalled_pass(CuratorDeps(desk.usage()), runs).error.code == "bad-id"
    assert desk.states() == STATES_AFTER


def test_a_pass_on_a_real_disk_is_written_down_and_undone(tmp_path: Path) -> None:
    sidecar = tmp_path / PATH
    sidecar.parent.mkdir()
    sidecar.write_text(json.dumps(THREE_MOVES), encoding="utf-8")
    desk = Desk(fs=DiskFs(tmp_path))
    assert desk.curate().value.id == "run_000001"
    assert desk.states() == STATES_AFTER
    assert desk.undo().value.undoes == "run_000001"
    assert desk.states() == STATES_BEFORE
    names = sorted(p.relative_to(tmp_path).as_posix() for p in (tmp_path / RUNS).rglob("*.*"))
    assert [n for n in names if n.endswith((".md", ".json"))] == [
        f"{RUNS}/{run}/{name}"
        for run in ("run_000001", "run_000002")
        for name in ("REPORT.md", "run.json")
    ]


# --- faults ---


def operations_of(work: str) -> int:
    fs = FaultyFs(begun(work))
    start(work, fs).expect("the work goes through without faults")
    return len(fs.operations)


def begun(work: str) -> MemoryFs:
    """The disk on which the work starts: for an undo, after a pass."""
    desk = Desk()
    if work == "undo":
        desk.curate().expect("a pass")
    return desk.disk


def start(work: str, fs: object) -> Result[RunRecord, CuratorError | UndoError]:
    usage, runs = UsageStore(fs, FakeClock(NOW), PATH), RunFiles(fs, PATH)
    return run_journalled_pass(CuratorDeps(usage), runs) if work == "pass" else (
        undo_last_pass(usage, runs)
    )  # fmt: skip


def assert_it_can_be_undone(disk: MemoryFs, why: str) -> None:
    """Whatever happened: the library is readable, one undo away from its old states, and clean."""
    desk = Desk(fs=disk)
    told = [data for path, data in disk.files().items() if path.endswith(".json")]
    assert all(parse_strict_json(data).ok for data in told), why
    undone = desk.undo()
    if not undone.ok:
        assert undone.error.code in ("no-run", "already-undone"), (why, undone)
    assert desk.states() == STATES_BEFORE, why
    assert desk.usage().get("a-idle").value.note == "kept", why
    desk.curate().expect("the next pass")
    assert [path for path in disk.files() if path.endswith(".tmp")] == [], why
    assert desk.states() == STATES_AFTER, why


@pytest.mark.parametrize("work", ["pass", "undo"])
@pytest.mark.parametrize("persistent", [False, True])
def test_an_error_at_any_file_operation_leaves_a_pass_that_can_be_undone(
    work: str, persistent: bool
) -> None:
    for at in range(1, operations_of(work) + 1):
        disk = begun(work)
        start(work, FaultyFs(disk, FaultPlan.fail(at=at, persistent=persistent)))
        assert_it_can_be_undone(disk, f"{work}, error at {at}")


@pytest.mark.parametrize("work", ["pass", "undo"])
def test_a_power_cut_at_any_file_operation_leaves_a_pass_that_can_be_undone(work: str) -> None:
    for at in range(1, operations_of(work) + 2):
        fs = FaultyFs(begun(work), FaultPlan.crash(at=at))
        start(work, fs)
        for left in fs.crash():
            assert_it_can_be_undone(left.fs, f"{work}, crash at {at}: {left.story}")
