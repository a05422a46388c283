"""What holds for every widget: a picture that reads well, words, labels, and data as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import ipywidgets
import pytest

from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import NAMESPACE, held, outside, overlapping, parse
from tests.teaching.widgets.samples import ALL, SCRIPT, WITH_HOSTILE

Make = Callable[[], Any]


@pytest.fixture(params=ALL, ids=str)
def make(request: pytest.FixtureRequest) -> Make:
    found: Make = ALL[request.param]
    return found


@pytest.fixture(params=WITH_HOSTILE, ids=str)
def make_hostile(request: pytest.FixtureRequest) -> Make:
    found: Make = WITH_HOSTILE[request.param]
    return found


def drawn(widget: Any) -> Svg:
    """The still picture, as a static viewer gets it."""
    return Svg(held(widget._repr_mimebundle_()["text/html"]), widget.summary)


def models(widget: Any) -> list[Any]:
    """The live widget's parts, outermost first."""
    found, waiting = [], [widget.live()]
    while waiting:
        model = waiting.pop(0)
        found.append(model)
        waiting += getattr(model, "children", ())
    return found


def view(widget: Any) -> str:
    """The HTML that the live widget shows."""
    [html] = [model for model in models(widget) if isinstance(model, ipywidgets.HTML)]
    text: str = html.value
    return text


class _Tags(HTMLParser):
    """The elements that a browser would make, and the text that it would show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.shown += data


def test_no_text_is_written_over_another(make: Make) -> None:
    assert overlapping(drawn(make())) == []


def test_no_text_leaves_the_sheet(make: Make) -> None:
    assert outside(drawn(make())) == []


def test_the_text_is_large_enough_to_read(make: Make) -> None:
    sizes = [float(element.get("font-size", "14")) for element in parse(drawn(make())).iter()]
    assert min(sizes) >= 11


def test_the_picture_has_a_title_and_a_description(make: Make) -> None:
    root = parse(drawn(make()))
    assert root.get("role") == "img"
    assert [child.tag.removeprefix(NAMESPACE) for child in root[:2]] == ["title", "desc"]
    assert root[0].text
    assert root[1].text


def test_the_live_view_tells_assistive_technology_of_a_change(make: Make) -> None:
    widget = make()
    tags = _Tags(view(widget))
    [status] = [attrs for tag, attrs in tags.tags if tag == "p" and "role" in attrs]
    assert status["role"] == "status"
    assert tags.shown.endswith(widget.summary)


def test_saved_and_opened_again_it_says_in_words_that_it_is_still(make: Make) -> None:
    """Above all else. A page marks it `jupyter-widgets-disconnected` then; else it is hidden."""
    widget = make()
    first = widget.live().children[0]
    assert (first.value, first._dom_classes) == (
        "A still picture: run its cell, and it moves.",
        ("alembic-still",),
    )
    shown = view(widget)
    assert shown.startswith("<style>.jupyter-widgets-disconnected::before{display:none!important}")
    assert ".alembic-still{display:none!important}" in shown
    assert ".alembic-still.jupyter-widgets-disconnected{display:block!important}" in shown


def test_drawing_it_twice_gives_the_same_bytes(make: Make) -> None:
    assert drawn(make()).markup == drawn(make()).markup
    assert view(make()) == view(make())


def test_its_short_repr_is_one_line_that_names_it(make: Make) -> None:
    widget = make()
    told = widget._repr_mimebundle_()["text/plain"]
    assert told == repr(widget)
    assert told.startswith(f"{type(widget).__name__}: ")
    assert len(told) <= 160
    assert "\n" not in told
    assert not re.search(r"0x[0-9a-f]{5,}", told)


def test_it_is_a_live_widget_a_picture_and_words(make: Make) -> None:
    bundle = make()._repr_mimebundle_()
    view_type = "application/vnd.jupyter.widget-view+json"
    assert set(bundle) == {"text/html", "text/plain", view_type}


def test_data_is_shown_as_text_and_never_becomes_an_element(make_hostile: Make) -> None:
    widget = make_hostile()
    shapes = {"svg", "title", "desc", "rect", "text", "polyline", "polygon", "circle", "path"}
    for element in parse(drawn(widget)).iter():
        assert element.tag.removeprefix(NAMESPACE) in shapes
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    page = _Tags(view(widget))
    assert {tag for tag, _ in page.tags} <= {*shapes, "div", "p", "style"}
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert "<script" not in view(widget)
    assert "<script" in page.shown


def test_what_a_browser_gets_can_be_sent_and_holds_no_control_character(make: Make) -> None:
    for model in models(make()):
        sent = json.dumps(model.get_state(), ensure_ascii=False, default=str)
        sent.encode("utf-8")
        assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", sent)


def test_every_control_has_a_label_or_stands_beside_its_own_box(make: Make) -> None:
    parts = models(make())
    for place, model in enumerate(parts):
        if isinstance(model, ipywidgets.IntSlider | ipywidgets.FloatSlider):
            box = parts[place - 1]
            assert isinstance(box, ipywidgets.BoundedIntText | ipywidgets.BoundedFloatText)
            assert box.value == abs(model.value)
        elif not isinstance(model, ipywidgets.Box | ipywidgets.HTML | ipywidgets.Label):
            assert model.description
            assert model.tooltip == model.description


def test_it_is_made_of_ipywidgets_own_controls_alone(make: Make) -> None:
    allowed = {
        *("VBox", "HBox", "HTML", "BoundedIntText", "BoundedFloatText", "IntSlider"),
        *("FloatSlider", "Dropdown", "Checkbox", "Text", "Button", "Label"),
    }
    assert {type(model).__name__ for model in models(make())} <= allowed


def test_its_models_are_made_in_the_same_order_every_time(make: Make) -> None:
    def order() -> list[str]:
        registry = ipywidgets.widgets.widget._instances
        before = set(registry)
        make().live()
        return [type(model).__name__ for key, model in registry.items() if key not in before]

    order()  # the first one makes what all share
    assert order() == order()


def test_a_field_or_a_button_that_is_not_there_is_named_with_what_there_is(make: Make) -> None:
    widget = make()
    with pytest.raises(ValueError, match=r"'colour' is not a field of \w+; there are: \w"):
        widget.change(colour="red")
    with pytest.raises(ValueError, match=r"'explode' is not a button of \w+; there are: \w"):
        widget.press("explode")


def test_the_hostile_samples_hold_the_script() -> None:
    assert all(SCRIPT in str(make().state) for make in WITH_HOSTILE.values())
