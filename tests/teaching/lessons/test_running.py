"""A run is a fresh kernel's, tells how far it came, and hears of every command that fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil  # it comes with ipykernel
import pytest

from alembic_sim.teaching.lessons import running
from alembic_sim.teaching.lessons.notebook import Notebook, outputs_of
from alembic_sim.teaching.lessons.running import Run, Stop, run_notebook
from alembic_sim.teaching.lessons.widget_state import models_of
from tests.teaching.lessons.test_canonical import code, markdown, notebook, stream

posix = pytest.mark.skipif(os.name != "posix", reason="signals and shells are POSIX")

NAMES = "print([name for name in dir() if 'watch' in name or name == 'annotations'])"
HOME = "import os, pathlib\nprint(os.environ['ALEMBIC_SIM_HOME'], pathlib.Path.cwd().name)"
EXPANDS = """def f():
    word = 'said'
    !echo {word}
    lines = !echo {word}
    return lines
print(f())"""
WIDGET = "import ipywidgets\nslider = ipywidgets.IntSlider(value=3)\nslider"

CELLS = {
    1: markdown("# A run"),
    2: code(NAMES),
    3: code(HOME, stream("stored\n")),
    4: code("!exit 3\n!exit 0"),
    5: code("print('no shell')"),
    6: code("lines = !exit 4"),
    7: code(EXPANDS),
    8: code("%%capture\n!exit 5"),
    9: code("print('not skipped')", tags=["skip-execution"]),
    10: code(WIDGET),
    11: code("slider.value = 45\nslider"),
    12: code("%sx exit 6"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("of the notebook")


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    metadata = {"course": "mine", "widgets": {"application/x": {}}}
    return run_notebook(notebook(*CELLS.values(), **metadata), folder)


def printed(run: Run, place: int) -> str:
    outputs = outputs_of(run.notebook["cells"][place - 1])
    return "".join(output["text"] for output in outputs if output["output_type"] == "stream")


def test_it_comes_to_its_end(run: Run) -> None:
    assert run.stop is None


def test_every_failing_command_is_told_with_its_cell_and_no_other(run: Run) -> None:
    told = [(failure.cell, failure.command, failure.status) for failure in run.shell_failures]
    assert told == [(4, "exit 3", 3), (6, "exit 4", 4), (8, "exit 5", 5), (12, "exit 6", 6)]


def test_the_watch_is_not_seen_by_the_notebook(run: Run) -> None:
    assert printed(run, 2) == "[]\n"
    assert "said" in printed(run, 7)
    assert "['said']" in printed(run, 7)  # local variables still reach a command


def test_it_runs_in_the_folder_and_with_a_data_folder_of_nobody(run: Run, folder: Path) -> None:
    home, _, name = printed(run, 3).rstrip("\n").partition(" ")
    assert name == folder.name
    assert home != os.environ["ALEMBIC_SIM_HOME"]
    assert list(folder.iterdir()) == []


def test_no_tag_skips_a_cell(run: Run) -> None:
    assert printed(run, 9) == "not skipped\n"


def test_widgets_are_kept_as_they_were_first_shown(run: Run) -> None:
    values = [model["state"].get("value") for model in models_of(run.notebook).values()]
    assert 3 in values
    assert 45 not in values


def test_only_outputs_counts_and_widgets_are_new(run: Run) -> None:
    given = list(CELLS.values())
    for before, after in zip(given, run.notebook["cells"], strict=True):
        changed = {key for key in after if after[key] != before.get(key)}
        assert changed <= {"outputs", "execution_count"}
    assert run.notebook["metadata"].keys() == {"course", "widgets"}
    assert "application/x" not in run.notebook["metadata"]["widgets"]


def stopped(*cells: dict[str, Any], folder: Path, **options: Any) -> Run:
    return run_notebook(notebook(*cells), folder, **options)


def test_a_failing_cell_ends_the_run_and_its_output_is_kept(tmp_path: Path) -> None:
    run = stopped(code("print(1)"), code("print(2)\n1 / 0"), code("3"), folder=tmp_path)
    assert run.stop == Stop("cell-failed", 2, "raised ZeroDivisionError: division by zero")
    kinds = [[out["output_type"] for out in outputs_of(cell)] for cell in run.notebook["cells"]]
    assert kinds == [["stream"], ["stream", "error"], []]


def test_without_ipykernel_nothing_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "find_spec", lambda name: None)
    made: Notebook = notebook(code("1"))
    run = run_notebook(made, tmp_path)
    assert run.stop is not None
    assert (run.stop.code, run.stop.cell) == ("no-kernel", None)
    assert "no ipykernel" in run.stop.text()
    assert run.notebook == made


def test_a_kernel_whose_commands_cannot_be_watched_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "startup_source", lambda: "raise RuntimeError('broken')")
    run = stopped(code("!exit 1"), folder=tmp_path)
    assert run.stop is not None
    assert (run.stop.code, run.stop.cell) == ("no-kernel", None)
    assert "watched" in run.stop.what


@posix
def test_ctrl_c_ends_the_run_and_the_kernel(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from alembic_sim.teaching.lessons.running import run_notebook\n"
        "source = \"open('begun', 'w').close()\\nimport time\\ntime.sleep(60)\"\n"
        "cell = {'cell_type': 'code', 'source': source, 'outputs': []}\n"
        "run_notebook({'cells': [cell, cell]}, pathlib.Path(sys.argv[1]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stderr=subprocess.PIPE, text=True
    )
    give_up = time.monotonic() + 60
    while not (tmp_path / "begun").exists():
        assert time.monotonic() < give_up
        time.sleep(0.05)
    kernels = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode != 0
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert kernels
    assert psutil.wait_procs(kernels, timeout=10)[1] == []
