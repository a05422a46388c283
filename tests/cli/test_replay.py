"""`alembic-sim replay`: policies beside each other on one recorded log."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.scenario_file import load_scenario
from tests.cli.run_cli import run_cli


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return load_scenario("forgetful-team").expect("shipped").model_copy(update={"days": 150})


@pytest.fixture(scope="module")
def run(scenario: Scenario) -> Run:
    return simulate(scenario).expect("a run")


@pytest.fixture
def events(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "events.jsonl"
    file.write_bytes(run.output_files()["events.jsonl"])
    return file


def test_the_log_s_own_policy_did_what_its_run_did(events: Path, run: Run) -> None:
    [told] = json.loads(run_cli("replay", str(events), "--json").stdout)["policies"]
    assert told["policy"] == "30/90"
    assert told["sentence"] == run.sentence
    assert told["transitions"] == json.loads(json.dumps(run.to_json()["transitions"]))


def test_each_policy_is_the_run_that_it_would_have_been(
    events: Path, scenario: Scenario, run: Run
) -> None:
    done = run_cli("replay", str(events), "--policy", "30/90", "--policy", "14/30.5")
    assert done.exit_code == 0
    other = scenario.curator.model_copy(
        update={"stale_after_days": 14.0, "archive_after_days": 30.5}
    )
    under = simulate(scenario.model_copy(update={"curator": other})).expect("a run")
    lines = done.stdout.splitlines()
    assert lines[-2:] == [run.sentence, under.sentence]
    assert lines[3].split() == [
        "14/30.5",
        *(str(n) for n in (under.counts[-1].active, under.counts[-1].stale)),
        *(str(n) for n in (under.counts[-1].archived, under.library.regretted)),
        str(under.library.archived_in_use),
    ]
    assert under.library.archived_ever > run.library.archived_ever


def test_another_policy_keeps_the_log_s_anchor_and_order(
    tmp_path: Path, scenario: Scenario
) -> None:
    plan = scenario.curator.model_copy(update={"anchor": "zero", "order": "stale-first"})
    odd = scenario.model_copy(update={"curator": plan})
    file = tmp_path / "odd.jsonl"
    file.write_bytes(simulate(odd).expect("a run").output_files()["events.jsonl"])
    done = run_cli("replay", str(file), "--policy", "10/20")
    windows = {"stale_after_days": 10.0, "archive_after_days": 20.0}
    under = odd.model_copy(update={"curator": plan.model_copy(update=windows)})
    assert done.stdout.splitlines()[-1] == simulate(under).expect("a run").sentence


@pytest.mark.parametrize("policy", ["30", "30/x", "-1/90", "nan/90", "1e9/90", ""])
def test_a_bad_policy_is_exit_2(events: Path, policy: str) -> None:
    done = run_cli("replay", str(events), f"--policy={policy}")
    assert done.exit_code == 2
    assert f"--policy: '{policy}' is not allowed" in done.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [("", "line 1"), ("{}", "line 1"), ('{"event":"scenario","scenario":{}}\n{', "line 2")],
)
def test_a_file_that_is_no_log_is_exit_2_with_the_line(
    tmp_path: Path, content: str, told: str
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(content, encoding="utf-8")
    done = run_cli("replay", str(file))
    assert done.exit_code == 2
    assert f"{file}: {told}" in done.stderr


def test_a_log_too_large_to_read_is_exit_2(events: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alembic_sim.cli.replay.MAX_LOG_BYTES", 9)
    done = run_cli("replay", str(events))
    assert done.exit_code == 2
    assert "more than 9 bytes" in done.stderr


def test_a_log_of_more_skills_than_the_engine_takes_is_exit_1(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    births = [{"at_ms": 1, "event": "birth", "name": f"s{n}"} for n in range(10_001)]
    lines = [{"event": "scenario", "scenario": {"days": 6}}, *births]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run_cli("replay", str(file))
    assert done.exit_code == 1
    assert "10001 skills" in done.stderr


def test_what_cannot_be_read_is_exit_2(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        done = run_cli("replay", str(path))
        assert done.exit_code == 2
        assert f"EVENTS: {path}: cannot be read" in done.stderr


def test_sessions_are_left_out_of_a_replay(tmp_path: Path) -> None:
    quiet = load_scenario("quiet-team").expect("shipped").model_copy(update={"days": 20})
    file = tmp_path / "events.jsonl"
    file.write_bytes(simulate(quiet).expect("a run").output_files()["events.jsonl"])
    assert "gate" not in run_cli("replay", str(file)).stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("keep", "told"),
    [
        (lambda lines: lines[: len(lines) // 2], " passes are there: the log was cut off"),
        (
            lambda lines: [one for one in lines if '"sequence":40,' not in one],
            "the use or pass with the sequence 40 is not there",
        ),
    ],
    ids=["cut off", "a line taken out"],
)
def test_a_log_that_is_not_whole_is_refused(
    events: Path, keep: Callable[[list[str]], list[str]], told: str
) -> None:
    lines = events.read_text("utf-8").splitlines(keepends=True)
    kept = keep(lines)
    assert 0 < len(kept) < len(lines)
    events.write_text("".join(kept), encoding="utf-8")
    done = run_cli("replay", str(events))
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
