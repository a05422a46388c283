"""All 53 reports have a test; and where the contract wins.

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

ELSEWHERE = {
    "SIM-02": "tests/sim/test_reference.py::"
    "test_processes_with_their_own_hash_seed_time_zone_and_folder_give_one_digest",
    "SIM-04": "tests/sim/test_reference.py::test_at_one_instant_the_sequence_decides",
    "SIM-05": "tests/sim/test_seeds.py::"
    "test_three_processes_with_their_own_hash_seeds_derive_one_seed",
    "SIM-06": "tests/sim/sweep/test_sweep.py::"
    "test_there_is_a_row_for_each_policy_and_replica_with_the_seed_that_gives_it_again",
    "USE-05": "tests/sim/test_reference.py::"
    "test_a_skill_that_is_used_and_never_counted_is_archived_in_use",
    "NB-03": "tests/lessons/test_without_ipywidgets.py::"
    "test_a_lesson_says_the_same_without_ipywidgets",
    "NB-06": "tests/lessons/test_taught_constants.py::"
    "test_a_lesson_turns_red_when_a_constant_that_it_teaches_changes",
}
"""Reports of the simulator and of whole lessons: their tests stand with those."""

CONTRACT_WINS = {
    "MEM-24": "one byte-order mark is stripped, it says; the contract drops all leading ones",
    "MEM-27": "refused at the schema, it says; the reply is refused before, as no strict JSON",
    "GATE-12": "'no entry matched', it says; the reason names the text and the nearest entry",
    "USE-09": "the refusal points to restore, it says; it does so for an archived skill alone",
    "CUR-10": "rolling back to the oldest backup; there is none, and the last pass is undone",
    "CUR-11": "a second create of an archived name; it is refused, so the body comes by patch",
    "USE-05": "1 with an uncounted channel; under the +∞ anchor a skill never counted never moves",
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


def test_every_report_has_a_test() -> None:
    here, elsewhere = set(reports_with_a_test()), set(ELSEWHERE)
    assert here | elsewhere == set(CASES)
    assert not here & elsewhere


def test_only_reports_of_the_simulator_and_the_lessons_stand_elsewhere() -> None:
    components = {CASES[case_id]["input"]["component"] for case_id in ELSEWHERE}
    assert components == {"sim", "notebook"}


@pytest.mark.parametrize(("case_id", "place"), ELSEWHERE.items())
def test_a_test_that_stands_elsewhere_is_there(case_id: str, place: str) -> None:
    file, _, name = place.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_a_report_that_the_contract_overrules_is_tested_with_the_contract_s_value() -> None:
    assert set(CONTRACT_WINS) <= {*reports_with_a_test(), *ELSEWHERE}
