"""The doctor's instruments: each looks at one thing of this machine, and decides nothing.

None of them raises, or leaves anything behind: what cannot be looked at is told as a text.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

from alembic_sim.cli.doctor_checks import KernelSpec, Needed
from alembic_sim.cli.lab_server import LOOPBACK, environment_of

_ASK_JUPYTER = """
import json, pathlib
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_core.paths import jupyter_path
found = {"extensions": []}
for folder in map(pathlib.Path, jupyter_path("labextensions")):
    for file in [*folder.glob("*/package.json"), *folder.glob("@*/*/package.json")]:
        found["extensions"].append(file.parent.relative_to(folder).as_posix())
try:
    spec = KernelSpecManager().get_kernel_spec("python3")
    found["kernel"] = {"program": spec.argv[0], "folder": str(spec.resource_dir)}
except Exception as error:
    found["kernel"] = str(error) or type(error).__name__
print(json.dumps(found))
"""

_IMPORT = """
import importlib, json, sys
refusals = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        why = " ".join(str(error).split())
        refusals[name] = f"{type(error).__name__}: {why}"[:300]
print()  # whatever the packages print stands on lines before
print(json.dumps(refusals))
"""

_ASKING_SECONDS = 60


def ask_jupyter(as_lab_does: bool) -> tuple[KernelSpec | str, list[str] | str]:
    """What Jupyter finds: its kernelspec `python3`, and its labextensions; a text says why not.

    As `alembic-sim lab` would find it, or as any other Jupyter of this environment would.
    """
    try:
        with tempfile.TemporaryDirectory() as private:
            asked = subprocess.run(
                [sys.executable, "-c", _ASK_JUPYTER],
                env=environment_of(Path(private), "") if as_lab_does else dict(os.environ),
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_ASKING_SECONDS,
                stdin=subprocess.DEVNULL,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Jupyter does not answer ({error})", f"Jupyter does not answer ({error})"
    if asked.returncode != 0:
        last = (asked.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"Jupyter is broken ({last})", f"Jupyter is broken ({last})"
    found = json.loads(asked.stdout)
    kernel = found["kernel"]
    return (KernelSpec(**kernel) if isinstance(kernel, dict) else kernel), found["extensions"]


def why_no_import(modules: Sequence[str]) -> dict[str, str]:
    """Why these cannot be imported, by name; another process tries, as a kernel would."""
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _IMPORT, *modules],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env=os.environ | {"PYTHONUTF8": "1"},
            timeout=_ASKING_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {modules[0]: f"no answer ({error})"}
    if tried.returncode != 0:  # ended outright, by a library in C or by os._exit
        return {modules[0]: f"Python ended with exit code {tried.returncode}"}
    refusals: dict[str, str] = json.loads(tried.stdout.splitlines()[-1])
    return refusals


def needed_packages() -> list[Needed]:
    """What the kit needs, and what ipywidgets needs: each with the version that is installed."""
    try:
        return [*_needed_by("alembic-sim"), *_needed_by("ipywidgets")]
    except ImportError:
        return [Needed("packaging", "jupyterlab", "", None, False)]


def _needed_by(name: str) -> Iterator[Needed]:
    from packaging.requirements import Requirement  # it comes with JupyterLab

    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": ""}):
            continue
        installed = _version_of(wanted.name)
        fits = installed is not None and wanted.specifier.contains(installed, prereleases=True)
        yield Needed(wanted.name, name, str(wanted.specifier), installed, fits)


def pins(constraints: Path) -> Mapping[str, str]:
    """The versions that `constraints.txt` pins for this machine; empty without the file."""
    found: dict[str, str] = {}
    try:
        from packaging.requirements import InvalidRequirement, Requirement

        lines = constraints.read_text(encoding="utf-8").splitlines()
    except (OSError, ImportError):
        return found
    for line in lines:
        try:
            pin = Requirement(line)
        except InvalidRequirement:
            continue
        if pin.marker is None or pin.marker.evaluate():
            found[pin.name] = str(pin.specifier).removeprefix("==")
    return found


def installed_versions(names: Mapping[str, str]) -> dict[str, str]:
    """The versions of those packages that are installed."""
    versions = ((name, _version_of(name)) for name in names)
    return {name: version for name, version in versions if version is not None}


def _version_of(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def why_not_writable(folder: Path) -> str | None:
    """Why no file can be written in the folder, or in the one that it would be made in."""
    place = folder.absolute()
    try:
        while not place.exists():
            place = place.parent
        if not place.is_dir():
            return f"{place} is a file"
        with tempfile.TemporaryFile(dir=place):
            return None
    except OSError as error:
        return error.strerror or str(error)


def why_no_loopback() -> str | None:
    """Why a byte cannot be sent from this machine to itself."""
    try:
        with socket.socket() as server, socket.socket() as client:
            server.settimeout(5)
            client.settimeout(5)
            server.bind((LOOPBACK, 0))
            server.listen(1)
            client.connect(server.getsockname())
            accepted, _address = server.accept()
            with accepted:
                client.sendall(b"?")
                return None if accepted.recv(1) == b"?" else "what was sent did not arrive"
    except OSError as error:
        return error.strerror or str(error)


def encodings() -> dict[str, str]:
    """The encodings of file names and of what is printed."""
    return {
        "file names": sys.getfilesystemencoding(),
        "output": getattr(sys.stdout, "encoding", None) or "none",
    }
