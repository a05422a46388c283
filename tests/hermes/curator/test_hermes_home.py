"""A genuine Hermes home, read under Alembic's rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim import CuratorDeps, CuratorPolicy, FakeClock, MemoryFs, UsageStore, run_curator
from alembic_sim.hermes.curator.hermes_sidecar import read_hermes_sidecar
from alembic_sim.hermes.curator.sidecar import serialise_sidecar

DATA = Path(__file__).parents[2] / "data"
SIDECAR = json.loads((DATA / "hermes_home/skills/.usage.json").read_text("utf-8"))
PASSES = json.loads((DATA / "hermes_home_passes.json").read_text("utf-8"))


@pytest.mark.parametrize("recorded", PASSES, ids=lambda p: f"{p['now']}-{p['stale_after_days']}")
def test_one_pass_leaves_every_skill_in_the_recorded_state(recorded: dict) -> None:
    reading = read_hermes_sidecar(SIDECAR)
    fs = MemoryFs({"skills/.usage.json": serialise_sidecar(reading.sidecar)})
    usage = UsageStore(fs, FakeClock(recorded["now"]))
    policy = CuratorPolicy(recorded["stale_after_days"], recorded["archive_after_days"])

    run_curator(CuratorDeps(usage), policy).expect("a pass")

    states = {name: record.state for name, record in usage.load().records.items()}
    assert states == recorded["after_one_pass"]["alembic"]
    assert reading.warnings == ()
