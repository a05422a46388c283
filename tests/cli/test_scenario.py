"""`alembic-sim scenario`: a file to begin with, and a check that names what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alembic_sim.sim.scenario_file import SHIPPED, load_scenario, read_scenario
from tests.cli.run_cli import run_cli


@pytest.mark.parametrize("like", SHIPPED)
def test_a_new_file_is_the_shipped_scenario_under_its_own_name(tmp_path: Path, like: str) -> None:
    file = tmp_path / "my-team.toml"
    done = run_cli("scenario", "new", str(file), "--like", like)
    assert done.exit_code == 0
    shipped = load_scenario(like).expect("shipped")
    found = read_scenario(file).expect("our own")
    assert found == shipped.model_copy(update={"name": "my-team"})
    assert run_cli("scenario", "check", str(file)).exit_code == 0


def test_a_new_file_explains_every_field(tmp_path: Path) -> None:
    file = tmp_path / "my-team.toml"
    run_cli("scenario", "new", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if " =" in line and not line.startswith("# If"):
            field = line.removeprefix("# ").split(" =")[0]
            if field.isidentifier():
                assert "Allowed: " in lines[number - 1]


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine", encoding="utf-8")
    done = run_cli("scenario", "new", str(file))
    assert done.exit_code == 1
    assert "is there already" in done.stderr
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["team.json", "My Team.toml", ".toml", "team"])
def test_a_name_that_no_scenario_has_is_exit_2(tmp_path: Path, name: str) -> None:
    done = run_cli("scenario", "new", str(tmp_path / name))
    assert done.exit_code == 2
    assert [*tmp_path.iterdir()] == []


def test_an_unknown_model_is_exit_2(tmp_path: Path) -> None:
    done = run_cli("scenario", "new", str(tmp_path / "a.toml"), "--like", "loud-team")
    assert done.exit_code == 2
    assert "--like: 'loud-team' is not allowed" in done.stderr


def test_a_file_that_cannot_be_written_is_exit_1(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run_cli("scenario", "new", str(tmp_path / "file" / "a.toml"))
    assert done.exit_code == 1
    assert f"{tmp_path / 'file' / 'a.toml'} could not be written" in done.stderr


def test_check_says_what_it_is_and_which_engines_take_it() -> None:
    done = run_cli("scenario", "check", "clock-jump")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "clock-jump: clock-jump, 60 skills, 120 days, seed 5",
        "  reference engine: yes",
        "  fast engine (sweep): no (faults.clock_jump_day, faults.clock_jump_days)",
    ]
    assert "fast engine (sweep): yes" in run_cli("scenario", "check", "forgetful-team").stdout


def test_check_says_so_if_a_scenario_is_too_large_for_an_engine(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_text("[[population]]\ncount = 10001", encoding="utf-8")
    done = run_cli("scenario", "check", str(file))
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1] == (
        "  reference engine: no (population, arrivals_per_month: 10001 skills; "
        "this engine takes 10000, a sweep takes more)"
    )

    document = json.loads(run_cli("scenario", "check", str(file), "--json").stdout)
    assert "10001 skills" in document["too_large"]["reference"]


def test_check_as_json_is_the_whole_scenario() -> None:
    document = json.loads(run_cli("scenario", "check", "quiet-team", "--json").stdout)
    shipped = load_scenario("quiet-team").expect("shipped")
    assert document["scenario"] == shipped.model_dump(mode="json")
    assert document["unsupported"] == {"fast": []}  # a sweep of policies leaves the sessions out
    assert document["too_large"] == {"reference": None}


def test_check_of_a_bad_file_is_exit_2(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"seed": "x"}', encoding="utf-8")
    done = run_cli("scenario", "check", str(file))
    assert done.exit_code == 2
    assert "seed: 'x' is not allowed" in done.stderr


DATA = Path(__file__).parents[1] / "data"


def test_a_fitted_scenario_can_be_simulated_and_its_limits_are_told(tmp_path: Path) -> None:
    home, file = DATA / "hermes_home", tmp_path / "fitted.toml"
    arguments = ("scenario", "fit", str(home), "--now=2026-06-16T09:00:00Z")
    shown = run_cli(*arguments)
    assert shown.exit_code == 0
    assert "limit: weekdays, bursts and seasons are not in a sidecar" in shown.stderr
    assert "# Limit of the fit: 15 archived: they say how" in shown.stdout
    written = run_cli(*arguments, f"--out={file}")
    assert (written.exit_code, file.read_text(encoding="utf-8")) == (0, shown.stdout)
    assert run_cli("scenario", "check", str(file)).exit_code == 0
    again = run_cli(*arguments, f"--out={file}")
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)


def test_what_is_no_library_cannot_be_fitted(tmp_path: Path) -> None:
    assert run_cli("scenario", "fit", str(tmp_path)).exit_code == 2


def test_a_fit_goes_to_a_toml_file_or_nowhere(tmp_path: Path) -> None:
    done = run_cli("scenario", "fit", str(DATA / "hermes_home"), f"--out={tmp_path / 'a.json'}")
    assert done.exit_code == 2
    assert "a.json' is not allowed. Allowed: a .toml file" in done.stderr
    assert "limit:" not in done.stderr
    assert [*tmp_path.iterdir()] == []
