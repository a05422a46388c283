"""shorten: any value as a short text for a message, whatever the value is."""

from __future__ import annotations


def shorten(value: object, limit: int = 60) -> str:
    """The value's repr, at most `limit` characters of it; never raises.

    >>> shorten("a" * 100, 10)
    "'aaaaaaaa…"
    """
    try:
        text = repr(value)
    except Exception:  # a user's __repr__, or an integer of more digits than Python prints
        text = f"a {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
