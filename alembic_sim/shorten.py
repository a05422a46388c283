"""Any value, and any exception, as a short text for a message: whatever it is, never raising."""

from __future__ import annotations

import re


def shorten(value: object, limit: int = 60) -> str:
    """The value's repr, at most `limit` characters of it, without addresses; never raises.

    >>> shorten("a" * 100, 10)
    "'aaaaaaaa…"
    """
    try:
        text = re.sub(r" at 0x[0-9A-Fa-f]+", "", repr(value))
    except Exception:  # a user's __repr__, or an integer of more digits than Python prints
        text = f"a {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def not_utf8(error: UnicodeError) -> str:
    """Why bytes are not UTF-8 text, or a text cannot become it: at which place."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    if isinstance(error, UnicodeEncodeError):
        return f"character {error.start} is a lone surrogate"
    return "not UTF-8"


def raised(error: BaseException) -> str:
    """The exception as `Type: message`, also when its message cannot be had.

    >>> raised(ValueError("no"))
    'ValueError: no'
    """
    try:
        message = str(error)
    except Exception:  # a user's exception may fail to say what it is
        message = "(no message)"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
