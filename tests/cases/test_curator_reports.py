"""What public reports said of curator passes, and what is right."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from alembic_sim import (
    DAY_MS,
    CuratorDeps,
    CuratorReport,
    DiskFs,
    FakeClock,
    FsPort,
    MemoryFs,
    SkillStore,
    UsageStore,
    guard_pass,
    run_curator,
)
from alembic_sim.hermes.curator.pass_journal import run_journalled_pass, undo_last_pass
from alembic_sim.hermes.curator.run_files import RunFiles
from alembic_sim.hermes.skills.skill_file import parse_skill
from tests.cases.reports import (
    SIDECAR,
    Case,
    check,
    clock_at,
    given,
    library,
    of,
    put_text,
    sidecar_text,
    steps,
    tree,
)
from tests.cli.run_cli import run_cli


def one_pass(usage: UsageStore, now: int | str, dry_run: bool = False) -> CuratorReport:
    return run_curator(CuratorDeps(usage, clock_at(now)), dry_run=dry_run).expect("a pass")


@of("CUR-01")
def test_a_first_pass_leaves_skills_that_were_never_used_alone(case: Case, fs: FsPort) -> None:
    usage, _clock = library(fs, case)
    report = one_pass(usage, given(case)["now"])
    assert len(report.transitioned) == check(case)["transitions"]
    reasons = Counter(skip.reason for skip in report.skipped)
    assert reasons == {"no-change": check(case)["skipped_no_change"]}


@of("CUR-02")
def test_a_skill_that_is_never_used_stays_active_for_a_year_and_is_listed_with_its_age(
    case: Case, fs: FsPort
) -> None:
    [step] = steps(case)
    [(name, record)] = given(case)["sidecar"].items()
    clock = FakeClock("2025-01-01T00:00:00Z")
    put_text(fs, SIDECAR, sidecar_text({name: {**record, "created_at": clock()}}))
    usage = UsageStore(fs, clock, SIDECAR)
    for _pass in range(given(case)["days"] // step["every_days"]):
        clock.advance(days=step["every_days"])
        report = run_curator(CuratorDeps(usage)).expect("a pass")
        assert usage.get(name).value.state == check(case)["state"]
    assert len(report.never_active) == check(case)["reported_never_active"]
    [listed] = report.never_active
    assert (listed.name, listed.age_days) == (name, 364)


@pytest.fixture
def local_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Sets the process's time zone through the environment, and sets it back."""
    yield monkeypatch
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


@of("CUR-05")
def test_a_day_is_24_hours_also_over_a_clock_change(
    case: Case, fs: FsPort, local_time: pytest.MonkeyPatch
) -> None:
    local_time.setenv("TZ", given(case)["tz"])
    if hasattr(time, "tzset"):
        time.tzset()
    states = {}
    for event, step in zip(given(case)["events"], steps(case), strict=True):
        sidecar = f"{event['skill']}/.usage.json"  # each on its own
        usage = UsageStore(fs, clock_at(event["at"]), sidecar)
        usage.create(event["skill"], created_by="agent").expect("the agent's skill")
        usage.record(event["skill"], event["event"]).expect("an event")
        one_pass(usage, step["now"])
        states[step["skill"]] = usage.get(step["skill"]).value.state
    assert states == check(case)["states"]


@of("CUR-07")
def test_a_clock_set_back_moves_nothing_and_warns_and_the_next_pass_is_normal(
    case: Case, fs: FsPort
) -> None:
    usage, _clock = library(fs, case)
    reports = [one_pass(usage, step["now"]) for step in steps(case)]
    assert [len(report.transitioned) for report in reports] == check(case)["transitions"]
    assert check(case)["warning"] == "future-activity"
    assert [report.future_activity for report in reports] == [("s",), ()]


