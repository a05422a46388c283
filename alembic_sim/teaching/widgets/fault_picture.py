"""The picture of `FaultBench`: the file operations of one use, and what they leave behind."""

from __future__ import annotations

from posixpath import basename

from alembic_sim.adapters.faulty_fs import Operation
from alembic_sim.teaching.palette import FAINT, GREEN, MUTED, SHADE, VERMILION, Mark
from alembic_sim.teaching.svg import Svg, box, marker, picture, words
from alembic_sim.teaching.widgets.fault_trace import SKILL, USES_BEFORE, Left, Trace

_FINE = Mark(GREEN, "circle", "#DDF2EB")
_BROKEN = Mark(VERMILION, "cross", "#FAE4D8")

_GLOSSES = {
    "lock": "nobody else writes meanwhile",
    "read": "what is there now",
    "stat": "is it there already?",
    "mkdir": "make the folder",
    "list": "what else is there?",
    "remove_temp": "sweep what a crash left",
    "write": "new bytes",
    "append": "more bytes",
    "sync": "make the bytes durable",
    "replace": "give them the name",
    "sync_dir": "make the name durable",
}
_OUTCOMES = {"io": "fails", "no-space": "no space left"}
_ROW, _TOP, _PANEL = 38.0, 72.0, 404.0
_LEAST_ROWS = 7


def draw_fault_bench(trace: Trace, summary: str) -> Svg:
    """Left the operations in their order, right the answer, the disk, and the next use."""
    rows = max(len(trace.operations), _LEAST_ROWS)
    height = _TOP + rows * _ROW + 16
    pieces = [
        words(24, 34, "The file operations of one use", size=15, bold=True),
        words(24, 53, f"{SKILL}: {USES_BEFORE} uses before", size=12, fill=MUTED),
        *(_operation(place, one) for place, one in enumerate(trace.operations)),
        _panel(0, "The call answers", (trace.answer,), trace.answer == "Ok"),
        _panel(1, "On disk then", _disks(trace.lefts), trace.keeps_its_word),
        _panel(2, "After the next use", _next(trace.lefts), _is_whole(trace.lefts)),
        words(_PANEL, 316, _verdict(trace), size=15, bold=True),
    ]
    return picture("A disk that fails", summary, max(height, 340), *pieces)


def _operation(place: int, operation: Operation) -> str:
    y = _TOP + place * _ROW
    fine = operation.outcome == "ok" or operation.outcome == "missing"
    mark = _FINE if fine else _BROKEN
    where = _name(operation.path)
    if operation.target is not None:
        where = f"{where} → {_name(operation.target)}"
    outcome = "" if fine else f": {_OUTCOMES.get(operation.outcome, operation.outcome)}"
    return (
        marker(34, y + 10, mark, size=6)
        + words(50, y + 15, f"{operation.number}  {operation.name}{outcome}", size=14, bold=True)
        + words(50, y + 30, f"{where}: {_GLOSSES[operation.name]}", size=12, fill=MUTED)
    )


def _name(path: str) -> str:
    if path.endswith(".tmp"):
        return "the temporary file"
    return basename(path) or "(the root)"


def _panel(place: int, title: str, lines: tuple[str, ...], fine: bool) -> str:
    y = 20 + place * 92
    return (
        box(_PANEL, y, 276, 80, fill=SHADE, stroke=FAINT, stroke_width=1)
        + words(_PANEL + 14, y + 22, title, size=12, fill=MUTED)
        + marker(_PANEL + 22, y + 43, _FINE if fine else _BROKEN, size=6)
        + "".join(
            words(_PANEL + 38, y + 48 + 20 * row, line, size=14) for row, line in enumerate(lines)
        )
    )


def _disks(lefts: tuple[Left, ...]) -> tuple[str, ...]:
    told = list(dict.fromkeys(_count(left.uses) for left in lefts))
    return (", or ".join(told[:2]), *(f"or {one}" for one in told[2:]))


def _next(lefts: tuple[Left, ...]) -> tuple[str, ...]:
    told = ", or ".join(dict.fromkeys(_count(left.uses_next) for left in lefts))
    temporary = max(left.temporary for left in lefts)
    return told, f"temporary files: {temporary or 'none'}"


def _count(uses: int | None) -> str:
    if uses is None:
        return "unreadable"
    return f"{uses} use" if uses == 1 else f"{uses} uses"


def _is_whole(lefts: tuple[Left, ...]) -> bool:
    return all(
        left.uses_next is not None and left.uses_next > USES_BEFORE and not left.temporary
        for left in lefts
    )


def _verdict(trace: Trace) -> str:
    if trace.keeps_its_word:
        return "Nothing is lost."
    return "Uses can be lost." if len(trace.lefts) > 1 else "Uses are lost."
