"""`alembic-sim curate` on a native sidecar and on two Hermes homes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Callable
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
    assert done == planned | {"dry_run": False, "run": "run_000001"}

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
        (b'{"a": 5}', "looks like a skill's record"),
        (b'{"name": "x", "scripts": {"test": "pytest"}}', "looks like a skill's record"),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}", "not strict JSON"),
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
        ([str(DATA / "native_home"), "--archive=nan"], "--archive"),
        ([str(DATA / "native_home"), "--stale=abc"], "--stale"),
        ([str(DATA / "native_home"), "--stale="], "--stale"),
        ([str(DATA / "native_home"), "--now=1969-12-31"], "--now"),
        ([str(DATA / "native_home"), "--undo", "--dry-run"], "--dry-run"),
        ([str(DATA / "native_home"), "--undo", "--force"], "--force"),
        ([str(DATA / "native_home"), "--now=tomorrow"], "--now"),
    ],
)
def test_bad_usage_is_exit_2_and_names_the_field(arguments: list[str], field: str) -> None:
    run = run_cli("curate", *arguments)
    assert run.exit_code == 2
    assert run.stderr.startswith(f"Error: {field}: ")


def test_a_number_of_days_that_is_none_is_named_with_what_is_allowed() -> None:
    run = run_cli("curate", str(DATA / "native_home"), "--stale", "abc")
    assert run.stderr == (
        "Error: --stale: 'abc' is not allowed. Allowed: a finite number of days, 0 or more.\n"
    )


def test_a_path_where_nothing_is_says_so(tmp_path: Path) -> None:
    assert "nothing is there" in run_cli("curate", str(tmp_path / "typo")).stderr
    assert "nothing is there" not in run_cli("curate", str(tmp_path)).stderr


def test_a_fraction_of_a_day_is_allowed() -> None:
    document = curate_json(
        str(DATA / "native_home"), f"--now={NOW}", "--dry-run", "--stale=0.5", "--archive=1e3"
    )
    assert document["policy"] == {"stale_after_days": 0.5, "archive_after_days": 1000}


@pytest.mark.parametrize("home", ["native_home", "hermes_home_mixed"])
def test_a_byte_order_mark_changes_nothing(home: str, tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / home, copy)
    plain = curate_json(str(copy), f"--now={NOW}", "--dry-run")
    file = copy / "skills/.usage.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert curate_json(str(copy), f"--now={NOW}", "--dry-run") == plain


def test_an_empty_library_is_fine(tmp_path: Path) -> None:
    (tmp_path / ".usage.json").write_text("{}", encoding="utf-8")
    document = curate_json(str(tmp_path), f"--now={NOW}")
    assert (document["transitioned"], document["states"]) == ([], {})
    assert run_cli("curate", str(tmp_path)).exit_code == 0


# --- what a person reads ---


def test_a_person_reads_how_long_each_was_idle_and_what_is_pinned() -> None:
    lines = run_cli("curate", str(DATA / "native_home"), f"--now={NOW}", "--dry-run").stdout
    assert "  jumps-to-archived    active → archived  120 days idle\n" in lines
    assert "  thirty-days          active → stale     30 days idle\n" in lines
    assert "\npinned: pinned\n" in lines
    lines = run_cli("curate", str(DATA / "hermes_home"), f"--now={NOW}").stdout
    assert "  review-docker-layers     stale → active    never active\n" in lines
    assert "pinned: migrate-changelog (not curated anyway), migrate-oncall-handover, " in lines


def test_no_age_is_below_zero_and_no_name_is_invisible(tmp_path: Path) -> None:
    ms, day = 1_781_600_400_000, 86_400_000
    agents = {"createdBy": "agent"}
    records = {
        "": agents,
        " ": agents | {"createdAt": ms + 519 * day},
        "a ": agents | {"createdAt": ms - day},
        "b": agents | {"createdAt": ms + 1},
        "  ": agents | {"lastActivityAt": ms - 40 * day, "pinned": True},
        "\t": agents | {"lastActivityAt": ms - 40 * day},
        "\n": {"useCount": "many"},
    }
    file = tmp_path / ".usage.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    said = run_cli("curate", str(file), f"--now={NOW}").stdout
    assert "  '', creation time unknown\n" in said
    assert "  ' ', created in the future (a clock was wrong)\n" in said
    assert "  'a ', created 1 day ago\n" in said
    assert "  b, created in the future (a clock was wrong)\n" in said
    assert "  '\\t'  active → stale  40 days idle\n" in said
    assert "pinned: '  '\n" in said
    assert "left as it is: '\\n' (" in said
    assert "-" not in said.split("never active")[1].split("damaged")[0]
    undone = run_cli("curate", str(file), f"--now={NOW}", "--undo").stdout
    assert "  '\\t' stale → active\n" in undone


def test_a_hermes_record_without_a_name_is_named_in_quotes_in_the_notes(tmp_path: Path) -> None:
    file = tmp_path / ".usage.json"
    file.write_text(json.dumps({"": {"last_used_at": "yesterday"}}), encoding="utf-8")
    said = run_cli("curate", str(file), f"--now={NOW}").stdout
    assert "note: '': last_used_at counts as absent: 'yesterday'\n" in said


def test_names_cannot_drive_a_terminal_or_fake_a_line(tmp_path: Path) -> None:
    names = ["\x1b[2Jmoved: 99", "a\nmoved: 99", "b\rc", "d\u202ee"]
    ms = 1_750_000_000_000
    records = {
        name: {"createdBy": "agent", "pinned": False, "lastActivityAt": ms, "createdAt": ms}
        for name in names
    }
    records |= {
        f"pin\n{names[0]}": {"createdBy": "agent", "pinned": True},
        f"bad\n{names[0]}": {"useCount": "\x1b"},
        f"new\n{names[0]}": {"createdBy": "agent"},
        f"late\n{names[0]}": {"createdBy": "agent", "lastActivityAt": ms * 2},
    }
    file = tmp_path / ".usage.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    said = ""
    for options in (["--dry-run"], ["--force"], ["--undo"]):
        run = run_cli("curate", str(file), f"--now={NOW}", *options)
        assert run.exit_code == 0
        said += run.stdout
    assert "\x1b" not in said
    assert "\r" not in said
    assert "\u202e" not in said
    assert not any(line.startswith("moved: 99") for line in said.splitlines())
    assert "  a\\nmoved: 99" in said


# --- the guard, the runs, undo ---


def twenty(tmp_path: Path) -> Path:
    """CUR-08's library: twenty skills used lately; the clock will be ten years ahead."""
    ms = 1_780_272_000_000
    records = {
        f"s{n:02}": {"createdBy": "agent", "lastActivityAt": ms - n * 86_400_000} for n in range(20)
    }
    file = tmp_path / ".usage.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    return file


