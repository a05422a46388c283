"""SKILL.md: what is read of it, what is kept, and that what is written comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim.hermes.skills.checks import check_body
from alembic_sim.hermes.skills.skill_file import new_head, parse_skill, read_field, skill_text

DATA = Path(__file__).parents[2] / "data"
RICH = """\
---
name: fix-ci-cache
description: How to fix ci cache here
version: 1.2.0
author: someone
tags: [ci, cache]
metadata:
  hermes:
    related_skills:
      - lint-ci-cache
    name: not-the-name
# a comment
---

# fix-ci-cache

1. Look at the last run.
"""


def test_the_two_fields_are_read_and_the_rest_is_kept_letter_for_letter() -> None:
    skill = parse_skill(RICH)
    assert (skill.name, skill.description) == ("fix-ci-cache", "How to fix ci cache here")
    assert skill.head == RICH.partition("\n\n")[0] + "\n"
    assert skill.body == "# fix-ci-cache\n\n1. Look at the last run."
    assert skill.problem is None
    assert skill_text(skill.head, skill.body) == RICH


def test_genuine_skills_of_a_hermes_home_are_read_and_written_back_the_same() -> None:
    files = sorted((DATA / "hermes_home/skills").rglob("SKILL.md"))
    assert len(files) > 20
    for file in files:
        text = file.read_bytes().decode("utf-8")
        skill = parse_skill(text)
        assert skill.name == file.parent.name
        assert skill.description
        assert skill.problem is None
        assert skill_text(skill.head, skill.body) == text


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_marks_and_foreign_newlines_are_read_through_and_kept(
    mark: str, newline: str
) -> None:
    text = mark + RICH.replace("\n", newline)
    skill = parse_skill(text)
    assert (skill.name, skill.description) == ("fix-ci-cache", "How to fix ci cache here")
    assert skill.body == "# fix-ci-cache\n\n1. Look at the last run."
    assert text.startswith(skill.head)


@pytest.mark.parametrize(
    ("text", "body", "problem"),
    [
        ("", "", "it has no frontmatter"),
        ("only prose\n", "only prose", "it has no frontmatter"),
        ("\n---\nname: a\n---\n", "---\nname: a\n---", "it has no frontmatter"),
        ("---\nname: a\n\nbody", "---\nname: a\n\nbody", "its frontmatter never ends"),
        ("---", "---", "its frontmatter never ends"),
        ("---\n---", "", "its frontmatter has no description"),
        ("---\ndescription:\n---\nbody", "body", "its frontmatter has no description"),
        ("--- \ndescription: d\n---\t\nbody", "body", None),
    ],
)
def test_a_frontmatter_that_is_missing_or_broken_hides_no_body(
    text: str, body: str, problem: str | None
) -> None:
    skill = parse_skill(text)
    assert (skill.body, skill.problem) == (body, problem)


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["description: plain words"], "plain words"),
        (["description:   spaces   "], "spaces"),
        (["description: words # a comment"], "words"),
        (["description: # only a comment"], ""),
        (["description: C#"], "C#"),
        (["description: a: b"], "a: b"),
        (["description: one", "  and two", "tags: x"], "one and two"),
        (['description: "How to: fix"  # why'], "How to: fix"),
        (['description: "a\\nb \\u00e9"'], "a\nb é"),
        (['description: "one', '  two"'], "one two"),
        (['description: "\\x41 is YAML only"'], "\\x41 is YAML only"),
        (['description: "never closed'], "never closed"),
        (['description: "\\ud800"'], "?"),
        (["description: 'it''s'"], "it's"),
        (["description: 'never closed"], "never closed"),
        (["description: >", "  folded", "  words", "", "tags: x"], "folded words"),
        (["description: >-", "  folded"], "folded"),
        (["description: |", "  two", "  lines"], "two\nlines"),
        (["description: first", "description: second"], "first"),
        (["  description: inside something"], None),
        (["description:not-a-field"], None),
        (["descriptions: other"], None),
        (["description"], None),
        ([], None),
    ],
)
def test_a_field_is_read_in_every_form_that_people_write(
    lines: list[str], value: str | None
) -> None:
    assert read_field(lines, "description") == value


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("How to fix ci", "How to fix ci"),
        ("Como corrigir: já", '"Como corrigir: já"'),
        ("ends:", '"ends:"'),
        ("C# and F#", '"C# and F#"'),
        ("", '""'),
        (" blank ", '" blank "'),
        ("Yes", '"Yes"'),
        ("null", '"null"'),
        ("1.5", '"1.5"'),
        ("---", '"---"'),
        ("- item", '"- item"'),
        ("[a]", '"[a]"'),
        ('say "no"', 'say "no"'),
        ('"quoted"', '"\\"quoted\\""'),
        ("two\nlines", '"two\\nlines"'),
        ("bell \x07, \x7f, \x85, \u2028", '"bell \\u0007, \\u007f, \\u0085, \\u2028"'),
        ("é", "é"),
        ("😀", '"😀"'),
    ],
)
def test_a_value_is_quoted_where_a_yaml_reader_would_stumble(text: str, written: str) -> None:
    head = new_head("a", text)
    assert head == f"---\nname: a\ndescription: {written}\n---\n"
    assert parse_skill(head).description == text


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NASTY = st.text("-\n\r \t:#'\"|>a\ufeff\x85\u2028\\", max_size=12)


@given(TEXT | NASTY, TEXT | NASTY)
@settings(max_examples=500)
def test_what_is_written_comes_back(description: str, body: str) -> None:
    clean = check_body(body)
    if not clean.ok:
        assert clean.error.code in ("empty-body", "frontmatter-in-body", "not-text")
        return
    skill = parse_skill(skill_text(new_head("a.b", description), clean.value))
    assert (skill.name, skill.description) == ("a.b", description)
    assert skill.body == clean.value
    assert skill_text(skill.head, skill.body) == skill_text(
        new_head("a.b", description), skill.body
    )


@given(TEXT | NASTY | st.builds("---\n{}\n---\n{}".format, NASTY, NASTY))
@settings(max_examples=500)
def test_no_text_is_too_odd_to_be_read_and_its_head_is_never_changed(text: str) -> None:
    skill = parse_skill(text)
    assert text.startswith(skill.head)
    again = parse_skill(skill_text(skill.head, "new body")) if skill.head else None
    if again is not None:
        assert (again.name, again.description, again.body) == (
            skill.name,
            skill.description,
            "new body",
        )
