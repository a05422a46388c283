"""Other processes that work on the same files: Python code, run until it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def start(code: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    """A process that runs the code, with `sys.argv[1:]` given."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def finish(process: subprocess.Popen[str]) -> str:
    """What the process printed; it must have ended well."""
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0, printed
    return printed