@of("CUR-17")
def test_a_dry_run_changes_no_name_byte_or_time_and_plans_what_the_real_run_does(
    case: Case, fs: FsPort
) -> None:
    usage, _clock = library(fs, case)
    now = given(case)["now"]
    before = tree(fs)
    plan = one_pass(usage, now, dry_run=True)
    assert (tree(fs) == before) is check(case)["hash_equal"]
    done = one_pass(usage, now)
    assert (plan == done) is check(case)["plan_equals_run"]
    assert done.transitioned  # there was something to plan
    idle = {
        name: clock_at(now)() - record["last_activity_at"]
        for name, record in given(case)["sidecar"].items()
    }
    moved = {name for name, idle_ms in idle.items() if idle_ms >= 30 * DAY_MS}
    assert {transition.name for transition in done.transitioned} == moved


@of("CUR-07")
def test_runs_are_numbered_by_what_is_on_disk_also_when_the_clock_goes_back(
    case: Case, fs: FsPort
) -> None:
    usage, _clock = library(fs, case)
    runs = RunFiles(fs, SIDECAR)
    later_first = reversed(steps(case))
    done = [
        run_journalled_pass(CuratorDeps(usage, clock_at(step["now"])), runs).expect("a pass")
        for step in later_first
    ]
    assert done[0].now_ms > done[1].now_ms
    assert tuple(run.id for run in done) == runs.ids().value == ("run_000001", "run_000002")


def archived_in(usage: UsageStore) -> int:
    return sum(record.state == "archived" for record in usage.load().records.values())


@of("CUR-08")
def test_a_clock_that_jumped_ahead_archives_nothing_unless_forced_and_one_undo_takes_it_back(
    case: Case, fs: FsPort
) -> None:
    usage, _clock = library(fs, case)
    [step] = steps(case)
    deps, runs = CuratorDeps(usage, clock_at(step["now"])), RunFiles(fs, SIDECAR)
    plan = run_curator(deps, dry_run=True).expect("a plan")
    refused = guard_pass(plan, max_archived_fraction=0.5)
    assert (check(case)["guard"], refused.error.code) == ("err", "too-many-archived")
    guarded = run_journalled_pass(deps, runs, max_archived_fraction=0.5)
    assert guarded.error.code == "too-many-archived"
    assert archived_in(usage) == check(case)["archived_before_force"]
    run_journalled_pass(deps, runs).expect("a forced pass")
    assert archived_in(usage) == len(given(case)["sidecar"]) == 20
    undo_last_pass(usage, runs).expect("an undo")
    assert archived_in(usage) == check(case)["after_undo_archived"]
    untouched, _clock = library(MemoryFs(), case)
    assert usage.load().records == untouched.load().records


@of("CUR-08")
def test_the_command_line_refuses_such_a_pass_before_the_first_write(
    case: Case, tmp_path: Path
) -> None:
    fs = DiskFs(tmp_path)
    usage, _clock = library(fs, case)
    before = tree(fs)
    now = f"--now={steps(case)[0]['now']}"
    refused = run_cli("curate", str(tmp_path), now)
    assert (refused.exit_code, "--force" in refused.stderr) == (1, True)
    assert tree(fs) == before
    assert run_cli("curate", str(tmp_path), now, "--force").exit_code == 0
    assert archived_in(usage) == 20
    assert run_cli("curate", str(tmp_path), now, "--undo").exit_code == 0
    assert archived_in(usage) == check(case)["after_undo_archived"]


@of("CUR-09")
def test_restore_takes_the_exact_name_and_no_beginning_of_one(case: Case, fs: FsPort) -> None:
    skills, usage = skill_store(fs)
    for name in given(case)["archived"]:
        made_and_archived(skills, name)
    before = tree(fs)
    [step] = steps(case)
    assert skills.restore(step["skill"]).error.code == "unknown-skill"
    assert tree(fs) == before
    archived = [skill.name for skill in skills.list().value.skills if skill.state == "archived"]
    assert archived == check(case)["archived_after"]
    assert usage.load().names() == tuple(archived)


