"""`alembic-sim simulate`: what a run prints, writes and refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from alembic_sim.cli.sparkline import sparkline
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario_file import load_scenario
from tests.cli.run_cli import run_cli

STATES = ("stale", "archived", "active")
SMALL = ("simulate", "quiet-team", "--days", "30")


def small_run(**changes: object) -> Run:
    scenario = load_scenario("quiet-team").expect("shipped")
    return simulate(scenario.model_copy(update={"days": 30, **changes})).expect("a run")


def test_the_summary_shows_states_arms_digest_and_the_answer() -> None:
    done = run_cli(*SMALL)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    run = small_run()
    assert lines[0] == "quiet-team, seed 1: 30 days, 2025-01-01 to 2025-01-30"
    names = [line.split()[0] for line in lines[2:9]]
    assert names == ["active", "stale", "archived", "moves", "gated", "ungated", "none"]
    assert lines[2].endswith(f" {run.counts[0].active} → {run.counts[-1].active}")
    assert lines[-2].split() == ["digest", run.digest]
    assert lines[-1] == run.sentence
    assert len(lines) == 15
    assert max(map(len, lines[:-1])) <= 100


def test_the_summary_says_what_the_gate_got_wrong_and_what_the_memory_costs() -> None:
    lines = run_cli(*SMALL).stdout.splitlines()
    run = small_run()
    headings = " ".join(" ".join(lines[9:11]).split())
    assert headings == (
        "lessons kept wrongly wrongly MEMORY.md characters sent anew "
        "true false rejected approved no room filled frozen live hybrid"
    )
    limit = run.scenario.learning.memory_char_limit
    for line, one in zip(lines[11:13], run.arms, strict=False):
        assert line.split() == [
            one.arm,
            *map(str, (one.true_kept, one.false_settled)),
            *map(str, (one.true_rejected, one.false_approved, one.refused_for_budget)),
            f"{one.memory_chars / limit:.0%}",
            *(f"{n:,}" for n in (one.resent.frozen, one.resent.live, one.resent.hybrid)),
        ]
    assert run.arms[0] != run.arms[1]


def test_the_summary_counts_what_moved() -> None:
    run = simulate(load_scenario("quiet-team").expect("shipped")).expect("a run")
    sums = [sum(getattr(week, f"to_{s}") for week in run.weeks) for s in STATES]
    most = max(week.to_stale + week.to_archived + week.to_active for week in run.weeks)
    told = f"{sums[0]} to stale, {sums[1]} to archived, {sums[2]} back to active"
    assert min(*sums, most) > 0
    assert (
        f"  moves    {told}; at most {most} in a week" in run_cli("simulate", "quiet-team").stdout
    )


def test_a_memory_without_room_is_full(tmp_path: Path) -> None:
    file = tmp_path / "none.toml"
    text = "days = 9\n[learning]\nsessions_per_day = 1\nmemory_char_limit = 0"
    file.write_text(text, encoding="utf-8")
    done = run_cli("simulate", str(file))
    assert done.exit_code == 0
    assert done.stdout.count("100%") >= 2


def test_json_is_one_document_with_the_same_digest() -> None:
    document = json.loads(run_cli(*SMALL, "--json").stdout)
    assert document == json.loads(json.dumps(small_run().to_json()))


def test_another_seed_is_another_run() -> None:
    document = json.loads(run_cli(*SMALL, "--seed", "99", "--json").stdout)
    assert document["digest"] == small_run(seed=99).digest
    assert document["digest"] != small_run().digest


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
    assert written[0] == run.output_files()


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


def test_a_folder_that_is_none_is_exit_2_before_anything_is_simulated(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for out in (file, file / "below"):
        done = run_cli(*SMALL, "--out", str(out))
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"--out: {file} is not a folder" in done.stderr
    assert file.read_text(encoding="utf-8") == "mine"


def test_a_file_that_cannot_be_written_is_exit_1(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl" / "mine").mkdir(parents=True)
    done = run_cli(*SMALL, "--out", str(tmp_path))
    assert done.exit_code == 1
    assert f"{tmp_path / 'events.jsonl'} could not be written" in done.stderr


def test_what_a_file_says_cannot_drive_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('days = 2\nshows = "\\u001b[31mred\\ntwo"', encoding="utf-8")
    done = run_cli("simulate", str(file))
    assert done.stdout.splitlines()[1] == r"  \x1b[31mred\ntwo"


def test_skills_that_the_sidecar_lost_have_a_line_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "torn.toml"
    file.write_text("days = 9\n[faults]\ncorrupt_sidecar_day = 5", encoding="utf-8")
    lines = run_cli("simulate", str(file)).stdout.splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["active", "stale", "archived", "unknown"]


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


def test_what_another_run_left_is_replaced_and_that_is_said(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    first = run_cli("simulate", "quiet-team", "--days=20", "--out", folder)
    again = run_cli("simulate", "quiet-team", "--days=20", "--out", folder)
    other = run_cli("simulate", "quiet-team", "--days=10", "--out", folder)
    assert (first.stderr, again.stderr) == ("", "")
    assert "replaced what another run had left there (run.json, events.jsonl" in other.stderr
