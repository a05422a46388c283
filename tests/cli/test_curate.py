"""`alembic-sim curate` on a native sidecar and on two Hermes homes."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.run_cli import run_cli

DATA = Path(__file__).parents[1] / "data"
NOW = "2026-06-16T09:00:00Z"
PASSES = json.loads((DATA / "hermes_home_passes.json").read_text("utf-8"))


def tree_hash(folder: Path) -> str:
    """One digest over every name, byte, size and modification time below a folder."""
    lines = [
        f"{path.relative_to(folder)} {path.stat().st_mtime_ns} "
        f"{hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ''}"
        for path in sorted(folder.rglob("*"))
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def curate_json(*arguments: str) -> dict:
    run = run_cli("curate", *arguments, "--json")
    assert (run.exit_code, run.stderr) == (0, "")
    return json.loads(run.stdout)


@pytest.mark.parametrize("recorded", PASSES, ids=lambda p: f"{p['now']}-{p['stale_after_days']}")
def test_the_genuine_home_gets_exactly_the_recorded_states(recorded: dict) -> None:
    document = curate_json(
        str(DATA / "hermes_home"),
        f"--now={recorded['now']}",
        f"--stale={recorded['stale_after_days']}",
        f"--archive={recorded['archive_after_days']}",
    )
    assert document["states"] == recorded["after_one_pass"]["alembic"]
    assert document["source"]["format"] == "hermes"
    assert document["dry_run"] is True


def test_every_name_of_a_home_is_in_exactly_one_list() -> None:
    document = curate_json(str(DATA / "hermes_home_mixed"), f"--now={NOW}")
    names = [row["name"] for row in document["transitioned"] + document["skipped"]]
    sidecar = json.loads((DATA / "hermes_home_mixed/skills/.usage.json").read_text("utf-8"))
    assert sorted(names) == sorted(sidecar)


def test_odd_timestamps_and_authors_of_a_home_are_read_as_the_contract_says() -> None:
    document = curate_json(str(DATA / "hermes_home_mixed"), f"--now={NOW}")
    assert document["states"] == {
        "deploy-staging": "stale",  # no zone means UTC: exactly 30 days idle
        "deploy-staging-late": "active",  # one millisecond less
        "floor-to-the-millisecond": "stale",  # 999 microseconds do not save it
        "legacy-flag": "stale",  # agent_created: true
        "legacy-flag-as-text": "active",  # "true" is not true
        "made-by-a-person": "active",
        "newest-of-three-wins": "active",
        "pinned-and-old": "active",
        "rotate-keys": "archived",  # a Z suffix, exactly 90 days
        "unreadable-times": "active",  # counts as never active
        "used-again": "active",
    }
    assert document["invalid"] == [
        {"name": "damaged", "reason": "pinned: 'no' is not true or false"}
    ]
    assert document["never_active"] == [{"name": "unreadable-times", "age_days": 157}]
    assert document["warnings"] == [
        "unreadable-times: last_used_at counts as absent: 'yesterday'",
        "unreadable-times: last_viewed_at counts as absent: 1780000000",
    ]


@pytest.mark.parametrize("home", ["hermes_home", "hermes_home_mixed"])
@pytest.mark.parametrize("part", ["", "skills", "skills/.usage.json"])
def test_not_one_byte_name_or_mtime_of_a_hermes_home_changes(
    home: str, part: str, tmp_path: Path
) -> None:
    copy = tmp_path / home
    shutil.copytree(DATA / home, copy)
    before = tree_hash(copy)
    run = run_cli("curate", str(copy / part), f"--now={NOW}")
    assert run.exit_code == 0
    assert "dry run: nothing was written" in run.stdout
    assert tree_hash(copy) == before


def test_a_native_library_is_curated_for_real(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    planned = curate_json(str(copy), f"--now={NOW}", "--dry-run")
    done = curate_json(str(copy), f"--now={NOW}")
    assert done == planned | {"dry_run": False}

    sidecar = json.loads((copy / "skills/.usage.json").read_text("utf-8"))
    original = json.loads((DATA / "native_home/skills/.usage.json").read_text("utf-8"))
    assert {name: raw["state"] for name, raw in sidecar.items() if name != "damaged"} == {
        "archived-and-used": "archived",
        "by-a-person": "active",
        "fresh": "active",
        "from-the-future": "active",
        "jumps-to-archived": "archived",
        "never-used": "active",
        "ninety-days": "archived",
        "ninety-days-less-1ms": "stale",
        "pinned": "active",
        "thirty-days": "stale",
        "thirty-days-less-1ms": "active",
        "used-again": "active",
        "with-an-extra-field": "stale",
    }
    assert sidecar["damaged"] == original["damaged"]
    assert sidecar["with-an-extra-field"]["note"] == "keep me"
    states_only = {name: raw | {"state": original[name]["state"]} for name, raw in sidecar.items()}
    assert states_only == original


def test_a_second_pass_leaves_the_same_bytes(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    run_cli("curate", str(copy), f"--now={NOW}")
    after_one = (copy / "skills/.usage.json").read_bytes()
    second = curate_json(str(copy), f"--now={NOW}")
    assert second["transitioned"] == []
    assert (copy / "skills/.usage.json").read_bytes() == after_one


def test_a_dry_run_of_a_native_library_takes_no_lock_and_writes_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    before = tree_hash(copy)
    run = run_cli("curate", str(copy), f"--now={NOW}", "--dry-run")
    assert run.exit_code == 0
    assert tree_hash(copy) == before


@pytest.mark.parametrize(
    "records",
    [
        {},  # nothing says whose it is
        {"a": {"state": "active"}},  # keys that both formats have
        {"a": {"createdBy": "agent", "useCount": 1}, "b": {"last_used_at": None}},  # one of each
        {"a": {"createdBy": "agent", "agent_created": True}},
    ],
)
def test_a_file_in_doubt_is_treated_as_the_ancestors_and_never_written(
    records: dict, tmp_path: Path
) -> None:
    file = tmp_path / ".usage.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    before = tree_hash(tmp_path)
    document = curate_json(str(file), f"--now={NOW}")
    assert document["dry_run"] is True
    assert tree_hash(tmp_path) == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not strict JSON"),
        (b"\xff\xfe", "not strict JSON"),
        (b"[]", "a JSON object of skills"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b'{"a": {}, "a": {}}', "appears twice"),
        (b'{"a": {"useCount": 1' + b"0" * 400 + b"}}", "digits is too large"),
    ],
)
def test_a_file_that_is_no_sidecar_is_exit_2_and_says_why(
    content: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / ".usage.json"
    file.write_bytes(content)
    run = run_cli("curate", str(file))
    assert run.exit_code == 2
    assert said in run.stderr
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["no-such-folder"], "PATH"),
        ([str(DATA)], "PATH"),
        (["x" * 5000], "PATH"),
        ([str(DATA / "native_home"), "--stale=-1"], "--stale"),
        ([str(DATA / "native_home"), "--archive=inf"], "--archive"),
        ([str(DATA / "native_home"), "--now=tomorrow"], "--now"),
    ],
)
def test_bad_usage_is_exit_2_and_names_the_field(arguments: list[str], field: str) -> None:
    run = run_cli("curate", *arguments)
    assert run.exit_code == 2
    assert run.stderr.startswith(f"Error: {field}: ")


def test_a_pass_that_cannot_be_saved_is_exit_1(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    (copy / "skills/.usage.json.lock").mkdir()  # the lock cannot be taken
    run = run_cli("curate", str(copy), f"--now={NOW}")
    assert run.exit_code == 1
    assert "the pass stopped at write-failed" in run.stderr


def test_a_sidecar_behind_a_link_is_curated_where_it_lies(tmp_path: Path) -> None:
    shutil.copytree(DATA / "native_home", tmp_path / "real")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/.usage.json").symlink_to(tmp_path / "real/skills/.usage.json")
    through = curate_json(str(tmp_path / "linked"), f"--now={NOW}", "--dry-run")
    direct = curate_json(str(tmp_path / "real"), f"--now={NOW}", "--dry-run")
    assert through["states"] == direct["states"]
    assert len(through["states"]) == 13
