"""The real homes of the test data, and the clocks that go with them."""

from __future__ import annotations

import json
from pathlib import Path

from alembic_sim.iso import ms_from_iso
from alembic_sim.sim.forecast.library import SkillLibrary, library_of_hermes

DATA = Path(__file__).parents[2] / "data"
PASSES = json.loads((DATA / "hermes_home_passes.json").read_text("utf-8"))
TRANSITIONS = [
    json.loads(line)
    for line in (DATA / "cases/ancestor_transitions.jsonl").read_text("utf-8").splitlines()
]


def at(iso: str) -> int:
    return ms_from_iso(iso).expect("a time written in a test")


NOW_MS = at("2026-06-16T09:00:00Z")


def home(name: str = "hermes_home") -> SkillLibrary:
    sidecar = DATA / name / "skills/.usage.json"
    return library_of_hermes(json.loads(sidecar.read_text("utf-8")))
