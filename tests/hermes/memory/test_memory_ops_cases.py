"""62 operation sequences, run on the real ancestor and decided by the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim import MemoryFs, MemoryStore, Ok
from alembic_sim.hermes.memory.operations import MemoryOp, op_from_json

DATA = Path(__file__).parents[2] / "data"
CASES = [json.loads(line) for line in (DATA / "memory_ops.jsonl").read_text("utf-8").splitlines()]


def test_all_62_sequences_are_here() -> None:
    assert len(CASES) == 62


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_memory_does_what_the_recorded_case_says(case: dict) -> None:
    seeds = {f"memory/{name}": text for name, text in case["seed_files"].items()}
    fs = MemoryFs(seeds)

    def new_store() -> MemoryStore:
        limits = case["limits"]
        store = MemoryStore(fs, limits["memory"], limits["user"])
        store.load().expect("a session starts")
        return store

    store = new_store()
    for step, expected in zip(case["steps"], case["expect"]["steps"], strict=True):
        match step:
            case {"do": "new_store"}:
                store = new_store()
            case {"do": "external_write", "file": name, "text": text}:
                fs.write(f"memory/{name}", text.encode("utf-8"))
            case {"batch": batch, "target": target}:
                result = store.apply_batch(target, [_op(raw) for raw in batch])
                _check(result, expected)
            case {"op": raw, "target": target}:
                _check(store.apply(target, _op(raw)), expected)
    reread = MemoryStore(fs)
    for target, entries in case["expect"]["entries"].items():
        assert store.entries(target) == reread.entries(target) == tuple(entries)


def _op(raw: object) -> MemoryOp:
    return op_from_json(raw).expect("the case's operation")


def _check(result: object, expected: dict) -> None:
    match result:
        case Ok(receipt):
            assert ("ok", receipt.kind) == (expected["result"], expected["code"])
        case other:
            assert ("err", other.error.code) == (expected["result"], expected["code"])
