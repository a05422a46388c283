"""Entries that look like two: a delimiter was lost or damaged between them.

What cannot be decided is left in peace: two entries joined by nothing but a newline, neither of
which stands elsewhere, are one entry to every reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alembic_sim.hermes.linting.entry_places import PlacedEntry
from alembic_sim.hermes.memory.decide import preview
from alembic_sim.hermes.memory.entry_text import SECTION_SIGN

MAX_COMPARED_CHARS = 20_000
"""Larger files, nine times over the limit, are not searched for entries within entries: each pair
is looked at, and such a file fails for its size anyway."""


@dataclass(frozen=True, slots=True)
class MergeSign:
    """Why the entry looks like two, and at which line of the file."""

    entry: PlacedEntry
    line: int
    why: str


def merge_signs(parts: tuple[PlacedEntry, ...]) -> Iterator[MergeSign]:
    """Each sign that an entry is two; there are three.

    1. A line that would be the delimiter but for blanks, invisible marks or a second `§`.
    2. A `§` glued to a word where a delimiter lost a newline: `§word` at the start of a line that
       is not the entry's first, `word§` at the end of one that is not its last. `§ 5`, `§5` and a
       `§` amid a line are prose.
    3. All lines of another entry, whole and in a row, among the lines of this one.
    """
    for part in parts:
        lines = part.text.split("\n")
        for at, line in enumerate(lines):
            why = _near_delimiter(line) or _glued(line, at == 0, at == len(lines) - 1)
            if why is not None:
                yield MergeSign(part, part.line + at, why)
    if sum(len(part.text) for part in parts) <= MAX_COMPARED_CHARS:
        yield from _holding_others(parts)


def _near_delimiter(line: str) -> str | None:
    bare = "".join(c for c in line if c.isprintable() and not c.isspace())
    if line != SECTION_SIGN and bare and set(bare) == {SECTION_SIGN}:
        return f"the line {line!r} is almost the delimiter, which is '§' and nothing else"
    return None


def _glued(line: str, is_first: bool, is_last: bool) -> str | None:
    starts = line.startswith(SECTION_SIGN) and line[1:2].isalpha() and not is_first
    ends = line.endswith(SECTION_SIGN) and line[-2:-1].isalpha() and not is_last
    if starts or ends:
        return f"the line {preview(line)} has a '§' glued to a word, as if a newline were missing"
    return None


def _holding_others(parts: tuple[PlacedEntry, ...]) -> Iterator[MergeSign]:
    framed = {part.text: (part, _framed(part.text)) for part in reversed(parts) if part.text}
    distinct = tuple(reversed(framed.values()))
    for part, lines in distinct:
        for other, wanted in distinct:
            at = lines.find(wanted) if other is not part else -1
            if at >= 0:
                where = f"entry {other.number} (line {other.line}, {preview(other.text)})"
                line = part.line + lines.count("\n", 0, at)
                yield MergeSign(part, line, f"it holds the whole of {where}")


def _framed(text: str) -> str:
    """The lines without blanks around them, each between newlines: whole lines match whole ones."""
    return "\n" + "".join(f"{line.strip()}\n" for line in text.split("\n"))
