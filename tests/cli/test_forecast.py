"""`alembic-sim forecast` on a native sidecar and on real homes."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.cli.library import open_library
from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.iso import ms_from_iso
from tests.cli.run_cli import run_cli

DATA = Path(__file__).parents[1] / "data"
NOW = "2026-06-16T09:00:00Z"
HOME = DATA / "hermes_home"
HOMES = ["hermes_home", "hermes_home_mixed", "native_home"]
PASSES = json.loads((DATA / "hermes_home_passes.json").read_text("utf-8"))


def tree_hash(folder: Path) -> str:
    """One digest over every name, byte, size and modification time below a folder."""
    lines = [
        f"{path.relative_to(folder)} {path.stat().st_mtime_ns} {path.stat().st_size} "
        f"{hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ''}"
        for path in [folder, *sorted(folder.rglob("*"))]
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def forecast_text(*arguments: str) -> str:
    run = run_cli("forecast", *arguments, f"--now={NOW}")
    assert (run.exit_code, run.stderr) == (0, "")
    return run.stdout


def forecast_json(*arguments: str) -> dict:
    run = run_cli("forecast", *arguments, "--json")
    assert (run.exit_code, run.stderr) == (0, "")
    return json.loads(run.stdout)


def write_home(folder: Path, **records: object) -> Path:
    skills = folder / "skills"
    skills.mkdir()
    (skills / ".usage.json").write_text(json.dumps(records), encoding="utf-8")
    return folder


def test_the_answer_stands_at_the_end_with_what_it_rests_on() -> None:
    lines = forecast_text(str(HOME)).splitlines()
    assert lines[-9:] == [
        "  policy                   archives now  by 2026-12-13 (80 %)  of them needed again in"
        " 30 days",
        "  30/90, Alembic's rules   1 of 12       10.2 (9 to 11)        0.4 (0 to 1)",
        "  30/90, ancestor's rules  2 of 12       11.2 (10 to 12)       0.4 (0 to 1)",
        "  14/30, Alembic's rules   9 of 12       11.1 (11 to 11)       1.8 (0 to 3)",
        "  14/30, ancestor's rules  10 of 12      12.0 (12 to 12)       1.8 (0 to 3)",
        "",
        "Of 12 skills in play, within 180 days by the rules of Hermes Agent: 30/90 archives 11.2 ±"
        " 0.8, 0.4 ± 0.6 of them needed again within 30 days; 14/30 archives 12.0 ± 0.1, 1.8 ± 1.2"
        " of them needed again within 30 days.",
        "Too close to call over 180 days. Archived and not needed again within 30 days: 30/90 10.8,"
        " 14/30 10.2; the difference is 0.6 ± 1.5. 30/90 is the cautious choice: 0.4 are needed"
        " again, under 14/30 1.8.",
        "The horizon decides: by this count 30/90 is ahead here, over 90 days 14/30.",
    ]


def test_what_the_guard_of_curate_would_refuse_is_said_and_only_of_a_library_of_ours() -> None:
    lines = forecast_text(str(DATA / "native_home")).splitlines()
    assert lines[-1] == (
        "alembic-sim curate would refuse a pass of 14/30 now: 5 of 9 skills that could be archived"
        " would be (56%; allowed: 50%): is the clock right? If it is: --force."
    )
    document = forecast_json(str(DATA / "native_home"), f"--now={NOW}")
    [refused] = document["refused_by_guard"]
    assert refused["policy"] == {"stale_after_days": 14, "archive_after_days": 30}
    assert forecast_json(str(HOME), f"--now={NOW}")["refused_by_guard"] == []


def test_the_best_policy_over_other_horizons_is_in_the_document() -> None:
    document = forecast_json(str(HOME), f"--now={NOW}")
    assert (document["rules"], document["best"]) == ("ancestor", "30/90")
    assert document["best_within_days"] == {"90": "14/30", "360": "30/90"}
    [lone] = [forecast_json(str(HOME), f"--now={NOW}", "--policy=30/90")]
    assert lone["best_within_days"] == {}


def test_the_skills_stand_by_date_and_who_never_moves_last() -> None:
    lines = forecast_text(str(HOME), "--policy=30/90").splitlines()
    assert lines[1:5] == [
        "now 2026-06-16T09:00:00.000Z; 180 days ahead, until 2026-12-13",
        "40 skills: 12 in play, 15 archived already, 3 pinned, 10 not made by the agent",
        "",
        "30/90: stale after 30 idle days, archived after 90; dates if not used again, chances in %"
        " until 2026-12-13",
    ]
    assert lines[6] == (
        "  migrate-ci-cache         stale   97 d        already     2026-06-16  100      "
        " 100            5"
    )

    firsts = [line[line.index("2026-") :][:10] for line in lines[6:18]]
    assert firsts == sorted(firsts)
    native = forecast_text(str(DATA / "native_home"), "--policy=30/90").splitlines()
    assert native[native.index("") + 12].split() == [
        *("never-used", "active", "never", "used", "never", "never"),
        *("21", "12", "(0–31)", "1", "rules", "differ", "[never-active]"),
    ]


def test_each_difference_to_the_ancestor_is_named_with_its_cause() -> None:
    text = forecast_text(str(DATA / "hermes_home_mixed"), "--policy=30/90")
    assert "where the ancestor would do otherwise, and why:" in text
    assert "  [never-active] 1 skill: never used, viewed or patched: " in text
    assert "    30/90 unreadable-times: Alembic active, no move; the ancestor archived " in text
    assert "  [microseconds] 1 skill: Alembic floors " in text
    assert "    30/90 floor-to-the-millisecond: Alembic stale 2026-06-16, archived " in text
    assert "note: damaged: damaged record, Alembic leaves it alone (pinned: 'no'" in text
    assert "note: unreadable-times: last_used_at counts as absent: 'yesterday'" in text


def test_a_library_without_differences_says_so(tmp_path: Path) -> None:
    record = {"created_by": "agent", "use_count": 1, "last_used_at": NOW, "created_at": NOW}
    text = forecast_text(str(write_home(tmp_path, it=record)))
    assert "the ancestor would do the same to every skill" in text
    assert "a default, for too few skills to fit one" in text
    assert "1 skill: 1 in play" in text


def test_nothing_in_play_is_no_table(tmp_path: Path) -> None:
    text = forecast_text(str(write_home(tmp_path, it={"use_count": 1})))
    assert text.count("  nothing is in play") == 2


@pytest.mark.parametrize("recorded", PASSES, ids=lambda p: f"{p['now']}-{p['stale_after_days']}")
def test_both_columns_of_the_recorded_passes_are_in_the_document(recorded: dict) -> None:
    document = forecast_json(
        str(HOME),
        f"--now={recorded['now']}",
        f"--policy={recorded['stale_after_days']}/{recorded['archive_after_days']}",
    )
    assert document["policies"][0]["states_after_one_pass"] == recorded["after_one_pass"]


@pytest.mark.parametrize("name", HOMES)
def test_the_moves_of_today_are_those_that_curate_would_make(name: str) -> None:
    document = forecast_json(str(DATA / name), f"--now={NOW}", "--policy=30/90")
    today = {
        skill["name"]: skill["by_policy"][0]["alembic"]["next"]["to"]
        for skill in document["skills"]
        if (skill["by_policy"][0]["alembic"]["next"] or {}).get("at") == "2026-06-16T09:00:00.000Z"
    }
    now_ms = ms_from_iso(NOW).expect("a time")
    library = open_library(DATA / name, lambda: now_ms)
    plan = run_curator(CuratorDeps(library.usage), CuratorPolicy(30, 90), dry_run=True)
    moved = plan.expect("a dry run").transitioned
    assert today == {move.name: move.to_state for move in moved}
    assert document["source"]["format"] == ("native" if name == "native_home" else "hermes")


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("name", HOMES)
def test_no_byte_and_no_time_of_a_library_changes(
    name: str, options: list[str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(DATA / name, home)
    before = tree_hash(home)
    for path in (home, home / "skills", home / "skills/.usage.json"):
        assert run_cli("forecast", str(path), f"--now={NOW}", *options).exit_code == 0
    assert tree_hash(home) == before


def test_folders_that_contradict_the_records_are_told(tmp_path: Path) -> None:
    used = {"created_by": "agent", "use_count": 1, "last_used_at": NOW, "created_at": NOW}
    archived = {**used, "state": "archived"}
    home = write_home(tmp_path, gone=used, back=archived, fine=used, away=archived)
    for folder in (".archive/gone", "back", "fine", ".archive/fine"):
        (home / "skills" / folder).mkdir(parents=True)
    notes = [line for line in forecast_text(str(home)).splitlines() if line.startswith("note:")]
    assert notes == [
        "note: back: archived by its record, but its folder is not in .archive",
        "note: gone: active by its record, but its folder is in .archive",
    ]


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    old = "2026-01-01T00:00:00Z"
    evil = "evil\x1b[31m\x07\nname"
    records = {
        evil: {"created_by": "agent", "created_at": old, "state": "stale"},
        "b\x1b": {"created_by": "agent", "created_at": old, "state": "x\x1b[2J"},
        "c": {"created_by": "agent", "last_used_at": "\x1b]0;title\x07"},
    }
    text = forecast_text(str(write_home(tmp_path, **records)))
    assert all(character.isprintable() or character == "\n" for character in text)
    shown = [line for line in text.splitlines() if "evil" in line]
    assert len(shown) == 4  # in each policy's table, and among its differences
    assert all("evil\\x1b[31m\\x07\\nname" in line for line in shown)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--policy=30"], "--policy: '30' is not allowed. Allowed: two finite numbers of days"),
        (["--policy=30/90/120"], "--policy: '30/90/120' is not allowed"),
        (["--policy=-1/90"], "--policy: '-1/90' is not allowed"),
        (["--policy=nan/90"], "--policy: 'nan/90' is not allowed"),
        (["--policy=30/90"] * 11, "--policy: '11 policies' is not allowed. Allowed: at most 10"),
        (["--horizon=0"], "--horizon: '0' is not allowed. Allowed: a whole number from 1 to 3650"),
        (["--horizon=x"], "--horizon: 'x' is not allowed"),
        (["--now=tomorrow"], "--now: 'tomorrow' is not allowed"),
    ],
)
def test_bad_options_name_field_value_and_range(options: list[str], told: str) -> None:
    run = run_cli("forecast", str(HOME), *options)
    assert run.exit_code == 2
    assert told in run.stderr


def test_a_path_that_is_no_library_is_bad_usage(tmp_path: Path) -> None:
    assert run_cli("forecast", str(tmp_path)).exit_code == 2
    (tmp_path / ".usage.json").write_text("[1]", encoding="utf-8")
    run = run_cli("forecast", str(tmp_path))
    assert run.exit_code == 2
    assert "a JSON object of skills" in run.stderr


def test_a_file_that_changes_between_two_looks_is_bad_usage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from alembic_sim.cli import forecast as command

    monkeypatch.setattr(command, "open_library", _then_gone)
    run = run_cli("forecast", str(HOME))
    assert run.exit_code == 2
    assert "a file that can be read (No such file or directory)" in run.stderr
    monkeypatch.setattr(command, "open_library", _then_a_list)
    run = run_cli("forecast", str(HOME))
    assert run.exit_code == 2
    assert "a JSON object of skills, left alone meanwhile" in run.stderr


def _then_gone(path: Path, clock: object) -> object:
    from dataclasses import replace

    return replace(open_library(path, lambda: 0), file=path / "gone")


def _then_a_list(path: Path, clock: object) -> object:
    from dataclasses import replace

    return replace(open_library(path, lambda: 0), file=DATA / "hermes_home_passes.json")


@pytest.mark.parametrize("policies", [[], ["--policy=7/21", "--policy=60/180", "--policy=30/31"]])
def test_every_policy_asked_for_is_answered_in_its_order(policies: list[str]) -> None:
    document = forecast_json(str(HOME), f"--now={NOW}", *policies)
    windows = [list(one["policy"].values()) for one in document["policies"]]
    assert windows == ([[7, 21], [60, 180], [30, 31]] if policies else [[30, 90], [14, 30]])
    assert all(len(skill["by_policy"]) == len(windows) for skill in document["skills"])
    assert document["best"] in document["verdict"]


def test_a_horizon_reaches_as_far_as_it_says() -> None:
    near = forecast_json(str(HOME), f"--now={NOW}", "--horizon=7")
    far = forecast_json(str(HOME), f"--now={NOW}", "--horizon=365")
    assert (near["until"], far["until"]) == ("2026-06-23T09:00:00.000Z", "2027-06-16T09:00:00.000Z")
    archived = [one["policies"][0]["alembic"]["archived"]["mean"] for one in (near, far)]
    assert archived[0] < 3 < 10 < archived[1]
