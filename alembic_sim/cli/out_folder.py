"""The folder that `--out` names: what a run or a sweep leaves there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import fail, warn
from alembic_sim.durable import write_atomic


def write_out(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files into the folder; one that cannot be written ends with exit 1.

    What another run left there is replaced, and that is said.
    """
    folder = folder.expanduser().absolute()
    replaced = [name for name, data in files.items() if _differs(folder / name, data)]
    if replaced:
        warn(f"{folder}: replaced what another run had left there ({', '.join(replaced)})")
    for name, data in files.items():
        written = write_atomic(DiskFs(folder.parent), f"{folder.name}/{name}".lstrip("/"), data)
        if not written.ok:
            fail(f"{folder / name} could not be written: {written.error.message}")


def _differs(file: Path, data: bytes) -> bool:
    """True if there is a file with other bytes; what cannot be read is left to the writing."""
    try:
        return file.is_file() and file.read_bytes() != data
    except OSError:
        return False