AHEAD = "--now=2036-06-01T00:00:00Z"


def test_a_pass_that_would_archive_more_than_half_is_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    file = twenty(tmp_path)
    before = tree_hash(tmp_path)
    run = run_cli("curate", str(file), AHEAD)
    assert (run.exit_code, run.stdout) == (1, "")
    assert "20 of 20" in run.stderr
    assert "--force" in run.stderr
    assert tree_hash(tmp_path) == before


def test_its_dry_run_shows_the_plan_says_that_it_would_be_refused_and_is_exit_0(
    tmp_path: Path,
) -> None:
    file = twenty(tmp_path)
    before = tree_hash(tmp_path)
    run = run_cli("curate", str(file), AHEAD, "--dry-run")
    assert run.exit_code == 0
    assert "would move: 20\n" in run.stdout
    assert "a real run would be refused: 20 of 20" in run.stdout
    document = curate_json(str(file), AHEAD, "--dry-run")
    assert len(document["transitioned"]) == 20
    assert "20 of 20" in document["refused"]
    assert curate_json(str(file), AHEAD, "--dry-run", "--force")["refused"] is None
    assert tree_hash(tmp_path) == before


def test_forced_it_runs_and_one_undo_brings_all_of_them_back(tmp_path: Path) -> None:
    file = twenty(tmp_path)
    forced = curate_json(str(file), AHEAD, "--force")
    assert set(forced["states"].values()) == {"archived"}
    assert forced["run"] == "run_000001"
    undone = curate_json(str(file), f"--now={NOW}", "--undo")
    assert (undone["undoes"], undone["run"]) == ("run_000001", "run_000002")
    assert len(undone["restored"]) == 20
    assert undone["restored"][0] == {"name": "s00", "from": "archived", "to": "active"}
    states = {raw["state"] for raw in json.loads(file.read_text("utf-8")).values()}
    assert states == {"active"}


