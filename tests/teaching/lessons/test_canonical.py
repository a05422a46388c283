"""Canonical form: nothing in it tells when, where or how often the lesson ran."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching.lessons.canonical import canonical_notebook, canonical_text
from alembic_sim.teaching.lessons.notebook import Notebook


def code(source: str, *outputs: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 7,
        "id": "whatever",
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def notebook(*cells: dict[str, Any], **metadata: Any) -> Notebook:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def only_cell(made: Notebook) -> dict[str, Any]:
    (cell,) = canonical_notebook(made)["cells"]
    assert isinstance(cell, dict)
    return cell


def test_it_is_what_jupyter_itself_writes() -> None:
    text = canonical_text(notebook(markdown("# §\nx"), code("a\nb", stream("1\n2\n"))))
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert "§" in text
    assert "\r" not in text


def test_counts_run_from_1_and_a_cell_that_never_ran_keeps_saying_so() -> None:
    never = code("never") | {"execution_count": None}
    result = {"output_type": "execute_result", "data": {"text/plain": "1"}, "execution_count": 7}
    cells = canonical_notebook(notebook(code("a"), never, code("b", result)))["cells"]
    assert [cell["execution_count"] for cell in cells] == [1, None, 2]
    assert cells[2]["outputs"][0]["execution_count"] == 2


def test_ids_come_from_the_content_and_stay_unique_and_valid() -> None:
    cells = canonical_notebook(notebook(code("x"), code("y"), code("x"), markdown("x")))["cells"]
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == 4
    assert all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", one) for one in ids)


def test_a_cell_inserted_above_changes_no_other_id() -> None:
    before = canonical_notebook(notebook(code("x"), code("y")))["cells"]
    after = canonical_notebook(notebook(markdown("new"), code("x"), code("y")))["cells"]
    assert [cell["id"] for cell in after[1:]] == [cell["id"] for cell in before]


def test_timings_and_view_state_go_while_tags_and_hidden_sources_stay() -> None:
    cell = only_cell(
        notebook(
            code(
                "x",
                execution={"iopub.status.busy": "2025-01-01T00:00:00Z"},
                collapsed=True,
                scrolled=False,
                tags=["b", "a"],
                jupyter={"source_hidden": True, "outputs_hidden": False},
            )
        )
    )
    assert cell["metadata"] == {"jupyter": {"source_hidden": True}, "tags": ["a", "b"]}


def test_the_kernel_and_language_are_named_without_a_version() -> None:
    made = canonical_notebook(
        notebook(
            code("x"),
            kernelspec={"name": "venv", "display_name": "my venv"},
            language_info={"name": "python", "version": "3.11.7"},
            toc={"base": 1},
        )
    )
    assert made["metadata"]["kernelspec"]["name"] == "python3"
    assert made["metadata"]["kernelspec"]["display_name"] == "Python 3 (ipykernel)"
    assert "version" not in made["metadata"]["language_info"]
    assert set(made["metadata"]) == {"kernelspec", "language_info"}


def test_pieces_of_one_stream_are_joined_and_the_two_streams_kept_apart() -> None:
    outputs = only_cell(
        notebook(code("x", stream("a\nb"), stream("c\n"), stream("w", "stderr"), stream("d")))
    )["outputs"]
    assert [(out["name"], out["text"]) for out in outputs] == [
        ("stdout", ["a\n", "bc\n"]),
        ("stderr", ["w"]),
        ("stdout", ["d"]),
    ]


def test_a_traceback_is_reduced_to_what_is_compared() -> None:
    error = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "bad",
        "traceback": ["File /home/ana/x.py, line 3", "\x1b[31mValueError\x1b[0m: bad"],
    }
    assert only_cell(notebook(code("x", error)))["outputs"][0]["traceback"] == ["ValueError: bad"]


def test_windows_line_ends_and_final_newlines_of_a_source_go() -> None:
    assert only_cell(notebook(code("a\r\nb\r\n\n")))["source"] == ["a\n", "b"]


OWN_METADATA = {"slideshow": {"slide_type": "slide"}, "nbgrader": {"points": 2}, "tags": ["b", "a"]}


def test_in_a_notebook_of_ones_own_ids_and_the_metadata_of_other_tools_stay() -> None:
    cell = code("x", **OWN_METADATA, execution={"iopub.status.busy": "2025-01-01T00:00:00Z"})
    kernel = {"name": "venv", "display_name": "my venv"}
    given_notebook = notebook(cell, kernelspec=kernel, jupytext={"formats": "ipynb,md"})
    made = canonical_notebook(given_notebook, own=True)
    assert made["cells"][0]["id"] == "whatever"
    assert made["cells"][0]["metadata"] == OWN_METADATA
    assert made["metadata"]["jupytext"] == {"formats": "ipynb,md"}
    assert made["metadata"]["kernelspec"]["name"] == "python3"
    assert set(canonical_notebook(given_notebook)["cells"][0]["metadata"]) == {"tags"}


@pytest.mark.parametrize("bad", ["a", None, "b c", "b" * 65, 7, ""])
def test_an_id_of_ones_own_that_the_format_forbids_is_made_anew(bad: object) -> None:
    cells = [code("x") | {"id": "a"}, code("y") | {"id": bad}]
    made = [cell["id"] for cell in canonical_notebook(notebook(*cells), own=True)["cells"]]
    assert made == ["a", canonical_notebook(notebook(*cells))["cells"][1]["id"]]


@given(st.lists(st.sampled_from(["a", "a-1", "a-2", None, *"bc"]), max_size=6))
def test_ids_of_ones_own_are_unique_in_the_end(ids: list[object]) -> None:
    cells = [code("x") | {"id": one} for one in ids]
    made = [cell["id"] for cell in canonical_notebook(notebook(*cells), own=True)["cells"]]
    assert len(set(made)) == len(made)


TEXTS = st.text(max_size=20)
OUTPUTS = st.lists(
    st.builds(stream, TEXTS, st.sampled_from(["stdout", "stderr"]))
    | st.builds(
        lambda text: {"output_type": "display_data", "data": {"text/plain": text}, "metadata": {}},
        TEXTS,
    ),
    max_size=4,
)
CELLS = st.lists(
    st.builds(markdown, TEXTS) | st.builds(lambda s, o: code(s, *o), TEXTS, OUTPUTS), max_size=5
)


@given(CELLS, st.booleans())
def test_writing_down_twice_changes_nothing_and_the_input_is_left_alone(
    cells: list[dict[str, Any]], own: bool
) -> None:
    given_notebook = notebook(*cells)
    before = copy.deepcopy(given_notebook)
    text = canonical_text(given_notebook, own)
    assert canonical_text(json.loads(text), own) == text
    assert given_notebook == before


@pytest.mark.parametrize("mime", ["application/json", "application/vnd.x+json"])
def test_a_json_document_in_an_output_is_not_taken_for_lines(mime: str) -> None:
    shown = {"output_type": "display_data", "data": {mime: ["a", "b"]}, "metadata": {}}
    assert only_cell(notebook(code("x", shown)))["outputs"][0]["data"][mime] == ["a", "b"]
