"""The report is JUnit XML: a suite a notebook, a test a cell, with what is wrong in its body."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as xml

from alembic_sim.teaching.lessons.hygiene import Finding
from alembic_sim.teaching.lessons.junit import junit_xml
from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.running import Run, Stop
from alembic_sim.teaching.lessons.verify import Verified
from tests.teaching.lessons.test_canonical import code, markdown, notebook

STORED: Notebook = notebook(
    markdown("# T"), code("a < b & 'ü'"), code("c"), code(""), code("1 / 0"), code("late")
)
FOUND = (
    Finding(None, "kernelspec", "the kernelspec is 'venv'", "Mend it."),
    Finding(2, "stale", "stdout is not what is stored", "Look.", ("-\x1b[31m30", "+31")),
    Finding(2, "path", "the output holds '/home'", "Hide it."),
    Finding(5, "cell-failed", "raised X: \x00\ud800", "Mend the cell."),
)


def report(*findings: Finding, stop: Stop | None = None) -> xml.Element:
    run = Run(STORED, stop)
    verified = Verified(Path("course", "a.ipynb"), STORED, run, findings, seconds=1.5)
    text = junit_xml([verified])
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n<testsuites ')
    return xml.fromstring(text.encode("utf-8"))


def counts(element: xml.Element) -> dict[str, str]:
    return {name: element.get(name, "") for name in ("tests", "failures", "errors", "skipped")}


def test_a_true_notebook_passes_whole() -> None:
    root = report()
    (suite,) = root
    assert [case.get("name") for case in suite] == [
        "notebook",
        "cell 2: a < b & 'ü'",
        "cell 3: c",
        "cell 5: 1 / 0",
        "cell 6: late",
    ]
    assert [list(case) for case in suite] == [[]] * 5
    assert counts(root) == {"tests": "5", "failures": "0", "errors": "0", "skipped": "0"}
    assert (root.get("time"), suite.get("name")) == ("1.500", str(Path("course", "a.ipynb")))


def test_findings_errors_and_cells_that_were_not_reached_are_told_apart() -> None:
    root = report(*FOUND, stop=Stop("cell-failed", 5, "raised"))
    (suite,) = root
    assert counts(root) == {"tests": "5", "failures": "2", "errors": "1", "skipped": "1"}
    assert counts(suite) == counts(root)
    told = {case.get("name"): [child.tag for child in case] for case in suite}
    assert told == {
        "notebook": ["failure"],
        "cell 2: a < b & 'ü'": ["failure"],
        "cell 3: c": [],
        "cell 5: 1 / 0": ["error"],
        "cell 6: late": ["skipped"],
    }


def test_an_entry_holds_the_difference_and_the_remedy_in_legal_xml() -> None:
    (suite,) = report(*FOUND)
    failure, error = suite[1][0], suite[3][0]
    assert failure.get("message") == "stale: stdout is not what is stored"
    assert failure.text == (
        "stale: stdout is not what is stored\n-�[31m30\n+31\nLook.\n\n"
        "path: the output holds '/home'\nHide it."
    )
    assert (error.get("type"), error.get("message")) == ("cell-failed", "cell-failed: raised X: ��")
