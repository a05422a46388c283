"""Lint of a home: which files are seen, and that each finding is at its file, once."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DiskFs, FakeClock, MemoryFs, Ok, SkillStore, UsageStore
from alembic_sim.hermes.linting.finding import RULES
from alembic_sim.hermes.linting.lint_home import LintedFile, errors_in, lint
from alembic_sim.hermes.linting.seen_file import (
    SeenFile,
    kind_of,
    see_file,
    see_home,
    see_memory,
    see_skills,
)
from tests.meddled_fs import MeddledFs, answers, fails

posix = pytest.mark.skipif(os.name == "nt", reason="links need rights there")
OURS = {"createdBy": "agent", "useCount": 1}


def home(files: dict[str, str | bytes]) -> tuple[LintedFile, ...]:
    return lint(see_home(MemoryFs(files)), now_ms=1)


def skill(name: str) -> str:
    return f"---\nname: {name}\ndescription: about {name}\n---\nhow to\n"


def found(linted: tuple[LintedFile, ...]) -> list[tuple[str, str]]:
    return [(one.file.path, finding.code) for one in linted for finding in one.findings]


def test_a_home_is_seen_memory_first_and_nothing_else_in_it_is_touched() -> None:
    files = {
        "config.yaml": "a: 1",
        "memories/MEMORY.md": "one",
        "memories/MEMORY.md.lock": "",
        "memories/notes.txt": "",
        "memory/episodic.jsonl": "",
        "memory/USER.md": "two",
        "memory/skills/x/SKILL.md": "not a skill here",
        "skills/.usage.json": "{}",
        "skills/.usage.json.corrupt-17": "x",
        "skills/.curator/run_000001/.run.json.tmp": "{",
        "skills/.hub/deep/SKILL.md": "another's",
        "skills/.archive/old/SKILL.md": "old",
        "skills/writing/prose/haiku/SKILL.md": "nested in categories",
        "skills/fix/SKILL.md": "fix",
        "skills/fix/.SKILL.md.tmp": "to",
        "skills/fix/examples/sub/SKILL.md": "part of the skill",
        "skills/fix/MEMORY.md": "part of the skill",
    }
    assert [(file.kind, file.path) for file in see_home(MemoryFs(files))] == [
        ("memory", "memories/MEMORY.md"),
        ("user", "memory/USER.md"),
        ("sub-store", "memory/episodic.jsonl"),
        ("skill", "skills/.archive/old/SKILL.md"),
        ("leftover", "skills/.curator/run_000001/.run.json.tmp"),
        ("sidecar", "skills/.usage.json"),
        ("corrupt-copy", "skills/.usage.json.corrupt-17"),
        ("leftover", "skills/fix/.SKILL.md.tmp"),
        ("skill", "skills/fix/SKILL.md"),
        ("skill", "skills/writing/prose/haiku/SKILL.md"),
    ]


def test_folders_deeper_than_a_library_has_are_not_walked() -> None:
    deep = "skills/a/b/c/d/SKILL.md"
    assert [file.path for file in see_home(MemoryFs({deep: ""}))] == [deep]
    assert see_home(MemoryFs({"skills/a/b/c/d/e/SKILL.md": ""})) == ()


def test_a_skill_file_at_the_top_hides_no_library() -> None:
    seen = see_skills(MemoryFs({"SKILL.md": "", "a/SKILL.md": ""}))
    assert [file.path for file in seen] == ["SKILL.md", "a/SKILL.md"]


@pytest.mark.parametrize("name", ["notes.md", ".tmp", "x.tmp", "usage.json", ".usage.json.lock"])
def test_a_name_that_means_nothing_is_nothing(name: str) -> None:
    assert kind_of(name) is None


def test_a_file_that_cannot_be_read_has_that_one_finding() -> None:
    files = {"memory/MEMORY.md": "", "memory/USER.md": "", "skills/.usage.json": ""}
    linted = lint(see_home(MeddledFs(MemoryFs(files), read=fails("denied"))), 1)
    assert found(linted) == [(path, "unreadable") for path in files]
    assert "the test says denied" in linted[0].findings[0].message


def test_a_folder_that_cannot_be_listed_is_a_finding_and_one_that_is_missing_is_not() -> None:
    assert see_home(MemoryFs()) == ()
    fs = MeddledFs(MemoryFs(), list=fails("denied"))
    assert found(lint(see_memory(fs, "memory"), 1)) == [("memory", "unreadable")]


@pytest.mark.parametrize(
    ("path", "limit"), [("memory/MEMORY.md", 2**20), ("memory/USER.md", 2**20)]
)
def test_a_memory_file_above_what_a_session_reads_is_unreadable(path: str, limit: int) -> None:
    assert found(home({path: b"a" * (limit + 1)})) == [(path, "unreadable")]


def test_a_folder_in_a_file_s_place_is_unreadable() -> None:
    assert found(home({"memory/MEMORY.md/x": ""})) == [("memory/MEMORY.md", "unreadable")]


def test_each_memory_file_has_its_own_limit() -> None:
    text = "a" * 1376
    linted = home({"memory/MEMORY.md": text, "memory/USER.md": text})
    assert found(linted) == [("memory/USER.md", "over-budget")]


def test_leftovers_and_copies_are_told_by_name_and_one_is_only_a_note() -> None:
    files = {"memory/.MEMORY.md.tmp": "x", "skills/.usage.json.corrupt-1": "x"}
    linted = home(files)
    assert found(linted) == [
        ("memory/.MEMORY.md.tmp", "leftover"),
        ("skills/.usage.json.corrupt-1", "corrupt-copy"),
    ]
    assert errors_in(linted) == 1


def test_sidecar_and_skills_are_seen_together() -> None:
    records = {"fix": OURS, "Fix": OURS, "gone": OURS}
    linted = home(
        {
            "skills/.usage.json": json.dumps(records),
            "skills/fix/SKILL.md": skill("fix"),
            "skills/Deploy/SKILL.md": skill("Deploy"),
            "skills/deploy/SKILL.md": b"\xff",
            "memory/episodic.jsonl": "7\n",
        }
    )
    assert sorted(found(linted)) == [
        ("memory/episodic.jsonl", "damaged-line"),
        ("skills/.usage.json", "case-clash"),
        ("skills/.usage.json", "record-without-skill"),
        ("skills/.usage.json", "record-without-skill"),
        ("skills/Deploy/SKILL.md", "skill-without-record"),
        ("skills/deploy/SKILL.md", "case-clash"),
        ("skills/deploy/SKILL.md", "skill-without-record"),
        ("skills/deploy/SKILL.md", "unparseable"),
    ]


def test_a_damaged_sidecar_accuses_no_skill() -> None:
    files = {"skills/.usage.json": "{", "skills/a/SKILL.md": skill("b")}
    assert found(home(files)) == [("skills/.usage.json", "unparseable")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "frontmatter"),
        ("how to", "frontmatter"),
        ("---\nname: a\nhow to", "frontmatter"),
        ("---\nname: a\n---\nhow to", "frontmatter"),
        ("---\nname: a\ndescription: d\n---\nhow\0to", "unparseable"),
        ("---\nname: b\ndescription: d\n---\nhow to", "other-name"),
    ],
)
def test_what_a_listing_calls_broken_in_a_skill_is_a_finding(text: str, code: str) -> None:
    """lint must not pass a SKILL.md of which `skills list` says that something is wrong."""
    files = {"skills/.usage.json": json.dumps({"a": OURS}), "skills/a/SKILL.md": text}
    assert found(home(files)) == [("skills/a/SKILL.md", code)]
    disk = MemoryFs(files)
    [listed] = SkillStore(disk, UsageStore(disk, FakeClock(0))).list().value.skills
    assert listed.problems
    without_sidecar = {"skills/a/SKILL.md": text}
    assert found(home(without_sidecar)) == [("skills/a/SKILL.md", code)]


def test_the_ancestor_s_skill_without_a_record_may_have_two_names_and_one_with_a_record_not() -> (
    None
):
    files = {"memories/MEMORY.md": "one", "skills/a/SKILL.md": skill("b")}
    assert found(home(files)) == []
    files["skills/.usage.json"] = json.dumps({"b": {"created_by": "agent"}})
    assert found(home(files)) == []
    files["skills/.usage.json"] = json.dumps({"a": {"created_by": "agent"}})
    assert found(home(files)) == [("skills/a/SKILL.md", "other-name")]


@posix
def test_a_link_in_a_circle_is_noted_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "skills/ci/fix").mkdir(parents=True)
    (tmp_path / "skills/ci/fix/SKILL.md").write_text(skill("fix"), encoding="utf-8")
    (tmp_path / "skills/loop").symlink_to(tmp_path / "skills")
    (tmp_path / "skills/ci/up").symlink_to(tmp_path / "skills")
    (tmp_path / "skills/ci/home").symlink_to(tmp_path)
    linted = lint(see_home(DiskFs(tmp_path)), 1)
    assert found(linted) == [
        ("skills/ci/home/skills", "link-circle"),
        ("skills/ci/up", "link-circle"),
        ("skills/loop", "link-circle"),
    ]
    skills = [one.file.path for one in linted if one.file.kind == "skill"]
    assert skills == ["skills/ci/fix/SKILL.md"]
    assert errors_in(linted) == 0


def test_a_category_of_the_same_name_as_a_skill_is_no_circle() -> None:
    files = {"skills/git/git/git/SKILL.md": skill("git"), "skills/a/b/a/SKILL.md": skill("a")}
    assert found(home(files)) == []
    assert {one.file.path for one in home(files)} == set(files)


@posix
def test_a_folder_that_cannot_be_looked_into_is_told_not_skipped(tmp_path: Path) -> None:
    """A name that is not UTF-8, a link out of the home, a link to itself; not a link to nowhere."""
    (tmp_path / "home/skills").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "home/skills/away").symlink_to(tmp_path / "outside")
    (tmp_path / "home/skills/itself").symlink_to(tmp_path / "home/skills/itself")
    (tmp_path / "home/skills/nowhere").symlink_to(tmp_path / "home/nothing")
    (tmp_path / "home/skills/a-file").write_text("no skill", encoding="utf-8")
    odd = tmp_path / "home/skills" / os.fsdecode(b"d\xff")
    with suppress(OSError):  # a disk that takes no such name
        odd.mkdir()
    linted = lint(see_home(DiskFs(tmp_path / "home")), 1)
    names = ["away", *([odd.name] if odd.exists() else []), "itself"]
    assert found(linted) == [(f"skills/{name}", "unreadable") for name in names]
    assert "was not looked at" in linted[0].findings[0].message


def test_a_port_that_lists_an_empty_name_ends_the_walk() -> None:
    fs = MeddledFs(MemoryFs({"skills/a/x": ""}), list=answers(Ok(("",))))
    assert [file.kind for file in see_skills(fs, "skills")] == ["link-circle"]


def test_one_file_is_taken_for_what_it_is_said_to_be() -> None:
    fs = MemoryFs({"old.txt": "tea\n§\ntea"})
    assert found(lint(see_file(fs, "old.txt", "memory"), 1)) == [("old.txt", "duplicate")]


BYTES = st.binary(max_size=30) | st.sampled_from([b"a\n \xc2\xa7\nb", b'{"a":7}', b"{}\n{"])
NAMES = st.sampled_from(
    [
        *("memory/MEMORY.md", "memories/USER.md", "memory/episodic.jsonl", "skills/.usage.json"),
        *("skills/a/SKILL.md", "skills/A/SKILL.md", "memory/.USER.md.tmp", "skills/x/y"),
    ]
)


@given(st.dictionaries(NAMES, BYTES))
def test_every_finding_is_of_a_known_rule_that_holds_for_its_file(files: dict) -> None:
    before = MemoryFs(files)
    linted = lint(see_home(before), now_ms=1)
    for one in linted:
        for finding in one.findings:
            assert finding.file == one.file.path
            assert finding.code in one.codes
            assert finding.severity == RULES[finding.code].severity
    assert before.files() == dict(sorted(files.items()))


def test_every_rule_holds_for_some_kind_of_file() -> None:
    kinds = [
        "memory",
        "user",
        "sub-store",
        "sidecar",
        "skill",
        "leftover",
        "corrupt-copy",
        "folder",
        "link-circle",
    ]
    held = {code for kind in kinds for code in LintedFile(SeenFile("x", kind), ()).codes}
    assert held == set(RULES)
