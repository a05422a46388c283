"""All 53 reports have a test, or a sentence that says where they wait; and where the contract wins.

A report and the contract may disagree; then the contract is right, and the report's test holds the
contract's value.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.cases.reports import CASES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

NOT_YET = {
    "SIM-02": "the simulator: one digest over four hash seeds",
    "SIM-04": "the simulator: ties of one instant",
    "SIM-05": "the simulator: derived seeds",
    "SIM-06": "the simulator: rows of a sweep",
    "USE-05": "the simulator: a channel that is not counted",
    "NB-06": "lessons 02 and 05, which show 2200, 1375 and the separator",
}
"""Reports whose part of the project is not built yet."""

ELSEWHERE = {
    "NB-03": "tests/lessons/test_without_ipywidgets.py::"
    "test_a_lesson_says_the_same_without_ipywidgets",
}
"""Reports whose test runs whole lessons, and so stands with those."""

CONTRACT_WINS = {
    "MEM-24": "one byte-order mark is stripped, it says; the contract drops all leading ones",
    "MEM-27": "refused at the schema, it says; the reply is refused before, as no strict JSON",
    "GATE-12": "'no entry matched', it says; the reason names the text and the nearest entry",
    "USE-09": "the refusal points to restore, it says; it does so for an archived skill alone",
    "CUR-10": "rolling back to the oldest backup; there is none, and the last pass is undone",
    "CUR-11": "a second create of an archived name; it is refused, so the body comes by patch",
    "FS-02": "`outside-root`, it says; so says the port, and the store that it is `unreadable`",
}
"""Where a report and the contract differ: what the report says, and what holds."""


def reports_with_a_test() -> Counter[str]:
    """How many tests of this folder are marked as those of each report."""
    return Counter(
        mark.args[0].value
        for file in HERE.glob("test_*_reports.py")
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "of"
    )


def test_there_are_53_reports() -> None:
    assert len(CASES) == 53


def test_every_report_has_a_test_or_a_sentence_that_says_where_it_waits() -> None:
    here, elsewhere, waiting = set(reports_with_a_test()), set(ELSEWHERE), set(NOT_YET)
    assert here | elsewhere | waiting == set(CASES)
    assert len(here) + len(elsewhere) + len(waiting) == len(CASES)  # each in one of the three


def test_only_reports_of_the_simulator_and_the_lessons_wait() -> None:
    components = {CASES[case_id]["input"]["component"] for case_id in NOT_YET}
    assert components == {"sim", "notebook"}


@pytest.mark.parametrize(("case_id", "place"), ELSEWHERE.items())
def test_a_test_that_stands_elsewhere_is_there(case_id: str, place: str) -> None:
    file, _, name = place.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_a_report_that_the_contract_overrules_is_tested_with_the_contract_s_value() -> None:
    assert set(CONTRACT_WINS) <= set(reports_with_a_test())
