"""A memory file, one character a cell: the notes, the delimiters between them, and the limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.memory.entry_text import ENTRY_DELIMITER, serialise_entries
from alembic_sim.hermes.memory.memory_store import MemoryStore
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.teaching.palette import BLUE, GREEN, INK, MUTED, ORANGE, VERMILION, Mark
from alembic_sim.teaching.svg import Svg, box, line, marker, picture, words

NOTE, DELIMITER = Mark(BLUE, "square", "#D9EAF5"), Mark(ORANGE, "diamond", "#FCF0D4")
ADDED, REFUSED = Mark(GREEN, "circle", "#DDF2EB"), Mark(VERMILION, "cross", "#FAE4D8")

A_ROW = 30
"""So many cells stand side by side."""

_LEFT, _TOP, _CELL, _ROW = 16.0, 62.0, 22.0, 48.0


def draw_memory_characters(entries: Sequence[str], note: str, limit: int) -> Svg:
    """What the real store says to one more note, counted out character by character."""
    disk = MemoryFs({"memory/MEMORY.md": serialise_entries(entries)})
    store = MemoryStore(disk, memory_char_limit=limit)
    done = store.apply("memory", Add(note))
    after = store.entries("memory") if done.ok else (*entries, note)
    before, wanted = serialise_entries(entries), serialise_entries(after)
    told = done.value.kind if done.ok else f"refused ({done.error.code})"
    new = ADDED if done.ok else REFUSED
    rows = (max(len(wanted), limit) - 1) // A_ROW + 1
    bottom = _TOP + rows * _ROW
    sum_up = f"before: {len(before)} · with the note: {len(wanted)} · limit: {limit} · {told}"
    marks = [NOTE] * len(entries) + [new]
    pieces = [
        _legend(new, told),
        *(_cell(place, *one) for place, one in enumerate(_cells(after, marks))),
        _edge(limit),
        words(_LEFT, bottom + 18, sum_up, size=14, bold=True),
    ]
    summary = (
        f"The file holds {len(before)} of {limit} characters. The note has {len(note)}; with it "
        f"the file would hold {len(wanted)}. The store says: {told}."
    )
    return picture("A memory file, character by character", summary, bottom + 34, *pieces)


def _cells(entries: Sequence[str], marks: Sequence[Mark]) -> Iterator[tuple[str, Mark]]:
    """Each character of the file, and what it belongs to."""
    for place, entry in enumerate(entries):
        if place:
            yield from ((sign, DELIMITER) for sign in ENTRY_DELIMITER)
        yield from ((sign, marks[place]) for sign in entry)


def _legend(new: Mark, told: str) -> str:
    shown = ((NOTE, "a note"), (DELIMITER, "a delimiter"), (new, f"the new note: {told}"))
    return "".join(
        marker(x, 26, mark) + words(x + 16, 31, name, size=13)
        for x, (mark, name) in zip((24, 128, 264), shown, strict=True)
    )


def _cell(place: int, sign: str, mark: Mark) -> str:
    x, y = _corner(place)
    frame = box(x, y, _CELL, 28, fill=mark.tint, stroke=mark.colour, stroke_width=1, rounding=2)
    seen = {"\n": "⏎", " ": "␣"}.get(sign, sign)
    return frame + words(
        x + _CELL / 2, y + 19, seen, size=13, anchor="middle", fill=MUTED if seen == "␣" else INK
    )


def _edge(limit: int) -> str:
    """A thick line behind the last character that the limit allows."""
    x, y = _corner(max(0, limit - 1))
    x += _CELL if limit else 0
    return line((x, y - 8), (x, y + 36), stroke_width=3)


def _corner(place: int) -> tuple[float, float]:
    row, column = divmod(place, A_ROW)
    return _LEFT + column * _CELL, _TOP + row * _ROW
