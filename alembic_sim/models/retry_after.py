"""The Retry-After header in milliseconds: seconds, or a date compared with the response's own."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime


def retry_after_ms(retry_after: str | None, date: str | None) -> int | None:
    """How long the server asks to be left alone; `None` if it does not say, or not readably.

    A date is taken relative to the server's own `Date`, so that no clock of ours is needed and
    one that is wrong does no harm (RFC 9110, 10.2.3).

    >>> retry_after_ms("2", None), retry_after_ms("soon", None)
    (2000, None)
    """
    text = (retry_after or "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text):
        return round(float(text) * 1_000)
    until, now = _http_date(text), _http_date(date or "")
    if until is None or now is None:
        return None
    return max(0, round((until - now).total_seconds() * 1_000))


def _http_date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).replace(tzinfo=None)  # an HTTP date is always GMT
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
