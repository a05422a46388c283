"""What the engine costs on a real disk. `pytest tests/benchmarks` prints it; no time is a failure.

The peer of an event is the durable write of the same bytes (temporary file, fsync, replace, fsync
of the folder): by `write_atomic`, and by hand without any port.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    DiskFs,
    FakeClock,
    UsageRecord,
    UsageStore,
    run_curator,
    write_atomic,
)
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from tests.benchmarks.measuring import import_cost, row, side_by_side

NOW = 1_780_315_200_000
RECORDS = 1_000
MOVES = 100


def library(folder: Path) -> UsageStore:
    """A thousand skills of the agent's; a hundred of them have been idle for 45 days."""
    records = {
        f"skill-{n:04}": UsageRecord(
            created_at=NOW - 400 * DAY_MS,
            created_by="agent",
            last_activity_at=NOW - (45 if n % (RECORDS // MOVES) == 0 else 1) * DAY_MS,
            use_count=n,
        )
        for n in range(RECORDS)
    }
    (folder / ".usage.json").write_bytes(serialise_sidecar(UsageSidecar(records)))
    return UsageStore(DiskFs(folder), FakeClock(NOW), ".usage.json")


def write_by_hand(folder: Path, data: bytes) -> None:
    temp = folder / ".peer.tmp"
    with temp.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temp.replace(folder / "peer.json")
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot sync a folder: there is no peer")
def test_one_telemetry_event(tmp_path: Path, say: Callable[[str], None]) -> None:
    usage = library(tmp_path)
    data = (tmp_path / ".usage.json").read_bytes()
    peers = {
        "the durable write alone": lambda: write_atomic(DiskFs(tmp_path), "peer.json", data),
        "the same by hand": lambda: write_by_hand(tmp_path, data),
    }
    for peer, work in peers.items():
        event, write = side_by_side(
            lambda: usage.record("skill-0500", "use").expect("an event"), work, repeats=60
        )
        say(row(f"one telemetry event at {RECORDS} records", event, peer, write, "≤ 4×"))
    assert usage.get("skill-0500").value.use_count == 500 + 2 * 61, "every event was counted"


def test_one_pass(tmp_path: Path, say: Callable[[str], None]) -> None:
    usage = library(tmp_path)
    began, busy = time.perf_counter(), time.process_time()
    report = run_curator(CuratorDeps(usage)).expect("a pass")
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    assert len(report.transitioned) == MOVES
    what = f"one pass, {RECORDS} records, {MOVES} transitions, each durable"
    say(f"{what}: {seconds:.2f} s ({busy:.2f} CPU); goal ≤ 1 s")


def test_importing_the_core(say: Callable[[str], None]) -> None:
    core = import_cost("from alembic_sim import MemoryStore, run_curator", repeats=7)
    peer = import_cost("import pydantic", repeats=7)
    say(row("importing the core", core, "import pydantic", peer, "≤ 3×"))
