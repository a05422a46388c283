"""What the default threat scan refuses, and what it must let through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim.hermes.memory.threat_scan import threat_scan

DATA = Path(__file__).parents[2] / "data"
ROWS = [json.loads(line) for line in (DATA / "threat_scan.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_scan_blocks_exactly_the_recorded_texts(row: dict) -> None:
    assert (threat_scan(row["text"]) is not None) is row["blocked"]
