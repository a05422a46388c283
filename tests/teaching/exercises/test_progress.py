"""The learner's file: counts only, theirs alone, and never in the way of a check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli import common
from alembic_sim.teaching import check
from alembic_sim.teaching.exercises import progress
from alembic_sim.teaching.exercises.progress import (
    FILE,
    SPOILT,
    Attempts,
    home_folder,
    note_attempt,
    read_progress,
    reset_progress,
)
from alembic_sim.teaching.svg import COLUMNS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALEMBIC_SIM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def right(score, minimum):
    return score >= minimum, "so it is"


def wrong(score, minimum):
    return score > minimum, "so it is"


def homeless(self: Path) -> Path:
    raise RuntimeError("Could not determine home directory.")


def kept(home: Path) -> object:
    return json.loads((home / FILE).read_text(encoding="utf-8"))


def test_a_check_counts_what_was_tried_and_what_passed(home: Path) -> None:
    check("03.1", wrong)
    check("03.1", right)
    check("03.1", right)
    check("06.2", lambda idle_ms, window_days: True)
    assert kept(home) == {"03.1": {"passed": 2, "tried": 3}, "06.2": {"passed": 0, "tried": 1}}


def test_an_unedited_exercise_writes_nothing(home: Path) -> None:
    """So that running all cells of a fresh lesson leaves no trace."""

    def unedited(score, minimum): ...

    check("03.1", unedited)
    check("03.1")
    check("09.9", right)
    assert not home.exists()


def test_the_answer_does_not_depend_on_the_record(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check("03.1", wrong)
    first = capsys.readouterr().out
    check("03.1", wrong)
    assert capsys.readouterr().out == first


def test_the_file_holds_counts_and_no_time_nor_answer(home: Path) -> None:
    check("03.1", wrong)
    assert (home / FILE).read_bytes() == (
        b'{\n  "03.1": {\n    "passed": 0,\n    "tried": 1\n  }\n}\n'
    )
    assert sorted(one.name for one in home.iterdir()) == [FILE, f"{FILE}.lock"]


def test_a_file_that_cannot_be_read_is_kept_aside_before_a_new_one_is_begun(home: Path) -> None:
    home.mkdir()
    (home / FILE).write_bytes(b'{"03.1": ')
    check("03.1", right)
    assert kept(home) == {"03.1": {"passed": 1, "tried": 1}}
    assert (home / SPOILT).read_bytes() == b'{"03.1": '


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"03.1": 5}',
        b'{"03.1": {"tried": -1, "passed": 0}}',
        b'{"03.1": {"tried": 1, "passed": 2}}',
        b'{"03.1": {"tried": true, "passed": false}}',
        b'{"03.1": {"tried": 1e3, "passed": 0}}',
        b'{"03.1": {}, "03.1": {}}',
        b"[" * 5000,
        b'{"03.1": {"tried": 99999999999999999999, "passed": 0}}',
    ],
)
def test_whatever_the_file_holds_a_check_answers_and_counts_on(
    content: bytes, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / FILE).write_bytes(content)
    check("03.1", right)
    assert capsys.readouterr().out.startswith("03.1 passed")
    assert read_progress(DiskFs(home)).of("03.1") == Attempts(1, 1)


def test_exercises_that_this_version_does_not_know_are_kept(home: Path) -> None:
    home.mkdir()
    (home / FILE).write_text('{"99.1": {"tried": 4, "passed": 1}}', encoding="utf-8")
    check("03.1", right)
    assert kept(home) == {"03.1": {"passed": 1, "tried": 1}, "99.1": {"passed": 1, "tried": 4}}


def test_where_the_home_is_a_file_a_check_still_answers(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text("not a folder", encoding="utf-8")
    check("03.1", right)
    printed = capsys.readouterr()
    assert printed.out.startswith("03.1 passed")
    assert printed.err == ""
    assert home.read_text(encoding="utf-8") == "not a folder"


def test_where_the_record_cannot_be_written_a_check_still_answers(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / FILE).mkdir(parents=True)
    check("03.1", right)
    assert capsys.readouterr().out.startswith("03.1 passed")
    assert not note_attempt("03.1", True).ok


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 6
    assert max(map(len, lines)) <= COLUMNS
    return lines


def test_a_pass_that_could_not_be_written_down_says_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text("not a folder", encoding="utf-8")
    check("03.1", right)
    told = "".join(printed(capsys)[:2]).replace(" ", "")
    assert told.startswith(f"03.1passed,butcouldnotbewrittendown:{home}"[:100].replace(" ", ""))


def test_a_reason_is_told_where_there_is_no_home(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ALEMBIC_SIM_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    check("03.1", right)
    assert " ".join(printed(capsys)[:2]) == (
        "03.1 passed, but could not be written down: no home folder: name one in ALEMBIC_SIM_HOME"
    )


def test_a_try_that_could_not_be_written_down_says_so(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.write_text("not a folder", encoding="utf-8")
    check("03.1", wrong)
    assert printed(capsys)[0] == (
        "03.1 not passed yet, nor written down. The smallest case that fails:"
    )


def test_a_record_that_somebody_else_holds_is_left_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOCK_MS", 0)
    with DiskFs(home).lock(FILE, 0).expect("nobody else is here"):
        assert not note_attempt("03.1", True).ok
    assert not (home / FILE).exists()


def test_a_user_without_a_home_has_no_record_but_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Path, "expanduser", homeless)
    assert home_folder() is None
    check("03.1", right)
    assert capsys.readouterr().out.startswith("03.1 passed")


def test_the_folder_is_read_from_the_environment_at_each_call(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert home_folder() == home
    monkeypatch.setenv("ALEMBIC_SIM_HOME", str(tmp_path / "other"))
    assert home_folder() == tmp_path / "other"
    monkeypatch.setenv("ALEMBIC_SIM_HOME", "")
    assert home_folder() == Path("~/.alembic-sim").expanduser()


def test_the_lessons_and_the_command_line_mean_the_same_folder(home: Path) -> None:
    assert progress.HOME_VARIABLE == common.HOME_VARIABLE
    assert Path(progress.DEFAULT_HOME).expanduser() == common.data_folder(None)


def test_reset_begins_an_empty_file(home: Path) -> None:
    note_attempt("03.1", True)
    assert reset_progress(home).ok
    assert kept(home) == {}
