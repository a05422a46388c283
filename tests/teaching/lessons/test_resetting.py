"""A reset puts a fresh copy back, and never loses what the learner made."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alembic_sim.teaching.lessons.catalog import written_lessons
from alembic_sim.teaching.lessons.copying import copy_lessons
from alembic_sim.teaching.lessons.resetting import Reset, reset_lessons

NAME = "03_propose_gate_apply.ipynb"
MINE = "03_propose_gate_apply.mine.ipynb"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "00_start_here.ipynb").write_bytes(b"lesson 00")
    (folder / NAME).write_bytes(b"lesson 03")
    return folder


@pytest.fixture
def mine(tmp_path: Path, source: Path) -> Path:
    folder = tmp_path / "alembic-lessons"
    copy_lessons(folder, source).expect("the folder is writable")
    return folder


def reset(mine: Path, source: Path, *numbers: int) -> tuple[Reset, ...]:
    chosen = [one for one in written_lessons(source) if one.lesson.number in numbers]
    return reset_lessons(mine, chosen).expect("the folder is writable")


def test_an_edited_lesson_is_fresh_again_and_kept_beside(mine: Path, source: Path) -> None:
    (mine / NAME).write_bytes(b"my own work")
    (mine / "00_start_here.ipynb").write_bytes(b"my other work")
    assert reset(mine, source, 3) == (Reset(NAME, MINE),)
    assert (mine / NAME).read_bytes() == b"lesson 03"
    assert (mine / MINE).read_bytes() == b"my own work"
    assert (mine / "00_start_here.ipynb").read_bytes() == b"my other work"


def test_an_untouched_lesson_is_left_as_it_is_and_a_missing_one_comes_back(
    mine: Path, source: Path
) -> None:
    (mine / NAME).unlink()
    assert reset(mine, source, 0, 3) == (Reset("00_start_here.ipynb", None), Reset(NAME, None))
    assert (mine / NAME).read_bytes() == b"lesson 03"


def test_what_an_earlier_reset_kept_is_never_written_over(mine: Path, source: Path) -> None:
    for number, name in enumerate((MINE, MINE.replace(".mine.", ".mine-2.")), start=1):
        (mine / NAME).write_bytes(f"work {number}".encode())
        assert reset(mine, source, 3) == (Reset(NAME, name),)
        assert (mine / name).read_bytes() == f"work {number}".encode()


def test_after_a_reset_an_update_arrives_as_for_any_unedited_copy(mine: Path, source: Path) -> None:
    (mine / NAME).write_bytes(b"my own work")
    reset(mine, source, 3)
    (source / NAME).write_bytes(b"lesson 03, version 2")
    report = copy_lessons(mine, source).expect("the folder is writable")
    assert (report.written, report.updates) == ((NAME,), ())


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, source: Path) -> None:
    refused = reset_lessons(tmp_path / "typo", written_lessons(source))
    assert not refused.ok
    assert refused.error.code == "no-copies"
    assert not (tmp_path / "typo").exists()


def test_the_lessons_own_folder_is_refused(source: Path) -> None:
    refused = reset_lessons(source, written_lessons(source))
    assert not refused.ok
    assert refused.error.code == "own-folder"
    assert (source / NAME).read_bytes() == b"lesson 03"


def test_when_the_fresh_copy_cannot_be_written_the_error_says_where_the_work_is(
    mine: Path, source: Path
) -> None:
    (mine / NAME).write_bytes(b"my own work")
    (mine / f".{NAME}.tmp").mkdir()  # where the new bytes would be prepared
    refused = reset_lessons(mine, written_lessons(source))
    assert not refused.ok
    assert refused.error.code == "write-failed"
    assert str(mine / MINE) in refused.error.message
    assert (mine / MINE).read_bytes() == b"my own work"


STEPS = st.sampled_from(["release", "edit", "reset", "copy"])


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=12))
def test_in_any_course_of_events_every_version_that_was_reset_is_still_there(
    steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("course")
    source, mine = root / "lessons", root / "mine"
    source.mkdir()
    (source / NAME).write_bytes(b"version 0")
    copy_lessons(mine, source).expect("the folder is writable")
    works: set[bytes] = set()
    for place, step in enumerate(steps):
        if step == "release":
            (source / NAME).write_bytes(f"version {place + 1}".encode())
        elif step == "edit":
            works -= {(mine / NAME).read_bytes()}  # the learner's own doing
            (mine / NAME).write_bytes(f"mine {place}".encode())
            works.add((mine / NAME).read_bytes())
        elif step == "reset":
            reset(mine, source, 3)
            assert (mine / NAME).read_bytes() == (source / NAME).read_bytes()
        else:
            copy_lessons(mine, source).expect("the folder is writable")
        assert works <= {path.read_bytes() for path in mine.iterdir()}
