"""Only whoever sweeps gates pays for arrays."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "matplotlib", "pandas", "tqdm")


def loaded_by(statement: str) -> list[str]:
    report = f"import sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{report}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize("module", ["scenario", "reference", "arms", "gates.gate_choice"])
def test_the_reference_engine_loads_no_numpy(module: str) -> None:
    assert loaded_by(f"import alembic_sim.sim.{module}") == []


def test_a_learning_sweep_loads_numpy_and_no_picture() -> None:
    assert loaded_by("import alembic_sim.sim.gates.sweep_gates") == ["numpy"]
