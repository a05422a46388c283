"""The one way to write a notebook down: two runs that show the same give the same bytes.

What changes from run to run or from machine to machine is replaced or dropped: cell and widget ids,
execution counts, timings, interpreter versions, tracebacks (they hold paths; nbval compares the
error's name and message). What is left is laid out as Jupyter itself writes it, so that saving a
lesson in JupyterLab changes only what was edited.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from itertools import count
from typing import Any

from alembic_sim.teaching.lessons.notebook import (
    Cell,
    Notebook,
    Output,
    is_json,
    joined,
    outputs_of,
    source_of,
    tags_of,
)
from alembic_sim.teaching.lessons.widget_state import (
    WIDGET_STATE,
    kept_state,
    with_stable_model_ids,
    without_live_views,
)

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE_INFO: dict[str, Any] = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
"""As a kernel tells it, without the version: lessons run on several."""

KEPT_CELL_METADATA = ("alembic_sim", "deletable", "editable", "jp-MarkdownHeadingCollapsed")
"""Cell metadata that is part of the lesson, beside tags and hidden sources; the rest is dropped."""


def canonical_text(notebook: Notebook, own: bool = False) -> str:
    """The file's text in canonical form: sorted keys, indent 1, LF, final newline."""
    document = canonical_notebook(notebook, own)
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def canonical_notebook(notebook: Notebook, own: bool = False) -> Notebook:
    """The same lesson with nothing in it that depends on when, where or how often it ran.

    Our lessons store a widget's still picture alone. In a notebook of an instructor's `own`, live
    widgets stay, and so do the ids and the metadata that other tools put there (slides, grading).
    """
    if not own:
        notebook = without_live_views(notebook)
    ids = _own_ids(notebook["cells"]) if own else _ids(notebook["cells"])
    cells = [_cell(cell, one, own) for cell, one in zip(notebook["cells"], ids, strict=True)]
    counts = count(1)
    for cell in cells:
        if cell["cell_type"] == "code" and cell["execution_count"] is not None:
            _number(cell, next(counts))
    metadata: dict[str, Any] = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO}
    if own:
        others = notebook.get("metadata", {}).items()
        metadata |= {key: value for key, value in others if key not in {*metadata, "widgets"}}
    widgets = kept_state(notebook)
    if widgets is not None:
        metadata["widgets"] = {WIDGET_STATE: widgets}
    document = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return with_stable_model_ids(document)


def _ids(cells: list[Cell]) -> list[str]:
    """An id for each cell, made from its content: a cell inserted above changes no other id."""
    seen: dict[str, int] = {}
    ids = []
    for cell in cells:
        content = f"{cell['cell_type']}\n{_source(cell)}"
        digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
        seen[digest] = seen.get(digest, 0) + 1
        ids.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return ids


def _own_ids(cells: list[Cell]) -> list[str]:
    """The ids that the cells have; a new one for each that has none which the format allows."""
    ids: list[str] = []
    for cell, made in zip(cells, _ids(cells), strict=True):
        has = str(cell.get("id"))
        valid = isinstance(cell.get("id"), str) and re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", has)
        numbered = [f"{made}-{number}" for number in range(2, len(cells) + 2)]
        wanted = [*([has] if valid else []), made, *numbered]
        ids.append(next(one for one in wanted if one not in ids))
    return ids


def _source(cell: Cell) -> str:
    return source_of(cell).rstrip("\n")


def _cell(cell: Cell, cell_id: str, own: bool) -> Cell:
    made: Cell = {
        "cell_type": cell["cell_type"],
        "id": cell_id,
        "metadata": _own_metadata(cell) if own else _cell_metadata(cell),
        "source": _lines(_source(cell)),
    }
    if cell["cell_type"] == "code":
        made["execution_count"] = cell.get("execution_count")
        made["outputs"] = [_output(output) for output in _merged(outputs_of(cell))]
    elif cell.get("attachments"):
        made["attachments"] = cell["attachments"]
    return made


def _cell_metadata(cell: Cell) -> dict[str, Any]:
    given = cell.get("metadata", {})
    kept = {key: given[key] for key in KEPT_CELL_METADATA if key in given}
    hidden = {key: True for key, value in given.get("jupyter", {}).items() if value is True}
    if hidden:
        kept["jupyter"] = hidden
    if tags_of(cell):
        kept["tags"] = list(tags_of(cell))
    return kept


def _own_metadata(cell: Cell) -> dict[str, Any]:
    """All but the timings of the last run."""
    given = cell.get("metadata", {})
    return {key: value for key, value in given.items() if key != "execution"}


def _merged(outputs: Iterable[Output]) -> list[Output]:
    """Neighbouring pieces of a stream joined: where the kernel cuts them is a matter of timing."""
    merged: list[Output] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        same_stream = output["output_type"] == "stream" and last.get("name") == output["name"]
        if same_stream and last["output_type"] == "stream":
            merged[-1] = {**last, "text": joined(last["text"]) + joined(output["text"])}
        else:
            merged.append(output)
    return merged


def _output(output: Output) -> Output:
    match output["output_type"]:
        case "stream":
            text = _lines(joined(output["text"]))
            return {"name": output["name"], "output_type": "stream", "text": text}
        case "error":
            what = {"ename": output["ename"], "evalue": output["evalue"]}
            told = f"{output['ename']}: {output['evalue']}"
            return {**what, "output_type": "error", "traceback": [told]}
        case kind:
            data = {mime: _mime_value(mime, value) for mime, value in output["data"].items()}
            shown = {"data": data, "metadata": output.get("metadata", {}), "output_type": kind}
            return {**shown, "execution_count": None} if kind == "execute_result" else shown


def _mime_value(mime: str, value: Any) -> Any:
    """Text as a list of lines; a JSON document as it is, as Jupyter stores it."""
    return value if is_json(mime) else _lines(joined(value))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _number(cell: Cell, execution_count: int) -> None:
    cell["execution_count"] = execution_count
    for output in cell["outputs"]:
        if "execution_count" in output:
            output["execution_count"] = execution_count
