"""read_input: the bytes of a file that somebody named, if it is one and is not too large."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISDIR, S_ISREG

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten


def read_input(path: object, max_bytes: int) -> Result[bytes, str]:
    """The file's bytes, or why there are none; the reason begins with the path.

    A pipe is not waited for, and a device that never ends is not read.
    """
    try:
        file = Path(path)  # type: ignore[arg-type]
        found = file.stat()
        if S_ISDIR(found.st_mode):
            return Err(f"{path}: cannot be read: a folder")
        if not S_ISREG(found.st_mode):
            return Err(f"{path}: cannot be read: a pipe, a socket or a device")
        if found.st_size > max_bytes:
            return Err(f"{path}: more than {max_bytes} bytes")
        return Ok(file.read_bytes())
    except OSError as error:
        return Err(f"{path}: cannot be read: {error.strerror or error}")
    except (TypeError, ValueError) as error:  # no path at all; a NUL in it
        return Err(f"{shorten(path)}: not a path: {error}")
