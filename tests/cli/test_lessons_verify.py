"""`alembic-sim lessons verify`: what an instructor and their CI see, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import pytest

from alembic_sim.teaching.lessons.notebook import Notebook
from tests.cli.run_cli import run_cli
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream

PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}


def write(path: Path, *cells: dict[str, Any], **metadata: Any) -> Path:
    made: Notebook = notebook(markdown("# Mine"), *cells, **{"kernelspec": PYTHON, **metadata})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a true, a stale and a failing notebook; it is the current folder's `course`."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "course" / "a_true.ipynb", code("print(30)", stream("30\n")))
    write(tmp_path / "course" / "b_stale.ipynb", code("# why\nprint(30)", stream("31\n")))
    write(tmp_path / "course" / "deep" / "c_fails.ipynb", code("!exit 3"), code("1 / 0"), code("2"))
    write(tmp_path / "course" / ".ipynb_checkpoints" / "old.ipynb", code("1 / 0"))
    return Path("course")


DIFFERS = """\
  cell 2 | # why
    stale: stdout is not what is stored (- stored, + now)
      -31
      +30
"""

STALE = f"""\
{{b}}: 1 to mend
{DIFFERS}\
    If the new output is right, take it with --accept; else mend the cell.
"""

FAILS = """\
{c}: 2 to mend
  cell 2 | !exit 3
    shell-failed: 'exit 3' ended with exit status 3
    Mend the command; if it may fail, end it with: || true
  cell 3 | 1 / 0
    cell-failed: raised ZeroDivisionError: division by zero
    Mend the cell, or tag it raises-exception if it must fail.
