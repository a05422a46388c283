"""A notebook file as a value: read and checked once, and the few questions everybody asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from alembic_sim.result import Err, Ok, Result
from alembic_sim.strict_json import parse_strict_json
from alembic_sim.teaching.lessons.errors import LessonError

Notebook = dict[str, Any]
"""A notebook as its JSON says, format 4. Only `read_notebook` and `parse_notebook` let one in."""

Cell = dict[str, Any]
Output = dict[str, Any]

MAX_DEPTH = 64
"""How deep a notebook's JSON may nest: widget state is deeper than anything else we read."""


def read_notebook(path: Path) -> Result[Notebook, LessonError]:
    """The notebook at `path`, or why it cannot be read: `unreadable`, `not-a-notebook`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return Err(LessonError("unreadable", f"{path}: {error.strerror or error}"))
    return parse_notebook(data, str(path))


def parse_notebook(data: bytes | str, name: str = "notebook") -> Result[Notebook, LessonError]:
    """The notebook that the bytes hold; `not-a-notebook` names what is wrong with them."""
    parsed = parse_strict_json(data, max_depth=MAX_DEPTH)
    if not parsed.ok:
        return Err(LessonError("not-a-notebook", f"{name}: {parsed.error.message}"))
    problem = _problem(parsed.value)
    if problem:
        return Err(LessonError("not-a-notebook", f"{name}: {problem}"))
    assert isinstance(parsed.value, dict)
    return Ok(parsed.value)


def joined(text: str | list[str]) -> str:
    """The text of a source, stream or mime value: the file may hold it as a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def source_of(cell: Cell) -> str:
    """The cell's text, newlines as LF."""
    return joined(cell["source"]).replace("\r\n", "\n").replace("\r", "\n")


def outputs_of(cell: Cell) -> list[Output]:
    """What the cell shows; empty unless it is a code cell."""
    outputs: list[Output] = cell.get("outputs", [])
    return outputs


def tags_of(cell: Cell) -> tuple[str, ...]:
    """The cell's tags, sorted."""
    return tuple(sorted(cell.get("metadata", {}).get("tags", ())))


def shown_texts(output: Output) -> Iterator[tuple[str, str]]:
    """Each text that the output stores, with its kind: a stream's name, a mime type, `error`."""
    match output["output_type"]:
        case "stream":
            yield output["name"], joined(output["text"])
        case "error":
            yield "error", f"{output['ename']}: {output['evalue']}"
        case _:
            for mime, value in output["data"].items():
                if is_text(mime, value):
                    yield mime, joined(value)


def is_text(mime: str, value: object) -> bool:
    """Whether a mime value is text to read, not a picture's bytes or a JSON document."""
    if is_json(mime) or (mime.startswith("image/") and mime != "image/svg+xml"):
        return False
    return _is_lines(value)


def is_json(mime: str) -> bool:
    """Whether the mime type's value is a JSON document; any other is text, or bytes as text."""
    return mime == "application/json" or mime.endswith("+json")


def _problem(document: object) -> str | None:
    """What keeps the document from being a notebook we can work with, the first thing found."""
    if not isinstance(document, dict):
        return "not an object"
    if document.get("nbformat") != 4:
        return f"nbformat: {document.get('nbformat')!r} is not 4"
    metadata = document.get("metadata", {})
    if not isinstance(metadata, dict) or not isinstance(metadata.get("widgets", {}), dict):
        return "metadata: not an object, or its widgets are not one"
    cells = document.get("cells")
    if not isinstance(cells, list):
        return "cells: not a list"
    for place, cell in enumerate(cells, start=1):
        wrong = _cell_problem(cell)
        if wrong:
            return f"cell {place}: {wrong}"
    return None


def _cell_problem(cell: object) -> str | None:
    if not isinstance(cell, dict):
        return "not an object"
    if cell.get("cell_type") not in ("code", "markdown", "raw"):
        return f"cell_type: {cell.get('cell_type')!r} is not code, markdown or raw"
    if not _is_lines(cell.get("source")):
        return "source: not a text or a list of lines"
    metadata = cell.get("metadata", {})
    if not isinstance(metadata, dict) or not _is_list_of_text(metadata.get("tags", [])):
        return "metadata: not an object with a list of tags"
    if not isinstance(metadata.get("jupyter", {}), dict):
        return "metadata.jupyter: not an object"
    outputs = cell.get("outputs", [])
    if not isinstance(outputs, list):
        return "outputs: not a list"
    for output in outputs:
        if not _is_output(output):
            return f"outputs: not an output of this format: {str(output)[:60]}"
    return None


def _is_lines(text: object) -> bool:
    return isinstance(text, str) or _is_list_of_text(text)


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_output(output: object) -> bool:
    match output:
        case {"output_type": "stream", "name": str(), "text": text}:
            return _is_lines(text)
        case {"output_type": "error", "ename": str(), "evalue": str()}:
            return True
        case {"output_type": "display_data" | "execute_result", "data": Mapping() as data}:
            return all(is_json(mime) or _is_lines(value) for mime, value in data.items())
    return False
