"""The pins: every dependency has one, within its range, and no file holds an address."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.readme_console import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = [
    *PROJECT["dependencies"],
    *(line for extra in PROJECT["optional-dependencies"].values() for line in extra),
]


def pins() -> list[Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("declared", DECLARED)
def test_every_dependency_is_pinned_within_its_range(declared: str) -> None:
    wanted = Requirement(declared)
    found = [pin for pin in pins() if canonicalize_name(pin.name) == canonicalize_name(wanted.name)]
    assert found, "make the pins anew: see CONTRIBUTING.md"
    for pin in found:
        (exact,) = pin.specifier
        assert exact.operator == "=="
        assert wanted.specifier.contains(exact.version)


@pytest.mark.parametrize("name", ["constraints.txt", "binder/requirements.txt", "pyproject.toml"])
def test_no_install_file_holds_an_address(name: str) -> None:
    assert re.findall(r"https?://\S*", (ROOT / name).read_text(encoding="utf-8")) == []


def test_uvs_lock_file_stays_out() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "uv.lock" in ignored
