"""What one counted use leaves on a disk that fails it: the real store, over the real `FaultyFs`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.fault_plan import FaultPlan
from alembic_sim.adapters.faulty_fs import FaultyFs, Operation
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH as PATH
from alembic_sim.hermes.curator.usage_store import UsageStore
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Coded, Ok, Result
from alembic_sim.teaching.probing import EXAMPLE_NOW

SKILL = "fix-ci"
USES_BEFORE = 3

NO_ANSWER = "nothing: the power is off"

Writer = Callable[[FsPort], Result[object, Coded]]
"""Counts one more use of the skill on this disk."""


def write_in_place(fs: FsPort) -> Result[object, Coded]:
    """WRONG on purpose: the file itself is written over, and nothing is made durable."""
    read = fs.read(PATH)
    if not read.ok:
        return read
    record = parse_sidecar(read.value).records[SKILL]
    used = record.model_copy(update={"use_count": record.use_count + 1})
    return fs.write(PATH, serialise_sidecar(UsageSidecar({SKILL: used})))


def write_by_store(fs: FsPort) -> Result[object, Coded]:
    """The engine's own way."""
    return UsageStore(fs, FakeClock(EXAMPLE_NOW)).record(SKILL, "use")


WRITERS: dict[str, Writer] = {"by the store": write_by_store, "in place": write_in_place}

FATES: dict[str, Callable[[int], FaultPlan]] = {
    "fails once": FaultPlan.fail,
    "fails from there on": lambda at: FaultPlan.fail(at, persistent=True),
    "the disk fills up": lambda at: FaultPlan.short_write(at, kept=60),
    "the power goes": FaultPlan.crash,
}


@dataclass(frozen=True, slots=True)
class Left:
    """One disk as it may be afterwards: its count (None: unreadable), and that after one more use.

    `temporary` counts the temporary files that are still there after that further use.
    """

    uses: int | None
    uses_next: int | None
    temporary: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The operations of one use, what the call answered, and what may be left on the disk."""

    operations: tuple[Operation, ...]
    answer: str
    lefts: tuple[Left, ...]

    @property
    def keeps_its_word(self) -> bool:
        """True if no disk lost a use that was there before, or that was answered with Ok."""
        least = USES_BEFORE + 1 if self.answer == "Ok" else USES_BEFORE
        return all(left.uses is not None and left.uses >= least for left in self.lefts)


def trace_use(writer: str, fate: str, fail_at: int) -> Trace:
    """One use counted while operation `fail_at` goes wrong (0: none does), then looked at."""
    record = UsageRecord(
        created_by="agent", use_count=USES_BEFORE, last_activity_at=EXAMPLE_NOW - DAY_MS
    )
    disk = MemoryFs({PATH: serialise_sidecar(UsageSidecar({SKILL: record}))})
    fs = FaultyFs(disk, FATES[fate](fail_at) if fail_at else None)
    done = WRITERS[writer](fs)
    answer = "Ok" if done.ok else f"Err: {done.error.code}"
    if fate == "the power goes" and fail_at:
        after = [crashed.fs for crashed in fs.crash()]
        answer = "Ok" if done.ok else NO_ANSWER
    else:
        after = [MemoryFs(disk.files())]
    lefts = dict.fromkeys(_look(one) for one in after)
    return Trace(fs.operations, answer, tuple(lefts))


def _look(fs: MemoryFs) -> Left:
    """What the disk says, and what it says after one more use without any fault."""
    uses = _uses(fs)
    write_by_store(fs)
    listed = fs.list("skills")
    names = listed.value if isinstance(listed, Ok) else ()
    return Left(uses, _uses(fs), sum(name.endswith(".tmp") for name in names))


def _uses(fs: MemoryFs) -> int | None:
    read = fs.read(PATH)
    record = parse_sidecar(read.value).records.get(SKILL) if read.ok else None
    return None if record is None else record.use_count
