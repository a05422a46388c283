"""What differs between two notebooks, told cell by cell so that a person can act on it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from alembic_sim.teaching.lessons.notebook import Cell, Notebook, outputs_of, shown_texts, source_of
from alembic_sim.teaching.lessons.widget_state import Models, models_of

SHOWN_LINES = 12
"""How many lines of a difference are shown."""

SHOWN_CHARS = 120
"""How much of a long line is shown: an SVG is one line."""


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
    found += _in_metadata(stored, fresh)
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
        yield Difference(place, "the source", diff_lines(source_of(old), source_of(new)))
    if _shown(old) != _shown(new):
        told = True
        yield Difference(place, "the output", diff_lines(_shown(old), _shown(new)))
    elif outputs_of(old) != outputs_of(new) or old.get("execution_count") != new.get(
        "execution_count"
    ):
        told = True
        yield Difference(place, "how the output is stored (counts, ids or layout)")
    if not told:
        yield Difference(place, "the cell's id or metadata")


def _in_metadata(stored: Notebook, fresh: Notebook) -> Iterator[Difference]:
    old, new = models_of(stored), models_of(fresh)
    if old != new:
        differing = [one for one in {**old, **new} if old.get(one) != new.get(one)]
        lines = diff_lines(_as_text(old), _as_text(new))
        yield Difference(None, f"the stored state of {len(differing)} widget models", lines)
    elif stored.get("metadata") != fresh.get("metadata"):
        yield Difference(None, "the notebook's metadata")


def _as_text(models: Models) -> str:
    return json.dumps(models, ensure_ascii=False, indent=1, sort_keys=True)


def _shown(cell: Cell) -> str:
    """The cell's outputs as text, each under the name of its kind."""
    parts = [
        f"[{kind}]\n{text}" for output in outputs_of(cell) for kind, text in shown_texts(output)
    ]
    return "\n".join(parts)


def diff_lines(old: str, new: str) -> tuple[str, ...]:
    """The lines that differ, `-` old and `+` new, each short and safe to print on a terminal."""
    removed_and_added: list[str] = []
    old_lines, new_lines = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind != "equal":
            removed_and_added += _hunk(old_lines[old_from:old_to], new_lines[new_from:new_to])
    if not removed_and_added and old != new:
        return (f"-{old[-SHOWN_CHARS:]!r}", f"+{new[-SHOWN_CHARS:]!r}")  # line ends, at the end
    if len(removed_and_added) > SHOWN_LINES:
        rest = len(removed_and_added) - SHOWN_LINES
        return (*removed_and_added[:SHOWN_LINES], f"… and {rest} lines more")
    return tuple(removed_and_added)


def _hunk(old: list[str], new: list[str]) -> list[str]:
    """The lines of one place; where one stands against one, both are cut at the same column."""
    pairs = list(zip_longest(old, new, fillvalue=""))
    cuts = [_where_they_part(*pair) if len(old) == len(new) else 0 for pair in pairs]
    quoted = len(old) == len(new) and any(a.split() == b.split() for a, b in pairs)
    removed = [f"-{_piece(text, cut, quoted)}" for text, cut in zip(old, cuts, strict=False)]
    added = [f"+{_piece(text, cut, quoted)}" for text, cut in zip(new, cuts, strict=False)]
    return removed + added


def _where_they_part(old: str, new: str) -> int:
    """The column from which a long line is shown, so that the first difference is seen."""
    same = next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), None)
    column = min(len(old), len(new)) if same is None else same
    return max(0, column - SHOWN_CHARS // 3) if max(len(old), len(new)) > SHOWN_CHARS else 0


def _piece(text: str, cut: int, quoted: bool) -> str:
    """The part of a line that is shown; quoted where only white space differs."""
    shown = text[cut : cut + SHOWN_CHARS]
    safe = repr(shown) if quoted else "".join(map(_safe, shown))
    return f"{'…' if cut else ''}{safe}{'…' if len(text) > cut + SHOWN_CHARS else ''}"


def _safe(character: str) -> str:
    """The character, or its escape if a terminal would act on it instead of showing it."""
    return character if character.isprintable() or character == "\t" else repr(character)[1:-1]
