"""The public reports as data, and the few words in them that the engine spells otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from posixpath import join
from typing import Any

import pytest

from alembic_sim import (
    ENTRY_DELIMITER,
    Err,
    FakeClock,
    FakeModel,
    FsPort,
    LearnError,
    LearnOutcome,
    MemoryStore,
    Ok,
    Result,
    ReviewDeps,
    UsageStore,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.memory.operations import MemoryOp, op_from_json
from alembic_sim.iso import ms_from_iso

Case = dict[str, Any]

_LINES = Path(__file__).parents[1] / "data" / "cases" / "public_reports.jsonl"
CASES: dict[str, Case] = {
    case["id"]: case for case in map(json.loads, _LINES.read_text("utf-8").splitlines())
}
SIDECAR = "skills/.usage.json"


def of(case_id: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Marks a test as that of one report: it gets the report's row as `case`."""
    return pytest.mark.parametrize("case", [pytest.param(CASES[case_id], id=case_id)])


def given(case: Case) -> Case:
    """What the report starts from."""
    return case["input"].get("given", {})


def steps(case: Case) -> list[Case]:
    """What is done, in order."""
    return case["input"]["do"]


def check(case: Case) -> Case:
    """The right values."""
    return case["expected"]["check"]


# ---- memory


def memory_text(entries: list[str]) -> str:
    """The file's text for these entries."""
    return ENTRY_DELIMITER.join(entries)


def session(fs: FsPort, case: Case, target: str = "memory") -> MemoryStore:
    """A loaded session over the report's entries, under the report's limit."""
    name = {"memory": "MEMORY.md", "user": "USER.md"}[target]
    texts = [given(case).get(key) for key in ("entries", "session_entries")]
    entries = next((found for found in texts if found is not None), None)
    if entries:
        put_text(fs, f"memory/{name}", memory_text(entries))
    limit = given(case).get("limit")
    store = MemoryStore(fs, **({} if limit is None else {f"{target}_char_limit": limit}))
    store.load().expect("a session starts")
    return store


def op_of(step: Case) -> MemoryOp:
    """The operation: a report says `op` where the engine's JSON says `action`."""
    return op_from_json({**step, "action": step["op"]}).expect("the report's operation")


def entries_on_disk(fs: FsPort, target: str = "memory") -> list[str]:
    """What the next session would read."""
    return list(MemoryStore(fs).entries(target))


# ---- the loop


def learn_from_text(text: str, store: MemoryStore) -> Result[LearnOutcome, LearnError]:
    """One learning step whose reviewer is a model that replies with the text."""
    return learn(model_proposer(FakeModel([text])), store)


def learn_from(raws: list[object], store: MemoryStore) -> Result[LearnOutcome, LearnError]:
    """One learning step whose reviewer proposes these."""
    return learn(lambda _summary: Ok(raws), store)


def learn(
    proposer: Callable[[str], Any], store: MemoryStore, gate: Callable[..., Any] | None = None
) -> Result[LearnOutcome, LearnError]:
    deps = ReviewDeps(proposer=proposer, gate=gate or score_threshold_gate(), memory=store)
    return review_and_learn("a finished turn", deps)


def step_of(learned: Result[LearnOutcome, LearnError]) -> str:
    """The outcome in the reports' words."""
    match learned:
        case Err():
            return "error"
        case Ok(outcome) if outcome == LearnOutcome():
            return "ok-empty"
    return "ok"


def buckets(outcome: LearnOutcome) -> dict[str, int]:
    """How many proposals each bucket holds."""
    return {name: len(getattr(outcome, name)) for name in ("applied", "rejected", "failed")}


# ---- usage and curator

_ON_DISK = {
    "created_by": "createdBy",
    "created_at": "createdAt",
    "last_activity_at": "lastActivityAt",
    "use": "useCount",
    "view": "viewCount",
    "patch": "patchCount",
}


def sidecar_text(records: Mapping[str, Case]) -> str:
    """The reports' records in the sidecar's own words; other keys stay as they are."""
    document = {
        name: {_ON_DISK.get(key, key): value for key, value in record.items()}
        for name, record in records.items()
    }
    return json.dumps(document)


def library(fs: FsPort, case: Case) -> tuple[UsageStore, FakeClock]:
    """The report's skills, and a clock that stands at the report's `now` (1970 if it has none)."""
    clock = FakeClock(given(case).get("now", "1970-01-01T00:00:00Z"))
    if "sidecar" in given(case):
        put_text(fs, SIDECAR, sidecar_text(given(case)["sidecar"]))
    return UsageStore(fs, clock, SIDECAR), clock


def clock_at(instant: int | str) -> Callable[[], int]:
    """A clock standing still at these ms, or at this ISO instant."""
    ms = instant if isinstance(instant, int) else ms_from_iso(instant).expect("the report's time")
    return lambda: ms


# ---- files


def put(fs: FsPort, path: str, data: bytes) -> None:
    """Writes a starting file, its folder made."""
    fs.mkdir(path.rpartition("/")[0]).expect("a folder")
    fs.write(path, data).expect("a file")


def put_text(fs: FsPort, path: str, text: str) -> None:
    put(fs, path, text.encode("utf-8"))


def tree(fs: FsPort, folder: str = "") -> dict[str, tuple[object, ...]]:
    """Every name below the folder with its kind, modification time and bytes."""
    found: dict[str, tuple[object, ...]] = {}
    for name in fs.list(folder).expect("a folder"):
        path = join(folder, name)
        stat = fs.stat(path).expect("it is there")
        if stat.kind == "folder":
            found[path] = (stat.kind, stat.mtime_ns)
            found |= tree(fs, path)
        else:
            found[path] = (stat.kind, stat.mtime_ns, fs.read(path).expect("it can be read"))
    return found


def temp_files(fs: FsPort) -> list[str]:
    """What an interrupted write would leave."""
    return [path for path in tree(fs) if path.endswith(".tmp")]
