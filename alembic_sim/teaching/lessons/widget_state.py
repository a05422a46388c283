"""The widgets' state in a notebook, cut to what a page needs to show them, and numbered.

A viewer rebuilds every widget from `metadata.widgets` before any kernel runs; without it, it says
"model not found". Models are numbered as they were created, so that two runs give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from alembic_sim.teaching.lessons.notebook import Notebook, outputs_of

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"

STILL_PICTURES = frozenset({"text/html", "image/svg+xml"})
"""The kinds in which a widget of ours, or an instructor's own, leaves a picture beside its view."""

Models = dict[str, Any]
"""Each model's name, module and state, by its id."""

_MODEL_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_REFERENCE = re.compile(r"IPY_MODEL_([0-9a-fA-F-]+)")

_TOLD_TWICE = ("_model_module", "_model_module_version", "_model_name")
"""What a model's state says and the entry around it says, too."""

_OFFICIAL = ("@jupyter-widgets/base", "@jupyter-widgets/controls")
"""The modules whose defaults we know: an absent value of theirs is the default."""


def models_of(notebook: Notebook) -> Models:
    """The models that the notebook's metadata holds; empty if there are none."""
    state = notebook.get("metadata", {}).get("widgets", {}).get(WIDGET_STATE)
    models = state.get("state") if isinstance(state, dict) else None
    return models if isinstance(models, dict) else {}


def views_in(outputs: list[dict[str, Any]]) -> Iterator[str]:
    """The ids of the models that the outputs show, in order."""
    for output in outputs:
        view = output.get("data", {}).get(WIDGET_VIEW)
        if isinstance(view, dict) and isinstance(view.get("model_id"), str):
            yield view["model_id"]


def without_live_views(notebook: Notebook) -> Notebook:
    """The notebook with only the still picture of each widget that has one.

    A stored widget comes back without a kernel: its controls are dead, and ipywidgets marks each
    with a broken chain. The picture is the better first sight; running the cell brings the widget.
    """
    cells = [{**cell, "outputs": list(map(_still, outputs_of(cell)))} for cell in notebook["cells"]]
    shown = [
        made if cell["cell_type"] == "code" else cell
        for cell, made in zip(notebook["cells"], cells, strict=True)
    ]
    return {**notebook, "cells": shown}


def _still(output: dict[str, Any]) -> dict[str, Any]:
    data = output.get("data", {})
    if WIDGET_VIEW not in data or not STILL_PICTURES.intersection(data):
        return output
    return {**output, "data": {mime: data[mime] for mime in data if mime != WIDGET_VIEW}}


def needed_by(views: list[str], models: Mapping[str, Any]) -> set[str]:
    """The ids of the models that these views are made of, the links between them included."""
    refers = {one: set(_references(model)) for one, model in models.items()}
    needed: set[str] = set()
    waiting = list(views)
    while waiting:
        one = waiting.pop()
        if one in needed:
            continue
        needed.add(one)
        waiting += refers.get(one, ())
        # Nobody refers to a link; it refers to the controls that it ties together.
        waiting += [link for link in models if _is_link(models[link]) and one in refers[link]]
    return needed


def kept_state(notebook: Notebook) -> dict[str, Any] | None:
    """What the metadata keeps of the widgets' state: nothing that no output shows."""
    models = models_of(notebook)
    views = [view for cell in notebook["cells"] for view in views_in(outputs_of(cell))]
    needed = needed_by(views, models)
    kept = {one: _slim(model) for one, model in models.items() if one in needed}
    if not kept:
        return None
    return {**notebook["metadata"]["widgets"][WIDGET_STATE], "state": kept}


def with_stable_model_ids(document: Notebook) -> Notebook:
    """The notebook with its widget models numbered as they were created, wherever one is named."""
    viewed = [view for cell in document["cells"] for view in views_in(outputs_of(cell))]
    created = dict.fromkeys([*models_of(document), *viewed])
    numbered = {old: f"{place:032x}" for place, old in enumerate(created, start=1)}
    if not numbered:
        return document

    def renamed(part: Any) -> Any:
        if isinstance(part, str):
            return _MODEL_ID.sub(lambda found: numbered.get(found[0], found[0]), part)
        if isinstance(part, list):
            return [renamed(item) for item in part]
        if isinstance(part, dict):
            return {renamed(key): renamed(value) for key, value in part.items()}
        return part

    for cell in document["cells"]:
        if "outputs" in cell:
            cell["outputs"] = renamed(cell["outputs"])
    document["metadata"] = renamed(document["metadata"])
    return document


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield from _REFERENCE.findall(part)
    elif isinstance(part, list | dict):
        for item in part.values() if isinstance(part, dict) else part:
            yield from _references(item)


def _is_link(model: Any) -> bool:
    names = (
        [model.get(key) for key in ("model_name", "_model_name")] if isinstance(model, dict) else []
    )
    return any(str(name).endswith("LinkModel") for name in names)


def _slim(model: Any) -> Any:
    """The model without what a viewer fills in by itself: two thirds of a lesson's widget state."""
    if not isinstance(model, dict) or not isinstance(model.get("state"), dict):
        return model
    if model.get("model_module") not in _OFFICIAL:
        return model
    is_layout = model.get("model_name") == "LayoutModel"
    state = {
        name: value
        for name, value in model["state"].items()
        if name not in _TOLD_TWICE and not (value is None and (is_layout or name == "_view_count"))
    }
    return {**model, "state": state}
