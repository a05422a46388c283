"""An instructor's own notebook is run, compared and judged; each finding names the remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.notebook import Notebook, read_notebook
from alembic_sim.teaching.lessons.running import Run, Stop
from alembic_sim.teaching.lessons.shell_watch import ShellFailure
from alembic_sim.teaching.lessons.verify import (
    FAILURES,
    Verified,
    accept,
    first_line,
    judge,
    remarks,
    unreadable,
    verify_notebook,
)
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream
from tests.teaching.lessons.test_comparing import error, shown

PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}


def own(*cells: dict[str, Any]) -> Notebook:
    """An instructor's notebook, as Jupyter saves it."""
    return notebook(markdown("# Mine"), *cells, kernelspec=PYTHON)


def rules(stored: Notebook, run: Run | None = None) -> list[tuple[int | None, str]]:
    """What is found, by cell, when a run gave this (by default: what is stored)."""
    return [(found.cell, found.rule) for found in judge(stored, run or Run(stored))]


def test_a_notebook_that_shows_what_it_stores_is_true() -> None:
    assert rules(own(code("1", stream("1\n")), code("  "), code("", tags=[]))) == []


def test_a_stale_output_is_found_with_its_lines_and_a_remedy() -> None:
    stored, fresh = own(code("x", stream("30\n"))), own(code("x", stream("31\n")))
    (found,) = judge(stored, Run(fresh))
    assert (found.cell, found.rule, found.lines) == (2, "stale", ("-30", "+31"))
    assert "stdout" in found.what
    assert "--accept" in found.remedy


ERROR = error("ValueError", "bad")
STORED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "a cell that was never run": (["not-run"], code("x") | {"execution_count": None}),
    "an error that nobody announced": (["cell-failed"], code("x", ERROR)),
    "an announced error": ([], code("x", ERROR, tags=["raises-exception"])),
    "an announced error that does not come": (["no-error"], code("x", tags=["raises-exception"])),
    "an address": (["address"], code("x", stream("<Thing at 0x7f3a2b1c>"))),
    "a path": (["path"], code("x", stream("/home/ana/notes.md"))),
    "a timing": (["timing"], code("x", stream("Wall time: 3 ms"))),
    "a random id": (["random-id"], code("x", stream("9d3c1b52-8f0e-4a52-9d67-1b2c3d4e5f60"))),
    "a printed set": (["printed-set"], code("x", stream("{'a', 'b'}"))),
    "a timing in a cell that is tagged": (
        [],
        code("x", stream("Wall time: 3 ms"), tags=["nbval-ignore-output"]),
    ),
    "a timing in a cell that says so": (
        [],
        code("# NBVAL_IGNORE_OUTPUT\nx", stream("Wall time: 3 ms")),
    ),
    "a tagged cell that was never run": (
        ["not-run"],
        code("x", tags=["nbval-ignore-output"]) | {"execution_count": None},
    ),
    "a repr that our own lessons would not print": ([], code("x", stream("array([1, 2])"))),
    "a magic that works": ([], code("%matplotlib inline")),
}


@pytest.mark.parametrize(("found", "cell"), STORED.values(), ids=STORED)
def test_the_hygiene_of_any_notebook(found: list[str], cell: dict[str, Any]) -> None:
    assert rules(own(cell)) == [(2, rule) for rule in found]


def test_another_kernelspec_is_found() -> None:
    stored = own(code("1"))
    stored["metadata"]["kernelspec"] = {"name": "venv", "language": "python"}
    assert rules(stored) == [(None, "kernelspec")]


def test_a_failing_shell_command_is_a_failure_of_its_cell() -> None:
    stored = own(code("!false"), code("1"))
    run = Run(stored, shell_failures=(ShellFailure(2, "false", 1),))
    (found,) = judge(stored, run)
    assert (found.cell, found.rule, found.what) == (
        2,
        "shell-failed",
        "'false' ended with exit status 1",
    )
    assert "|| true" in found.remedy


STOPS = ["cell-failed", "cell-timeout", "kernel-died"]


@pytest.mark.parametrize("why", STOPS)
def test_what_stopped_the_run_is_told_and_not_what_comes_of_it(why: str) -> None:
    stored = own(code("a", stream("old")), code("b", stream("old")), code("c", stream("old")))
    fresh = own(code("a", stream("new")), code("b"), code("c"))
    assert rules(stored, Run(fresh, Stop(why, 3, "what"))) == [(2, "stale"), (3, why)]


@pytest.mark.parametrize("why", ["no-kernel", "not-python"])
def test_a_run_that_could_not_begin_is_the_only_thing_told_of_the_file(why: str) -> None:
    stored = own(code("a", ERROR))
    stored["metadata"]["kernelspec"] = {"name": "ir"}
    found = rules(stored, Run(stored, Stop(why, None, "what")))
    assert found == [(None, why), (2, "error")]


def test_every_stop_and_failure_is_known_to_refuse_acceptance() -> None:
    stored = own(code("a"))
    for why in FAILURES:
        run = Run(stored, Stop(why, 2, "what"))
        assert Verified(Path("x.ipynb"), stored, run, judge(stored, run)).failed


