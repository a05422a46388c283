"""ISO instants to integer milliseconds and back; a time without a zone means UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

_EPOCH = datetime(1970, 1, 1)
_MS = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class IsoError:
    """Why a text is not an instant."""

    code: str
    message: str


def ms_from_iso(text: object) -> Result[int, IsoError]:
    """Milliseconds since the Unix epoch, floored; `bad-instant` for anything but ISO 8601.

    >>> ms_from_iso("1970-01-02T00:00:00Z")
    Ok(value=86400000)
    """
    try:
        if not isinstance(text, str) or "\0" in text:  # fromisoformat stops reading at a NUL
            raise ValueError("not a text")
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        allowed = "an ISO instant such as 2025-01-01T00:00:00Z"
        return Err(IsoError("bad-instant", f"{shorten(text)} is not {allowed}"))
    offset = when.utcoffset() or timedelta(0)
    return Ok((when.replace(tzinfo=None) - _EPOCH - offset) // _MS)


def iso_from_ms(ms: int) -> str:
    """The instant with milliseconds and `Z`, as JavaScript's `toISOString` prints it.

    Beyond the years 1 to 9999 it is the number itself, as `<ms>ms`.

    >>> iso_from_ms(86_400_000)
    '1970-01-02T00:00:00.000Z'
    """
    try:
        return (_EPOCH + ms * _MS).isoformat(timespec="milliseconds") + "Z"
    except OverflowError:
        return f"{ms}ms"
