"""Lessons as still web pages: each picture shows without a kernel, a network or a script.

nbconvert's own page fetches MathJax, require.js and the widgets from the network, and prefers a
widget to its picture. Ours does neither, and forbids the browser to load or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import write_atomic
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.canonical import canonical_notebook
from alembic_sim.teaching.lessons.catalog import Lesson, LessonFile
from alembic_sim.teaching.lessons.errors import LessonError
from alembic_sim.teaching.lessons.folders import make_folder
from alembic_sim.teaching.lessons.notebook import (
    Notebook,
    joined,
    outputs_of,
    read_notebook,
    source_of,
)

SHOWN_FIRST = (
    *("text/html", "image/svg+xml", "text/markdown", "image/png", "image/jpeg"),
    *("text/latex", "text/plain"),
)
"""Of the kinds of one output a page shows the first of these; a widget's view is none of them."""

_NOTHING_IS_LOADED = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'"
)

_TEMPLATE = """
{%- extends 'lab/index.html.j2' -%}

{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}

{%- block html_head_css -%}
<meta http-equiv="Content-Security-Policy" content="POLICY">
<style>
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
.jp-RenderedSVG svg { max-width: 100%; height: auto; }
.jp-InputArea-editor, .jp-OutputArea-output { overflow-x: auto; }
/* The line of a folded cell stands in the column of the text, beside the prompts, in its font. */
details > summary {
  margin: 0.5rem 0 0.5rem calc(var(--jp-cell-prompt-width) + 3 * var(--jp-code-padding) + 2px);
  font: var(--jp-content-font-size1, 14px) var(--jp-content-font-family, sans-serif);
}
@media only screen and (max-width: 760px) {  /* there the prompts stand above their cells */
  details > summary { margin-left: var(--jp-code-padding); }
}
.still { color: #555; font: 0.9rem var(--jp-content-font-family, sans-serif); }
</style>
{%- endblock -%}

{%- block body_header -%}
{{ super() }}
<p class="still">{{ nb.metadata.still_note }}</p>
{%- endblock -%}

{%- block input_group -%}
{%- if cell.metadata.get('jupyter', {}).get('source_hidden') -%}
<details><summary>{{ cell.source.splitlines()[0] | e }}</summary>{{ super() }}</details>
{%- else -%}
{{ super() }}
{%- endif -%}
{%- endblock -%}

{%- block data_svg -%}
<div class="jp-RenderedSVG jp-OutputArea-output" data-mime-type="image/svg+xml">
{{ output.data['image/svg+xml'] }}
</div>
{%- endblock -%}
""".replace("POLICY", _NOTHING_IS_LOADED)

_LESSON_LINK = re.compile(r"(\]\((?:\./)?\d\d_\w+)\.ipynb(#[^)]*)?\)")


def export_lessons(
    lessons: Iterable[LessonFile], folder: Path
) -> Result[tuple[Path, ...], LessonError]:
    """The pages written to `folder`, over those of an earlier export; none is a lesson of yours.

    An `Err` (`unreadable`, `not-a-notebook`, `in-the-way`, `write-failed`) stops at the first
    lesson that could not be exported.
    """
    made = make_folder(folder)
    if not made.ok:
        return made
    written: list[Path] = []
    for lesson in lessons:
        notebook = read_notebook(lesson.path)
        if not notebook.ok:
            return notebook
        page = folder / f"{lesson.lesson.stem}.html"
        data = lesson_page(notebook.value, lesson.lesson).encode("utf-8")
        done = write_atomic(DiskFs(folder.absolute()), page.name, data)
        if not done.ok:
            return Err(LessonError("write-failed", f"{folder}: {done.error.message}"))
        written.append(page)
    return Ok(tuple(written))


def lesson_page(notebook: Notebook, lesson: Lesson) -> str:
    """The lesson's stored outputs as one HTML text that needs nothing beside it."""
    from nbformat import from_dict  # slow to import, and only an export needs it

    page, _resources = _exporter().from_notebook_node(from_dict(_still(notebook, lesson)))
    return str(page)


@cache
def _exporter() -> Any:
    """nbconvert with our template and our order of kinds."""
    from nbconvert import HTMLExporter
    from traitlets.config import Config

    settings = Config()
    settings.NbConvertBase.display_data_priority = list(SHOWN_FIRST)
    new_exporter: Any = HTMLExporter  # nbconvert tells no types
    return new_exporter(config=settings, raw_template=_TEMPLATE)


def _still(notebook: Notebook, lesson: Lesson) -> Notebook:
    """The notebook without its widgets: what is left of each is its picture."""
    live = f"alembic-sim lab --lesson {lesson.number:02d}"
    valid = canonical_notebook(notebook)
    metadata = {
        **{key: value for key, value in valid["metadata"].items() if key != "widgets"},
        "title": lesson.claim,
        "still_note": f"A still page: nothing moves or runs here. To work with it: {live}",
    }
    return {**valid, "metadata": metadata, "cells": [_cell(cell) for cell in valid["cells"]]}


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    if cell["cell_type"] == "code":
        return {
            **cell,
            "source": source_of(cell),
            "outputs": [_output(o) for o in outputs_of(cell)],
        }
    # In the folder of pages the next lesson is a page, too.
    return {**cell, "source": _LESSON_LINK.sub(r"\1.html\2)", source_of(cell))}


def _output(output: dict[str, Any]) -> dict[str, Any]:
    """The output with whole texts, as nbconvert's templates take them, and no widget."""
    if "text" in output:
        return {**output, "text": joined(output["text"])}
    if "data" not in output:
        return output
    data = {mime: joined(value) for mime, value in output["data"].items() if mime in SHOWN_FIRST}
    return {**output, "data": data}
