"""Which paths an adapter accepts: relative, inside the root, nothing clever."""

from __future__ import annotations

from posixpath import basename

from alembic_sim.guarded import relative_path as relative_path
from alembic_sim.ports.fs import FsError
from alembic_sim.result import Err, Result
from alembic_sim.shorten import shorten


def is_temp_name(path: str) -> bool:
    """True for `.NAME.tmp`, the only kind of file that may be removed."""
    name = basename(path)
    return name.startswith(".") and name.endswith(".tmp") and len(name) > len("..tmp")


def check_data(path: object, data: object) -> Result[str, FsError]:
    """The path normalised, if the data is bytes: what a file takes."""
    name = relative_path(path)
    if not name.ok or isinstance(data, bytes):
        return name
    return Err(FsError("io", f"{path}: the data is {type(data).__name__}, not bytes"))


def check_amount(path: object, amount: object) -> Result[str, FsError]:
    """The path normalised, if the amount (of bytes, of ms) is a whole number ≥ 0."""
    name = relative_path(path)
    whole = isinstance(amount, int) and not isinstance(amount, bool) and amount >= 0
    if not name.ok or whole:
        return name
    return Err(FsError("io", f"{path}: {shorten(amount)} is not a whole number ≥ 0"))
