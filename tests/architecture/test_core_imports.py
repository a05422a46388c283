"""The core stays light and alone: it loads no heavy package and reaches for nothing outside."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "alembic_sim"
HEAVY = ("numpy", "matplotlib", "ipywidgets", "hypothesis", "nbval")
SIMULATOR = (
    *("Scenario", "load_scenario", "read_scenario", "simulate", "sweep", "sweep_gates"),
    *("forecast", "read_library"),
)

CORE = ("hermes", "models", "ports", "durable", "guarded", "iso", "strict_json", "result")
# Time, chance, the machine: each reaches the core through a port or an argument.
OUTSIDE = {
    *("asyncio", "io", "os", "pathlib", "random", "secrets", "shutil", "socket", "subprocess"),
    *("tempfile", "threading", "time", "urllib", "uuid", "numpy"),
}


def heavy_packages_loaded_by(code: str) -> list[str]:
    report = f"import sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.split()


def test_the_report_of_heavy_packages_can_fail() -> None:
    assert heavy_packages_loaded_by("import numpy") == ["numpy"]


def test_every_core_name_loads_without_a_heavy_package() -> None:
    code = (
        "import alembic_sim\n"
        f"names = [name for name in alembic_sim.__all__ if name not in {SIMULATOR!r}]\n"
        "assert names\n"
        "for name in names: getattr(alembic_sim, name)"
    )
    assert heavy_packages_loaded_by(code) == []


def test_the_command_line_answers_for_help_without_a_heavy_package() -> None:
    code = (
        "import sys, alembic_sim.cli\n"
        "try: alembic_sim.cli.main(['--help'])\n"
        "except SystemExit: print()\n"
        "assert 'pydantic' not in sys.modules"
    )
    assert [word for word in heavy_packages_loaded_by(code) if word in HEAVY] == []


def core_modules() -> list[Path]:
    folders = [PACKAGE / name for name in CORE if (PACKAGE / name).is_dir()]
    files = [PACKAGE / f"{name}.py" for name in CORE if (PACKAGE / f"{name}.py").is_file()]
    return sorted([*files, *(file for folder in folders for file in folder.rglob("*.py"))])


def imported_roots(source: str) -> set[str]:
    roots = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                roots |= {alias.name.split(".")[0] for alias in names}
            case ast.ImportFrom(module=str(module), level=0):
                roots.add(module.split(".")[0])
    return roots


@pytest.mark.parametrize("module", core_modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_reaches_for_nothing_outside(module: Path) -> None:
    """No clock, no chance, no file, no environment: what the core needs is handed to it."""
    assert imported_roots(module.read_text(encoding="utf-8")) & OUTSIDE == set()


@pytest.mark.parametrize("module", core_modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_never_asks_what_time_it_is(module: Path) -> None:
    calls = {
        node.attr
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert calls & {"now", "utcnow", "today"} == set()
