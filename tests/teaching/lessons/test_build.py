"""Building runs a lesson in a fresh kernel of this interpreter; failures name the cell."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from alembic_sim.teaching.lessons.build import (
    Rebuilt,
    build_lesson,
    check_lesson,
    rebuild,
    what_changed,
)
from alembic_sim.teaching.lessons.canonical import canonical_text
from alembic_sim.teaching.lessons.hygiene import widgets_have_fallback
from alembic_sim.teaching.lessons.notebook import Notebook, outputs_of, parse_notebook
from alembic_sim.teaching.lessons.widget_state import models_of, views_in
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream


def write(folder: Path, *cells: dict[str, Any]) -> Path:
    path = folder / "lesson.ipynb"
    path.write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    return path


def built(path: Path, **options: Any) -> Rebuilt:
    return build_lesson(path, **options).expect("the lesson runs")


def texts(made: Notebook) -> list[str]:
    return ["".join(out["text"]) for cell in made["cells"] for out in outputs_of(cell)]


LESSON = (
    markdown("# A lesson with everything that moves"),
    code("from alembic_sim.teaching import IdleTimeline\nIdleTimeline(idle_days=120)"),
    code("timeline = IdleTimeline(idle_days=45)\ntimeline"),
    code("timeline.change(idle_days=95)\nfor n in range(3):\n    print(n, flush=True)"),
    code("raise ValueError('on purpose')", tags=["raises-exception"]),
    code(""),
    code("from alembic_sim.teaching.pictures.idle_bands import draw_idle_bands\ndraw_idle_bands()"),
)


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    path = write(tmp_path, *LESSON)
    assert built(path).changed
    first = path.read_bytes()
    again = built(path)
    assert not again.changed
    assert path.read_bytes() == first
    assert what_changed(again) == ()
    assert [file.name for file in tmp_path.iterdir()] == ["lesson.ipynb"]
    widgets_are_stored_as_their_pictures(parse_notebook(first).expect("we wrote it"))


def widgets_are_stored_as_their_pictures(made: Notebook) -> None:
    """Each as its cell first showed it, still: no view that would wait for a kernel, no state."""
    assert list(widgets_have_fallback(made)) == []
    assert models_of(made) == {}
    outputs = [output for cell in made["cells"] for output in cell.get("outputs", ())]
    assert list(views_in(outputs)) == []
    pictures = [output["data"]["text/html"] for output in outputs if "data" in output]
    said = json.dumps(pictures)
    assert "idle 120 d" in said
    assert "idle 45 d" in said
    assert "idle 95 d" not in said


def test_a_stale_output_is_found_and_shown_and_the_file_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path, markdown("# T"), code("print('30 days')", stream("31 days\n")))
    stale = path.read_bytes()
    found = check_lesson(path).expect("it runs")
    assert [one.text() for one in found] == ["cell 2: the output\n    -31 days\n    +30 days"]
    assert path.read_bytes() == stale


def test_a_file_that_only_looks_different_is_told_to_be_built() -> None:
    fresh = canonical_text(notebook(code("print('30 days')")))
    stored = json.dumps(json.loads(fresh), indent=2)
    (found,) = what_changed(Rebuilt(Path("lesson.ipynb"), stored, fresh))
    assert "canonical form" in found.text()


def test_other_pixels_are_no_difference_and_other_words_beside_them_are() -> None:
    def shown(pixels: str, words: str) -> str:
        data = {"image/png": pixels, "text/plain": words}
        output = {"output_type": "display_data", "data": data, "metadata": {}}
        return canonical_text(notebook(code("draw()", output)))

    def told(stored: str, fresh: str) -> list[str]:
        changed = what_changed(Rebuilt(Path("lesson.ipynb"), stored, fresh))
        return [one.what for one in changed]

    stored = shown("iVBORw0K", "12 skills")
    assert told(stored, shown("iVBORw0L", "12 skills")) == []
    assert told(stored, shown("iVBORw0L", "13 skills")) == ["the output"]


@pytest.mark.parametrize(
    ("source", "error", "told"),
    [
        ("x = 1\n1 / 0", "cell-failed", "cell 2: raised ZeroDivisionError: division by zero"),
        ("while True:\n    pass", "cell-timeout", "cell 2: did not end within 2 s"),
        ("import os\nos._exit(1)", "kernel-died", "cell 2: lost its kernel"),
    ],
    ids=["a cell that fails", "an endless cell", "a kernel that dies"],
)
def test_what_stops_a_lesson_is_an_error_that_names_the_cell(
    tmp_path: Path, source: str, error: str, told: str
) -> None:
    path = write(tmp_path, markdown("# T"), code(source), code("print('never')"))
    before = path.read_bytes()
    stopped = build_lesson(path, timeout_s=2)
    assert not stopped.ok
    assert stopped.error.code == error
    assert told in stopped.error.message
    assert path.read_bytes() == before


def test_neither_kernelspecs_nor_profiles_of_the_user_have_a_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = tmp_path / "data" / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = ["no-such-interpreter", "{connection_file}"]
    text = json.dumps({"argv": argv, "display_name": "Wrong", "language": "python"})
    (spec / "kernel.json").write_text(text, encoding="utf-8")
    startup = tmp_path / "profile" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("print = lambda *_: None", encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "data"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "profile"))
    path = write(tmp_path, code("import sys, os\nprint(os.listdir(), sys.executable)"))
    fresh = rebuild(path, environment={"TZ": "Pacific/Chatham"}).expect("it runs").fresh
    assert texts(parse_notebook(fresh).expect("ours")) == [f"[] {sys.executable}\n"]


def test_what_is_no_notebook_is_an_error_before_any_kernel_starts(tmp_path: Path) -> None:
    path = tmp_path / "lesson.ipynb"
    for data, error in ((b"{", "not-a-notebook"), (b"\xff", "not-a-notebook")):
        path.write_bytes(data)
        stopped = build_lesson(path)
        assert not stopped.ok
        assert stopped.error.code == error
    missing = check_lesson(tmp_path / "none.ipynb")
    assert not missing.ok
    assert missing.error.code == "unreadable"
