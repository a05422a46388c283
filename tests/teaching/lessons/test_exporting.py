"""An exported page shows every picture by itself: it loads nothing, runs nothing, hides nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.teaching.lessons.catalog import CURRICULUM, LessonFile, written_lessons
from alembic_sim.teaching.lessons.exporting import export_lessons, lesson_page
from alembic_sim.teaching.lessons.notebook import Notebook, outputs_of, read_notebook
from alembic_sim.teaching.lessons.widget_state import WIDGET_STATE, WIDGET_VIEW
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream

LESSON = CURRICULUM[3]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="a picture"><g/></svg>'
HOSTILE = "<script>alert(1)</script>"


class Elements(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def count(self, tag: str) -> int:
        return sum(1 for name, _ in self.found if name == tag)


def addresses(page: str) -> list[str]:
    """What the page would load from somewhere; a link that a person may click is no load."""
    loading = [
        str(value)
        for tag, attributes in Elements(page).found
        for name, value in attributes.items()
        if (name in ("src", "srcset", "data", "poster") or (name == "href" and tag != "a"))
        and not str(value).startswith(("data:", "#"))
    ]
    styles = re.findall(r"@import[^;]*|url\((?![\"']?data:)[^)]*\)", page)
    return loading + styles


def widget(**data: str) -> dict[str, Any]:
    """What one of our widgets shows, with a hostile name in its words."""
    view: dict[str, Any] = {WIDGET_VIEW: {"model_id": "1" * 32, "version_major": 2}}
    shown = {"text/plain": f"Widget: {HOSTILE}", "image/svg+xml": SVG, **data}
    return {"output_type": "display_data", "data": view | shown, "metadata": {}}


def page(*cells: dict[str, Any]) -> str:
    state = {"1" * 32: {"model_name": "HTMLModel", "state": {"value": HOSTILE}}}
    made = notebook(*cells, widgets={WIDGET_STATE: {"state": state}})
    return lesson_page(made, LESSON)


@pytest.fixture(scope="module")
def small() -> str:
    """A page with a bit of everything."""
    return page(
        markdown("# A lesson\n\n[next](04_the_gate_decides.ipynb#end)"),
        code(f"name = '{HOSTILE}'", widget()),
        code("print(name)", stream(f"{HOSTILE}\n") | {"text": [HOSTILE, "\n"]}),
        code("# Solution\nsecret()", jupyter={"source_hidden": True}),
    )


@pytest.mark.parametrize("file", written_lessons(), ids=lambda file: str(file.lesson.stem))
def test_a_lesson_loads_nothing_runs_nothing_and_shows_every_picture(file: LessonFile) -> None:
    stored = read_notebook(file.path).expect("a lesson is a notebook")
    made = lesson_page(stored, file.lesson)
    elements = Elements(made)
    assert addresses(made) == []
    assert elements.count("script") == 0
    assert "model not found" not in made
    assert WIDGET_VIEW not in made
    assert elements.count("svg") + elements.count("img") == pictures(stored)
    assert f"<title>{file.lesson.claim}</title>" in made


def pictures(stored: Notebook) -> int:
    shown = [output.get("data", {}) for cell in stored["cells"] for output in outputs_of(cell)]
    kinds = {"image/svg+xml", "image/png", "image/jpeg"}
    html = ["".join(data["text/html"]) for data in shown if "text/html" in data]
    others = sum(1 for data in shown if kinds & set(data) and "text/html" not in data)
    return others + sum(one.count("<img ") for one in html)


def test_the_browser_is_told_to_load_nothing(small: str) -> None:
    (policy,) = [
        attributes["content"]
        for tag, attributes in Elements(small).found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "script-src" not in policy  # none, then, as by default
    assert small.index("Content-Security-Policy") < small.index("<body")


def test_a_widget_is_its_picture_with_its_words_for_screen_readers(small: str) -> None:
    (svg,) = [attributes for tag, attributes in Elements(small).found if tag == "svg"]
    assert (svg["role"], svg["aria-label"]) == ("img", "a picture")


def test_a_script_in_data_stays_text(small: str) -> None:
    assert HOSTILE not in small
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in small
    assert Elements(small).count("script") == 0


def test_html_comes_before_svg_and_text_where_there_is_no_picture() -> None:
    made = page(code("x", widget(**{"text/html": "<p>the table</p>"})))
    assert "<p>the table</p>" in made
    assert Elements(made).count("svg") == 0
    only_text = widget()
    del only_text["data"]["image/svg+xml"]
    assert "Widget: &lt;script&gt;" in page(code("x", only_text))


def test_the_next_lesson_is_the_next_page(small: str) -> None:
    assert 'href="04_the_gate_decides.html#end"' in small


def test_a_hidden_cell_opens_without_a_script(small: str) -> None:
    assert "<details><summary># Solution</summary>" in small


def test_the_line_of_a_hidden_cell_stands_in_the_column_of_the_text(small: str) -> None:
    rule = re.search(r"\n *details > summary \{([^}]*)\}", small)
    assert rule is not None
    assert "--jp-content-font-family" in rule[1]
    assert "var(--jp-cell-prompt-width)" in rule[1]


def test_exporting_twice_gives_the_same_bytes() -> None:
    assert page(code("x", widget())) == page(code("x", widget()))


def test_it_says_how_to_open_the_living_lesson(small: str) -> None:
    assert "alembic-sim lab --lesson 03" in small


def test_pages_are_written_over_those_of_an_earlier_export(tmp_path: Path) -> None:
    source, to = tmp_path / "lessons", tmp_path / "pages"
    source.mkdir()
    file = LessonFile(LESSON, source / f"{LESSON.stem}.ipynb")
    for word in ("first", "second"):
        text = f'{{"cells": [{{"cell_type": "markdown", "source": "{word}"}}], "nbformat": 4}}'
        file.path.write_text(text, encoding="utf-8")
        (written,) = export_lessons([file], to).expect("the folder is writable")
        assert written == to / "03_propose_gate_apply.html"
        assert word in written.read_text(encoding="utf-8")


def test_what_cannot_be_exported_is_an_error_with_its_place(tmp_path: Path) -> None:
    file = LessonFile(LESSON, tmp_path / "03_propose_gate_apply.ipynb")
    (tmp_path / "blocked").write_text("", encoding="utf-8")
    blocked = export_lessons([file], tmp_path / "blocked")
    assert not blocked.ok
    assert (blocked.error.code, str(tmp_path) in blocked.error.message) == ("in-the-way", True)
    missing = export_lessons([file], tmp_path / "pages")
    assert not missing.ok
    assert missing.error.code == "unreadable"


def test_the_search_for_addresses_finds_what_nbconverts_own_page_would_load() -> None:
    for bad in (
        '<script src="https://example.org/x.js"></script>',
        '<link rel="stylesheet" href="https://example.org/x.css">',
        '<img src="http://example.org/x.png">',
        "<style>@import 'x.css';</style>",
        "<style>p { background: url(x.png) }</style>",
    ):
        assert addresses(bad), bad
    for good in ('<a href="https://example.org">', '<img src="data:image/png;base64,x">'):
        assert addresses(good) == [], good