def test_a_second_undo_says_so_and_is_exit_1(tmp_path: Path) -> None:
    file = twenty(tmp_path)
    curate_json(str(file), AHEAD, "--force")
    run = run_cli("curate", str(file), f"--now={NOW}", "--undo")
    assert run.exit_code == 0
    assert "took back run_000001; written down as run_000002" in run.stdout
    assert "moved back: 20\n  s00 archived → active\n" in run.stdout
    again = run_cli("curate", str(file), "--undo")
    assert (again.exit_code, again.stdout) == (1, "")
    assert "undone already" in again.stderr


def test_an_undo_tells_what_it_left_alone(tmp_path: Path) -> None:
    file = twenty(tmp_path)
    curate_json(str(file), AHEAD, "--force")
    document = json.loads(file.read_text("utf-8"))
    document["s00"]["state"], document["s01"]["state"] = "stale", "active"
    file.write_text(json.dumps(document), encoding="utf-8")
    run = run_cli("curate", str(file), f"--now={NOW}", "--undo")
    assert "changed since the pass, left alone: 1\n  s00, now stale\n" in run.stdout
    assert "in their old state already: s01\n" in run.stdout


def test_an_undo_leaves_what_was_pinned_or_given_to_a_person_since_and_says_why(
    tmp_path: Path,
) -> None:
    file = twenty(tmp_path)
    curate_json(str(file), AHEAD, "--force")
    document = json.loads(file.read_text("utf-8"))
    document["s00"]["createdBy"], document["s02"]["pinned"] = "Ana", True
    file.write_text(json.dumps(document), encoding="utf-8")
    run = run_cli("curate", str(file), f"--now={NOW}", "--undo")
    assert "moved back: 18\n" in run.stdout
    alone = "left alone: 2\n  s00, now not-agent-created\n  s02, now pinned\n"
    assert f"changed since the pass, {alone}" in run.stdout
    after = json.loads(file.read_text("utf-8"))
    assert (after["s00"]["state"], after["s02"]["state"]) == ("archived", "archived")


def test_an_undo_by_a_run_that_somebody_edited_is_exit_1_and_names_the_field(
    tmp_path: Path,
) -> None:
    file = twenty(tmp_path)
    curate_json(str(file), AHEAD, "--force")
    run_json = tmp_path / ".curator/run_000001/run.json"
    text = run_json.read_text("utf-8").replace('"from": "active"', '"from": "archived"')
    run_json.write_text(text, encoding="utf-8")
    before = file.read_bytes()
    run = run_cli("curate", str(file), f"--now={NOW}", "--undo")
    assert (run.exit_code, run.stdout) == (1, "")
    assert "run_000001/run.json is not a run of ours: 's00': no pass moves archived" in run.stderr
    assert file.read_bytes() == before


def test_where_no_pass_was_written_down_there_is_nothing_to_undo(tmp_path: Path) -> None:
    run = run_cli("curate", str(twenty(tmp_path)), "--undo")
    assert run.exit_code == 1
    assert run.stderr.startswith("Error: nothing was undone: no pass")


