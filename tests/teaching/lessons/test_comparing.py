"""What a cell shows is compared kind by kind, as strictly as nbval does."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim.teaching.lessons.comparing import Stale, pictures_in, stale_outputs
from alembic_sim.teaching.lessons.widget_state import WIDGET_VIEW
from tests.teaching.lessons.test_canonical import code, stream


def shown(**data: Any) -> dict[str, Any]:
    """A display; mime types are written with `_` for `/`, and the display's text is `same`."""
    named = {mime.replace("_", "/", 1): value for mime, value in data.items()}
    return {"output_type": "display_data", "data": {"text/plain": "same", **named}, "metadata": {}}


def error(name: str, value: str, *traceback: str) -> dict[str, Any]:
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": [*traceback]}


COMPARED = {
    "stdout": (stream("30\n"), stream("31\n")),
    "stderr": (stream("a", "stderr"), stream("b", "stderr")),
    "text/plain": (shown(text_plain="1"), shown(text_plain="2")),
    "text/html": (shown(text_html="<p>1"), shown(text_html="<p>2")),
    "text/markdown": (shown(text_markdown="*1*"), shown(text_markdown="*2*")),
    "text/latex": (shown(text_latex="$1$"), shown(text_latex="$2$")),
    "image/svg+xml": (shown(**{"image_svg+xml": "<g>1"}), shown(**{"image_svg+xml": "<g>2"})),
    "application/json": (shown(application_json={"a": 1}), shown(application_json={"a": 2})),
    "application/vnd.plotly.v1+json": (
        shown(**{"application_vnd.plotly.v1+json": {"a": 1}}),
        shown(**{"application_vnd.plotly.v1+json": {"a": 2}}),
    ),
    "application/javascript": (
        shown(application_javascript="f(1)"),
        shown(application_javascript="f(2)"),
    ),
    "error": (error("ValueError", "bad"), error("ValueError", "worse")),
}


@pytest.mark.parametrize("kind", COMPARED)
def test_a_changed_output_is_found_by_its_kind_and_the_lines_are_shown(kind: str) -> None:
    old, new = COMPARED[kind]
    (found,) = stale_outputs(code("x", old), code("x", new))
    assert found.kind == kind
    assert [line[0] for line in found.lines] == ["-", "+"]


def test_another_exception_of_the_same_message_is_found() -> None:
    old, new = code("x", error("ValueError", "bad")), code("x", error("TypeError", "bad"))
    assert stale_outputs(old, new) == (Stale("error", ("-ValueError: bad", "+TypeError: bad")),)


@pytest.mark.parametrize("kind", COMPARED)
def test_an_output_that_is_gone_or_new_is_found(kind: str) -> None:
    output, _ = COMPARED[kind]
    for old, new in ((code("x", output), code("x")), (code("x"), code("x", output))):
        assert kind in [one.kind for one in stale_outputs(old, new)]


def test_a_second_display_of_the_same_is_found() -> None:
    one = shown(text_plain="1")
    assert [stale.kind for stale in stale_outputs(code("x", one), code("x", one, one))] == [
        "text/plain"
    ]


NOT_COMPARED = {
    "pixels": (shown(image_png="iVBORw0A"), shown(image_png="iVBORw0B")),
    "photographs": (shown(image_jpeg="a"), shown(image_jpeg="b")),
    "a widget's id": (
        shown(**{WIDGET_VIEW.replace("/", "_"): {"model_id": "1"}}),
        shown(**{WIDGET_VIEW.replace("/", "_"): {"model_id": "2"}}),
    ),
    "a traceback": (error("E", "v", "File a.py, line 1"), error("E", "v", "File b.py, line 2")),
    "lines kept as a list": (stream("a\nb"), stream("a\nb") | {"text": ["a\n", "b"]}),
}


@pytest.mark.parametrize("what", NOT_COMPARED)
def test_what_no_test_can_hold_still_is_not_compared(what: str) -> None:
    old, new = NOT_COMPARED[what]
    assert stale_outputs(code("x", old), code("x", new)) == ()


def test_pieces_of_a_stream_and_their_order_with_displays_do_not_matter() -> None:
    picture = shown(text_plain="p")
    old = code("x", stream("a"), picture, stream("b\n"))
    new = code("x", stream("ab\n"), picture)
    assert stale_outputs(old, new) == ()


def test_pictures_of_pixels_are_counted_so_that_it_can_be_said() -> None:
    cell = code("x", shown(image_png="a"), shown(image_jpeg="b"), shown(), stream("c"))
    assert pictures_in(cell) == 2
    assert pictures_in(code("x", shown(**{"image_svg+xml": "<svg/>"}))) == 0
