"""The widgets' state is cut to what a page shows, and numbered in the order of creation."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim.teaching.lessons.canonical import canonical_notebook
from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.widget_state import (
    WIDGET_STATE,
    WIDGET_VIEW,
    models_of,
    needed_by,
)
from tests.teaching.lessons.test_canonical import code, notebook

BASE = "@jupyter-widgets/base"


def model(*parts: str, name: str = "VBoxModel", module: str = BASE, **state: Any) -> dict[str, Any]:
    """A widget model that is made of others."""
    children = [f"IPY_MODEL_{part}" for part in parts]
    return {"model_name": name, "model_module": module, "state": {"children": children, **state}}


def view(of: str) -> dict[str, Any]:
    """An output that shows a model."""
    data = {WIDGET_VIEW: {"model_id": of, "version_major": 2}, "text/plain": "Slider"}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def with_models(models: dict[str, Any], *shown: str) -> Notebook:
    state = {WIDGET_STATE: {"state": models, "version_major": 2, "version_minor": 0}}
    return notebook(code("x", *(view(of) for of in shown)), widgets=state)


def ids(*places: int) -> list[str]:
    return [f"{place:032x}" for place in places]


def test_widget_models_are_numbered_as_they_were_created() -> None:
    layout, slider, box = ids(9 * 7919, 4 * 7919, 6 * 7919)
    models = {layout: model(), slider: model(layout, digest="ab" * 32), box: model(slider)}
    made = canonical_notebook(with_models(models, box))
    first, second, third = ids(1, 2, 3)
    assert list(models_of(made)) == [first, second, third]
    assert models_of(made)[third]["state"]["children"] == [f"IPY_MODEL_{second}"]
    assert models_of(made)[second]["state"]["children"] == [f"IPY_MODEL_{first}"]
    assert models_of(made)[second]["state"]["digest"] == "ab" * 32  # too long for an id: left alone
    assert made["cells"][0]["outputs"][0]["data"][WIDGET_VIEW]["model_id"] == third


def test_ids_that_are_numbers_already_but_in_another_order_do_not_collide() -> None:
    one, two, three = ids(3, 1, 2)
    models = {one: model(), two: model(one), three: model(one, two)}
    made = models_of(canonical_notebook(with_models(models, three)))
    assert [each["state"]["children"] for each in made.values()] == [
        [],
        [f"IPY_MODEL_{1:032x}"],
        [f"IPY_MODEL_{1:032x}", f"IPY_MODEL_{2:032x}"],
    ]


def test_a_view_of_a_model_without_state_gets_a_number_too() -> None:
    made = canonical_notebook(notebook(code("x", view("f" * 32))))
    assert made["cells"][0]["outputs"][0]["data"][WIDGET_VIEW]["model_id"] == f"{1:032x}"
    assert "widgets" not in made["metadata"]


def test_models_that_no_output_shows_are_left_out_and_links_between_shown_ones_stay() -> None:
    shown, part, link, lost, lost_link = ids(1, 2, 3, 4, 5)
    models = {
        part: model(),
        shown: model(part),
        link: model(part, name="DirectionalLinkModel"),
        lost: model(part),
        lost_link: model(lost, name="LinkModel"),
    }
    assert needed_by([shown], models) == {shown, part, link}
    assert len(models_of(canonical_notebook(with_models(models, shown)))) == 3


def test_widgets_that_were_made_and_never_shown_leave_no_state_behind() -> None:
    made = canonical_notebook(with_models({f"{1:032x}": model()}))
    assert "widgets" not in made["metadata"]


def test_what_a_viewer_fills_in_itself_is_dropped() -> None:
    layout = model(
        name="LayoutModel", width="8em", height=None, _view_count=None, _model_name="LayoutModel"
    )
    slider = model(tooltip=None, _view_count=None, value=0)
    made = models_of(
        canonical_notebook(
            with_models(dict(zip(ids(1, 2), (layout, slider), strict=True)), *ids(1, 2))
        )
    )
    assert [each["state"] for each in made.values()] == [
        {"children": [], "width": "8em"},
        {"children": [], "tooltip": None, "value": 0},
    ]


def test_the_state_of_other_peoples_widgets_is_left_whole() -> None:
    theirs = model(module="their-widgets", _model_name="X", _view_count=None)
    (kept,) = models_of(
        canonical_notebook(with_models({f"{1:032x}": theirs}, f"{1:032x}"))
    ).values()
    assert kept == theirs


@pytest.mark.parametrize("models", [[], "x", None, {f"{1:032x}": 7}, {f"{1:032x}": {"state": []}}])
def test_state_of_any_other_shape_is_no_obstacle(models: Any) -> None:
    made = canonical_notebook(with_models(models, f"{1:032x}"))
    assert made["cells"][0]["outputs"][0]["data"][WIDGET_VIEW]["model_id"] == f"{1:032x}"