"""


def test_a_folder_is_verified_reported_and_accepted_but_no_failure_is(course: Path) -> None:
    a, b, c = (
        course / "a_true.ipynb",
        course / "b_stale.ipynb",
        course / "deep" / "c_fails.ipynb",
    )
    before = {path: path.read_bytes() for path in (a, b, c)}
    run = run_cli("lessons", "verify", "course", "--junit", "reports/lessons.xml")
    assert run.exit_code == 1
    assert run.stdout == f"{a}: true, 1 code cell\n" + STALE.format(b=b) + FAILS.format(c=c)
    assert run.stderr == f"Error: 2 of 3 notebooks need work: {b}, {c}\n"
    assert {path: path.read_bytes() for path in (a, b, c)} == before

    root = xml.fromstring(Path("reports/lessons.xml").read_bytes())
    assert [suite.get("name") for suite in root] == [str(a), str(b), str(c)]
    assert [root.get(what) for what in ("failures", "errors", "skipped")] == ["1", "2", "1"]

    accepted = run_cli("lessons", "verify", str(b), str(c), "--accept")
    assert accepted.exit_code == 1
    assert accepted.stdout == (
        f"{b}: accepted, the file now holds the new outputs (1 mended)\n{DIFFERS}"
        + FAILS.format(c=c)
    )
    assert f"{c}: not accepted" in accepted.stderr
    assert f"1 of 2 notebooks need work: {c}" in accepted.stderr
    assert c.read_bytes() == before[c]

    again = run_cli("lessons", "verify", str(b), "--json")
    assert again.exit_code == 0
    assert json.loads(again.stdout) == {
        "notebooks": [
            {
                "notebook": str(b),
                "ok": True,
                "accepted": False,
                "code_cells": 1,
                "findings": [],
                "remarks": [],
            }
        ]
    }


def test_json_tells_the_cell_the_difference_and_the_remedy(course: Path) -> None:
    run = run_cli("lessons", "verify", "course/b_stale.ipynb", "--json")
    assert run.exit_code == 1
    (told,) = json.loads(run.stdout)["notebooks"]
    (finding,) = told["findings"]
    assert (told["ok"], finding["cell"], finding["first_line"]) == (False, 2, "# why")
    assert (finding["rule"], finding["difference"]) == ("stale", ["-31", "+30"])
    assert "--accept" in finding["remedy"]


def test_a_path_of_this_machine_is_not_accepted_in_place_of_another_machines(
    tmp_path: Path,
) -> None:
    cell = code("import os\nprint(os.getcwd())", stream("/home/ana/course\n"))
    path = write(tmp_path / "mine.ipynb", cell, code("print(1)", stream("2\n")))
    before = path.read_bytes()
    run = run_cli("lessons", "verify", str(path), "--accept")
    assert run.exit_code == 1
    assert f"{path}: not accepted, its new outputs would be no better:\n" in run.stderr
    assert "  cell 2: path: the output holds " in run.stderr
    assert "cell 3" not in run.stderr
    assert path.read_bytes() == before
    as_json = run_cli("lessons", "verify", str(path), "--accept", "--json")
    (told,) = json.loads(as_json.stdout)["notebooks"]
    assert (told["ok"], told["accepted"]) == (False, False)


HALF = '{"cells": ['


def test_a_broken_notebook_is_red_and_the_others_are_verified_all_the_same(course: Path) -> None:
    half = course / "b_half.ipynb"
    half.write_text(HALF, encoding="utf-8")
    run = run_cli("lessons", "verify", "course", "--junit", "lessons.xml", "--accept")
    assert run.exit_code == 1
    assert f"{half}: 1 to mend\n  notebook\n    not-a-notebook: {half}: " in run.stdout
    assert f"{course / 'a_true.ipynb'}: true, 1 code cell\n" in run.stdout
    assert f"{course / 'b_stale.ipynb'}: accepted" in run.stdout
    assert "2 of 4 notebooks need work" in run.stderr
    assert half.read_text(encoding="utf-8") == HALF
    suites = {
        suite.get("name"): suite for suite in xml.fromstring(Path("lessons.xml").read_bytes())
    }
    assert len(suites) == 4
    (case,) = suites[str(half)]
    (error,) = case
    assert (error.tag, error.get("type")) == ("error", "not-a-notebook")


@pytest.mark.parametrize("text", ['{"nbformat": 3, "worksheets": []}', HALF])
def test_a_broken_notebook_that_a_shell_named_is_red_as_well(course: Path, text: str) -> None:
    """`verify *.ipynb` in CI: one that is broken hides none of the others."""
    Path("broken.ipynb").write_text(text, encoding="utf-8")
    run = run_cli("lessons", "verify", "broken.ipynb", str(course / "a_true.ipynb"))
    assert run.exit_code == 1
    assert run.stdout.endswith("a_true.ipynb: true, 1 code cell\n")
    assert "1 of 2 notebooks need work: broken.ipynb" in run.stderr


def test_a_cell_that_hangs_is_ended_after_the_time_it_was_given(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.ipynb", code("while True:\n    pass"))
    run = run_cli("lessons", "verify", str(path), "--timeout", "1")
    assert run.exit_code == 1
    assert "cell-timeout: did not end within 1 s" in run.stdout
    assert "--timeout" in run.stdout


def test_a_notebook_named_twice_is_verified_once(course: Path) -> None:
    a = course / "a_true.ipynb"
    run = run_cli("lessons", "verify", str(a), str(a.resolve()))
    assert (run.exit_code, len(run.stdout.splitlines())) == (0, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("none.ipynb", None),
        ("script.py", "print('no notebook')"),
    ],
)
def test_what_no_notebook_is_called_is_bad_usage_before_anything_runs(
    course: Path, name: str, text: str | None
) -> None:
    if text is not None:
        Path(name).write_text(text, encoding="utf-8")
    run = run_cli("lessons", "verify", "course", name)
    assert (run.exit_code, run.stdout) == (2, "")
    assert f"PATH: '{name}' is not allowed" in run.stderr


def test_a_folder_without_a_notebook_is_bad_usage(tmp_path: Path) -> None:
    run = run_cli("lessons", "verify", str(tmp_path))
    assert run.exit_code == 2
    assert "a folder with a notebook in it" in run.stderr


@pytest.mark.parametrize("timeout", ["0", "-1", "soon", "1.5"])
def test_a_timeout_that_is_none_is_bad_usage(course: Path, timeout: str) -> None:
    run = run_cli("lessons", "verify", "course", "--timeout", timeout)
    assert run.exit_code == 2
    assert f"--timeout: '{timeout}' is not allowed" in run.stderr


def test_a_report_that_cannot_be_written_is_a_failure(course: Path) -> None:
    Path("taken").write_text("", encoding="utf-8")
    run = run_cli("lessons", "verify", "course/a_true.ipynb", "--junit", "taken/lessons.xml")
    assert run.exit_code == 1
    assert "The report could not be written" in run.stderr


def test_signs_that_a_terminal_would_act_on_are_shown_not_sent(tmp_path: Path) -> None:
    source = "raise ValueError('\\x1b[31mred')"
    run = run_cli("lessons", "verify", str(write(tmp_path / "mine.ipynb", code(source))))
    assert run.exit_code == 1
    assert "\x1b" not in run.stdout
    assert "�[31mred" in run.stdout
