"""The exercises in a real kernel, as a learner meets them: run all, untouched, then answered."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.teaching.exercises.answers import EXERCISES


def run_all(cells: list[str], folder: Path, hash_seed: str = "0") -> list[list[dict[str, object]]]:
    """The outputs of the cells, after restart and run all."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    environment = {
        "PYTHONHASHSEED": hash_seed,
        "ALEMBIC_SIM_HOME": str(folder / "home"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    client.execute(cleanup_kc=True, env=os.environ | environment)
    return [[dict(output) for output in cell["outputs"]] for cell in notebook["cells"]]


def texts(outputs: list[dict[str, object]]) -> str:
    assert all(output["output_type"] == "stream" for output in outputs)
    assert all(output["name"] == "stdout" for output in outputs)
    return "".join(str(output["text"]) for output in outputs)


START = "from alembic_sim.teaching import check, exercise, hint, solution"


def lesson(answers: dict[str, str]) -> list[str]:
    """The three cells of each exercise: the task, the cell to edit, the check."""
    cells = [START]
    for one in EXERCISES:
        source = answers[one.id].strip("\n")
        cells += [f'exercise("{one.id}")', source, f'check("{one.id}", {one.function})']
    return cells


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder = tmp_path_factory.mktemp("untouched")
    outputs = run_all(lesson({one.id: one.stub for one in EXERCISES}), folder)
    return folder, [texts(cell) for cell in outputs]


def test_an_untouched_lesson_runs_through_and_says_what_is_to_do(
    untouched: tuple[Path, list[str]],
) -> None:
    _, printed = untouched
    for number, one in enumerate(EXERCISES):
        task, cell, checked = printed[1 + 3 * number : 4 + 3 * number]
        assert task.startswith(f"Exercise {one.id} · ")
        assert cell == ""
        assert checked.startswith(f"{one.id} not answered yet: ")
        assert checked.count("\n") <= 6


def test_an_untouched_lesson_leaves_nothing_in_the_folder_nor_in_the_home(
    untouched: tuple[Path, list[str]],
) -> None:
    folder, _ = untouched
    assert [one.name for one in folder.iterdir()] == ["ipython"]


def test_answers_get_the_same_bytes_in_another_kernel(tmp_path: Path) -> None:
    cells = [START]
    for one in EXERCISES:
        wrong, found_later = one.wrong_answers[0].source, one.wrong_answers[-1].source
        for source in (one.solution, wrong, found_later):
            cells.append(f'{source}\ncheck("{one.id}", {one.function})')
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = [texts(cell) for cell in run_all(cells, tmp_path / "a", "1")]
    second = [texts(cell) for cell in run_all(cells, tmp_path / "b", "2")]
    assert first == second
    for number, one in enumerate(EXERCISES):
        passed, wrong, _ = first[1 + 3 * number : 4 + 3 * number]
        assert passed.startswith(f"{one.id} passed: ")
        [shown] = [line for line in wrong.splitlines() if line.startswith("  input     ")]
        assert one.wrong_answers[0].smallest.startswith(shown.split(maxsplit=1)[1].rstrip("…"))
    left = sorted(one.name for one in (tmp_path / "a").iterdir())
    assert left == ["home", "ipython"], "no .hypothesis folder"
