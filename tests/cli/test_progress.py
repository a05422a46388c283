"""`alembic-sim progress`."""

from __future__ import annotations

import json
from pathlib import Path

from alembic_sim.teaching.exercises.progress import note_attempt
from tests.cli.run_cli import run_cli


def test_nothing_is_tried_at_first_and_looking_writes_nothing(tmp_path: Path) -> None:
    run = run_cli("progress", "--dir", str(tmp_path / "home"))
    assert run.exit_code == 0
    assert "Lesson 03 · Nothing is learnt without a gate · 0 of 3 passed" in run.stdout
    assert run.stdout.count("not yet") == run.stdout.count("\n  ")
    assert not (tmp_path / "home").exists()


def test_the_table_says_what_is_passed_and_what_was_tried(tmp_path: Path) -> None:
    note_attempt("03.1", False, tmp_path)
    note_attempt("03.1", True, tmp_path)
    note_attempt("03.2", False, tmp_path)
    run = run_cli("progress", "--dir", str(tmp_path))
    first, *lines = run.stdout.splitlines()
    assert first == f"Progress in {(tmp_path / 'progress.json').as_posix()}"
    lesson_3 = next(n for n, line in enumerate(lines) if line.startswith("Lesson 03"))
    assert lines[lesson_3 : lesson_3 + 4] == [
        "Lesson 03 · Nothing is learnt without a gate · 1 of 3 passed",
        "  03.1  The gate          passed (2 checks)",
        "  03.2  Three buckets     tried (1 check)",
        "  03.3  Build the kernel  not yet",
    ]


def test_what_was_passed_once_stays_passed(tmp_path: Path) -> None:
    note_attempt("03.1", True, tmp_path)
    note_attempt("03.1", False, tmp_path)
    assert "passed (2 checks)" in run_cli("progress", "--dir", str(tmp_path)).stdout


def test_json_is_one_document_with_every_exercise(tmp_path: Path) -> None:
    note_attempt("06.2", True, tmp_path)
    run = run_cli("progress", "--dir", str(tmp_path), "--json")
    document = json.loads(run.stdout)
    assert document["file"] == (tmp_path / "progress.json").as_posix()
    lessons = {lesson["lesson"]: lesson for lesson in document["lessons"]}
    assert lessons["06"]["claim"] == "Never used is not infinitely old"
    assert lessons["06"]["exercises"][1] == {
        "id": "06.2",
        "title": "The edge, to the millisecond",
        "state": "passed",
        "tried": 1,
        "passed": 1,
    }


def test_the_folder_may_come_from_the_environment(tmp_path: Path) -> None:
    note_attempt("03.1", True, tmp_path)
    run = run_cli("progress", ALEMBIC_SIM_HOME=str(tmp_path))
    assert "1 of 3 passed" in run.stdout


def test_reset_begins_anew(tmp_path: Path) -> None:
    note_attempt("03.1", True, tmp_path)
    run = run_cli("progress", "--dir", str(tmp_path), "--reset")
    assert run.exit_code == 0
    assert "1 of 3 passed" not in run.stdout
    assert (tmp_path / "progress.json").read_bytes() == b"{}\n"


def test_a_reset_that_cannot_be_written_is_exit_1(tmp_path: Path) -> None:
    (tmp_path / "progress.json").mkdir()
    run = run_cli("progress", "--dir", str(tmp_path), "--reset")
    assert run.exit_code == 1
    assert "was not reset" in run.stderr


def test_a_file_that_cannot_be_read_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_bytes(b"{oops")
    run = run_cli("progress", "--dir", str(tmp_path))
    assert run.exit_code == 0
    assert "cannot be read" in run.stderr
    assert "--reset" in run.stderr
    assert (tmp_path / "progress.json").read_bytes() == b"{oops"
