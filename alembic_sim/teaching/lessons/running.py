"""Runs a notebook from the top in a fresh kernel of this interpreter, and tells how far it came."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import signal
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from alembic_sim.teaching.lessons.notebook import Notebook
from alembic_sim.teaching.lessons.shell_watch import (
    REPORT_VARIABLE,
    ShellFailure,
    read_failures,
    startup_source,
)
from alembic_sim.teaching.lessons.widget_state import models_of, needed_by, views_in

CELL_TIMEOUT_S = 60
"""How long one cell may run. A dead kernel is noticed at once, a hanging one after this."""

STARTUP_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a run ended before the last cell.

    `cell-failed`, `cell-timeout`, `kernel-died`; `no-kernel` if it could not begin (cell is None).
    """

    code: str
    cell: int | None
    what: str

    def text(self) -> str:
        """For a terminal: the cell, and what happened in it."""
        return self.what if self.cell is None else f"cell {self.cell}: {self.what}"


@dataclass(frozen=True, slots=True)
class Run:
    """The notebook with the outputs of this run, as far as it came; no stop: to the end."""

    notebook: Notebook
    stop: Stop | None = None
    shell_failures: tuple[ShellFailure, ...] = ()


def run_notebook(
    notebook: Notebook,
    folder: Path,
    timeout_s: int = CELL_TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
) -> Run:
    """What restart and run all gives, with `folder` as the working folder.

    Neither the user's kernelspecs, nor their IPython profile, nor their data folder, nor stored
    outputs have a say. `environment` is added to the kernel's. Raises KeyboardInterrupt when the
    run is broken off by Ctrl-C.
    """
    if find_spec("ipykernel") is None:
        what = "this interpreter has no ipykernel, so no notebook can run; reinstall alembic-sim"
        return Run(notebook, Stop("no-kernel", None, what))
    with tempfile.TemporaryDirectory(prefix="alembic-sim-kernel-") as scratch:
        running = _Running(notebook, Path(scratch))
        stop = running.to_the_end(folder, timeout_s, environment or {})
        return Run(running.result(), stop, tuple(running.shell_failures))


@dataclass(slots=True)
class _Running:
    """One run: the client's notebook, and what is noted while it goes on."""

    given: Notebook
    scratch: Path
    shell_failures: list[ShellFailure] = field(default_factory=list)
    shown: dict[str, Any] = field(default_factory=dict)
    """Each widget model as it was when an output first showed it."""
    place: int | None = None
    interrupted: bool = False
    client: Any = None

    def to_the_end(
        self, folder: Path, timeout_s: int, environment: Mapping[str, str]
    ) -> Stop | None:
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

        self.client = self._new_client(folder, timeout_s)
        try:
            # What the kernel process itself says is no cell's output, and may hold paths.
            self.client.execute(
                cleanup_kc=True, env=self._environment(environment), stdout=DEVNULL, stderr=DEVNULL
            )
        except CellTimeoutError:
            return Stop("cell-timeout", self.place, f"did not end within {timeout_s} s")
        except CellExecutionError as error:
            return Stop("cell-failed", self.place, f"raised {error.ename}: {error.evalue}")
        except AssertionError:  # nbclient's own, when Ctrl-C has taken its kernel away
            if self.interrupted:
                raise KeyboardInterrupt from None
            raise
        except (DeadKernelError, RuntimeError, OSError) as error:
            if self.interrupted:
                raise KeyboardInterrupt from None
            if self.place is None:
                return Stop("no-kernel", None, f"the kernel did not start ({error})")
            return Stop("kernel-died", self.place, f"lost its kernel ({error})")
        return None

    def _new_client(self, folder: Path, timeout_s: int) -> Any:
        import nbformat  # slow to import, and most callers of this package never run a lesson
        from jupyter_client.kernelspec import KernelSpecManager
        from jupyter_client.manager import AsyncKernelManager
        from nbclient import NotebookClient

        return NotebookClient(
            nbformat.reads(json.dumps(_never_run(self.given)), as_version=4),
            km=AsyncKernelManager(
                kernel_name="python3",
                # No folder of specs: what is left is this very interpreter.
                kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            ),
            timeout=timeout_s,
            startup_timeout=STARTUP_TIMEOUT_S,
            record_timing=False,
            skip_cells_with_tag="",  # every cell counts; what is skipped could say anything
            resources={"metadata": {"path": str(folder)}},
            on_notebook_start=self._begun,
            on_cell_start=self._started,
            on_cell_executed=self._executed,
        )

    def _environment(self, added: Mapping[str, str]) -> dict[str, str]:
        profile = self.scratch / "ipython"
        startup = profile / "profile_default" / "startup"
        startup.mkdir(parents=True)
        (startup / "00-watch.py").write_text(startup_source(), encoding="utf-8")
        return {
            **os.environ,
            "IPYTHONDIR": str(profile),
            "ALEMBIC_SIM_HOME": str(self.scratch / "home"),
            REPORT_VARIABLE: str(self._report),
            **added,
        }

    @property
    def _report(self) -> Path:
        return self.scratch / "shell.jsonl"

    def _begun(self, notebook: object) -> None:
        """Sees that failing commands are noted, and makes Ctrl-C end the run.

        Left to nbclient, Ctrl-C would only end this one kernel.
        """
        if not self._report.exists():
            raise RuntimeError("its shell commands cannot be watched")

        def interrupt() -> None:
            self.interrupted = True
            if self.client.task_poll_for_reply is not None:
                self.client.task_poll_for_reply.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                asyncio.get_running_loop().add_signal_handler(number, interrupt)
            except (RuntimeError, ValueError):
                return  # on Windows, or outside the main thread: Python's own way

    def _started(self, cell: object, cell_index: int) -> None:
        if self.interrupted:
            raise RuntimeError("interrupted before this cell")
        self.place = cell_index + 1

    def _executed(self, cell: Any, cell_index: int, execute_reply: object) -> None:
        self.shell_failures += read_failures(self._report, cell_index + 1)
        states = self.client.widget_state
        for one in needed_by(list(views_in(cell.outputs)), states):
            if one in states and one not in self.client.widget_buffers:
                self.shown.setdefault(one, copy.deepcopy(states[one]))

    def result(self) -> Notebook:
        """The given notebook with the new outputs, and its widgets as they were first shown.

        So a page that was only opened tells what its cells tell, and gives no later answer away.
        """
        made: Notebook = json.loads(json.dumps(self.client.nb))
        for one, model in models_of(made).items():
            model["state"] = self.shown.get(one, model["state"])
        cells = [
            {**given, "outputs": ran["outputs"], "execution_count": ran["execution_count"]}
            if given["cell_type"] == "code"
            else given
            for given, ran in zip(self.given["cells"], made["cells"], strict=True)
        ]
        kept = {
            key: value for key, value in self.given.get("metadata", {}).items() if key != "widgets"
        }
        if "widgets" in made["metadata"]:
            kept["widgets"] = made["metadata"]["widgets"]
        return {**self.given, "cells": cells, "metadata": kept}


def _never_run(notebook: Notebook) -> Notebook:
    """What the client runs: no output, no count, every cell with an id of the client's format."""
    cells = []
    for place, cell in enumerate(notebook["cells"]):
        clean = {"metadata": {}, **cell, "id": f"cell-{place}"}
        if cell["cell_type"] == "code":
            clean |= {"outputs": [], "execution_count": None}
        cells.append(clean)
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
