"""The repository as a whole: its files speak of no machine, and CI's script is whole."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.readme_console import ROOT

NOT_OURS = {"alembic-lessons", "wheelhouse", "build", "dist", "binder-check", "__pycache__"}
# Written in pieces, so that this file does not hold what it looks for.
MACHINE_PATH = re.compile(
    "|".join(
        ("/" + "work/", "/" + "root/", "/" + "tmp/", r"\.\./" + "shared", r"[A-Z]:\\" + "Users")
    )
)
REGISTRY_HOST = re.compile(
    "|".join(("pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\."))
)
OTHERS_REPORTS = ROOT / "tests" / "data" / "cases"
"""Retold bug reports: the paths in them are part of the report."""
TEXT = {".py", ".md", ".toml", ".txt", ".cfg", ".ipynb", ".json", ".jsonl", ""}


def our_files() -> Iterator[Path]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [
            name
            for name in folders
            if name == ".ci" or not (name.startswith(".") or name in NOT_OURS)
        ]
        for name in files:
            if Path(name).suffix in TEXT and not name.startswith(".coverage"):
                yield Path(folder, name)


def places(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for file in our_files():
        if file.parent == OTHERS_REPORTS:
            continue
        for number, line in enumerate(file.read_text("utf-8", errors="replace").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return found


def test_our_files_are_found() -> None:
    assert {"README.md", "run", "pyproject.toml"} <= {file.name for file in our_files()}


def test_no_file_speaks_of_a_path_of_some_machine() -> None:
    assert places(MACHINE_PATH) == []


def test_no_file_names_a_registry() -> None:
    assert places(REGISTRY_HOST) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_cis_script_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_a_learners_copies_stay_out_of_git_and_out_of_the_tests() -> None:
    assert "alembic-lessons/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    testpaths = next(line for line in settings.splitlines() if line.startswith("testpaths"))
    assert "alembic-lessons" not in testpaths
