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

from alembic_sim.teaching.lessons.canonical import (
    WIDGET_STATE,
    WIDGET_VIEW,
    canonical_notebook,
    canonical_text,
)
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


def widgets(*ids: str) -> Notebook:
    """A notebook that made the models in this order, the last one shown and built on the others."""
    state = {one: {"state": {"layout": f"IPY_MODEL_{ids[0]}", "digest": "ab" * 32}} for one in ids}
    view = {WIDGET_VIEW: {"model_id": ids[-1], "version_major": 2}, "text/plain": "Slider"}
    shown = {"output_type": "display_data", "data": view, "metadata": {}}
    return notebook(code("x", shown), widgets={WIDGET_STATE: {"state": state, "version_major": 2}})


def test_widget_models_are_numbered_as_they_were_created() -> None:
    ids = [f"{place * 7919:032x}" for place in (9, 4, 6)]
    made = canonical_notebook(widgets(*ids))
    state = made["metadata"]["widgets"][WIDGET_STATE]["state"]
    numbers = [f"{place:032x}" for place in (1, 2, 3)]
    assert list(state) == numbers
    assert state[numbers[2]]["state"]["layout"] == f"IPY_MODEL_{numbers[0]}"
    assert state[numbers[0]]["state"]["digest"] == "ab" * 32  # longer than an id: left alone
    assert made["cells"][0]["outputs"][0]["data"][WIDGET_VIEW]["model_id"] == numbers[2]


def test_ids_that_are_numbers_already_but_in_another_order_do_not_collide() -> None:
    made = widgets(*[f"{place:032x}" for place in (3, 1, 2)])
    state = canonical_notebook(made)["metadata"]["widgets"][WIDGET_STATE]["state"]
    assert len(state) == 3
    assert all(model["state"]["layout"] == f"IPY_MODEL_{1:032x}" for model in state.values())


def test_a_view_of_a_model_without_state_gets_a_number_too() -> None:
    made = widgets("f" * 32)
    made["metadata"] = {}
    view = only_cell(made)["outputs"][0]["data"][WIDGET_VIEW]
    assert view["model_id"] == f"{1:032x}"


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


@given(CELLS)
def test_writing_down_twice_changes_nothing_and_the_input_is_left_alone(
    cells: list[dict[str, Any]],
) -> None:
    given_notebook = notebook(*cells)
    before = copy.deepcopy(given_notebook)
    text = canonical_text(given_notebook)
    assert canonical_text(json.loads(text)) == text
    assert given_notebook == before


@pytest.mark.parametrize("mime", ["application/json", "application/vnd.x+json"])
def test_a_json_document_in_an_output_is_not_taken_for_lines(mime: str) -> None:
    shown = {"output_type": "display_data", "data": {mime: ["a", "b"]}, "metadata": {}}
    assert only_cell(notebook(code("x", shown)))["outputs"][0]["data"][mime] == ["a", "b"]
