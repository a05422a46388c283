"""Whatever lies in a file: a notebook, or an error that says what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching.lessons.canonical import canonical_text
from alembic_sim.teaching.lessons.notebook import parse_notebook, read_notebook


def notebook(*cells: Any) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "not strict JSON"),
        (b"\xff", "not strict JSON"),
        (b"[]", "not an object"),
        (b'{"nbformat": 3, "worksheets": []}', "nbformat: 3 is not 4"),
        (b'{"nbformat": 4}', "cells: not a list"),
        (b'{"nbformat": 4, "cells": [], "metadata": []}', "metadata: not an object"),
        (notebook(7), "cell 1: not an object"),
        (notebook({"cell_type": "video"}), "cell_type: 'video'"),
        (notebook({"cell_type": "code"}), "source: not a text"),
        (notebook({"cell_type": "code", "source": [1]}), "source: not a text"),
        (notebook({"cell_type": "code", "source": "", "outputs": {}}), "outputs: not a list"),
        (notebook({"cell_type": "code", "source": "", "outputs": [{}]}), "not an output"),
        (notebook({"cell_type": "code", "source": "", "metadata": {"tags": "x"}}), "tags"),
        (notebook({"cell_type": "code", "source": "", "metadata": {"tags": [1, None]}}), "tags"),
        (notebook({"cell_type": "code", "source": "", "metadata": {"jupyter": 1}}), "jupyter"),
        (b'{"nbformat": 4, "cells": [], "metadata": {"widgets": []}}', "widgets"),
        (
            notebook(
                {
                    "cell_type": "code",
                    "source": "",
                    "outputs": [{"output_type": "display_data", "data": {"text/plain": [1]}}],
                }
            ),
            "not an output",
        ),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_place(data: bytes | str, problem: str) -> None:
    refused = parse_notebook(data, "mine.ipynb")
    assert not refused.ok
    assert refused.error.code == "not-a-notebook"
    assert problem in refused.error.message
    assert refused.error.message.startswith("mine.ipynb: ")


def test_a_missing_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.ipynb", tmp_path):
        refused = read_notebook(path)
        assert not refused.ok
        assert refused.error.code == "unreadable"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cell_type", "source", "outputs", "output_type", "name", "text", "data", "tags"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    cells=st.lists(
        JSON
        | st.fixed_dictionaries(
            {"cell_type": st.sampled_from(["code", "markdown"]), "source": st.text() | JSON},
            optional={"metadata": JSON, "outputs": st.lists(JSON), "execution_count": JSON},
        ),
        max_size=3,
    )
)
def test_what_is_let_in_can_be_written_down(cells: list[Any]) -> None:
    parsed = parse_notebook(notebook(*cells))
    if parsed.ok:
        text = canonical_text(parsed.value)
        again = parse_notebook(text)
        assert again.ok
        assert canonical_text(again.value) == text
