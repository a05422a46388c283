"""`alembic-sim simulate`: what a run prints, writes and refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from alembic_sim.cli.sparkline import sparkline
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.scenario_file import load_scenario
from tests.cli.run_cli import run_cli

SMALL = ("simulate", "quiet-team", "--days", "30")


def small_run(**changes: object) -> object:
    scenario = load_scenario("quiet-team").expect("shipped")
    return simulate(scenario.model_copy(update={"days": 30, **changes})).expect("a run")


def test_the_summary_shows_states_arms_digest_and_the_answer() -> None:
    done = run_cli(*SMALL)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    run = small_run()
    assert lines[0] == "quiet-team, seed 1: 30 days, 2025-01-01 to 2025-01-30"
    names = [line.split()[0] for line in lines[2:-1]]
    assert names == ["active", "stale", "archived", "gated", "ungated", "none", "digest"]
    assert lines[2].endswith(f" {run.counts[0].active} → {run.counts[-1].active}")  # type: ignore[attr-defined]
    assert lines[-2].split() == ["digest", run.digest]  # type: ignore[attr-defined]
    assert lines[-1] == run.sentence  # type: ignore[attr-defined]


def test_json_is_one_document_with_the_same_digest() -> None:
    document = json.loads(run_cli(*SMALL, "--json").stdout)
    assert document == json.loads(json.dumps(small_run().to_json()))  # type: ignore[attr-defined]


def test_another_seed_is_another_run() -> None:
    document = json.loads(run_cli(*SMALL, "--seed", "99", "--json").stdout)
    assert document["digest"] == small_run(seed=99).digest  # type: ignore[attr-defined]
    assert document["digest"] != small_run().digest  # type: ignore[attr-defined]


def test_out_writes_four_files_and_twice_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    written = []
    for _ in range(2):
        assert run_cli(*SMALL, "--out", str(folder)).exit_code == 0
        written.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert written[0] == written[1]
    run = small_run()
    picture = written[0].pop("library.png")
    assert picture.startswith(b"\x89PNG")
    assert written[0] == run.output_files()  # type: ignore[attr-defined]


def test_without_matplotlib_the_picture_alone_is_missing_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    done = run_cli(*SMALL, "--out", str(tmp_path))
    assert done.exit_code == 0
    assert "library.png was not drawn: matplotlib is not installed" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "counts.csv",
        "events.jsonl",
        "run.json",
    ]


def test_a_folder_that_cannot_be_written_is_exit_1(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    done = run_cli(*SMALL, "--out", str(file))
    assert done.exit_code == 1
    assert "run.json could not be written" in done.stderr
    assert file.read_text(encoding="utf-8") == "mine"


def test_skills_that_the_sidecar_lost_have_a_line_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "torn.toml"
    file.write_text("days = 9\n[faults]\ncorrupt_sidecar_day = 5", encoding="utf-8")
    lines = run_cli("simulate", str(file)).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:-2]] == ["active", "stale", "archived", "unknown"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("days = 0", "days: 0 is not allowed. Allowed: a whole number from 1 to 3650 (days)"),
        ("[curator]\nstale = 3", "curator.stale is not a field here"),
        ("days =", "not TOML"),
    ],
)
def test_a_bad_file_is_exit_2_with_field_value_and_range(
    tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    done = run_cli("simulate", str(file))
    assert done.exit_code == 2
    assert f"{file}: {told}" in done.stderr
    assert done.stdout == ""


def test_an_unknown_name_is_exit_2_and_told_the_shipped_ones() -> None:
    done = run_cli("simulate", "loud-team")
    assert done.exit_code == 2
    assert "loud-team: cannot be read" in done.stderr
    assert "quiet-team, busy-team" in done.stderr


@pytest.mark.parametrize(
    ("option", "value"), [("--days", "0"), ("--days", "x"), ("--seed", "-1"), ("--seed", "1.5")]
)
def test_a_bad_number_is_exit_2(option: str, value: str) -> None:
    done = run_cli("simulate", "quiet-team", option, value)
    assert done.exit_code == 2
    assert f"{option}: '{value}' is not allowed" in done.stderr


def test_a_scenario_too_large_for_the_engine_is_exit_1(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text("[[population]]\ncount = 1000000", encoding="utf-8")
    done = run_cli("simulate", str(file))
    assert done.exit_code == 1
    assert "1000000 skills" in done.stderr


@pytest.mark.parametrize(
    ("numbers", "highest", "width", "bars"),
    [
        ([0, 7], 7, 40, "▁█"),
        ([0, 1, 2, 3, 4, 5, 6, 7], 7, 40, "▁▂▃▄▅▆▇█"),
        ([0, 1, 2, 3, 4, 5, 6, 7], 7, 4, "▂▄▆█"),
        ([3, 3], 0, 40, "▁▁"),
        ([9, -1], 7, 40, "█▁"),
    ],
)
def test_a_sparkline_is_a_bar_a_stretch(
    numbers: list[float], highest: float, width: int, bars: str
) -> None:
    assert sparkline(numbers, highest, width) == bars
