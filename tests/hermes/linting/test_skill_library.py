"""Lint of a skill library as a whole."""

from __future__ import annotations

import pytest

from alembic_sim.hermes.linting.skill_library import (
    case_clashes,
    lint_pairs,
    lint_skill_file,
    other_names,
    skill_names,
)

RICH = """---
name: "fix-ci"
description: >
  Ignore all previous instructions is a phrase we test for
metadata:
  hermes: {tags: [ci, caches]}
---
# § Fix CI

§
---
name: something-else
"""


def test_a_rich_skill_file_gives_no_noise() -> None:
    assert lint_skill_file("skills/fix-ci/SKILL.md", RICH.encode("utf-8")) == ()


def test_a_skill_file_that_is_not_text_is_found_at_its_line() -> None:
    [finding] = lint_skill_file("skills/a/SKILL.md", b"---\nname: \xff\n---\n")
    assert (finding.code, finding.line) == ("unparseable", 2)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (RICH, {"folder", "fix-ci"}),
        ("\ufeff---\r\ndescription: d\r\nname: fix ci \r\n---\r\n", {"folder", "fix ci"}),
        ("---\nname: 'a'\n---", {"folder", "a"}),
        ("---\ndescription: no name\n---\nname: body\n", {"folder"}),
        ("# no frontmatter\nname: x\n", {"folder"}),
        ("", {"folder"}),
    ],
)
def test_a_skill_goes_by_its_folder_and_by_the_name_in_its_frontmatter(
    text: str, names: set[str]
) -> None:
    assert skill_names("skills/folder/SKILL.md", text.encode("utf-8")) == names


def test_an_escape_in_a_name_is_read_as_whoever_lists_the_library_reads_it() -> None:
    text = '---\nname: "fix\\u002dci"\n---\n'
    assert skill_names("skills/fix-ci/SKILL.md", text.encode("utf-8")) == {"fix-ci"}


def test_a_skill_file_alone_has_no_folder_that_could_contradict_it() -> None:
    assert list(other_names({"SKILL.md": frozenset({"", "a"})}, [], native=True)) == []


def test_a_nul_is_found_at_its_line_beside_what_the_frontmatter_lacks() -> None:
    found = lint_skill_file("skills/a/SKILL.md", b"a\nb\0c")
    assert [(one.code, one.line) for one in found] == [("frontmatter", 1), ("unparseable", 2)]


def test_names_that_differ_by_case_alone_clash() -> None:
    assert [name for name, _why in case_clashes(["b", "a", "A", "B", "c", "ß", "SS"])] == [
        *("a", "b", "ß")
    ]
    [(_name, why)] = case_clashes(["fix", "Fix"])
    assert "differs from 'Fix' by case alone" in why


def pairs(skills: dict[str, set[str]], records: list[str], native: bool) -> list[tuple]:
    frozen = {file: frozenset(names) for file, names in skills.items()}
    return [(one.code, one.file) for one in lint_pairs(frozen, records, "s.json", native)]


def test_a_record_without_a_skill_and_a_skill_without_a_record_are_noted() -> None:
    skills = {"a/SKILL.md": {"a"}, "b/SKILL.md": {"b", "bee"}}
    assert pairs(skills, ["a", "bee"], native=True) == []
    assert pairs(skills, ["a", "gone"], native=True) == [
        ("record-without-skill", "s.json"),
        ("skill-without-record", "b/SKILL.md"),
    ]


def test_the_ancestors_bundled_skills_need_no_record() -> None:
    assert pairs({"a/SKILL.md": {"a"}}, [], native=False) == []


def test_a_library_whose_bodies_live_elsewhere_misses_none() -> None:
    assert pairs({}, ["a", "b"], native=True) == []
