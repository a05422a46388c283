"""Where each entry of a memory file stands: the parser's entries, but none dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alembic_sim.hermes.memory.entry_text import SECTION_SIGN, normalise_newlines, parse_entries


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """One part between delimiters; `text` is empty if it is blank. Both numbers count from 1.

    `number` counts every part, blank and repeated ones too, as a person does who reads the file.
    """

    number: int
    line: int
    text: str


def place_entries(text: str) -> tuple[PlacedEntry, ...]:
    """Every part of the file, in order; an empty file has none.

    Without blanks and repeats their texts are what `parse_entries` returns.
    """
    parts = tuple(_placed(text))
    return parts if any(part.text for part in parts) or len(parts) > 1 else ()


def _placed(text: str) -> Iterator[PlacedEntry]:
    lines = normalise_newlines(text).lstrip("\ufeff").split("\n")
    start = 0
    ends = [*(at for at, line in enumerate(lines) if line == SECTION_SIGN), len(lines)]
    for number, end in enumerate(ends, start=1):
        part = lines[start:end]
        entry = "".join(parse_entries("\n".join(part)))  # one entry, or none: no delimiter in it
        blank_lines = next((at for at, line in enumerate(part) if parse_entries(line)), 0)
        yield PlacedEntry(number, start + blank_lines + 1, entry)
        start = end + 1
