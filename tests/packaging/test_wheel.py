"""The wheel carries the lessons: installed elsewhere, it copies them, and they run from it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from alembic_sim.teaching.lessons.canonical import canonical_text
from tests.packaging.readme_console import ROOT
from tests.teaching.lessons.test_canonical import code, notebook

LESSON = "03_propose_gate_apply.ipynb"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the build backend itself: nothing is fetched for it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("alembic_sim-*.whl")
    return built


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new environment in `env` that has the wheel, and borrows what it depends on.

    The borrowed packages come after its own, and the checkout is not among them.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    made = subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], capture_output=True)
    if made.returncode != 0:
        pytest.skip("this Python cannot make an environment (Debian: install python3-venv)")
    install = ["-m", "pip", "install", "--no-index", "--no-deps", "--quiet", str(wheel)]
    subprocess.run([str(program(folder, "python")), *install], check=True, capture_output=True)
    variables = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    own = Path(sysconfig.get_path("purelib", "venv", variables))
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (own / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    return folder


def program(folder: Path, name: str) -> Path:
    return folder / "env" / ("Scripts" if os.name == "nt" else "bin") / name


def said(folder: Path, name: str, *arguments: str) -> str:
    """What a program of the environment prints, run as a learner would who has only the wheel."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    home = {"HOME": str(folder), "USERPROFILE": str(folder), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [str(program(folder, name)), *arguments],
        cwd=folder,
        env=kept | home,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_every_lesson_as_it_is_in_the_checkout(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        carried = {
            name.removeprefix("alembic_sim/_lessons/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("alembic_sim/_lessons/")
        }
        roots = {name.partition("/")[0] for name in archive.namelist()}
    lessons = {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert carried.items() >= lessons.items()
    assert LESSON in lessons
    assert {root for root in roots if not root.endswith(".dist-info")} == {"alembic_sim"}


def test_installed_elsewhere_it_copies_the_lessons_and_runs_one(elsewhere: Path) -> None:
    where = "import alembic_sim; print(alembic_sim.__file__)"
    assert Path(said(elsewhere, "python", "-c", where)).is_relative_to(elsewhere / "env")

    copied = said(elsewhere, "alembic-sim", "lessons", "copy")
    assert f"{len(list((ROOT / 'notebooks').glob('*.ipynb')))} written" in copied
    mine = elsewhere / "alembic-lessons" / LESSON
    assert mine.read_bytes() == (ROOT / "notebooks" / LESSON).read_bytes()

    of_the_wheel = elsewhere / "alembic-lessons" / "of_the_wheel.ipynb"
    source = f"import alembic_sim\nassert alembic_sim.__file__.startswith({str(elsewhere)!r})"
    text = canonical_text(notebook(code(source)))
    of_the_wheel.write_text(text, encoding="utf-8")
    told = said(elsewhere, "alembic-sim", "lessons", "verify", str(mine), str(of_the_wheel))
    assert f"{mine}: true" in told
    assert f"{of_the_wheel}: true" in told
