"""Whose format a file is in, and whether it is a sidecar at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim import UsageRecord
from alembic_sim.hermes.curator.sidecar_format import is_native, looks_like_sidecar

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("home", ["hermes_home", "hermes_home_mixed", "native_home"])
def test_real_sidecars_look_like_sidecars(home: str) -> None:
    document = json.loads((DATA / home / "skills/.usage.json").read_text("utf-8"))
    assert looks_like_sidecar(document)
    assert is_native(document) is (home == "native_home")


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"a": {}},
        {"a": {"pinned": True}},
        {"a": {"state": "active"}, "b": 5},
        {"a": "damaged", "b": {"use_count": 1}},
        {"a": UsageRecord().to_json()},
    ],
)
def test_an_empty_library_and_one_record_among_others_are_enough(document: dict) -> None:
    assert looks_like_sidecar(document)


@pytest.mark.parametrize(
    "document",
    [
        {"a": 5},
        {"a": None, "b": []},
        {"name": "package", "dependencies": {"left-pad": "1.0"}},
        {"compilerOptions": {"strict": True}},
        {"useCount": 1, "state": "active"},  # one record, not a library of them
    ],
)
def test_an_object_without_any_record_is_no_sidecar(document: dict) -> None:
    assert not looks_like_sidecar(document)
