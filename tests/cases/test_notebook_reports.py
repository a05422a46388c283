"""What public reports said of lessons, and what is right; the slower ones are elsewhere.

`test_every_report.py` says where: NB-03 runs every lesson twice.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.verify import verify_notebook
from tests.cases.reports import Case, check, of, steps

LESSONS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
PLACES = {"<temporary folder>": tempfile.gettempdir(), "<home>": str(Path.home())}


def stored_outputs(lesson: Path) -> str:
    """All outputs of the lesson, as stored."""
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    return json.dumps([cell.get("outputs", []) for cell in cells], ensure_ascii=False)


def hits(patterns: list[str], text: str) -> list[str]:
    """What the report's patterns find; its words for two folders are these machine's."""
    for word, place in PLACES.items():
        patterns = [pattern.replace(word, re.escape(place)) for pattern in patterns]
    return [found.group() for pattern in patterns for found in re.finditer(pattern, text)]


@of("NB-02")
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_no_stored_output_holds_an_address_a_path_or_a_library_s_own_words(
    lesson: Path, case: Case
) -> None:
    [scan] = steps(case)
    found = hits(scan["patterns"], stored_outputs(lesson))
    assert len(found) == check(case)["hits"], found


@of("NB-02")
def test_the_scan_can_find_each_of_them(case: Case) -> None:
    [scan] = steps(case)
    places = [f"{place}/x" for place in PLACES.values()]
    bad = ["<A at 0x7f00aa>", *places, "2026-01-02T03:04 by the wall clock", "Text(0.5, 1.0, 'a')"]
    assert [bool(hits(scan["patterns"], one)) for one in bad] == [True] * len(scan["patterns"])


def notebook_of(*cells: tuple[str, str]) -> Notebook:
    """A stored notebook: each cell's source and what it printed when it was saved."""
    return {
        "cells": [_cell(count, *cell) for count, cell in enumerate(cells, start=1)],
        "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(count: int, source: str, printed: str) -> dict[str, Any]:
    stream = {"output_type": "stream", "name": "stdout", "text": printed}
    return {
        "cell_type": "code",
        "execution_count": count,
        "id": f"cell-{count}",
        "metadata": {},
        "outputs": [stream] if printed else [],
        "source": source,
    }


@of("NB-05")
def test_a_failing_shell_magic_and_a_check_that_only_prints_make_a_lesson_red(
    case: Case, tmp_path: Path
) -> None:
    inject, _run_ci = steps(case)
    assert check(case)["ci"] == "red"
    stored = notebook_of(
        (inject["cell"], ""),
        ("!exit 3", ""),
        ("print('passed' if 1 == 2 else 'FAILED')", "passed\n"),
        ("print('passed')", "passed\n"),
    )
    verified = verify_notebook(tmp_path / "lesson.ipynb", stored)
    assert (1, "cell-failed") in [(one.cell, one.rule) for one in verified.findings]
    del stored["cells"][0]  # the run stops at a magic that fails; the others fail by themselves
    verified = verify_notebook(tmp_path / "lesson.ipynb", stored)
    assert [(one.cell, one.rule) for one in verified.findings] == [
        (1, "shell-failed"),
        (2, "stale"),
    ]
