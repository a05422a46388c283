"""Passes over random libraries: what holds for every one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorPolicy,
    DiskFs,
    FakeClock,
    MemoryFs,
    UsageStore,
    run_curator,
)
from alembic_sim.strict_json import parse_strict_json

PATH = "skills/.usage.json"
NOW = 1_780_315_200_000

# Idle times that sit on, beside and between the cut-offs of the policies below.
IDLE_MS = st.sampled_from([-1, 0, 1]).flatmap(
    lambda off: st.sampled_from([0, 7, 30, 90, 120]).map(lambda days: days * DAY_MS + off)
)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "createdBy": st.sampled_from(["agent", "agent", "agent", "user", None]),
        "createdAt": st.sampled_from([0, NOW, NOW - 40 * DAY_MS, NOW + DAY_MS]),
        "lastActivityAt": st.just(0) | IDLE_MS.map(lambda idle: NOW - idle),
        "state": st.sampled_from(["active", "stale", "archived"]),
        "pinned": st.booleans(),
        "useCount": st.integers(0, 5),
        "theirs": st.none() | st.text(max_size=3) | st.lists(st.floats(-1, 1), max_size=2),
    },
)
DAMAGED = st.sampled_from([None, 5, "gone", [], {"state": "deleted"}, {"pinned": 1, "x": "kept"}])
NAMES = st.sampled_from("abcdefgh") | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
LIBRARIES = st.dictionaries(NAMES, RECORDS | RECORDS | DAMAGED, max_size=8)
POLICIES = st.builds(
    CuratorPolicy, st.sampled_from([0, 7, 30, 30.5]), st.sampled_from([0, 1, 7, 90])
)


def opened(fs: object) -> CuratorDeps:
    return CuratorDeps(UsageStore(fs, FakeClock(NOW), PATH))


@given(LIBRARIES, POLICIES)
@settings(max_examples=200)
def test_a_dry_run_changes_no_byte_and_no_time_and_equals_the_real_run(
    library: dict, policy: CuratorPolicy
) -> None:
    fs = MemoryFs({PATH: json.dumps(library)})
    before, stat = fs.files(), fs.stat(PATH)
    plan = run_curator(opened(fs), policy, dry_run=True)
    assert (fs.files(), fs.stat(PATH)) == (before, stat), "I8"
    assert run_curator(opened(fs), policy, dry_run=False) == plan, "I8"


@given(LIBRARIES, POLICIES)
@settings(max_examples=200)
def test_after_a_pass_every_name_is_accounted_for_and_nothing_protected_moved(
    library: dict, policy: CuratorPolicy
) -> None:
    fs = MemoryFs({PATH: json.dumps(library)})
    before = opened(fs).usage.load()
    report = run_curator(opened(fs), policy).expect("a pass")
    after = opened(fs).usage.load()

    names = [*(t.name for t in report.transitioned), *(s.name for s in report.skipped)]
    assert sorted(names) == sorted(library), "every name in exactly one list"
    assert [t.name for t in report.transitioned] == sorted(t.name for t in report.transitioned)
    assert [s.name for s in report.skipped] == sorted(s.name for s in report.skipped)
    moved = {t.name: t for t in report.transitioned}
    for name, old in before.records.items():
        new = after.records[name]  # I7: nothing is deleted
        if old.pinned or old.created_by != "agent":
            assert new == old, "I11"
        assert new.model_copy(update={"state": old.state}) == old, "only the state changes"
        assert (name in moved) == (new.state != old.state)
        if name in moved:
            assert (moved[name].from_state, moved[name].to_state) == (old.state, new.state)
        if old.state == "archived":
            assert new.state == "archived"
    assert dict(after.invalid) == dict(before.invalid)
    assert parse_strict_json(fs.files()[PATH]).ok, "I9"


@given(LIBRARIES, POLICIES)
def test_a_second_pass_at_the_same_instant_moves_nothing_and_writes_nothing(
    library: dict, policy: CuratorPolicy
) -> None:
    fs = MemoryFs({PATH: json.dumps(library)})
    run_curator(opened(fs), policy).expect("a pass")
    once, stat = fs.files(), fs.stat(PATH)
    assert run_curator(opened(fs), policy).value.transitioned == ()
    assert (fs.files(), fs.stat(PATH)) == (once, stat)


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,ab01.eE-\\', max_size=30).map(str.encode))
@settings(max_examples=300)
def test_any_bytes_at_all_can_be_curated(data: bytes) -> None:
    fs = MemoryFs({PATH: data})
    report = run_curator(opened(fs)).expect("best effort")
    assert len(report.transitioned) + len(report.skipped) == len(opened(fs).usage.load().names())


def test_a_dry_run_on_a_real_disk_leaves_bytes_names_and_times_as_they_were(tmp_path: Path) -> None:
    old = {"createdBy": "agent", "lastActivityAt": NOW - 100 * DAY_MS}
    sidecar = tmp_path / PATH
    sidecar.parent.mkdir()
    sidecar.write_text(json.dumps({"b": old, "a": old}), encoding="utf-8")
    os.utime(sidecar, ns=(10**18, 10**18))
    os.utime(sidecar.parent, ns=(10**18, 10**18))
    before = sidecar.read_bytes()
    assert len(run_curator(opened(DiskFs(tmp_path)), dry_run=True).value.transitioned) == 2
    assert sidecar.read_bytes() == before
    assert list(sidecar.parent.iterdir()) == [sidecar]
    assert (sidecar.stat().st_mtime_ns, sidecar.parent.stat().st_mtime_ns) == (10**18, 10**18)


A_YEAR = """
from alembic_sim import *
fs = MemoryFs()
clock = FakeClock("2025-01-01T00:00:00Z")
usage = UsageStore(fs, clock)
memory = MemoryStore(fs)
for week in range(52):
    name = f"skill-{week % 9}"
    usage.create(name, created_by="agent")
    usage.record(f"skill-{week * 7 % 5}", ("use", "view", "patch")[week % 3])
    memory.apply("memory", Add(f"week {week}"))
    clock.advance(days=7)
    run_curator(CuratorDeps(usage)).expect("a pass")
import hashlib
print(hashlib.sha256(repr(fs.files()).encode()).hexdigest())
"""


def test_the_same_steps_give_the_same_bytes_in_every_process_and_time_zone() -> None:
    def digest(**environment: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", A_YEAR],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout

    digests = {
        digest(PYTHONHASHSEED="0", TZ="UTC"),
        digest(PYTHONHASHSEED="1", TZ="America/Sao_Paulo"),
        digest(PYTHONHASHSEED="random", TZ="Asia/Kathmandu", LC_ALL="C"),
    }
    assert len(digests) == 1, "I10"
