"""Reading and writing side by side: the same disk fails, and the store answers in opposite ways."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.fault_plan import FaultPlan
from alembic_sim.adapters.faulty_fs import FaultyFs
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH as PATH
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.teaching.palette import FAINT, GREEN, MUTED, SHADE, VERMILION, Mark
from alembic_sim.teaching.svg import Svg, arrow, box, marker, picture, words

_GOES_ON = Mark(GREEN, "circle", "#DDF2EB")
_SAYS_SO = Mark(VERMILION, "diamond", "#FAE4D8")
_GOOD = serialise_sidecar(UsageSidecar({"fix-ci": UsageRecord(use_count=3)}))
_LEFT, _RIGHT, _WIDTH, _ROW = 16.0, 358.0, 326.0, 34.0

_BROKEN_FILES = (
    ("the file is missing", None),
    ("it is empty", b""),
    ("it is cut off", _GOOD[:40]),
    ("it holds a list", b"[]"),
    ("it is not UTF-8", b"\xff\xfe"),
)
_FAILING = (
    ("taking the lock fails", "lock"),
    ("writing fails", "write"),
    ("syncing fails", "sync"),
    ("renaming fails", "replace"),
    ("syncing the folder fails", "sync_dir"),
)


@dataclass(frozen=True, slots=True)
class _Row:
    trouble: str
    answer: str


def draw_read_write_asymmetry() -> Svg:
    """Every answer is the real store's: a failed read is empty, a failed write is an Err."""
    reads = [_Row(trouble, _read(data)) for trouble, data in _BROKEN_FILES]
    writes = [_Row(trouble, _write(operation)) for trouble, operation in _FAILING]
    bottom = 78 + _ROW * max(len(reads), len(writes))
    pieces = [
        _column(_LEFT, "load(): a read that fails", reads, _GOES_ON, bottom),
        _column(_RIGHT, "record(): a write that fails", writes, _SAYS_SO, bottom),
        words(_LEFT + 16, bottom + 28, "The host's call goes on.", size=14, bold=True),
        words(_RIGHT + 16, bottom + 28, "The caller is told; no byte is lost.", size=14, bold=True),
    ]
    told_reads = "; ".join(f"{row.trouble}: {row.answer}" for row in reads)
    told_writes = "; ".join(f"{row.trouble}: {row.answer}" for row in writes)
    summary = f"Reading, best effort: {told_reads}. Writing, all or nothing: {told_writes}."
    return picture("Reading and writing fail in opposite ways", summary, bottom + 48, *pieces)


def _column(x: float, title: str, rows: list[_Row], mark: Mark, bottom: float) -> str:
    pieces = [
        box(x, 12, _WIDTH, bottom - 8, fill=SHADE, stroke=FAINT, stroke_width=1),
        words(x + 16, 40, title, size=15, bold=True),
    ]
    for place, row in enumerate(rows):
        y = 72 + place * _ROW
        pieces += [
            words(x + 16, y, row.trouble, size=13, fill=MUTED),
            arrow((x + 172, y - 5), (x + 190, y - 5), stroke=MUTED),
            marker(x + 204, y - 5, mark, size=5),
            words(x + 216, y, row.answer, size=13),
        ]
    return "".join(pieces)


def _read(data: bytes | None) -> str:
    fs = MemoryFs({} if data is None else {PATH: data})
    names = UsageStore(fs, FakeClock()).load().names()
    return f"{len(names)} skills" if names else "no skills"


def _write(operation: str) -> str:
    """What `record` answers when this operation fails, whatever its number is."""
    counted = FaultyFs(MemoryFs({PATH: _GOOD}))
    UsageStore(counted, FakeClock()).record("fix-ci", "use")
    at = next(one.number for one in counted.operations if one.name == operation)
    failing = FaultyFs(MemoryFs({PATH: _GOOD}), FaultPlan.fail(at))
    done = UsageStore(failing, FakeClock()).record("fix-ci", "use")
    return "Ok" if done.ok else done.error.code
