"""Text that came from a file, made safe to print: it cannot drive the terminal."""

from __future__ import annotations


def visible(text: str) -> str:
    """The text with its control characters shown, as `\\x1b`; newlines stay."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def visible_line(text: str) -> str:
    """The same on one line: newlines are shown too, as `\\n`."""
    return visible(text).replace("\n", "\\n")
