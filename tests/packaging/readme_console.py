"""The README's real outputs: each `$ alembic-sim …` of its marked block, and what it prints.

`python tests/packaging/readme_console.py --write` writes them anew; a test compares them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCK = re.compile(
    r"(?<=<!-- curate-output -->\n)```console\n(.*?)```\n(?=<!-- /curate-output -->)", re.S
)


def commands(readme: str) -> list[str]:
    """The commands of the block, in order."""
    block = BLOCK.search(readme)
    assert block, "README.md has lost its curate-output block"
    return [line[2:] for line in block[1].splitlines() if line.startswith("$ ")]


def printed_by(command: str) -> str:
    """What the command prints, stderr after stdout, run in the repository's folder."""
    program, *arguments = shlex.split(command)
    assert program == "alembic-sim"
    done = subprocess.run(
        [sys.executable, "-m", "alembic_sim", *arguments],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "100"},
        capture_output=True,
        check=False,
    )
    return (done.stdout + done.stderr).decode("utf-8")


def with_real_output(readme: str) -> str:
    """The README with each command of the block followed by its output."""
    lines = "\n".join(f"$ {command}\n{printed_by(command)}" for command in commands(readme))
    return BLOCK.sub(lambda _: f"```console\n{lines}```\n", readme)


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/packaging/readme_console.py --write")
    README.write_text(with_real_output(README.read_text(encoding="utf-8")), encoding="utf-8")
