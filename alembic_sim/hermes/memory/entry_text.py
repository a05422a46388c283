"""How entries become the text of a memory file, and how that text becomes entries again."""

from __future__ import annotations

import re
from collections.abc import Iterable

SECTION_SIGN = "§"
ENTRY_DELIMITER = f"\n{SECTION_SIGN}\n"
"""A section sign on a line of its own (seed 2 §1). A § inside prose separates nothing."""

_EDGE = re.compile("\\A[\\s\ufeff]+")  # white space, and the byte-order marks that editors leave


def parse_entries(text: str) -> tuple[str, ...]:
    """The entries of a memory file, in order, blanks and exact duplicates dropped.

    `parse_entries(serialise_entries(entries)) == entries` for all that this returns.
    """
    parts: list[list[str]] = [[]]
    for line in normalise_newlines(text).lstrip("\ufeff").split("\n"):
        if line == SECTION_SIGN:
            parts.append([])
        else:
            parts[-1].append(line)
    return tuple(dict.fromkeys(filter(None, map(_trim, parts))))


def serialise_entries(entries: Iterable[str]) -> str:
    """The text of a memory file: entries joined by the delimiter, no final newline."""
    return ENTRY_DELIMITER.join(entries)


def clean_text(text: str) -> str:
    """The text as a store keeps it: newlines as LF, nothing blank around it, no leading BOM."""
    return _EDGE.sub("", normalise_newlines(text)).rstrip()


def normalise_newlines(text: str) -> str:
    """The text with CRLF and CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def holds_delimiter_line(text: str) -> bool:
    """True if a line of the text is exactly `§`: such an entry would come back as two."""
    return SECTION_SIGN in text.split("\n")


def _trim(lines: list[str]) -> str:
    """The part without the blanks around it, nor the `§` lines that dropping blanks lays bare.

    A part `"  §"` would otherwise be written as a delimiter and never come back.
    """
    first, last = 0, len(lines)
    while first < last:
        head = _EDGE.sub("", lines[first])
        if head.strip() and head != SECTION_SIGN:
            lines[first] = head
            break
        first += 1
    while first < last:
        tail = lines[last - 1].rstrip()
        if tail and tail != SECTION_SIGN:
            lines[last - 1] = tail
            break
        last -= 1
    return "\n".join(lines[first:last])
