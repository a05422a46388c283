"""SkillStore: what each call does to the text, to the record, and to nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    DiskFs,
    Err,
    FakeClock,
    MemoryFs,
    Ok,
    SkillStore,
    UsageRecord,
    UsageStore,
    run_curator,
)
from alembic_sim.hermes.skills.reading import MAX_SKILL_BYTES
from alembic_sim.hermes.skills.types import SkillReceipt, SkillView
from tests.hermes.skills.desk import SIDECAR, START, Desk, bodies
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

HERMES = json.dumps({"a": {"last_used_at": None, "created_by": "agent"}})

# --- create ---


def test_a_new_skill_is_a_file_and_a_record_and_creating_it_is_not_activity() -> None:
    desk = Desk()
    receipt = desk.skills.create("fix-ci", "How to fix CI", "\n# Fix\r\n\nlook\n\n").expect("new")
    assert receipt == SkillReceipt(
        "created",
        "fix-ci",
        "skills/fix-ci/SKILL.md",
        UsageRecord(created_at=START, created_by="agent"),
    )
    assert desk.text("fix-ci") == (
        "---\nname: fix-ci\ndescription: How to fix CI\n---\n\n# Fix\n\nlook\n"
    )
    assert desk.record("fix-ci")["lastActivityAt"] == 0
    assert list(desk.disk.files()) == [SIDECAR, "skills/fix-ci/SKILL.md"]


@pytest.mark.parametrize("author", ["agent", "user", None])
def test_a_skill_may_be_made_by_anybody(author: str | None) -> None:
    desk = Desk()
    desk.skills.create("a", "d", "b", created_by=author).expect("a skill")
    assert desk.record("a")["createdBy"] == author


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": ""}, "bad-name"),
        ({"name": "Fix"}, "bad-name"),
        ({"name": "a/b"}, "bad-name"),
        ({"name": "../a"}, "bad-name"),
        ({"name": ".usage.json"}, "bad-name"),
        ({"name": ".archive"}, "bad-name"),
        ({"name": "x" * 65}, "bad-name"),
        ({"name": 5}, "bad-name"),
        ({"name": Liar()}, "bad-name"),
        ({"description": None}, "not-text"),
        ({"description": "\ud800"}, "not-text"),
        ({"body": b"bytes"}, "not-text"),
        ({"body": "a\0b"}, "not-text"),
        ({"body": "\udfff"}, "not-text"),
        ({"body": ""}, "empty-body"),
        ({"body": "\ufeff\r\n \n"}, "empty-body"),
        ({"body": "---\nname: other\n---\nbody"}, "frontmatter-in-body"),
        ({"body": "---\ndescription: other\n---\nbody"}, "frontmatter-in-body"),
        ({"body": "x" * MAX_SKILL_BYTES}, "too-large"),
        ({"created_by": 5}, "bad-author"),
        ({"created_by": "\ud800"}, "bad-author"),
    ],
)
def test_what_cannot_be_a_skill_is_refused_and_nothing_is_written(
    change: dict[str, object], code: str
) -> None:
    desk = Desk()
    given = {"name": "a", "description": "d", "body": "b", "created_by": "agent"} | change
    error = desk.skills.create(**given).error
    assert error.code == code
    assert len(error.message) < 300
    assert desk.disk.files() == {}


def test_a_rule_between_two_lines_is_no_frontmatter() -> None:
    desk = Desk().made("a", "---\nabove\n---\nbelow")
    assert desk.skills.view("a").value.body == "---\nabove\n---\nbelow"


@pytest.mark.parametrize(
    ("prepare", "remedy"),
    [
        (lambda desk: desk.made("a"), "patch it, or choose another name"),
        (lambda desk: desk.made("a").skills.archive("a"), "it is archived: restore it instead"),
        (lambda desk: desk.usage.record("a", "use"), "its text is missing: patch it to write one"),
        (
            lambda desk: desk.disk.write_text("skills/a/SKILL.md", "by hand"),
            "its text has no record yet: use or patch it, or choose another name",
        ),
    ],
)
def test_a_name_that_exists_is_refused_and_the_message_knows_what_to_do(
    prepare: object, remedy: str
) -> None:
    desk = Desk()
    prepare(desk)
    before = desk.disk.files()
    error = desk.skills.create("a", "d", "another body").error
    assert (error.code, error.message) == ("exists", f"the skill 'a' exists; {remedy}")
    assert desk.disk.files() == before


@pytest.mark.parametrize("place", ["record", "text"])
def test_names_that_differ_by_case_alone_are_one_name(place: str) -> None:
    desk = Desk(
        {SIDECAR: '{"Fix-CI": {"useCount": 1}}'}
        if place == "record"
        else {"skills/Fix-CI/SKILL.md": "by hand"}
    )
    before = desk.disk.files()
    error = desk.skills.create("fix-ci", "d", "b").error
    assert (error.code, "'Fix-CI' exists" in error.message) == ("exists", True)
    assert desk.disk.files() == before


def test_use_09_a_newborn_does_not_inherit_a_dead_skills_clock() -> None:
    old = {"createdBy": "agent", "lastActivityAt": START - 200 * DAY_MS}
    desk = Desk({SIDECAR: json.dumps({"test-skill": old})})
    assert desk.skills.create("test-skill", "d", "b").error.code == "exists"
    run_curator(CuratorDeps(desk.usage)).expect("a pass")
    error = desk.skills.create("test-skill", "d", "b").error
    assert (error.code, "restore" in error.message) == ("exists", True)


# --- patch ---


def test_a_patch_changes_the_body_keeps_the_frontmatter_and_is_activity() -> None:
    rich = "\ufeff---\r\nname: a\r\ndescription: d\r\ntags: [x]\r\n---\r\nold\r\n"
    desk = Desk({"skills/a/SKILL.md": rich})
    desk.usage.create("a", "agent").expect("a record")
    desk.clock.advance(days=1)
    receipt = desk.skills.patch("a", "new").expect("a patch")
    head = rich.partition("old")[0]
    assert desk.text("a") == f"{head}\nnew\n"
    assert receipt.kept == "skills/a/SKILL.000001.md"
    assert desk.disk.files()[receipt.kept] == rich.encode("utf-8"), "to the byte"
    assert receipt.record.patch_count == 1
    assert receipt.record.last_activity_at == START + DAY_MS
    assert (receipt.action, receipt.before.patch_count, receipt.notes) == ("patched", 0, ())


def test_every_body_that_a_skill_ever_had_stays_readable() -> None:
    desk = Desk().made("a", "v0")
    for number in range(1, 12):
        desk.skills.patch("a", f"v{number}").expect("a patch")
    assert bodies(desk.disk, "a") == [f"v{number}" for number in range(12)]


def test_going_back_to_an_earlier_body_loses_none() -> None:
    desk = Desk().made("a", "v1")
    for body in ("v2", "v1", "v3"):
        desk.skills.patch("a", body).expect("a patch")
    assert bodies(desk.disk, "a") == ["v1", "v2", "v1", "v3"]


def test_a_number_that_is_taken_is_not_written_over() -> None:
    desk = Desk().made("a")
    desk.disk.write_text("skills/a/SKILL.000007.md", "a friend's").expect("a file")
    assert desk.skills.patch("a", "v2").value.kept == "skills/a/SKILL.000008.md"
    assert desk.text("a", "SKILL.000007.md") == "a friend's"


def test_the_same_body_again_keeps_no_second_copy_and_still_counts() -> None:
    desk = Desk().made("a")
    receipt = desk.skills.patch("a", "v1").expect("a patch")
    assert (receipt.kept, receipt.record.patch_count) == (None, 1)
    assert bodies(desk.disk, "a") == ["v1"]


def test_a_text_without_frontmatter_gets_one() -> None:
    desk = Desk({"skills/a/SKILL.md": "only prose"})
    receipt = desk.skills.patch("a", "better prose").expect("a patch")
    assert desk.text("a") == '---\nname: a\ndescription: ""\n---\n\nbetter prose\n'
    assert desk.text("a", "SKILL.000001.md") == "only prose"
    assert receipt.record.created_by is None, "a text by hand is nobody's to curate"


def test_a_head_that_ends_without_newline_is_ended() -> None:
    desk = Desk({"skills/a/SKILL.md": "---\ndescription: d\n---"})
    desk.skills.patch("a", "body").expect("a patch")
    assert desk.text("a") == "---\ndescription: d\n---\n\nbody\n"


def test_a_record_whose_text_is_missing_gets_one() -> None:
    desk = Desk()
    desk.usage.create("a", "agent").expect("a record")
    receipt = desk.skills.patch("a", "written again").expect("a patch")
    assert (receipt.kept, receipt.record.patch_count) == (None, 1)
    assert desk.skills.view("a").value.body == "written again"


@pytest.mark.parametrize("name", ["", ".", "..", "../a", ".usage.json", ".x", "a/b", "A b", "a\\b"])
def test_a_record_by_an_impossible_name_gets_no_text_anywhere(name: str) -> None:
    desk = Desk({SIDECAR: json.dumps({name: {"createdBy": "agent"}})})
    before = desk.disk.files()
    assert desk.skills.patch(name, "body").error.code in ("bad-name", "unreadable")
    assert desk.skills.view(name).error.code in ("missing-text", "unreadable")
    assert desk.disk.files() == before
    assert name in desk.listed()


def test_a_folder_that_begins_with_a_dot_holds_no_skill() -> None:
    record = {"createdBy": "agent"}
    desk = Desk({SIDECAR: json.dumps({".x": record}), "skills/.x/SKILL.md": "something else"})
    assert desk.skills.view(".x").error.code == "missing-text"
    assert desk.skills.patch(".x", "new").error.code == "bad-name"
    assert desk.text(".x") == "something else"


def test_a_folder_with_an_odd_name_is_read_and_patched_but_cannot_be_counted() -> None:
    desk = Desk({"skills/My Skill/SKILL.md": "---\nname: My Skill\ndescription: d\n---\nold"})
    receipt = desk.skills.patch("My Skill", "new").expect("a patch")
    assert receipt.record is None
    assert receipt.notes[0].startswith("not counted: 'My Skill': a skill's name is")
    assert bodies(desk.disk, "My Skill") == ["old", "new"]
    assert desk.skills.view("My Skill").value.record is None
    assert desk.skills.pin("My Skill").error.code == "bad-name"


@pytest.mark.parametrize(
    "files",
    [
        {"skills/a/SKILL.md": b"\xff\xfe"},
        {"skills/a/SKILL.md": b"x" * (MAX_SKILL_BYTES + 1)},
        {"skills/a/SKILL.md/folder": b""},
    ],
)
def test_a_text_that_cannot_be_read_is_never_written_over(files: dict[str, bytes]) -> None:
    desk = Desk(files)
    for done in (desk.skills.patch("a", "new"), desk.skills.view("a")):
        assert done.error.code == "unreadable"
    assert desk.disk.files() == files
    assert "cannot be read" in desk.listed()["a"].problems[0]


def test_a_link_out_of_the_root_is_refused_and_told(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/SKILL.md").write_text("not ours", encoding="utf-8")
    (tmp_path / "home/skills/b").mkdir(parents=True)
    (tmp_path / "home/skills/a").symlink_to(tmp_path / "outside")
    (tmp_path / "home/skills/b/SKILL.md").symlink_to(tmp_path / "outside/SKILL.md")
    fs = DiskFs(tmp_path / "home")
    skills = SkillStore(fs, UsageStore(fs, FakeClock(START)))
    for name in ("a", "b"):
        assert skills.patch(name, "new").error.code == "unreadable"
        assert "leads out of the root" in skills.view(name).error.message
    listed = skills.list().value.skills
    assert [(skill.name, len(skill.problems)) for skill in listed] == [("a", 2), ("b", 2)]
    assert (tmp_path / "outside/SKILL.md").read_text("utf-8") == "not ours"


def test_a_patch_that_would_be_too_large_is_refused() -> None:
    desk = Desk().made("a")
    before = desk.disk.files()
    assert desk.skills.patch("a", "é" * (MAX_SKILL_BYTES // 2)).error.code == "too-large"
    assert desk.disk.files() == before


# --- view and use ---


def test_a_view_shows_the_text_and_is_counted() -> None:
    desk = Desk().made("a", "look here")
    desk.clock.advance(days=2)
    seen = desk.skills.view("a").expect("a view")
    record = UsageRecord(
        created_at=START, created_by="agent", view_count=1, last_activity_at=START + 2 * DAY_MS
    )
    assert seen == SkillView("a", "skills/a/SKILL.md", "about a", "look here", record)


def test_a_view_that_cannot_be_counted_still_shows_the_text() -> None:
    desk = Desk().made("a")
    desk.port.instead["replace"] = fails("no-space")
    seen = desk.skills.view("a").expect("a view")
    assert (seen.body, seen.record) == ("v1", None)
    assert seen.notes[0].startswith("not counted: ")


def test_a_text_that_is_missing_is_not_viewed() -> None:
    desk = Desk()
    desk.usage.create("a", "agent").expect("a record")
    error = desk.skills.view("a").error
    assert error.code == "missing-text"
    assert error.message.startswith("'a': its text is missing")
    assert desk.record("a")["viewCount"] == 0


def test_a_text_that_goes_missing_between_two_looks_is_missing() -> None:
    desk = Desk().made("a")
    desk.port.instead["read"] = lambda path, *more: (
        fails("missing")() if path.endswith(".md") else desk.disk.read(path, *more)
    )
    assert desk.skills.view("a").error.code == "missing-text"


def test_a_use_is_counted_and_reading_a_listing_is_not() -> None:
    desk = Desk().made("a")
    desk.clock.advance(days=1)
    receipt = desk.skills.use("a").expect("a use")
    assert (receipt.action, receipt.record.use_count) == ("used", 1)
    assert receipt.record.last_activity_at == START + DAY_MS
    before = desk.disk.files()
    desk.skills.list()
    assert desk.disk.files() == before


def test_a_use_that_cannot_be_counted_says_so() -> None:
    desk = Desk().made("a")
    desk.port.instead["replace"] = fails("no-space")
    assert desk.skills.use("a").error.code == "write-failed"


def test_using_an_archived_skill_does_not_bring_it_back() -> None:
    desk = Desk().made("a")
    desk.skills.archive("a").expect("archived")
    receipt = desk.skills.use("a").expect("a use")
    assert receipt.record.state == "archived"
    assert receipt.notes == ("it is archived: restore brings it back",)
    assert desk.skills.view("a").value.notes == receipt.notes


def test_use_11_unknown_fields_survive_every_call() -> None:
    record = {"createdBy": "agent", "note": "keep me"}
    desk = Desk({SIDECAR: json.dumps({"s": record}), "skills/s/SKILL.md": "text"})
    for call in ("use", "view", "archive", "restore", "pin"):
        assert getattr(desk.skills, call)("s").ok
    desk.skills.patch("s", "new").expect("a patch")
    assert desk.record("s")["note"] == "keep me"


# --- archive and restore ---


def test_archiving_changes_the_state_alone() -> None:
    desk = Desk().made("a")
    text, before = desk.text("a"), desk.record("a")
    receipt = desk.skills.archive("a").expect("archived")
    assert desk.record("a") == before | {"state": "archived"}
    assert desk.text("a") == text
    assert (receipt.action, receipt.before.state, receipt.record.state) == (
        "archived",
        "active",
        "archived",
    )


def test_restoring_makes_it_active_and_stamps_activity() -> None:
    desk = Desk().made("a")
    desk.skills.archive("a").expect("archived")
    desk.clock.advance(days=100)
    before = desk.record("a")
    receipt = desk.skills.restore("a").expect("restored")
    now = START + 100 * DAY_MS
    assert desk.record("a") == before | {"state": "active", "lastActivityAt": now}
    assert receipt.notes == ()
    run_curator(CuratorDeps(desk.usage)).expect("a pass")
    assert desk.record("a")["state"] == "active", "it does not go back at the next pass"


def test_a_stale_skill_may_be_restored_too_and_an_active_one_is_left_as_it_is() -> None:
    desk = Desk({SIDECAR: json.dumps({"old": {"state": "stale", "lastActivityAt": 1}, "new": {}})})
    assert desk.skills.restore("old").value.record.last_activity_at == START
    receipt = desk.skills.restore("new").expect("nothing to do")
    assert receipt.record.last_activity_at == 0
    assert receipt.notes == ("it was active already: nothing was written",)


def test_cur_09_a_prefix_restores_nothing() -> None:
    desk = Desk().made("git-helpers")
    desk.skills.archive("git-helpers").expect("archived")
    before = desk.disk.files()
    error = desk.skills.restore("git").error
    assert error.code == "unknown-skill"
    assert error.message == "there is no skill 'git'; names are exact: 'git-helpers'"
    assert desk.disk.files() == before
    assert desk.record("git-helpers")["state"] == "archived"


def test_cur_11_archive_and_create_again_is_refused_and_both_bodies_stay_recoverable() -> None:
    desk = Desk().made("s", "v1")
    desk.skills.archive("s").expect("archived")
    error = desk.skills.create("s", "d", "v2").error
    assert (error.code, "restore it instead" in error.message) == ("exists", True)
    desk.skills.restore("s").expect("as the message says")
    desk.skills.patch("s", "v2").expect("a patch")
    desk.skills.archive("s").expect("archived again")
    assert bodies(desk.disk, "s") == ["v1", "v2"]


def test_cur_18_every_name_that_the_listing_prints_restores() -> None:
    names = ["s", "s-20260727000000", "s-20260727-000000", "s-20260727000000x"]
    desk = Desk()
    for name in names:
        desk.made(name).skills.archive(name).expect("archived")
    listed = [skill.name for skill in desk.skills.list().value.skills if skill.state == "archived"]
    assert listed == sorted(names)
    for name in listed:
        assert desk.skills.restore(name).value.name == name
        assert desk.record(name)["state"] == "active"


def test_a_name_that_no_new_skill_could_have_restores_too() -> None:
    desk = Desk({SIDECAR: json.dumps({"My Skill": {"state": "archived"}})})
    assert desk.skills.restore("My Skill").value.record.state == "active"


def test_archiving_twice_writes_once_and_says_so() -> None:
    desk = Desk().made("a")
    desk.skills.archive("a").expect("archived")
    before = desk.disk.stat(SIDECAR)
    receipt = desk.skills.archive("a").expect("nothing to do")
    assert receipt.notes == ("it was archived already: nothing was written",)
    assert desk.disk.stat(SIDECAR) == before


def test_a_clock_that_fails_restores_nothing() -> None:
    disk = MemoryFs({SIDECAR: '{"a": {"state": "archived"}}'})
    skills = SkillStore(disk, UsageStore(disk, raises(Unspeakable())))
    before = disk.files()
    assert skills.restore("a").error.code == "bad-clock"
    assert disk.files() == before


# --- pin ---


def test_a_pin_is_recorded_and_taken_away() -> None:
    desk = Desk().made("a")
    assert desk.skills.pin("a").value.action == "pinned"
    assert desk.record("a")["pinned"] is True
    assert desk.skills.pin("a").value.notes == ("it was pinned already: nothing was written",)
    receipt = desk.skills.pin("a", pinned=False).expect("unpinned")
    assert (receipt.action, receipt.notes) == ("unpinned", ())
    assert desk.record("a")["pinned"] is False
    assert desk.record("a")["lastActivityAt"] == 0


def test_cur_12_a_pin_that_no_curator_looks_at_is_recorded_and_says_so() -> None:
    old = {"createdBy": "user", "lastActivityAt": 1}
    desk = Desk({SIDECAR: json.dumps({"mine": old})})
    receipt = desk.skills.pin("mine").expect("recorded")
    assert desk.record("mine")["pinned"] is True
    assert receipt.notes == ("recorded, but this skill is not curated: the agent did not make it",)
    report = run_curator(CuratorDeps(desk.usage)).expect("a pass")
    assert [(skip.name, skip.reason) for skip in report.skipped] == [("mine", "not-agent-created")]
    assert desk.skills.pin("ghost").error.code == "unknown-skill"


def test_a_text_without_record_gets_a_record_without_author_with_the_pin() -> None:
    desk = Desk({"skills/mine/SKILL.md": "by hand"})
    receipt = desk.skills.pin("mine").expect("recorded")
    assert receipt.record == UsageRecord(created_at=START, created_by=None, pinned=True)
    assert len(receipt.notes) == 1


def test_a_record_that_another_process_made_meanwhile_is_used() -> None:
    desk = Desk({"skills/a/SKILL.md": "by hand"})
    desk.usage.create = lambda *_args: desk.usage.record("a", "use") and Err(_exists())
    receipt = desk.skills.pin("a").expect("recorded")
    assert (receipt.record.pinned, receipt.record.use_count) == (True, 1)


def _exists() -> object:
    from alembic_sim.hermes.curator.usage_store import UsageError

    return UsageError("exists", "meanwhile")


@pytest.mark.parametrize("pinned", [None, 1, "yes"])
def test_a_pin_is_true_or_false(pinned: object) -> None:
    desk = Desk({"skills/a/SKILL.md": "by hand"})
    assert desk.skills.pin("a", pinned).error.code == "bad-record"
    assert SIDECAR not in desk.disk.files()


# --- unknown, damaged, foreign ---

CALLS = {
    "patch": lambda skills, name: skills.patch(name, "body"),
    "view": lambda skills, name: skills.view(name),
    "use": lambda skills, name: skills.use(name),
    "archive": lambda skills, name: skills.archive(name),
    "restore": lambda skills, name: skills.restore(name),
    "pin": lambda skills, name: skills.pin(name),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", ["ghost", "", "..", "a/b", "a\\b", "\ud800", 5, None, Liar()])
def test_an_unknown_skill_is_an_error_and_leaves_no_trace(call: str, name: object) -> None:
    desk = Desk()
    assert CALLS[call](desk.skills, name).error.code == "unknown-skill"
    assert desk.disk.files() == {}
    assert desk.disk.list("").value == (), "not even a folder"


def test_a_misspelt_name_is_told_the_nearest() -> None:
    desk = Desk({"skills/by-hand/SKILL.md": "x"}).made("fix-ci")
    assert desk.skills.use("fix-cl").error.message.endswith("names are exact: 'fix-ci'")
    assert desk.skills.use("by-hnd").error.message.endswith("names are exact: 'by-hand'")
    assert desk.skills.use("q").error.message == "there is no skill 'q'"


@pytest.mark.parametrize("call", ["use", "archive", "restore", "pin"])
def test_a_damaged_record_is_kept_as_it_is(call: str) -> None:
    desk = Desk({SIDECAR: '{"a": {"useCount": "many"}}', "skills/a/SKILL.md": "text"})
    before = desk.disk.files()
    assert CALLS[call](desk.skills, "a").error.code == "invalid-record"
    assert desk.disk.files() == before


def test_the_text_of_a_damaged_record_may_still_be_seen_and_changed() -> None:
    desk = Desk({SIDECAR: '{"a": {"useCount": "many"}}', "skills/a/SKILL.md": "text"})
    assert desk.skills.view("a").value.body == "text"
    receipt = desk.skills.patch("a", "new").expect("a patch")
    assert (receipt.record, "damaged" in receipt.notes[0]) == (None, True)
    assert bodies(desk.disk, "a") == ["text", "new"]
    assert desk.disk.files()[SIDECAR] == b'{"a": {"useCount": "many"}}'


def test_a_hermes_home_is_read_and_not_even_locked() -> None:
    desk = Desk({SIDECAR: HERMES, "skills/a/SKILL.md": "text"})
    before = desk.disk.files()
    for name, call in CALLS.items():
        if name != "view":
            assert call(desk.skills, "a").error.code == "foreign-format"
    assert desk.skills.create("b", "d", "b").error.code == "foreign-format"
    seen = desk.skills.view("a").expect("a view")
    assert (seen.body, seen.notes) == ("text", ("not counted: a Hermes home is never written",))
    assert not {"lock", "write", "mkdir"} & set(desk.port.names())
    assert desk.disk.files() == before


def test_a_damaged_sidecar_is_copied_aside_and_the_receipt_says_so() -> None:
    desk = Desk({SIDECAR: b"garbage", "skills/a/SKILL.md": "text"})
    assert desk.skills.list().value.warnings[0].startswith("the records cannot be read: ")
    receipt = desk.skills.use("a").expect("a use")
    copy = f"{SIDECAR}.corrupt-{START}"
    assert receipt.notes == (f"the records could not be read; their bytes are kept at {copy}",)
    assert desk.disk.files()[copy] == b"garbage"


# --- list ---


def test_everything_is_listed_with_what_is_wrong_with_it() -> None:
    desk = Desk(
        {
            SIDECAR: json.dumps({"gone": {"createdBy": "agent"}, "bad": {"useCount": -1}}),
            "skills/bad/SKILL.md": "---\ndescription: d\n---\n",
            "skills/by-hand/SKILL.md": "---\nname: by-hand\ndescription: mine\n---\n",
            "skills/other/SKILL.md": "---\nname: another\ndescription: d\n---\n",
            "skills/README.md": "not a skill",
            "skills/empty/notes.md": "no skill either",
            "skills/.archive/x/SKILL.md": "the ancestor's place",
        }
    )
    desk.made("good")
    assert {name: skill.problems for name, skill in desk.listed().items()} == {
        "bad": ("its record is damaged, and kept as it is: useCount: -1 is not allowed here",),
        "by-hand": ("it has no record, so it is not curated",),
        "gone": ("its text is missing: there is no skills/gone/SKILL.md",),
        "good": (),
        "other": (
            "its frontmatter calls it 'another'",
            "it has no record, so it is not curated",
        ),
    }
    good, gone, by_hand = (desk.listed()[name] for name in ("good", "gone", "by-hand"))
    assert (good.description, good.state, good.curated) == ("about good", "active", True)
    assert (gone.description, gone.state, gone.curated) == ("", "active", True)
    assert (by_hand.description, by_hand.state, by_hand.curated) == ("mine", None, False)


def test_no_folder_is_an_empty_library_without_a_warning() -> None:
    listing = Desk().skills.list().expect("a listing")
    assert (listing.skills, listing.warnings) == ((), ())


def test_a_folder_that_cannot_be_listed_is_told_and_its_records_are_listed() -> None:
    desk = Desk().made("a")
    desk.port.instead["list"] = fails("denied")
    listing = desk.skills.list().expect("a listing")
    assert [skill.name for skill in listing.skills] == ["a"]
    assert listing.warnings == ("cannot list the skills: the test says denied",)
    assert desk.skills.create("b", "d", "b").error.code == "unreadable"
    assert desk.skills.use("ghost").error.code == "unreadable"
    assert desk.skills.patch("a", "v2").error.code == "write-failed", "no number is known free"
    assert bodies(desk.disk, "a") == ["v1"]


def test_a_library_may_lie_in_another_folder() -> None:
    disk = MemoryFs()
    skills = SkillStore(disk, UsageStore(disk, FakeClock(START), "lib/use.json"), "lib")
    skills.create("a", "d", "b").expect("a skill")
    assert list(disk.files()) == ["lib/a/SKILL.md", "lib/use.json"]


# --- writing ---


def test_the_lock_is_held_over_reading_and_writing_and_waits_five_seconds() -> None:
    desk = Desk().made("a")
    desk.port.calls.clear()
    desk.skills.patch("a", "v2").expect("a patch")
    at = desk.port.calls.index(("lock", "skills/.skills", 5_000))
    assert not {"write", "replace"} & {name for name, *_ in desk.port.calls[:at]}
    assert desk.disk.lock("skills/.skills", 0).ok, "and given back"


def test_no_other_writer_gets_in_while_a_text_is_read_and_written() -> None:
    desk = Desk().made("a")
    waiting: list[str] = []

    def meddle(operation: str) -> object:
        def call(*args: object) -> object:
            waiting.append(desk.disk.lock("skills/.skills", 0).error.code)
            return getattr(desk.disk, operation)(*args)

        return call

    desk.port.instead.update({name: meddle(name) for name in ("write", "replace")})
    desk.skills.patch("a", "v2").expect("a patch")
    assert set(waiting) == {"lock-timeout"}


@pytest.mark.parametrize(("code", "told"), [("lock-timeout",) * 2, ("denied", "write-failed")])
def test_without_the_lock_nothing_is_written(code: str, told: str) -> None:
    desk = Desk().made("a")
    desk.port.instead["lock"] = fails(code)
    before = desk.disk.files()
    for done in (desk.skills.create("b", "d", "b"), desk.skills.patch("a", "v2")):
        assert done.error.code == told
        assert "nothing was written" in done.error.message
    assert desk.disk.files() == before


def test_what_another_process_wrote_before_the_lock_is_kept_too() -> None:
    desk = Desk().made("a", "v1")

    def lock(path: str, deadline_ms: int) -> object:
        if path == "skills/.skills":
            desk.disk.write_text("skills/a/SKILL.md", "theirs").expect("another process writes")
        return desk.disk.lock(path, deadline_ms)

    desk.port.instead["lock"] = lock
    desk.skills.patch("a", "v2").expect("a patch")
    assert bodies(desk.disk, "a") == ["theirs", "v2"]


def test_what_a_crash_left_of_any_skill_is_gone_after_the_first_write() -> None:
    desk = Desk(
        {
            "skills/a/.SKILL.md.tmp": b"torn",
            "skills/b/.SKILL.000003.md.tmp": b"torn",
            "skills/b/.theirs.tmp": b"not ours",
        }
    )
    desk.made("c")
    assert [path for path in desk.disk.files() if ".tmp" in path] == ["skills/b/.theirs.tmp"]
    desk.port.calls.clear()
    desk.made("d")
    assert desk.port.names().count("list") == 1, "once an object, for a library may be large"


def test_a_library_on_a_real_disk_has_the_same_bytes_as_in_memory(tmp_path: Path) -> None:
    memory = MemoryFs()
    for fs in (memory, DiskFs(tmp_path)):
        skills = SkillStore(fs, UsageStore(fs, FakeClock(START)))
        skills.create("a", "d: é", "v1").expect("a skill")
        skills.patch("a", "v2").expect("a patch")
        skills.archive("a").expect("archived")
    on_disk = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }
    assert on_disk == memory.files()


# --- whatever comes in ---


@pytest.mark.parametrize(
    ("usage", "folder"),
    [(None, "skills"), ("x", "skills"), *((0, bad) for bad in (None, 5, "..", "/abs", "a\0b"))],
)
def test_impossible_settings_raise(usage: object, folder: object) -> None:
    usage = UsageStore(MemoryFs(), FakeClock(START)) if usage == 0 else usage
    with pytest.raises(ValueError, match="is not a"):
        SkillStore(MemoryFs(), usage, folder)


ANYTHING = st.one_of(
    st.text(max_size=5), st.none(), st.integers(), st.binary(max_size=3),
    st.builds(Incomparable), st.builds(Liar), st.sampled_from(["a", "b", "A", "a/b", ".x", "v1"]),
)  # fmt: skip
STEPS = st.tuples(st.sampled_from(["create", *CALLS]), ANYTHING, ANYTHING, ANYTHING, ANYTHING)


@given(
    st.binary(max_size=30) | st.sampled_from([b'{"a": {}}', b'{"a": 5}', HERMES.encode()]),
    st.binary(max_size=40) | st.sampled_from([b"---\nname: a\n---\nb", b"---\r\n'\r\n---"]),
    st.lists(STEPS, max_size=5),
)
@settings(max_examples=300)
def test_no_call_raises_and_no_text_is_lost_whatever_comes_in(
    sidecar: bytes, text: bytes, steps: list[tuple[object, ...]]
) -> None:
    disk = MemoryFs({SIDECAR: sidecar, "skills/a/SKILL.md": text})
    skills = SkillStore(disk, UsageStore(disk, FakeClock(START)))
    for call, name, *more in steps:
        before = set(disk.files().values())
        arguments = {"create": more, "patch": more[:1], "pin": more[:1]}.get(call, ())
        done = getattr(skills, call)(name, *arguments)
        assert isinstance(done, Ok | Err)
        if not done.ok:
            assert len(done.error.message) < 1000
        texts = {data for data in before if data not in (sidecar,)} & {text}
        assert texts <= set(disk.files().values())
        assert skills.list().ok


MISBEHAVIOURS = {
    "raises": raises(RuntimeError("a port of the user's")),
    "raises the unspeakable": raises(Unspeakable()),
    "returns nothing": answers(None),
    "returns Ok of a text": answers(Ok("text")),
    "returns Ok of a liar": answers(Ok(Liar())),
    "returns Ok of names": answers(Ok(("../x", "", "a\0b"))),
    "returns Err of a text": answers(Err("text")),
    "breaks on enter": answers(Ok(RaisesOnEnter())),
    "breaks on exit": answers(Ok(RaisesOnExit())),
}


@pytest.mark.parametrize("misbehave", MISBEHAVIOURS.values(), ids=MISBEHAVIOURS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_port_that_misbehaves_is_an_error_value_never_an_exception(
    operation: str, misbehave: object
) -> None:
    disk = MemoryFs({SIDECAR: '{"a": {}}', "skills/a/SKILL.md": "text"})
    port = MeddledFs(disk, **{operation: misbehave})
    skills = SkillStore(port, UsageStore(port, FakeClock(START)))
    for call in CALLS.values():
        assert isinstance(call(skills, "a"), Ok | Err)
    assert isinstance(skills.create("b", "d", "b"), Ok | Err)
    assert skills.list().ok
    assert b"text" in disk.files().values(), "the first text is still somewhere"


def test_a_usage_store_that_raises_is_an_error_value_too() -> None:
    class Broken(UsageStore):
        def load(self) -> None:
            raise RuntimeError("no records today")

        create = record = update = load

    disk = MemoryFs({"skills/a/SKILL.md": "text"})
    skills = SkillStore(disk, Broken(disk, FakeClock(START)))
    for name, call in CALLS.items():
        assert call(skills, "a").ok == (name in ("patch", "view"))
    error = skills.create("b", "d", "b").error
    assert "create it again to finish" in error.message
    assert "no records today" in skills.list().value.warnings[0]
