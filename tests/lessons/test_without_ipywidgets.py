"""Where ipywidgets is not installed every lesson runs, and each widget is its picture and words.

Lessons 00 to 08 need neither numpy nor matplotlib: in a browser's kernel there is none.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.teaching.lessons.build import rebuild
from alembic_sim.teaching.lessons.catalog import written_lessons
from alembic_sim.teaching.lessons.notebook import Notebook, outputs_of, parse_notebook, source_of
from alembic_sim.teaching.lessons.widget_state import WIDGET_VIEW
from tests.teaching.lessons.test_canonical import code, notebook

USES_WIDGETS = re.compile(r"\bfrom alembic_sim\.teaching import\b|\bipywidgets\b")

NEEDED_FROM_09_ON = ("numpy", "matplotlib")

# Python runs a module of this name before any other code.
BLOCKER = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""


def with_widgets() -> list[Path]:
    """The lessons that show a widget; what the others show does not depend on the package."""
    files = [file.path for file in written_lessons()]
    return [path for path in files if any(map(_uses_widgets, _notebook(path)["cells"]))]


def _uses_widgets(cell: dict[str, Any]) -> bool:
    shows = any(WIDGET_VIEW in output.get("data", {}) for output in outputs_of(cell))
    return cell["cell_type"] == "code" and (shows or bool(USES_WIDGETS.search(source_of(cell))))


def _notebook(path: Path) -> Notebook:
    return parse_notebook(path.read_bytes()).expect("a lesson is a notebook")


Without = Callable[..., dict[str, str]]


@pytest.fixture
def without(tmp_path: Path) -> Without:
    """Environments in which the named packages cannot be imported."""

    def environment(*missing: str) -> dict[str, str]:
        folder = tmp_path / "without"
        folder.mkdir()
        blocker = BLOCKER.replace("{missing!r}", repr(missing))
        (folder / "sitecustomize.py").write_text(blocker, encoding="utf-8")
        paths = [str(folder), os.environ.get("PYTHONPATH", "")]
        return {"PYTHONPATH": os.pathsep.join(filter(None, paths))}

    return environment


def run(path: Path, environment: dict[str, str]) -> Notebook:
    rebuilt = rebuild(path, environment=environment).expect("the lesson runs without ipywidgets")
    return parse_notebook(rebuilt.fresh).expect("we wrote it")


def without_views(made: Notebook) -> list[list[dict[str, Any]]]:
    """Every cell's outputs, a widget only by its fallbacks."""
    outputs: list[list[dict[str, Any]]] = json.loads(
        json.dumps([outputs_of(cell) for cell in made["cells"]])
    )
    for output in (output for cell in outputs for output in cell):
        output.get("data", {}).pop(WIDGET_VIEW, None)
    return outputs


def test_the_package_is_really_missing_and_a_widget_is_its_picture(
    tmp_path: Path, without: Without
) -> None:
    path = tmp_path / "small.ipynb"
    cells = (
        code("import ipywidgets", tags=["raises-exception"]),
        code("import numpy.random", tags=["raises-exception"]),
        code(
            "from alembic_sim.teaching import IdleTimeline\ntimeline = IdleTimeline(45)\ntimeline"
        ),
        code("timeline.change(idle_days=95)\nprint(timeline.text())"),
    )
    path.write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    fresh = run(path, without("ipywidgets", "numpy"))
    missing, missing_too, picture, words = (outputs_of(cell)[0] for cell in fresh["cells"])
    assert missing["ename"] == missing_too["ename"] == "ModuleNotFoundError"
    assert picture["data"].keys() == {"text/html", "text/plain"}
    assert "idle 45 d" in "".join(picture["data"]["text/plain"])
    assert "idle 95 d" in "".join(words["text"])


@pytest.mark.parametrize("path", with_widgets(), ids=lambda path: str(path.stem))
def test_a_lesson_says_the_same_without_ipywidgets(path: Path, without: Without) -> None:
    others = NEEDED_FROM_09_ON if path.stem < "09" else ()
    fresh = run(path, without("ipywidgets", *others))
    assert WIDGET_VIEW not in json.dumps(fresh)
    assert without_views(fresh) == without_views(_notebook(path))
