"""`alembic-sim sweep --gate`: the table of the gates, the files, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from alembic_sim.sim.gates import sweep_gates as module
from alembic_sim.sim.gates.replica import run_gate_replicas
from alembic_sim.sim.gates.sweep_gates import sweep_gates
from alembic_sim.sim.scenario_file import load_scenario
from tests.cli.run_cli import run_cli

SMALL = ("sweep", "noisy-reviewer", "--replicas=3")


def test_it_prints_a_line_for_each_gate_and_the_sentence_that_answers() -> None:
    run = run_cli(*SMALL, "--gate=0.5,0.7, board,none")
    assert (run.exit_code, run.stderr) == (0, "")
    title, heads, *lines, digest, sentence = run.stdout.splitlines()
    assert title == "noisy-reviewer, seed 4: 120 days, 3 replicas"
    assert "false settled" in heads
    assert [line[:14].strip() for line in lines] == ["0.5", "0.7", "board", "none", "no learning"]
    assert len({len(line) for line in [heads, *lines]}) == 1
    swept = sweep_gates(
        load_scenario("noisy-reviewer").expect("a scenario"),
        [0.5, 0.7, "board", "none"],
        3,
        progress=False,
    ).expect("a sweep")
    assert digest.split() == ["digest", swept.digest]
    assert sentence == swept.sentence


def test_json_is_one_document_with_every_row() -> None:
    run = run_cli(*SMALL, "--gate=0.7", "--json")
    document = json.loads(run.stdout)
    assert (document["replicas"], document["finished"], len(document["rows"])) == (3, 3, 6)
    assert [gate["gate"] for gate in document["gates"]] == ["0.7", "no learning"]


def test_one_replica_is_one() -> None:
    title = run_cli("sweep", "noisy-reviewer", "--replicas=1", "--gate=0.7").stdout.splitlines()[0]
    assert title == "noisy-reviewer, seed 4: 120 days, 1 replica"


def test_more_processes_print_the_same() -> None:
    here = run_cli(*SMALL, "--gate=0.7,board")
    assert run_cli(*SMALL, "--gate=0.7,board", "--workers=2").stdout == here.stdout


def test_out_writes_the_table_the_rows_and_the_picture(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run = run_cli(*SMALL, "--gate=0.6,0.8,none", "--out", str(folder))
    assert run.exit_code == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["gates.json", "gates.png", "rows.csv"]
    document = json.loads((folder / "gates.json").read_text("utf-8"))
    assert document["sentence"] == run.stdout.splitlines()[-1]
    with (folder / "rows.csv").open(encoding="utf-8", newline="") as file:
        assert [row["gate"] for row in csv.DictReader(file)] == [
            *("0.6", "0.8", "none", "no learning"),
        ] * 3
    assert (folder / "gates.png").read_bytes().startswith(b"\x89PNG")


def test_an_interrupt_prints_what_is_finished_and_ends_with_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop_at_two(scenario: object, gates: object, replicas: range) -> object:
        if replicas.start == 2:
            raise KeyboardInterrupt
        return run_gate_replicas(scenario, gates, replicas)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "run_gate_replicas", stop_at_two)
    run = run_cli(*SMALL, "--gate=0.7,none")
    assert run.exit_code == 1
    assert "2 of 3 replicas (interrupted)" in run.stdout
    assert run.stderr.splitlines()[-1] == "Error: interrupted: 2 of 3 replicas are finished"


@pytest.mark.parametrize(
    "value",
    ["", "0.7,", "7", "0.7,nan", "board,Board", "0.7,0.70", "none,none", "no-learning"],
)
def test_bad_gates_are_named_with_what_is_allowed(value: str) -> None:
    run = run_cli("sweep", "noisy-reviewer", f"--gate={value}")
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr == (
        f"Error: --gate: {value!r} is not allowed. Allowed: different gates, each a threshold "
        "from 0 to 1, 'board' or 'none', such as 0.5,0.7,board.\n"
    )


def test_more_gates_than_a_table_shows_are_refused() -> None:
    run = run_cli("sweep", "noisy-reviewer", f"--gate={','.join(f'{n / 200}' for n in range(101))}")
    assert run.exit_code == 2
    assert "Allowed: at most 100 gates." in run.stderr


@pytest.mark.parametrize("option", ["--stale=14", "--archive=60,90", "--stale="])
def test_policies_and_gates_are_not_swept_at_once(option: str) -> None:
    run = run_cli("sweep", "noisy-reviewer", "--gate=0.7", option)
    assert (run.exit_code, run.stdout) == (2, "")
    name, value = option.split("=")
    assert run.stderr == (
        f"Error: {name}: {value!r} is not allowed. "
        f"Allowed: no {name} beside --gate: one question a sweep.\n"
    )


def test_a_scenario_without_sessions_is_refused_by_its_field() -> None:
    run = run_cli("sweep", "clock-jump", "--gate=0.7")
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr == (
        "Error: clock-jump: learning.sessions_per_day: 0 in 120 days is not one session\n"
    )


def test_a_lone_replica_has_no_deviation() -> None:
    run = run_cli("sweep", "noisy-reviewer", "--gate=0.7", "--replicas=1")
    assert run.exit_code == 0
    assert "±" not in run.stdout
