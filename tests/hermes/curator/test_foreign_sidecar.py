"""The ancestor's sidecar is never written, by whatever way the engine gets at it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim import CuratorDeps, FakeClock, MemoryFs, UsageRecord, UsageStore, run_curator

HOMES = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("home", ["hermes_home", "hermes_home_mixed"])
def test_no_call_of_the_store_changes_a_byte_of_it(home: str) -> None:
    before = (HOMES / home / "skills/.usage.json").read_bytes()
    fs = MemoryFs({"skills/.usage.json": before})
    usage = UsageStore(fs, FakeClock("2026-06-16T09:00:00Z"))
    name = min(json.loads(before))
    for result in (
        usage.record(name, "use"),
        usage.create("new", "agent"),
        usage.put(name, UsageRecord()),
        usage.pin(name),
    ):
        assert not result.ok
        assert result.error.code == "foreign-format"
    run_curator(CuratorDeps(usage))
    assert fs.files() == {"skills/.usage.json": before}


def test_one_record_of_the_ancestors_makes_the_whole_file_foreign() -> None:
    mixed = json.dumps({"ours": {"useCount": 1}, "theirs": {"last_used_at": None}})
    fs = MemoryFs({"skills/.usage.json": mixed})
    result = UsageStore(fs, FakeClock()).record("ours", "use")
    assert not result.ok
    assert fs.files() == {"skills/.usage.json": mixed.encode()}
