"""What public reports said of usage counters, and what is right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from alembic_sim import CuratorDeps, DiskFs, FakeClock, FsPort, UsageStore, run_curator
from alembic_sim.strict_json import dump_strict_json, parse_strict_json
from tests.cases.reports import (
    SIDECAR,
    Case,
    check,
    clock_at,
    given,
    library,
    of,
    put_text,
    steps,
)

_COUNTING_PROCESS = """
import sys
from alembic_sim import DiskFs, UsageStore
root, path, skill, event, times = sys.argv[1:]
usage = UsageStore(DiskFs(root), lambda: 1, path)
for _ in range(int(times)):
    usage.record(skill, event).expect("an event counts")
"""


@of("USE-01")
def test_two_processes_that_count_at_once_lose_no_event(case: Case, tmp_path: Path) -> None:
    [step] = case["input"]["do_each"]
    words = [str(tmp_path), SIDECAR, step["skill"], step["event"], str(step["times"])]
    processes = [
        subprocess.Popen([sys.executable, "-c", _COUNTING_PROCESS, *words])
        for _ in range(case["input"]["concurrent_processes"])
    ]
    assert [process.wait(timeout=300) for process in processes] == [0] * len(processes)
    record = UsageStore(DiskFs(tmp_path), clock_at(0), SIDECAR).get(step["skill"]).value
    assert record.use_count == check(case)["use"]


@of("USE-04")
def test_unreadable_bytes_are_kept_aside_before_the_first_write_and_it_says_so_once(
    case: Case, fs: FsPort
) -> None:
    usage, clock = library(fs, case)
    text = given(case)["sidecar_text"]
    put_text(fs, SIDECAR, text)
    assert usage.load().names() == ()  # reading is best effort
    [step] = steps(case)
    first = usage.record(step["skill"], step["event"]).expect("an event")
    clock.advance(days=1)
    second = usage.record(step["skill"], step["event"]).expect("another")
    kept = fs.read(first.corrupt_copy).value == text.encode("utf-8")
    assert kept is check(case)["unreadable_bytes_preserved"]
    assert second.corrupt_copy is None
    assert usage.load().names() == (step["skill"],)


@of("USE-06")
def test_a_skill_that_was_viewed_lately_is_active_though_its_last_use_is_old(
    case: Case, fs: FsPort
) -> None:
    clock = FakeClock(0)
    usage = UsageStore(fs, clock, SIDECAR)
    usage.create("s", created_by="agent").expect("the agent's skill")
    [step] = steps(case)
    now = clock_at(given(case)["now"])
    states = []
    for event in given(case)["events"]:
        at = UsageStore(fs, clock_at(event["at"]), SIDECAR)
        at.record(event["skill"], event["event"]).expect("an event")
        assert step["op"] == "curate"
        run_curator(CuratorDeps(usage, now)).expect("a pass")
        states.append(usage.get("s").value.state)
    assert states == ["stale", check(case)["state"]]  # the use alone would not have saved it


@of("USE-08")
def test_no_file_and_no_report_holds_an_infinity(case: Case, fs: FsPort) -> None:
    usage, _clock = library(fs, case)
    put_step, _report = steps(case)
    usage.put(put_step["skill"], usage.get(put_step["skill"]).value).expect("a put")
    usage.pin(put_step["skill"]).expect("a write")
    report = run_curator(CuratorDeps(usage)).expect("a pass")
    artefacts = [fs.read(SIDECAR).value, dump_strict_json(report.to_json())]
    assert [parse_strict_json(one).ok for one in artefacts] == [check(case)["strict_json"]] * 2
    stored = json.loads(artefacts[0])[put_step["skill"]]["lastActivityAt"]
    assert stored == check(case)["stored_last_activity"]


@of("USE-09")
def test_a_name_that_exists_cannot_be_created_again_and_inherits_nothing(
    case: Case, fs: FsPort
) -> None:
    usage, _clock = library(fs, case)
    before = fs.read(SIDECAR)
    create, _curate = steps(case)
    refused = usage.create(create["skill"], created_by=create["by"])
    assert (check(case)["result"], refused.error.code) == ("err", check(case)["code"])
    assert fs.read(SIDECAR) == before
    run_curator(CuratorDeps(usage)).expect("a pass")
    assert usage.get(create["skill"]).value.state == "archived"  # 200 idle days, and its own
    again = usage.create(create["skill"], created_by=create["by"])
    assert again.error.code == check(case)["code"]
    assert "restore" in again.error.message


@of("USE-11")
def test_a_field_that_the_store_does_not_know_survives_a_write(case: Case, fs: FsPort) -> None:
    usage, _clock = library(fs, case)
    [step] = steps(case)
    usage.record(step["skill"], step["event"]).expect("an event")
    stored = json.loads(fs.read(SIDECAR).value)[step["skill"]]
    note = given(case)["sidecar"][step["skill"]]["note"]
    assert (stored.get("note") == note) is check(case)["field_kept"]
    assert stored["useCount"] == 1
