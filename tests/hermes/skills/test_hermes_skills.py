"""The skills of a Hermes home: found wherever the ancestor puts them, and never touched."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DiskFs, MemoryFs
from alembic_sim.hermes.curator.hermes_sidecar import read_hermes_sidecar
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.skills.hermes_skills import list_hermes_skills, view_hermes_skill
from tests.meddled_fs import MeddledFs, fails, raises

DATA = Path(__file__).parents[2] / "data"


def skill(name: str, body: str = "body") -> str:
    return f"---\nname: {name}\ndescription: about {name}\n---\n{body}\n"


def sidecar(*names: str) -> UsageSidecar:
    return read_hermes_sidecar({name: {"created_by": "agent"} for name in names}).sidecar


def test_a_genuine_home_is_listed_whole_and_read_only() -> None:
    home = DATA / "hermes_home"
    document = json.loads((home / "skills/.usage.json").read_text("utf-8"))
    records = read_hermes_sidecar(document).sidecar
    port = MeddledFs(DiskFs(home))
    listing = list_hermes_skills(port, records)
    assert {skill.name for skill in listing.skills} == set(document)
    assert all(not skill.problems for skill in listing.skills)
    assert listing.warnings == ()
    view_hermes_skill(port, records, "fix-ci-cache").expect("a view")
    assert set(port.names()) == {"list", "read", "stat"}


def test_categories_and_the_archive_are_looked_into_and_other_hidden_folders_are_not() -> None:
    disk = MemoryFs(
        {
            "skills/flat/SKILL.md": skill("flat"),
            "skills/ci/DESCRIPTION.md": "a category",
            "skills/ci/deep/SKILL.md": skill("deep"),
            "skills/ci/deep/references/inner/SKILL.md": skill("part-of-deep"),
            "skills/.archive/asleep/SKILL.md": skill("asleep"),
            "skills/.archive/ci/asleep-too/SKILL.md": skill("asleep-too"),
            "skills/.hub/cached/SKILL.md": skill("cached"),
            "skills/SKILL.md": "no skill has no folder",
            "skills/1/2/3/4/too-deep/SKILL.md": skill("too-deep"),
        }
    )
    listing = list_hermes_skills(disk, sidecar("flat", "deep", "asleep", "asleep-too"))
    assert [(skill.name, skill.path) for skill in listing.skills] == [
        ("asleep", "skills/.archive/asleep/SKILL.md"),
        ("asleep-too", "skills/.archive/ci/asleep-too/SKILL.md"),
        ("deep", "skills/ci/deep/SKILL.md"),
        ("flat", "skills/flat/SKILL.md"),
    ]


def test_a_skill_goes_by_its_recorded_folder_or_else_by_its_frontmatter() -> None:
    disk = MemoryFs(
        {
            "skills/folder/SKILL.md": skill("frontmatter"),
            "skills/.archive/s-20260727/SKILL.md": skill("s"),
            "skills/nameless/SKILL.md": "no frontmatter",
        }
    )
    listing = list_hermes_skills(disk, sidecar("folder", "s"))
    assert {skill.name: skill.problems for skill in listing.skills} == {
        "folder": ("its frontmatter calls it 'frontmatter'",),
        "nameless": ("it has no frontmatter", "it has no record, so it is not curated"),
        "s": (),
    }


def test_of_two_texts_with_one_name_the_live_one_counts_and_the_other_is_named() -> None:
    disk = MemoryFs(
        {
            "skills/.archive/s/SKILL.md": skill("s", "old"),
            "skills/x/s/SKILL.md": skill("s", "new"),
        }
    )
    listing = list_hermes_skills(disk, sidecar("s"))
    assert [skill.path for skill in listing.skills] == ["skills/x/s/SKILL.md"]
    assert listing.warnings == ("'s' has another text at skills/.archive/s/SKILL.md",)
    assert view_hermes_skill(disk, sidecar("s"), "s").value.body == "new"


def test_a_view_shows_the_text_counts_nothing_and_says_so() -> None:
    disk = MemoryFs({"skills/a/SKILL.md": skill("a")})
    seen = view_hermes_skill(disk, sidecar("a"), "a").expect("a view")
    assert (seen.body, seen.description, seen.record.view_count) == ("body", "about a", 0)
    assert seen.notes == ("not counted: a Hermes home is never written",)


@pytest.mark.parametrize(
    ("name", "code"),
    [("ghost", "unknown-skill"), ("gone", "missing-text"), ("bytes", "unreadable")],
)
def test_a_text_that_cannot_be_had_is_an_error(name: str, code: str) -> None:
    disk = MemoryFs({"skills/bytes/SKILL.md": b"\xff"})
    records = sidecar("gone", "bytes")
    assert view_hermes_skill(disk, records, name).error.code == code
    problems = {skill.name: skill.problems for skill in list_hermes_skills(disk, records).skills}
    assert problems == {
        "bytes": ("its text cannot be read: skills/bytes/SKILL.md: byte 0 is not UTF-8",),
        "gone": ("its text is missing below skills",),
    }


def test_links_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "skills/a").mkdir(parents=True)
    (tmp_path / "skills/a/SKILL.md").write_text(skill("a"), encoding="utf-8")
    (tmp_path / "skills/loop").symlink_to(tmp_path / "skills")
    listing = list_hermes_skills(DiskFs(tmp_path), sidecar("a"))
    assert [skill.path for skill in listing.skills] == ["skills/a/SKILL.md"]
    assert listing.warnings == ("not looked into: skills/loop is a link in a circle",)


def test_a_folder_that_cannot_be_looked_into_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "home/skills/a").mkdir(parents=True)
    (tmp_path / "home/skills/a/SKILL.md").write_text(skill("a"), encoding="utf-8")
    (tmp_path / "home/skills/a-file").write_text("no skill", encoding="utf-8")
    (tmp_path / "home/skills/away").symlink_to(tmp_path)
    odd = tmp_path / "home/skills" / os.fsdecode(b"d\xff")
    with suppress(OSError):  # a disk that takes no such name
        odd.mkdir()
    warnings = list_hermes_skills(DiskFs(tmp_path / "home"), sidecar("a")).warnings
    assert "leads out of the root" in warnings[0]
    assert [("d\\udcff" in warning) for warning in warnings[1:]] == [True] * odd.exists()


def test_a_library_that_is_not_there_is_empty_and_one_that_cannot_be_listed_is_warned_of() -> None:
    assert list_hermes_skills(MemoryFs(), UsageSidecar()).warnings == ()
    port = MeddledFs(MemoryFs(), list=fails("denied"))
    assert list_hermes_skills(port, UsageSidecar()).warnings == (
        "not looked into: the test says denied",
    )


def test_a_nul_in_a_text_is_a_problem_of_the_skill() -> None:
    disk = MemoryFs({"skills/a/SKILL.md": skill("a", "b\0c")})
    [listed] = list_hermes_skills(disk, sidecar("a")).skills
    assert listed.problems == ("character 38 of its text is a NUL",)


@pytest.mark.parametrize("operation", ["list", "read"])
@pytest.mark.parametrize("meddler", [fails("denied"), raises(RuntimeError("broken"))])
def test_a_port_that_fails_is_no_exception(operation: str, meddler: object) -> None:
    port = MeddledFs(MemoryFs({"skills/a/SKILL.md": skill("a")}), **{operation: meddler})
    [listed] = list_hermes_skills(port, sidecar("a")).skills
    assert "its text" in listed.problems[0]


@given(st.dictionaries(st.sampled_from(["a", "b", ".archive/a"]), st.binary(max_size=40)))
def test_no_bytes_are_too_odd_to_be_listed(texts: dict[str, bytes]) -> None:
    disk = MemoryFs({f"skills/{name}/SKILL.md": data for name, data in texts.items()})
    before = disk.files()
    listing = list_hermes_skills(disk, sidecar("a"))
    assert "a" in {skill.name for skill in listing.skills}
    assert disk.files() == before