@of("CUR-10")
def test_the_last_pass_can_be_undone_after_many_and_no_run_is_ever_pruned(
    case: Case, fs: FsPort
) -> None:
    clock = FakeClock("2026-01-01T00:00:00Z")
    usage, runs = UsageStore(fs, clock, SIDECAR), RunFiles(fs, SIDECAR)
    for number in range(given(case)["backups"]):
        usage.create(f"s{number}", created_by="agent").expect("a skill")
        usage.record(f"s{number}", "use").expect("a use")
        clock.advance(days=30)
        last = run_journalled_pass(CuratorDeps(usage), runs).expect("a pass that moves one")
        assert last.report.transitioned
    assert check(case)["result"] == "applied"
    undone = undo_last_pass(usage, runs).expect("an undo")
    assert undone.undoes == last.id
    assert usage.get(f"s{number}").value.state == "active"
    assert (last.id in runs.ids().value) is check(case)["target_exists"]
    assert len(runs.ids().value) == given(case)["keep"] + 1  # every pass, and the undo


@of("CUR-11")
def test_an_archived_name_is_not_given_again_and_both_bodies_stay_recoverable(
    case: Case, fs: FsPort
) -> None:
    skills, _usage = skill_store(fs)
    create, archive, again, archive_again = steps(case)
    skills.create(create["skill"], "a skill", create["body"]).expect("a skill")
    skills.archive(archive["skill"]).expect("archived")
    refused = skills.create(again["skill"], "a skill", again["body"])
    assert refused.error.code == "exists"  # the contract's way: restore, then patch
    assert "restore" in refused.error.message
    skills.restore(again["skill"]).expect("restored")
    skills.patch(again["skill"], again["body"]).expect("patched")
    skills.archive(archive_again["skill"]).expect("archived again")
    texts = [fs.read(path).value.decode("utf-8") for path in tree(fs) if path.endswith(".md")]
    recoverable = [parse_skill(text).body for text in texts]
    assert sorted(recoverable) == check(case)["recoverable_bodies"]


@of("CUR-12")
def test_a_pin_that_no_curator_looks_at_is_recorded_and_says_so(case: Case, fs: FsPort) -> None:
    usage, clock = library(fs, case)
    skills = SkillStore(fs, usage)
    pin, _curate, pin_ghost = steps(case)
    receipt = skills.pin(pin["skill"]).expect("a pin")
    assert any("recorded, but this skill is not curated" in note for note in receipt.notes)
    [skipped] = one_pass(usage, clock()).skipped
    assert (skipped.name, skipped.reason) == (pin["skill"], check(case)["skip_reason"])
    assert check(case)["ghost"] == "failed"
    assert skills.pin(pin_ghost["skill"]).error.code == "unknown-skill"


@of("CUR-18")
def test_every_archived_name_that_the_listing_prints_can_be_restored(
    case: Case, fs: FsPort
) -> None:
    skills, usage = skill_store(fs)
    for name in given(case)["archived_dirs"]:
        made_and_archived(skills, name)
    listed = [skill.name for skill in skills.list().value.skills if skill.state == "archived"]
    assert sorted(listed) == sorted(given(case)["archived_dirs"])
    restored = [skills.restore(name) for name in listed]
    share = sum(answer.ok for answer in restored) / len(listed)
    assert share == check(case)["restorable_fraction"]
    assert [answer.value.name for answer in restored] == listed
    assert {usage.get(name).value.state for name in listed} == {"active"}


def skill_store(fs: FsPort) -> tuple[SkillStore, UsageStore]:
    usage = UsageStore(fs, FakeClock("2026-06-01T00:00:00Z"), SIDECAR)
    return SkillStore(fs, usage), usage


def made_and_archived(skills: SkillStore, name: str) -> None:
    skills.create(name, "a skill", f"how to {name}").expect("a skill")
    skills.archive(name).expect("archived")