def test_a_notebook_of_another_language_is_not_run(tmp_path: Path) -> None:
    stored = own(code("1"))
    stored["metadata"]["kernelspec"] = {"name": "ir", "language": "R"}
    verified = verify_notebook(tmp_path / "r.ipynb", stored)
    assert [found.rule for found in verified.findings] == ["not-python"]
    assert "written in R" in verified.findings[0].what


def test_what_was_not_compared_is_said() -> None:
    picture = shown(image_png="iVBORw0K")
    stored = own(code("a", picture, picture), code("b", tags=["nbval-ignore-output"]))
    verified = Verified(Path("x.ipynb"), stored, Run(stored), ())
    assert [remark.split(":")[0] for remark in remarks(verified)] == [
        "2 pictures of pixels not compared",
        "1 cell not compared, as tagged nbval-ignore-output",
    ]


def test_a_cell_is_recognised_by_its_first_line() -> None:
    assert first_line(code("\n\n  x = 1  \ny")) == "x = 1"
    assert first_line(code("  ")) == "(empty)"
    assert len(first_line(code("y" * 200))) == 72


# ---- for real, in kernels

SAID = code("from pathlib import Path\nprint(Path('data.csv').read_text('utf-8'))", stream("b\n"))
NEVER_RUN = code("1 + 1") | {"execution_count": None}
SCRIPT = code("%run bad.py")


def write(path: Path, made: Notebook) -> Path:
    path.write_text(json.dumps(made), encoding="utf-8")
    (path.parent / "data.csv").write_text("a", encoding="utf-8")
    (path.parent / "bad.py").write_text("raise ValueError('on purpose')", encoding="utf-8")
    return path


def verified(path: Path) -> Verified:
    return verify_notebook(path, read_notebook(path).expect("it is a notebook"))


def test_new_outputs_are_taken_and_everything_else_stays(tmp_path: Path) -> None:
    slides = {"slideshow": {"slide_type": "slide"}}
    made = own(SAID | {"metadata": slides}, NEVER_RUN)
    made["metadata"] |= {"course": "mine", "kernelspec": {"name": "venv"}}
    path = write(tmp_path / "mine.ipynb", made)
    before = path.read_bytes()

    found = verified(path)
    assert [one.rule for one in found.findings] == ["kernelspec", "stale", "not-run"]
    assert found.findings[1].lines == ("-b", "+a")
    assert path.read_bytes() == before
    assert found.left_to_mend == ()

    assert accept(found).expect("it ran").findings == ()
    stored = read_notebook(path).expect("it was written")
    assert stored["cells"][1]["metadata"] == slides
    assert stored["cells"][1]["id"] == "whatever"
    assert stored["metadata"]["course"] == "mine"
    assert "".join(stored["cells"][1]["outputs"][0]["text"]) == "a\n"
    assert judge(stored, found.run) == ()


def test_a_failure_is_never_accepted(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.ipynb", own(SAID, SCRIPT, code("!exit 3"), code("%nothing")))
    before = path.read_bytes()
    found = verified(path)
    assert [(one.cell, one.rule) for one in found.findings] == [
        (2, "stale"),
        (3, "cell-failed"),
        (4, "shell-failed"),
        (5, "cell-failed"),
    ]
    refused = accept(found)
    assert not refused.ok
    assert refused.error.code == "not-accepted"
    assert path.read_bytes() == before


def test_a_notebook_that_was_edited_while_it_ran_is_not_written_over(tmp_path: Path) -> None:
    stored = own(code("x", stream("30\n")))
    path = write(tmp_path / "mine.ipynb", own(code("x = 'my newest work'", stream("30\n"))))
    run = Run(own(code("x", stream("31\n"))))
    refused = accept(Verified(path, stored, run, judge(stored, run)))
    assert not refused.ok
    assert refused.error.code == "not-accepted"
    assert "my newest work" in path.read_text(encoding="utf-8")


MOVING = {
    "a path of this machine": ("path", stream("/home/ana/course\n")),
    "an address": ("address", stream("<Thing at 0x2222222>")),
    "a timing": ("timing", stream("CPU times: user 3 us\n")),
}


@pytest.mark.parametrize(("rule", "output"), MOVING.values(), ids=MOVING)
def test_new_outputs_that_would_break_a_rule_are_not_taken(
    rule: str, output: dict[str, Any], tmp_path: Path
) -> None:
    """What another machine stored may look clean: taken, it would be red for good."""
    stored = own(code("x", stream("course\n")), code("y", stream("1\n")))
    path = write(tmp_path / "mine.ipynb", stored)
    before = path.read_bytes()
    run = Run(own(code("x", output), code("y", stream("2\n"))))
    refused = accept(Verified(path, stored, run, judge(stored, run)))
    assert not refused.ok
    assert refused.error.code == "not-accepted"
    first, *why = refused.error.message.splitlines()
    assert first == f"{path}: not accepted, its new outputs would be no better:"
    assert [line.split(": ")[:2] for line in why] == [["  cell 2", rule]]
    assert path.read_bytes() == before


def test_what_holds_no_notebook_is_a_failure_of_that_file_alone() -> None:
    found = unreadable(Path("half.ipynb"), LessonError("not-a-notebook", "half.ipynb: not JSON"))
    (told,) = found.findings
    assert (told.cell, told.rule, told.what) == (None, "not-a-notebook", "half.ipynb: not JSON")
    assert "Jupyter" in told.remedy
    assert found.failed
