"""`alembic-sim sweep`: the table, the files, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from alembic_sim.sim.sweep import sweep as module
from tests.cli.run_cli import run_cli

SMALL = ("sweep", "quiet-team", "--replicas=5")


def test_it_prints_a_line_for_each_policy_and_the_sentence_that_answers() -> None:
    run = run_cli(*SMALL, "--stale=14,30", "--archive=30,90")
    assert run.exit_code == 0
    assert run.stderr == (
        "the sessions are left out: they use no skill of the library; --gate sweeps them\n"
    )
    title, heads, *lines, digest, sentence = run.stdout.splitlines()
    assert title == "quiet-team, seed 1: 180 days, 5 replicas"
    assert "kept" in heads
    assert [line.split()[0] for line in lines] == ["14/30", "14/90", "30/30", "30/90"]
    assert len({len(line) for line in [heads, *lines]}) == 1
    assert len(digest.split()[1]) == 64
    assert sentence.startswith("180 days, ")
    assert "needed again within 30 days" in sentence


def test_two_policies_by_name_are_compared_on_the_same_libraries() -> None:
    run = run_cli(*SMALL, "--policy=30/90", "--policy=14/30", "--days=90", "--seed=7")
    assert run.exit_code == 0
    title, _heads, *lines, _digest, sentence = run.stdout.splitlines()
    assert title == "quiet-team, seed 7: 90 days, 5 replicas"
    assert [line.split()[0] for line in lines] == ["30/90", "14/30"]
    assert "On the same library 14/30 archives" in sentence


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--policy=30/90", "--stale=14"), "--stale: '14'"),
        (("--policy=30/90", "--gate=0.7"), "--policy: '30/90'"),
        (("--gate=0.7", "--archive=90"), "--archive: '90'"),
        (("--policy=30/90", "--policy=30.0/90"), "--policy: '30.0/90'"),
        (("--policy=30-90",), "--policy: '30-90'"),
        (("--policy=30/nan",), "--policy: '30/nan'"),
        (("--days=0",), "--days: "),
        (("--seed=-1",), "--seed: "),
        (("--stale=",), "--stale: ''"),
    ],
)
def test_one_question_a_sweep_and_each_value_as_it_should_be(
    options: tuple[str, ...], named: str
) -> None:
    run = run_cli(*SMALL, *options)
    assert (run.exit_code, run.stdout) == (2, "")
    assert f"Error: {named}" in run.stderr


def test_a_swapped_pair_is_remarked_upon_and_tried() -> None:
    run = run_cli(*SMALL, "--policy=90/30")
    assert run.exit_code == 0
    assert "--policy 90/30: a skill is archived before it can be stale" in run.stderr


def test_json_is_one_document_with_every_row() -> None:
    run = run_cli(*SMALL, "--stale=30", "--archive=90", "--json")
    document = json.loads(run.stdout)
    assert (document["replicas"], document["finished"], len(document["rows"])) == (5, 5, 5)
    [policy] = document["policies"]
    assert (policy["stale_after_days"], policy["archive_after_days"]) == (30, 90)


def test_more_processes_print_the_same() -> None:
    assert run_cli(*SMALL, "--workers=2").stdout == run_cli(*SMALL).stdout


def test_out_writes_the_table_the_rows_and_the_picture(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run = run_cli(*SMALL, "--out", str(folder))
    assert run.exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "policies.png",
        "rows.csv",
        "sweep.json",
    ]
    document = json.loads((folder / "sweep.json").read_text("utf-8"))
    assert document["sentence"] == run.stdout.splitlines()[-1]
    with (folder / "rows.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 5 * 4
    assert (folder / "policies.png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    run = run_cli(*SMALL, "--out", str(tmp_path / "file" / "out"))
    assert run.exit_code == 1
    assert "could not be written" in run.stderr


def test_an_interrupt_prints_what_is_finished_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finished = module.run_replicas

    def stop_at_three(scenario: object, policies: object, replicas: range) -> object:
        if replicas.start == 3:
            raise KeyboardInterrupt
        return finished(scenario, policies, replicas)

    monkeypatch.setattr(module, "run_replicas", stop_at_three)
    run = run_cli(*SMALL)
    assert run.exit_code == 1
    assert re.search(r", 3 (replicas )?of 5( replicas)? \(interrupted\):", run.stdout)
    assert run.stderr.splitlines()[-1] == "Error: interrupted: 3 of 5 replicas are finished"


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("--stale", "", "--stale: ''"),
        ("--stale", "14,x", "--stale: '14,x'"),
        ("--archive", "-1", "--archive: '-1'"),
        ("--archive", "nan", "--archive: 'nan'"),
        ("--archive", "90,90.0", "--archive: '90,90.0'"),
        ("--replicas", "0", "--replicas: '0'"),
        ("--replicas", "100001", "from 1 to 100000"),
        ("--workers", "0", "--workers: '0'"),
        ("--workers", "65", "from 1 to 64"),
        ("--replicas", "many", "--replicas: 'many'"),
        ("--dask", "127.0.0.1", "--dask: '127.0.0.1'"),
        ("--stale", ",".join(map(str, range(51))), "at most 100 policies"),
    ],
)
def test_bad_usage_names_the_field_the_value_and_what_is_allowed(
    option: str, value: str, named: str
) -> None:
    run = run_cli("sweep", "quiet-team", f"{option}={value}")
    assert (run.exit_code, run.stdout) == (2, "")
    assert named in run.stderr
    assert "Allowed" in run.stderr


def test_workers_and_dask_are_one_or_the_other() -> None:
    run = run_cli("sweep", "quiet-team", "--workers=2", "--dask=tcp://127.0.0.1:1")
    assert run.exit_code == 2
    assert "one of --workers and --dask" in run.stderr


def test_dask_that_is_not_installed_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = run_cli("sweep", "quiet-team", "--dask=tcp://127.0.0.1:1")
    assert run.exit_code == 1
    assert "pip install 'alembic-sim[distributed]'" in run.stderr


def test_a_cluster_is_used_and_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a client that stands for dask's: what it is asked, in order."""
    asked: list[object] = []

    class Client:
        def __init__(self, address: str, timeout: float) -> None:
            asked.append(address)

        def get_executor(self) -> None:
            asked.append("executor")

        def close(self) -> None:
            asked.append("close")

    class Distributed:
        pass

    Distributed.Client = Client
    monkeypatch.setitem(sys.modules, "distributed", Distributed)
    run = run_cli(*SMALL, "--dask=tcp://127.0.0.1:1")
    assert (run.exit_code, run.stdout) == (0, run_cli(*SMALL).stdout)
    assert asked == ["tcp://127.0.0.1:1", "executor", "close"]


def test_what_needs_the_reference_engine_is_named() -> None:
    run = run_cli("sweep", "clock-jump")
    assert (run.exit_code, run.stdout) == (1, "")
    assert "faults.clock_jump_day: 60 needs the reference engine" in run.stderr


def test_the_picture_is_drawn_only_for_whoever_asks() -> None:
    code = "import sys, alembic_sim.cli.sweep\nprint('matplotlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout == "False\n"
