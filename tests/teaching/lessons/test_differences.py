"""Differences name the cell and show the lines, so that a person can act on them."""

from __future__ import annotations

from typing import Any

from alembic_sim.teaching.lessons.canonical import canonical_notebook
from alembic_sim.teaching.lessons.differences import (
    SHOWN_CHARS,
    SHOWN_LINES,
    Difference,
    diff_lines,
    differences,
)
from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.widget_state import WIDGET_STATE, WIDGET_VIEW
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream


def canonical(*cells: dict[str, Any]) -> Notebook:
    return canonical_notebook(notebook(*cells))


def test_equal_notebooks_have_none() -> None:
    assert differences(canonical(code("x")), canonical(code("x"))) == ()


def test_a_stale_output_is_shown_line_by_line() -> None:
    stored = canonical(markdown("# T"), code("x", stream("same\n30 days\n")))
    fresh = canonical(markdown("# T"), code("x", stream("same\n31 days\n")))
    (found,) = differences(stored, fresh)
    assert found.text() == "cell 2: the output\n    -30 days\n    +31 days"


def test_a_changed_source_a_missing_cell_and_metadata_are_told_apart() -> None:
    assert differences(canonical(code("x")), canonical(code("y")))[0].what == "the source"
    assert differences(canonical(code("x")), canonical())[0].cell == 1
    tagged = canonical(code("x", tags=["t"]))
    (found,) = differences(tagged, canonical(code("x")))
    assert found == Difference(1, "the cell's id or metadata")
    other = {**canonical(code("x")), "metadata": {}}
    assert differences(canonical(code("x")), other)[0].cell is None


def test_a_moved_count_is_told_without_lines() -> None:
    fresh = canonical(code("x"))
    stored = canonical(code("x"))
    stored["cells"][0]["execution_count"] = 5
    (found,) = differences(stored, fresh)
    assert (found.cell, found.lines) == (1, ())
    assert "counts" in found.what


def test_a_widget_that_moved_is_told_with_what_moved() -> None:
    model = {"model_name": "IntSliderModel", "state": {"value": 45}}
    view = {"output_type": "display_data", "metadata": {}, "data": {WIDGET_VIEW: {}}}
    view["data"][WIDGET_VIEW]["model_id"] = "1" * 32

    def showing(value: int) -> Notebook:
        state = {"1" * 32: {**model, "state": {"value": value}}}
        return canonical_notebook(
            notebook(code("x", view), widgets={WIDGET_STATE: {"state": state}})
        )

    (found,) = differences(showing(45), showing(46))
    assert found.text() == (
        'file: the stored state of 1 widget models\n    -   "value": 45\n    +   "value": 46'
    )


def test_a_long_line_is_shown_where_it_differs() -> None:
    same = "<svg>" + "x" * 500
    old, new = diff_lines(f"{same}30{same}", f"{same}31{same}")
    assert "x30<svg>" in old
    assert "x31<svg>" in new
    assert (old[:2], old[-1]) == ("-…", "…")
    assert len(old) <= SHOWN_CHARS + 3


def test_what_cannot_be_seen_is_made_visible() -> None:
    assert diff_lines("30 ", "30") == ("-'30 '", "+'30'")
    assert diff_lines("30\n", "30") == ("-'30\\n'", "+'30'")
    assert diff_lines("a\x1b[31mred", "b") == ("-a\\x1b[31mred", "+b")


def test_lines_that_came_in_between_are_not_compared_with_others() -> None:
    assert diff_lines("a\nb\nc", "a\nnew\nb\nc") == ("+new",)
    assert diff_lines("a\nb\nc", "a\nc") == ("-b",)
    assert diff_lines("a\nb", "x\ny\nz") == ("-a", "-b", "+x", "+y", "+z")


def test_a_long_difference_is_cut_and_says_so() -> None:
    old = canonical(code("x", stream("".join(f"a{n}\n" for n in range(40)))))
    new = canonical(code("x", stream("".join(f"b{n}\n" for n in range(40)))))
    (found,) = differences(old, new)
    assert len(found.lines) == SHOWN_LINES + 1
    assert found.lines[-1] == f"… and {80 - SHOWN_LINES} lines more"
