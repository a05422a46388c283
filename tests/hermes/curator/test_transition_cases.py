"""The transition rule as a table: state x pin x author x anchor, 180 rows at 30/90 days."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim import CuratorDeps, CuratorPolicy, FakeClock, MemoryFs, UsageStore, run_curator

DATA = Path(__file__).parents[2] / "data"
ROWS = [json.loads(line) for line in (DATA / "transitions.jsonl").read_text("utf-8").splitlines()]


def test_all_180_rows_are_here() -> None:
    assert len(ROWS) == 180


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_one_pass_gives_the_state_of_the_table(row: dict) -> None:
    fields = ("state", "pinned", "createdBy", "lastActivityAt")
    sidecar = json.dumps({"skill": {name: row[name] for name in fields}})
    usage = UsageStore(MemoryFs({"skills/.usage.json": sidecar}), FakeClock(row["now"]))
    policy = CuratorPolicy(row["stale_after_days"], row["archive_after_days"])

    report = run_curator(CuratorDeps(usage), policy).expect("a pass")

    expected = row["expect"]
    assert usage.get("skill").expect("still there").state == expected["state_after"]
    if expected["list"] == "transitioned":
        [moved] = report.transitioned
        assert (moved.from_state, moved.to_state) == (row["state"], expected["state_after"])
        assert report.skipped == ()
    else:
        assert [skip.reason for skip in report.skipped] == [expected["reason"]]
        assert report.transitioned == ()
