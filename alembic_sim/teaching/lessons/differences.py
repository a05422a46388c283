"""What differs between two notebooks, told cell by cell so that a person can act on it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from alembic_sim.teaching.lessons.notebook import Cell, Notebook, outputs_of, shown_texts, source_of

SHOWN_LINES = 12
"""How many lines of a difference are shown."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: in which cell (counted from 1, None: the file), what, and how."""

    cell: int | None
    what: str
    lines: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal: the place, what differs, then `-` stored and `+` fresh lines."""
        place = "file" if self.cell is None else f"cell {self.cell}"
        return "\n".join([f"{place}: {self.what}", *(f"    {line}" for line in self.lines)])


def differences(stored: Notebook, fresh: Notebook) -> tuple[Difference, ...]:
    """Everything in which the stored notebook is not the fresh one; empty if they are equal."""
    if stored == fresh:
        return ()
    found = [
        difference
        for place, (old, new) in enumerate(zip_longest(stored["cells"], fresh["cells"]), start=1)
        for difference in _in_cell(place, old, new)
    ]
    if stored["metadata"] != fresh.get("metadata"):
        found.append(Difference(None, "the notebook's metadata"))
    return tuple(found or [Difference(None, "the format's version")])


def _in_cell(place: int, old: Cell | None, new: Cell | None) -> Iterator[Difference]:
    if old is None or new is None:
        yield Difference(place, "only one of the two has this cell")
        return
    if old == new:
        return
    told = False
    if source_of(old) != source_of(new):
        told = True
        yield Difference(place, "the source", _diff(source_of(old), source_of(new)))
    if _shown(old) != _shown(new):
        told = True
        yield Difference(place, "the output", _diff(_shown(old), _shown(new)))
    elif outputs_of(old) != outputs_of(new) or old.get("execution_count") != new.get(
        "execution_count"
    ):
        told = True
        yield Difference(place, "how the output is stored (counts, ids or layout)")
    if not told:
        yield Difference(place, "the cell's id or metadata")


def _shown(cell: Cell) -> str:
    """The cell's outputs as text, each under the name of its kind."""
    parts = [
        f"[{kind}]\n{text}" for output in outputs_of(cell) for kind, text in shown_texts(output)
    ]
    return "\n".join(parts)


def _diff(old: str, new: str) -> tuple[str, ...]:
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))[2:]
    told = [line[:160] for line in lines if not line.startswith("@@")]
    if len(told) > SHOWN_LINES:
        told = [*told[:SHOWN_LINES], f"… and {len(told) - SHOWN_LINES} lines more"]
    return tuple(told)
