"""The Binder folder: it installs the pins and the package, and opens lesson 00."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.readme_console import ROOT

BINDER = ROOT / "binder"
REPO2DOCKER = shutil.which("jupyter-repo2docker")


def lines_of(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def test_there_is_one_binder_folder() -> None:
    assert BINDER.is_dir()
    assert not (ROOT / ".binder").exists()


def test_it_names_its_python() -> None:
    assert lines_of("binder/runtime.txt") == ["python-3.11"]


def test_it_installs_the_package_itself_last() -> None:
    assert lines_of("binder/requirements.txt")[-1] == "."


def test_its_pins_are_the_constraints() -> None:
    """Which systems a pin is for may differ: an extra may want it on more of them."""
    binder, ours = (
        {line.partition(" ;")[0] for line in lines_of(file)}
        for file in ("binder/requirements.txt", "constraints.txt")
    )
    assert binder - ours == {"."}


def test_it_pins_all_that_the_package_needs() -> None:
    """Walks what is installed here, from the package down, tests' tools left out."""
    pinned = {
        canonicalize_name(Requirement(line).name)
        for line in lines_of("binder/requirements.txt")[:-1]
    }
    needed: set[str] = set()
    waiting = [(Requirement("alembic-sim"), "")]
    while waiting:
        requirement, extra = waiting.pop()
        for text in requires(requirement.name) or []:
            child = Requirement(text)
            if child.marker and not child.marker.evaluate({"extra": extra}):
                continue
            name = canonicalize_name(child.name)
            for child_extra in child.extras or {""}:
                if f"{name}[{child_extra}]" not in needed:
                    needed.add(f"{name}[{child_extra}]")
                    waiting.append((child, child_extra))
    names = {name.split("[")[0] for name in needed}
    assert len(names) > 20
    assert names - pinned == set()


def test_the_address_in_the_readme_opens_lesson_00() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opened = set(re.findall(r"labpath=([\w/.]+)", readme))
    assert opened == {"notebooks/00_start_here.ipynb"}
    assert (ROOT / opened.pop()).is_file()


@pytest.mark.skipif(REPO2DOCKER is None, reason="jupyter-repo2docker is not installed")
def test_repo2docker_makes_a_dockerfile_that_installs_it() -> None:
    assert REPO2DOCKER is not None
    done = subprocess.run(
        [REPO2DOCKER, "--debug", "--no-build", "."],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "python=3.11" in said
    install = said.index('pip install --no-cache-dir -r "binder/requirements.txt"')
    copy = said.index("COPY --chown=0:0 src/ ")
    assert copy < install, "the line `.` needs the repository to be there"
