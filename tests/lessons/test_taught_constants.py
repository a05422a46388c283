"""A taught constant that changes turns the lessons red that teach it (report NB-06)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERMES = "alembic_sim/hermes"

CONSTANTS = [
    pytest.param(
        f"{HERMES}/learning/gate.py", "THRESHOLD = 0.7", "THRESHOLD = 0.8", "03", id="0.7"
    ),
    pytest.param(f"{HERMES}/curator/policy.py", "float = 30", "float = 31", "06", id="30"),
    pytest.param(f"{HERMES}/curator/policy.py", "float = 90", "float = 91", "07", id="90"),
    pytest.param(f"{HERMES}/memory/memory_store.py", "= 2200", "= 2201", "02", id="2200"),
    pytest.param(f"{HERMES}/memory/memory_store.py", "= 1375", "= 1374", "02", id="1375"),
    pytest.param(
        f"{HERMES}/memory/entry_text.py", 'SIGN = "§"', 'SIGN = "¶"', "02", id="separator"
    ),
    pytest.param(
        "alembic_sim/sim/figures.py", "REGRET_DAYS = 30", "REGRET_DAYS = 29", "09", id="regret"
    ),
    pytest.param(
        "alembic_sim/sim/arms.py",
        "else score_threshold_gate(0)",
        "else gate_of(plan, seed, number)",
        "00",
        id="ungated",
    ),
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of its own, whose engine a test may change."""
    for folder in ("alembic_sim", "notebooks"):
        leave = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=leave)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def check(checkout: Path, lesson: str) -> subprocess.CompletedProcess[str]:
    """`lessons check` of one lesson, by the engine of that checkout."""
    return subprocess.run(
        [sys.executable, "-m", "alembic_sim", "lessons", "check", lesson],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize(("file", "taught", "changed", "lesson"), CONSTANTS)
def test_a_lesson_turns_red_when_a_constant_that_it_teaches_changes(
    file: str, taught: str, changed: str, lesson: str, checkout: Path
) -> None:
    source = checkout / file
    text = source.read_text(encoding="utf-8")
    assert text.count(taught) == 1, f"{file} no longer holds {taught!r} once"
    source.write_text(text.replace(taught, changed), encoding="utf-8")
    red = check(checkout, lesson)
    assert red.returncode == 1, red.stdout + red.stderr


def test_a_checkout_with_nothing_changed_is_green(checkout: Path) -> None:
    green = check(checkout, "06")
    assert green.returncode == 0, green.stdout + green.stderr