@pytest.mark.parametrize("home", ["hermes_home", "hermes_home_mixed"])
def test_a_hermes_home_has_no_undo_no_runs_and_no_guard(home: str, tmp_path: Path) -> None:
    copy = tmp_path / home
    shutil.copytree(DATA / home, copy)
    before = tree_hash(copy)
    for options in (["--force"], [AHEAD], [AHEAD, "--force"]):
        run = run_cli("curate", str(copy), *options)
        assert run.exit_code == 0
        assert "refused" not in run.stdout
    undo = run_cli("curate", str(copy), "--undo")
    assert (undo.exit_code, undo.stdout) == (1, "")
    assert "never written" in undo.stderr
    assert tree_hash(copy) == before


def test_every_real_pass_is_written_down_beside_the_file_also_through_a_link(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    (tmp_path / "link.json").symlink_to(copy / "skills/.usage.json")
    assert curate_json(str(copy), f"--now={NOW}")["run"] == "run_000001"
    run = run_cli("curate", str(tmp_path / "link.json"), "--now=2020-01-01")
    assert "written down as run_000002" in run.stdout
    runs = copy / "skills/.curator"
    assert sorted(p.name for p in runs.iterdir() if p.is_dir()) == ["run_000001", "run_000002"]
    told = json.loads((runs / "run_000001/run.json").read_text("utf-8"))
    assert told["now"] == "2026-06-16T09:00:00.000Z"
    assert (
        (runs / "run_000002/REPORT.md").read_text("utf-8").startswith("# Curator pass run_000002")
    )


def test_an_undo_that_cannot_be_saved_is_exit_1_and_says_how_far_it_came(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    curate_json(str(copy), f"--now={NOW}")
    (copy / "skills/.usage.json.lock").unlink(missing_ok=True)
    (copy / "skills/.usage.json.lock").mkdir()
    run = run_cli("curate", str(copy), "--undo")
    assert run.exit_code == 1
    assert "the undo stopped at write-failed" in run.stderr


def test_a_pass_that_cannot_be_saved_is_exit_1(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    (copy / "skills/.usage.json.lock").mkdir()  # the lock cannot be taken
    run = run_cli("curate", str(copy), f"--now={NOW}")
    assert run.exit_code == 1
    assert "the pass stopped at write-failed" in run.stderr


def test_a_sidecar_behind_a_link_is_curated_where_it_lies_in_the_home(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    direct = curate_json(str(copy), f"--now={NOW}", "--dry-run")
    (copy / "data").mkdir()
    (copy / "skills/.usage.json").rename(copy / "data/usage.json")
    (copy / "skills/.usage.json").symlink_to("../data/usage.json")
    through = curate_json(str(copy), f"--now={NOW}")
    assert through["states"] == direct["states"]
    assert len(through["states"]) == 13
    assert (copy / "skills/.usage.json").is_symlink()
    assert (copy / "data/.curator/run_000001/run.json").is_file()


def a_home_that_leads_out(home: Path, link: str) -> None:
    """`skills/.usage.json` below the home, but for the link at `link`, which leads elsewhere."""
    elsewhere = home.parent / "elsewhere"
    shutil.copytree(DATA / "native_home/skills", elsewhere)
    target = {"skills": elsewhere, "skills/.usage.json": elsewhere / ".usage.json"}[link]
    (home / link).parent.mkdir(parents=True)
    (home / link).symlink_to(target)


@pytest.mark.parametrize("link", ["skills", "skills/.usage.json"])
@pytest.mark.parametrize("options", [[], ["--dry-run"], ["--force"], ["--undo"], ["--json"]])
def test_a_home_whose_sidecar_lies_elsewhere_is_refused_and_nothing_is_written(
    link: str, options: list[str], tmp_path: Path
) -> None:
    a_home_that_leads_out(tmp_path / "home", link)
    before = tree_hash(tmp_path)
    run = run_cli("curate", str(tmp_path / "home"), f"--now={NOW}", *options)
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr.startswith("Error: outside-root: ")
    assert (tmp_path / "elsewhere/.usage.json").as_posix() in run.stderr
    assert "nothing was written" in run.stderr
    assert tree_hash(tmp_path) == before


@pytest.mark.parametrize("part", ["skills", "skills/.usage.json"])
def test_a_folder_or_file_that_was_named_is_refused_if_its_sidecar_lies_elsewhere(
    part: str, tmp_path: Path
) -> None:
    """Also a file that is itself a link: its name does not say whose records would move."""
    a_home_that_leads_out(tmp_path / "home", "skills/.usage.json")
    before = tree_hash(tmp_path)
    run = run_cli("curate", str(tmp_path / "home" / part), f"--now={NOW}")
    assert run.exit_code == 1
    assert run.stderr.startswith("Error: outside-root: ")
    assert tree_hash(tmp_path) == before


def test_a_hermes_home_whose_sidecar_lies_elsewhere_is_not_read_through_the_link(
    tmp_path: Path,
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/skills").symlink_to(DATA / "hermes_home/skills")
    run = run_cli("curate", str(tmp_path / "home"), f"--now={NOW}")
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr.startswith("Error: outside-root: ")


def test_a_home_or_folder_that_is_itself_a_link_is_the_one_that_was_named(tmp_path: Path) -> None:
    shutil.copytree(DATA / "native_home", tmp_path / "real")
    (tmp_path / "home").symlink_to(tmp_path / "real")
    (tmp_path / "tools").symlink_to(tmp_path / "real/skills")
    for path, run_id in (("home", "run_000001"), ("tools", "run_000002")):
        assert curate_json(str(tmp_path / path), f"--now={NOW}")["run"] == run_id
    assert run_cli("curate", str(tmp_path / "tools/.usage.json"), f"--now={NOW}").exit_code == 0


def test_the_folder_of_runs_may_not_lead_out_either(tmp_path: Path) -> None:
    copy = tmp_path / "home"
    shutil.copytree(DATA / "native_home", copy)
    (tmp_path / "elsewhere").mkdir()
    (copy / "skills/.curator").symlink_to(tmp_path / "elsewhere")
    before = tree_hash(tmp_path)
    assert run_cli("curate", str(copy), f"--now={NOW}").exit_code == 1
    assert tree_hash(tmp_path) == before


def put_a_folder(file: Path) -> None:
    file.mkdir()


def put_a_pipe(file: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(file)


def put_a_broken_link(file: Path) -> None:
    file.symlink_to("nowhere")


def put_a_circle(file: Path) -> None:
    file.symlink_to(file.name)


@pytest.mark.parametrize("part", ["", "skills", "skills/.usage.json"])
@pytest.mark.parametrize("put", [put_a_folder, put_a_pipe, put_a_broken_link, put_a_circle])
def test_a_sidecar_that_is_no_file_is_exit_2_and_stays_what_it_is(
    put: Callable[[Path], None], part: str, tmp_path: Path
) -> None:
    """Nor is another sidecar of the home taken in its place."""
    shutil.copy(DATA / "native_home/skills/.usage.json", tmp_path)
    (tmp_path / "skills").mkdir()
    sidecar = tmp_path / "skills/.usage.json"
    put(sidecar)
    before = stat.S_IFMT(sidecar.lstat().st_mode), sorted(tmp_path.rglob("*"))
    run = run_cli("curate", str(tmp_path / part), f"--now={NOW}")
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr.startswith(f"Error: PATH: '{sidecar}' is not allowed. ")
    assert (stat.S_IFMT(sidecar.lstat().st_mode), sorted(tmp_path.rglob("*"))) == before


@pytest.mark.skipif(os.name == "nt", reason="such a file cannot be there")
def test_a_file_whose_name_is_a_path_elsewhere_is_exit_2_and_says_so(tmp_path: Path) -> None:
    strange = tmp_path / "a:b.json"
    strange.write_bytes((DATA / "native_home" / "skills" / ".usage.json").read_bytes())
    run = run_cli("curate", str(strange), f"--now={NOW}")
    assert run.exit_code == 2
    assert "a file with a plain name" in run.stderr
