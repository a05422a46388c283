"""read_text and write_text: conveniences that every file adapter offers over its primitives."""

from __future__ import annotations

from alembic_sim.durable import WriteError, write_atomic
from alembic_sim.guarded import relative_path
from alembic_sim.ports.fs import FsError, FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten


class TextFiles:
    """Mixed into an adapter: UTF-8 text in and out, parents made, written atomically."""

    def read_text(self: FsPort, path: str) -> Result[str, FsError]:
        """The file as text; `io` if it is not UTF-8."""
        read = self.read(path)
        if not read.ok:
            return read
        try:
            return Ok(read.value.decode("utf-8"))
        except UnicodeDecodeError as error:
            return Err(FsError("io", f"{path}: {not_utf8(error)}"))

    def write_text(self: FsPort, path: str, text: str) -> Result[None, FsError | WriteError]:
        """Ok once the text is durably there, in UTF-8 and with the newlines given."""
        name = relative_path(path)
        if not name.ok:
            return name
        try:
            data = str.encode(text, "utf-8")
        except TypeError:
            return Err(FsError("io", f"{path}: {shorten(text)} is not text"))
        except UnicodeEncodeError as error:
            return Err(FsError("io", f"{path}: {not_utf8(error)}"))
        return write_atomic(self, path, data)
