"""Which paths an adapter accepts: relative, inside the root, nothing clever."""

from __future__ import annotations

from posixpath import basename

from alembic_sim.ports.fs import FsError
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten


def relative_path(path: object) -> Result[str, FsError]:
    """The path normalised (`""` is the root), or `outside-root`."""
    if not isinstance(path, str):
        return _refused(path, "a path is a text")
    if path.startswith("/") or "\\" in path or "\0" in path or ":" in path.split("/")[0]:
        return _refused(path, "a path is relative, with forward slashes")
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return _refused(path, "a path is encodable text")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        return _refused(path, "a path does not climb with `..`")
    return Ok("/".join(parts))


def is_temp_name(path: str) -> bool:
    """True for `.NAME.tmp`, the only kind of file that may be removed."""
    name = basename(path)
    return name.startswith(".") and name.endswith(".tmp") and len(name) > len("..tmp")


def _refused(path: object, rule: str) -> Err[FsError]:
    why = f"{shorten(path, 80)} is not a path inside the root"
    return Err(FsError("outside-root", f"{why}: {rule}"))


def check_data(path: str, data: object) -> Result[None, FsError]:
    """Ok if the data is bytes: what a file takes."""
    if isinstance(data, bytes):
        return Ok(None)
    return Err(FsError("io", f"{path}: the data is {type(data).__name__}, not bytes"))


def check_amount(path: str, amount: object) -> Result[None, FsError]:
    """Ok if the amount (of bytes, of ms) is a number ≥ 0, or None: no bound."""
    if amount is None:
        return Ok(None)
    if isinstance(amount, int | float) and not isinstance(amount, bool) and amount >= 0:
        return Ok(None)
    return Err(FsError("io", f"{path}: {shorten(amount)} is not a number ≥ 0"))
