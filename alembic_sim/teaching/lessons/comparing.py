"""Compares what a cell stores with what it shows now, as strictly as nbval does: kind by kind.

Compared are stdout, stderr, every mime type and an error's name and message. Not compared are
pixels, the ids of widgets (their text is compared), tracebacks, counts, and the order in which
streams and displays came.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from alembic_sim.teaching.lessons.differences import diff_lines
from alembic_sim.teaching.lessons.notebook import Cell, is_json, is_text, joined, outputs_of
from alembic_sim.teaching.lessons.widget_state import WIDGET_VIEW


@dataclass(frozen=True, slots=True)
class Stale:
    """A kind of output that is not what is stored, and the lines in which it differs."""

    kind: str
    lines: tuple[str, ...]


def stale_outputs(stored: Cell, fresh: Cell) -> tuple[Stale, ...]:
    """Each kind of output in which the cell does not show what it stores."""
    old, new = _by_kind(stored), _by_kind(fresh)
    return tuple(
        Stale(kind, diff_lines("\n".join(old.get(kind, [])), "\n".join(new.get(kind, []))))
        for kind in sorted({*old, *new})
        if old.get(kind) != new.get(kind)
    )


def pictures_in(cell: Cell) -> int:
    """How many pictures of pixels the cell stores: nobody compares them."""
    return sum(1 for output in outputs_of(cell) if any(map(_is_pixels, output.get("data", {}))))


def _by_kind(cell: Cell) -> dict[str, list[str]]:
    """What the cell shows: the whole of each stream, and each value of the other kinds."""
    shown: dict[str, list[str]] = {}
    for output in outputs_of(cell):
        for kind, text in _texts(output):
            if output["output_type"] == "stream":
                shown[kind] = ["".join([*shown.get(kind, []), text])]
            else:
                shown.setdefault(kind, []).append(text)
    return shown


def _texts(output: dict[str, Any]) -> Iterator[tuple[str, str]]:
    match output["output_type"]:
        case "stream":
            yield output["name"], joined(output["text"])
        case "error":
            yield "error", f"{output['ename']}: {output['evalue']}"
        case _:
            for mime, value in output["data"].items():
                if is_json(mime) and mime != WIDGET_VIEW:
                    yield mime, json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)
                elif is_text(mime, value):
                    yield mime, joined(value)


def _is_pixels(mime: str) -> bool:
    return mime.startswith("image/") and mime != "image/svg+xml"
