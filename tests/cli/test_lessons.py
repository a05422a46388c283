"""`alembic-sim lessons`: what a person sees, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim.teaching.lessons import catalog
from alembic_sim.teaching.lessons.catalog import CURRICULUM, written_lessons
from tests.cli.run_cli import run_cli
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one small lesson, which was never built."""
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    lesson = tmp_path / "notebooks" / "03_propose_gate_apply.ipynb"
    lesson.parent.mkdir()
    made = notebook(markdown("# A small lesson"), code("print(0.7)", stream("0.8\n")))
    lesson.write_text(json.dumps(made), encoding="utf-8")
    monkeypatch.setattr(catalog, "_CHECKOUT", tmp_path)
    return lesson


def test_list_prints_the_curriculum_and_marks_what_is_still_to_come() -> None:
    run = run_cli("lessons", "list")
    assert run.exit_code == 0
    lines = run.stdout.splitlines()
    assert lines[3] == "03  45 min  Nothing is learnt without a gate"
    to_come = len(CURRICULUM) - len(written_lessons())
    assert sum(line.endswith("(to come)") for line in lines) == to_come


def test_list_as_json_is_one_document_with_every_lesson() -> None:
    run = run_cli("lessons", "list", "--json")
    lessons = json.loads(run.stdout)
    assert [lesson["lesson"] for lesson in lessons] == [lesson.stem for lesson in CURRICULUM]
    assert lessons[0] | {"idea": ""} == {
        "lesson": "00_start_here",
        "claim": "One loop makes the next run smarter",
        "idea": "",
        "minutes": 15,
        "paths": ["a day"],
        "seeds": [2],
        "written": True,
    }


def test_copy_tells_what_it_wrote_and_then_that_nothing_is_new(tmp_path: Path) -> None:
    mine, count = tmp_path / "mine", len(written_lessons())
    first = run_cli("lessons", "copy", "--dir", str(mine))
    assert first.exit_code == 0
    assert first.stdout == f"Lessons in {mine}: {count} written, 0 up to date, 0 yours\n"
    (mine / "00_start_here.ipynb").write_text("my own work", encoding="utf-8")
    second = run_cli("lessons", "copy", "--dir", str(mine))
    assert second.stdout == (
        f"Lessons in {mine}: 0 written, {count - 1} up to date, 1 yours\n"
        "  kept as you edited it: 00_start_here.ipynb\n"
    )


def test_copy_into_a_file_fails_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("", encoding="utf-8")
    run = run_cli("lessons", "copy", "--dir", str(tmp_path / "mine"))
    assert (run.exit_code, run.stdout) == (1, "")
    assert "is not a folder" in run.stderr


def test_a_folder_that_cannot_be_made_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")  # as /proc does

    monkeypatch.setattr(Path, "mkdir", refuse)
    for command in ("copy", "export"):
        run = run_cli("lessons", command, "--dir", str(tmp_path / "x"))
        assert (run.exit_code, run.stdout) == (1, "")
        why = f"{tmp_path / 'x'} could not be made: No such file or directory"
        assert run.stderr == f"Error: {why}; choose another folder\n"


def test_check_shows_the_stale_cell_and_build_mends_it(checkout: Path) -> None:
    red = run_cli("lessons", "check", "03")
    assert red.exit_code == 1
    assert "cell 2: the output\n      -0.8\n      +0.7" in red.stdout
    assert "not-run" not in red.stdout
    assert "lessons build" in red.stderr

    build = run_cli("lessons", "build")
    assert build.exit_code == 0
    assert build.stdout == "03_propose_gate_apply: written anew\n"
    assert "missing-part: no summary" in build.stderr  # it is built, and still no whole lesson
    assert '"0.7\\n"' in checkout.read_text(encoding="utf-8")


def test_build_says_which_cell_fails_and_exits_with_1(checkout: Path) -> None:
    checkout.write_text(json.dumps(notebook(code("1 / 0"))), encoding="utf-8")
    run = run_cli("lessons", "build", "3")
    assert run.exit_code == 1
    assert "03_propose_gate_apply.ipynb, cell 1: raised ZeroDivisionError" in run.stderr


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("name", ["99", "04"])
def test_a_lesson_that_is_not_there_is_bad_usage(checkout: Path, command: str, name: str) -> None:
    run = run_cli("lessons", command, name)
    assert run.exit_code == 2
    why = {
        "99": "there is no lesson '99'",
        "04": "lesson 04, The gate decides, the model does not (04_the_gate_decides), is not "
        "written yet",
    }
    there = "the lessons to open are: 03_propose_gate_apply"
    assert run.stderr == f"Error: LESSON: {why[name]}; {there}\n"


def test_build_refuses_to_write_into_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "_CHECKOUT", tmp_path)
    run = run_cli("lessons", "build")
    assert run.exit_code == 1
    assert "checkout" in run.stderr


NAME = "03_propose_gate_apply.ipynb"


def test_reset_keeps_the_learners_own_work_beside_the_fresh_copy(
    checkout: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    run_cli("lessons", "copy", "--dir", str(mine))
    (mine / NAME).write_text("my own work", encoding="utf-8")
    run = run_cli("lessons", "reset", "03", "--dir", str(mine))
    assert run.exit_code == 0
    assert run.stdout.splitlines()[0] == (
        f"{NAME}: fresh; yours is kept as 03_propose_gate_apply.mine.ipynb"
    )
    assert (mine / NAME).read_bytes() == checkout.read_bytes()
    everything = run_cli("lessons", "reset", "all", "--dir", str(mine))
    assert everything.stdout.splitlines()[0] == f"{NAME}: fresh"


@pytest.mark.parametrize("arguments", [["99"], ["all", "03"], ["03", "--dir", "typo"]])
def test_reset_of_what_is_not_there_is_bad_usage(
    checkout: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    run = run_cli("lessons", "reset", *arguments)
    assert run.exit_code == 2
    assert arguments[-1] in run.stderr or "'all'" in run.stderr
    assert not (tmp_path / "typo").exists()


def test_reset_asks_which_lesson() -> None:
    assert run_cli("lessons", "reset").exit_code == 2


@pytest.mark.parametrize("option", ["--to", "--dir"])
def test_export_writes_a_page_for_each_lesson_and_says_where(
    checkout: Path, tmp_path: Path, option: str
) -> None:
    run = run_cli("lessons", "export", "03", option, str(tmp_path / "pages"))
    page = tmp_path / "pages" / "03_propose_gate_apply.html"
    assert (run.exit_code, run.stdout) == (0, f"{page}\n")
    assert "A small lesson" in page.read_text(encoding="utf-8")


def test_export_into_a_file_fails_with_a_reason(checkout: Path) -> None:
    run = run_cli("lessons", "export", "--to", str(checkout))
    assert run.exit_code == 1
    assert "is not a folder" in run.stderr
