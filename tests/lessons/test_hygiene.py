"""Each hygiene rule goes red on a small notebook that breaks it, and on nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim.teaching.lessons.canonical import canonical_notebook
from alembic_sim.teaching.lessons.hygiene import (
    MAX_CELL_OUTPUT_BYTES,
    MAX_FILE_BYTES,
    NOTEBOOK_RULES,
    OWN_RULES,
    Finding,
    findings,
)
from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.widget_state import WIDGET_STATE, WIDGET_VIEW
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream


def shown(mime: str, value: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {mime: value}, "metadata": {}}


WIDGET = "1" * 32


def widget(**data: str) -> dict[str, Any]:
    """An output that shows a widget, and beside it what a page without widgets would show."""
    view = {WIDGET_VIEW: {"model_id": WIDGET, "version_major": 2}, "text/plain": "Timeline: 45 d"}
    return {"output_type": "display_data", "data": {**view, **data}, "metadata": {}}


def with_state(cell: dict[str, Any], *parts: str) -> Notebook:
    """A notebook that stores the state of the widget, which is made of these parts."""
    children = [f"IPY_MODEL_{part}" for part in parts]
    state = {WIDGET: {"model_name": "VBoxModel", "state": {"children": children}}}
    return canonical_notebook(notebook(cell, widgets={WIDGET_STATE: {"state": state}}), own=True)


PICTURE = {"image/svg+xml": "<svg/>"}


def found_in(*cells: dict[str, Any]) -> tuple[Finding, ...]:
    return findings(canonical_notebook(notebook(*cells), own=True), NOTEBOOK_RULES)


def rules(*cells: dict[str, Any]) -> list[str]:
    return [finding.rule for finding in found_in(*cells)]


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": []}

BAD_CELLS: dict[str, tuple[str, dict[str, Any]]] = {
    "never run": ("not-run", code("x = 1") | {"execution_count": None}),
    "no code": ("empty-cell", code("  \n")),
    "an error nobody announced": ("error", code("boom()", ERROR)),
    "an announced error that does not come": ("no-error", code("x", tags=["raises-exception"])),
    "a final semicolon": ("semicolon", code("plot();")),
    "a final semicolon before a comment": ("semicolon", code("plot()  ;  # quiet\n")),
    "an Output widget": ("output-widget", code("out = widgets.Output()")),
    "interact": ("output-widget", code("@interact(x=3)\ndef show(x): ...")),
    "interactive_output": ("output-widget", code("interactive_output(f, {})")),
    "a captured output": ("output-widget", code("@out.capture()\ndef show(): ...")),
    "stderr": ("stderr", code("x", stream("careful\n", "stderr"))),
    "an address": ("address", code("x", stream("<Thing at 0x7f3a2b1c>"))),
    "an address in SVG": ("address", code("x", shown("image/svg+xml", "<g>0x7f3a2b1c</g>"))),
    "an address in an error": (
        "address",
        code("x", ERROR | {"evalue": "no 0x7f3a2b1c"}, tags=["raises-exception"]),
    ),
    "a home path": ("path", code("x", stream("written to /home/ana/notes.md"))),
    "a temporary path": ("path", code("x", stream("'/" + "tmp/abc/x'"))),
    "a Windows path": ("path", code("x", stream(r"written to D:\ana\notes.md"))),
    "a file address": ("path", code("x", shown("text/html", "<a href='file:///x'>"))),
    "a wall time": ("timing", code("x", stream("Wall time: 3 ms"))),
    "a duration": ("timing", code("x", stream("12 passed in 0.31s"))),
    "a rate": ("timing", code("x", stream("1000it/s"))),
    "microseconds": ("timing", code("x", stream("3.2 µs ± 10 ns per loop"))),
    "a random id": ("random-id", code("x", stream("9d3c1b52-8f0e-4a52-9d67-1b2c3d4e5f60"))),
    "a warning": ("library-voice", code("x", stream("DeprecationWarning: old"))),
    "a function's repr": ("library-voice", code("x", shown("text/plain", "<function f>"))),
    "a figure's repr": ("library-voice", code("x", shown("text/plain", "<Figure size 640x480>"))),
    "an array's repr": ("library-voice", code("x", shown("text/plain", "array([1, 2])"))),
    "pydantic's voice": ("library-voice", code("x", stream("1 validation error for UsageRecord"))),
    "a printed set": ("printed-set", code("x", stream("{'a', 'b'}"))),
    "a printed set of numbers": ("printed-set", code("x", stream("frozenset({3, 1})"))),
    "a picture from the network": (
        "remote",
        code("x", shown("text/html", '<img src="https://example.org/x.png">')),
    ),
    "a script": ("script", code("x", shown("text/html", "<script>1</script>"))),
    "an event handler": ("script", code("x", shown("image/svg+xml", "<g onclick='f()'/>"))),
    "a bitmap without facts": ("silent-picture", code("x", shown("image/png", "iVBORw0K"))),
    "a widget without its state": ("widget-state", code("x", widget(**PICTURE))),
    "a huge output": ("output-size", code("x", shown("text/html", "x" * MAX_CELL_OUTPUT_BYTES))),
    "a long output": ("output-length", code("x", stream("line\n" * 31))),
}


@pytest.mark.parametrize(("rule", "cell"), BAD_CELLS.values(), ids=BAD_CELLS)
def test_a_bad_cell_is_found_named_and_given_a_remedy(rule: str, cell: dict[str, Any]) -> None:
    found = found_in(markdown("# T"), cell)
    assert {one.rule for one in found} == {rule}
    assert {one.cell for one in found} == {2}
    assert all(one.remedy.endswith(("…", ".")) for one in found)
    assert found[0].text().startswith(f"cell 2: {rule}: ")


GOOD_CELLS: dict[str, dict[str, Any]] = {
    "a quiet cell": code("x = 1"),
    "a semicolon in a text or a comment": code("print('a;')  # b;"),
    "two statements on a line": code("a = 1; b = 2"),
    "the words of the engine": code(
        "x", stream("idle 30 d: stale; 1 ms less: active\n86400000 ms")
    ),
    "a digest": code("x", stream("sha256 " + "0f" * 32)),
    "a relative path": code("x", stream("memory/MEMORY.md, skills/.usage.json, ~/.alembic-sim")),
    "a ratio": code("x", stream("9/10 or 3:4, and/or/not")),
    "a dict and a list": code("x", stream("{'a': 1, 'b': 2} [1, 2] ()")),
    "an empty set": code("x", stream("set()")),
    "an announced error": code("boom()", ERROR, tags=["raises-exception"]),
    "a bitmap with its facts": code("x", stream("12 skills\n"), shown("image/png", "iVBORw0K")),
    "the namespace of SVG": code(
        "x", shown("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    ),
    "an escaped script": code("x", shown("text/html", "&lt;script&gt;")),
}


@pytest.mark.parametrize("cell", GOOD_CELLS.values(), ids=GOOD_CELLS)
def test_a_good_cell_is_left_in_peace(cell: dict[str, Any]) -> None:
    assert found_in(cell) == ()


def test_prose_may_speak_of_anything() -> None:
    assert found_in(markdown("`/home/ana`, 0x7f3a2b1c, Wall time, {'a', 'b'}; <script>")) == ()


@pytest.mark.parametrize("spec", [{}, {"name": "venv"}, None, "python3"])
def test_another_kernelspec_is_found(spec: object) -> None:
    made: Notebook = canonical_notebook(notebook(code("x")))
    made["metadata"] = {"kernelspec": spec}
    (found,) = findings(made, NOTEBOOK_RULES)
    assert (found.cell, found.rule) == (None, "kernelspec")


def test_a_widget_with_its_state_and_its_picture_is_left_in_peace() -> None:
    assert findings(with_state(code("x", widget(**PICTURE))), NOTEBOOK_RULES) == ()


def test_a_widget_one_part_of_which_has_no_state_is_found() -> None:
    (found,) = findings(with_state(code("x", widget(**PICTURE)), "2" * 32), NOTEBOOK_RULES)
    assert (found.cell, found.rule) == (1, "widget-state")
    assert "1 of 2 models" in found.what


def test_a_widget_without_a_still_picture_is_found() -> None:
    (found,) = findings(with_state(code("x", widget())), NOTEBOOK_RULES)
    assert (found.cell, found.rule) == (1, "widget-fallback")


OURS_ONLY = {
    *("empty-cell", "semicolon", "output-widget", "stderr", "library-voice", "remote", "script"),
    *("silent-picture", "widget-state", "output-size", "output-length"),
}


@pytest.mark.parametrize(("rule", "cell"), BAD_CELLS.values(), ids=BAD_CELLS)
def test_an_instructors_own_notebook_is_held_only_to_what_its_run_can_show(
    rule: str, cell: dict[str, Any]
) -> None:
    found = findings(canonical_notebook(notebook(cell)), OWN_RULES)
    assert [one.rule for one in found] == ([] if rule in OURS_ONLY else [rule])


def test_a_file_that_grew_too_large_is_found() -> None:
    each = 39_000
    assert each < MAX_CELL_OUTPUT_BYTES
    count = MAX_FILE_BYTES // each + 1
    cells = [code(f"x{n}", shown("text/html", "x" * each)) for n in range(count)]
    assert rules(*cells) == ["file-size"]


def test_findings_come_in_the_order_of_the_cells() -> None:
    found = found_in(code("a;"), code("b") | {"execution_count": None}, code("c;"))
    assert [one.cell for one in found] == [1, 2, 3]
