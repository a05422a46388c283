"""Watches for shell commands that fail in a kernel: IPython itself says nothing of them.

The source of `watch_shell` is what a watched kernel runs before the first cell.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPORT_VARIABLE = "ALEMBIC_SIM_SHELL_REPORT"
"""Names, in a kernel's environment, the file that it adds each failed command to."""


@dataclass(frozen=True, slots=True)
class ShellFailure:
    """A command that a cell started with `!` or a magic, and the exit status other than 0."""

    cell: int
    command: str
    status: int


def watch_shell() -> None:
    """Makes this kernel write down every `!command` and `x = !command` that fails.

    It runs in another process, from its source alone: what it needs is imported inside.
    """
    import json
    import os
    import subprocess
    from pathlib import Path

    import ipykernel.zmqshell
    import IPython.core.interactiveshell

    report = Path(os.environ["ALEMBIC_SIM_SHELL_REPORT"])

    def note(command: str, status: int | None) -> None:
        if status:
            with report.open("a", encoding="utf-8") as file:
                file.write(json.dumps([command, status]) + "\n")

    def noting_status(run: Callable[[str], int]) -> Callable[[str], int]:
        def system(command: str) -> int:
            status = run(command)
            note(command, status)
            return status

        return system

    def noting_process(run: Callable[[str], str]) -> Callable[[str], str]:
        # It gives back what the command said, not how it ended: that only the process knows.
        def getoutput(command: str) -> str:
            started: list[subprocess.Popen[bytes]] = []
            popen = subprocess.Popen

            class Seen(popen):  # type: ignore[valid-type, misc]
                def __init__(self, *args: object, **options: object) -> None:
                    super().__init__(*args, **options)
                    started.append(self)

            subprocess.Popen = Seen  # type: ignore[misc]
            try:
                return run(command)
            finally:
                subprocess.Popen = popen  # type: ignore[misc]
                note(command, next((one.returncode for one in started if one.returncode), 0))

        return getoutput

    # Below the methods of the shell: those count frames to find the variables in a command.
    for module in (ipykernel.zmqshell, IPython.core.interactiveshell):
        for name, noting in (("system", noting_status), ("getoutput", noting_process)):
            if hasattr(module, name):
                setattr(module, name, noting(getattr(module, name)))
    report.touch()  # the sign that it watches


def startup_source() -> str:
    """The text of an IPython startup file that watches, and leaves no name of its own behind."""
    return (
        "from __future__ import annotations\n"
        f"{inspect.getsource(watch_shell)}\n"
        "watch_shell()\ndel watch_shell, annotations\n"
    )


def read_failures(report: Path, cell: int) -> tuple[ShellFailure, ...]:
    """What the kernel wrote down since it was last asked, as failures of this cell."""
    lines = report.read_text(encoding="utf-8").splitlines()
    report.write_text("", encoding="utf-8")
    return tuple(ShellFailure(cell, *json.loads(line)) for line in lines)
