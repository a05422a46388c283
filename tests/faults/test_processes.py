"""Several processes on one disk: no update is lost, and nobody waits for ever."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from alembic_sim import Add, DiskFs, FakeClock, MemoryStore, UsageStore
from alembic_sim.hermes.memory.sub_store import SubStore
from tests.faults.conftest import Amounts
from tests.faults.processes import finish, start
from tests.faults.tally import Tally

LOST = "lost updates"
STUCK = "a lock held by a stuck process"

# Locks keep updates from being lost, not syncs, and thousands of syncs take a minute.
UNSYNCED = "import os; os.fsync = lambda _handle: None\n"

COUNT_EVENTS = """
import sys
from alembic_sim import DiskFs, FakeClock, UsageStore
usage = UsageStore(DiskFs(sys.argv[1]), FakeClock())
for _ in range(1000):
    while not (done := usage.record("shared", "use")).ok:
        assert done.error.code == "lock-timeout", done  # a slow machine: ask again
"""

ADD_ENTRIES = """
import sys
from alembic_sim import Add, DiskFs, MemoryStore
store = MemoryStore(DiskFs(sys.argv[1]), memory_char_limit=100_000)
for number in range(50):
    while not (done := store.apply("memory", Add(f"{sys.argv[2]} says {number}"))).ok:
        assert done.error.code == "lock-timeout", done
"""

HOLD_LOCKS = """
import sys
from alembic_sim import DiskFs
fs = DiskFs(sys.argv[1])
held = [fs.lock(path, 1000).expect("a free lock") for path in sys.argv[2:]]
print("held", flush=True)
sys.stdin.read()
"""


def test_two_processes_count_a_thousand_events_each_and_none_is_lost(
    tmp_path: Path, amounts: Amounts, tally: Tally
) -> None:
    code = COUNT_EVENTS if amounts.synced else UNSYNCED + COUNT_EVENTS
    for process in [start(code, tmp_path) for _ in range(2)]:
        finish(process)
    counted = UsageStore(DiskFs(tmp_path), FakeClock()).get("shared").value.use_count
    tally.count(LOST, "telemetry events of 2,000", counted)
    assert counted == 2000


def test_six_processes_add_fifty_entries_each_and_none_is_lost(
    tmp_path: Path, amounts: Amounts, tally: Tally
) -> None:
    code = ADD_ENTRIES if amounts.synced else UNSYNCED + ADD_ENTRIES
    for process in [start(code, tmp_path, name) for name in "abcdef"]:
        finish(process)
    entries = MemoryStore(DiskFs(tmp_path)).entries("memory")
    tally.count(LOST, "entries of 300", len(entries))
    assert set(entries) == {f"{name} says {n}" for name in "abcdef" for n in range(50)}
    assert len(entries) == 300


MEMORY, SIDECAR, RECORDS = "memory/MEMORY.md", "skills/.usage.json", "memory/episodic.jsonl"

WRITES = {
    MEMORY: lambda fs: MemoryStore(fs).apply("memory", Add("two")),
    SIDECAR: lambda fs: UsageStore(fs, FakeClock()).record("a", "use"),
    RECORDS: lambda fs: SubStore(fs, FakeClock(), "episodic").append({"text": "two"}),
}


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[Path]:
    """A folder with three files, all locked by a process that never lets go."""
    for path in WRITES:
        DiskFs(tmp_path).write_text(path, "{}").expect("a file")
    process = start(HOLD_LOCKS, tmp_path, *WRITES)
    assert process.stdout.readline() == "held\n"
    yield tmp_path
    finish(process)


@pytest.mark.parametrize("path", WRITES)
def test_a_store_gives_up_within_a_second_of_its_deadline_and_touches_nothing(
    stuck: Path, path: str, tally: Tally
) -> None:
    def seconds() -> float:  # five in one: the stores' deadline is five of them
        return time.monotonic() * 5

    before = (stuck / path).read_bytes(), (stuck / path).stat().st_mtime_ns
    began = seconds()
    answer = WRITES[path](DiskFs(stuck, monotonic=seconds))
    waited = seconds() - began
    tally.count(STUCK, "stores")
    assert answer.error.code == "lock-timeout"
    assert 5 <= waited < 6
    assert ((stuck / path).read_bytes(), (stuck / path).stat().st_mtime_ns) == before
    assert sorted(p.name for p in (stuck / path).parent.iterdir() if p.suffix == ".tmp") == []


def test_a_lock_gives_up_within_a_second_of_its_deadline_by_the_wall_clock(
    stuck: Path, tally: Tally
) -> None:
    began = time.monotonic()
    assert DiskFs(stuck).lock(MEMORY, 300).error.code == "lock-timeout"
    assert 0.3 <= time.monotonic() - began < 1.3
    tally.count(STUCK, "locks")
