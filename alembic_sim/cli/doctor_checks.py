"""What the doctor says of what was found: one pure function a check, each with its remedy."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Status = Literal["ok", "remark", "problem"]

OLDEST_PYTHON = (3, 11)
WIDGET_PACKAGES = ("ipywidgets", "jupyterlab_widgets")
"""What draws the widgets, as pip and Python call it."""

WIDGETS_IN_LAB = "@jupyter-widgets/jupyterlab-manager"

ANY_INTERPRETER = ("python", "python3")
"""Jupyter puts the interpreter that runs the server in place of these."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: what was found, and what to do about it (empty if it is ok)."""

    name: str
    status: Status
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """What `python3` means to Jupyter: the program that it starts, and where that is written."""

    program: str
    folder: str


@dataclass(frozen=True, slots=True)
class Needed:
    """A package that another needs, the versions that fit, and the one that is there (or None)."""

    name: str
    by: str
    versions: str
    installed: str | None
    fits: bool


def check_python(version: tuple[int, int, int], executable: str) -> Check:
    """Whether this interpreter is new enough."""
    found = f"{'.'.join(map(str, version))} at {executable}"
    if version[:2] >= OLDEST_PYTHON:
        return Check("Python", "ok", found)
    needed = ".".join(map(str, OLDEST_PYTHON))
    remedy = f"Install Python {needed} or newer, and make the environment anew with it."
    return Check("Python", "problem", found, remedy)


def check_kernel(
    executable: str, in_lab: KernelSpec | str, elsewhere: KernelSpec | str | None
) -> Check:
    """Whether `python3` is this interpreter, for `alembic-sim lab` and for any other Jupyter.

    A text in place of a kernelspec says why there is none.
    """
    install = f"{_typed(executable)} -m pip install --force-reinstall ipykernel"
    if isinstance(in_lab, str):
        return Check("kernel", "problem", f"no kernel called python3: {in_lab}", install)
    if not same_environment(in_lab.program, executable):
        found = f"python3 starts {in_lab.program}, not this interpreter"
        remedy = f"Remove the folder {in_lab.folder}, or write this interpreter there: {install}"
        return Check("kernel", "problem", found, remedy)
    if isinstance(elsewhere, KernelSpec) and not same_environment(elsewhere.program, executable):
        found = f"outside alembic-sim lab, python3 starts {elsewhere.program}"
        remedy = f"Remove the folder {elsewhere.folder}, or open lessons with alembic-sim lab only."
        return Check("kernel", "problem", found, remedy)
    return Check("kernel", "ok", "python3 is this interpreter")


def same_environment(program: str, executable: str) -> bool:
    """Whether a kernel's program is an interpreter of the same environment.

    The folders are compared: every environment's python is a link to the same file.
    """
    if program in ANY_INTERPRETER:
        return True
    return Path(program).parent.resolve() == Path(executable).parent.resolve()


def check_packages(executable: str, needed: Sequence[Needed]) -> Check:
    """Whether every package is there, in a version that fits those that need it."""
    wrong = [one for one in needed if not one.fits]
    if not wrong:
        known = [one for one in needed if one.name in ("jupyterlab", "ipywidgets", "nbval")]
        told = ", ".join(f"{one.name} {one.installed}" for one in known)
        return Check("packages", "ok", f"{told}; {len(needed)} packages fit each other")
    found = "; ".join(
        f"{one.name} {one.installed or 'is missing'} ({one.by} needs {one.versions or 'it'})"
        for one in wrong
    )
    asked = " ".join(f'"{one.name}{one.versions}"' for one in wrong)
    return Check("packages", "problem", found, f"{_typed(executable)} -m pip install {asked}")


def check_imports(executable: str, refusals: Mapping[str, str]) -> Check:
    """Whether what draws the widgets can be imported: a package may be listed, and be broken."""
    if not refusals:
        return Check("widgets in Python", "ok", f"{', '.join(WIDGET_PACKAGES)} can be imported")
    found = "; ".join(f"{name} cannot be imported: {why}" for name, why in refusals.items())
    install = f"{_typed(executable)} -m pip install --force-reinstall {' '.join(refusals)}"
    return Check("widgets in Python", "problem", found, install)


def check_labextension(executable: str, extensions: Sequence[str] | str) -> Check:
    """Whether JupyterLab finds the part of ipywidgets that draws widgets; a text says why not."""
    install = f"{_typed(executable)} -m pip install --force-reinstall jupyterlab_widgets"
    if isinstance(extensions, str):
        return Check("widgets in JupyterLab", "problem", extensions, install)
    if WIDGETS_IN_LAB not in extensions:
        found = f"JupyterLab does not find {WIDGETS_IN_LAB}"
        return Check("widgets in JupyterLab", "problem", found, install)
    return Check("widgets in JupyterLab", "ok", WIDGETS_IN_LAB)


def check_folder(name: str, folder: Path, refusal: str | None, option: str) -> Check:
    """Whether files can be written there; `refusal` says why not, `option` names another folder."""
    if refusal is None:
        return Check(name, "ok", f"{folder} can be written to")
    return Check(name, "problem", f"{folder}: {refusal}", f"Name another folder with {option}.")


def check_loopback(refusal: str | None) -> Check:
    """Whether a server of ours can be reached on this machine."""
    if refusal is None:
        return Check("port", "ok", "a free port of 127.0.0.1 answers")
    remedy = "Allow Python to listen on 127.0.0.1 in the firewall or security program."
    return Check("port", "problem", f"127.0.0.1: {refusal}", remedy)


def check_port(port: int, refusal: str | None) -> Check:
    """Whether `alembic-sim lab --port N` could listen there."""
    name = f"port {port}"
    if refusal is None:
        return Check(name, "ok", "127.0.0.1 is free there")
    remedy = "Leave out --port, and lab takes a free one; or end what listens there."
    return Check(name, "problem", f"127.0.0.1: {refusal}", remedy)


def check_encoding(encodings: Mapping[str, str]) -> Check:
    """Whether names and output can hold any sign: `≥`, `§`, `ã`."""
    other = {what: name for what, name in encodings.items() if not _is_utf8(name)}
    if not other:
        return Check("text", "ok", "UTF-8")
    found = ", ".join(f"{what}: {name}" for what, name in other.items())
    return Check("text", "problem", found, "Set the environment variable PYTHONUTF8 to 1.")


def check_lessons(folder: Path, count: int, in_checkout: bool) -> Check:
    """Whether there are lessons to open."""
    if count == 0:
        return Check("lessons", "problem", f"none in {folder}", "Install alembic-sim anew.")
    where = "this checkout" if in_checkout else "the package"
    return Check("lessons", "ok", f"{count} lessons, from {where}")


def check_pins(pinned: Mapping[str, str], installed: Mapping[str, str]) -> Check:
    """Whether the packages are those that the checkout was tested with; never a problem."""
    other = [
        f"{name} {installed[name]} (tested with {version})"
        for name, version in sorted(pinned.items())
        if name in installed and installed[name] != version
    ]
    if not other:
        return Check("pins", "ok", "as in constraints.txt")
    shown = ", ".join(other[:4]) + (f" and {len(other) - 4} more" if len(other) > 4 else "")
    remedy = "Should something misbehave: pip install -c constraints.txt -e ."
    return Check("pins", "remark", shown, remedy)


def _typed(program: str) -> str:
    """The program as a person types it; PowerShell runs no program whose name is in quotes."""
    return f'"{program}"' if " " in program else program


def _is_utf8(name: str) -> bool:
    try:
        return codecs.lookup(name).name == "utf-8"
    except LookupError:
        return False
