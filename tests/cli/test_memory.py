"""`alembic-sim memory STORE list | add`, as in seed 5 §12."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import Result

from alembic_sim import MemoryFs
from tests.cli.run_cli import run_cli
from tests.meddled_fs import MeddledFs, fails

DATA = Path(__file__).parents[1] / "data"
NOW = ("--now", "2025-01-01T00:00:00Z")


def memory(home: Path, *arguments: str) -> Result:
    return run_cli("memory", *arguments, "--dir", str(home))


def test_the_session_of_the_seed_word_for_word(tmp_path: Path) -> None:
    file = (tmp_path / "memory/procedural.jsonl").as_posix()
    empty = memory(tmp_path, "procedural", "list")
    assert (empty.exit_code, empty.stdout) == (
        0,
        f"memory procedural: 0 record(s) under {file}\n",
    )
    record = '{"content":"prefira early-return em guards"}'
    added = memory(tmp_path, "procedural", "add", "--record", record, *NOW)
    assert (added.exit_code, added.stdout) == (
        0,
        "memory procedural: appended mem_000001 (agent cli)\n",
    )
    assert memory(tmp_path, "procedural", "list").stdout == (
        f"memory procedural: 1 record(s) under {file}\n"
        "  mem_000001 [agent cli] at 2025-01-01T00:00:00.000Z\n"
    )


def test_listing_is_newest_first_and_changes_nothing(tmp_path: Path) -> None:
    for number in range(3):
        memory(tmp_path, "episodic", "add", "--record", f'{{"n": {number}}}', *NOW)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    run = memory(tmp_path, "episodic", "list")
    assert [line.split()[0] for line in run.stdout.splitlines()[1:]] == [
        *("mem_000003", "mem_000002", "mem_000001")
    ]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_listing_a_folder_that_does_not_exist_makes_none(tmp_path: Path) -> None:
    assert memory(tmp_path / "none", "semantic", "list").exit_code == 0
    assert not (tmp_path / "none").exists()


def test_the_agent_and_the_time_are_recorded(tmp_path: Path) -> None:
    added = memory(
        tmp_path, "decision", "add", "--record", "{}", "--agent", "revisor", "--now", "2025-06-30"
    )
    assert added.stdout == "memory decision: appended mem_000001 (agent revisor)\n"
    assert "[agent revisor] at 2025-06-30T00:00:00.000Z" in (
        memory(tmp_path, "decision", "list").stdout
    )


def test_json_is_one_document_with_whole_records(tmp_path: Path) -> None:
    record = '{"content": "é 😀", "tags": ["a"]}'
    added = memory(tmp_path, "transcript", "add", "--record", record, *NOW, "--json")
    stored = {
        "id": "mem_000001",
        "agent": "cli",
        "at": "2025-01-01T00:00:00.000Z",
        "record": {"content": "é 😀", "tags": ["a"]},
    }
    file = (tmp_path / "memory/transcript.jsonl").as_posix()
    assert json.loads(added.stdout) == {"store": "transcript", "file": file, "appended": stored}
    listed = memory(tmp_path, "transcript", "list", "--json")
    assert json.loads(listed.stdout) == {
        "store": "transcript",
        "file": file,
        "records": [stored],
        "warnings": [],
    }


def test_a_torn_last_line_is_told_and_the_next_record_can_be_read(tmp_path: Path) -> None:
    memory(tmp_path, "episodic", "add", "--record", '{"n": 1}', *NOW)
    file = tmp_path / "memory/episodic.jsonl"
    file.write_bytes(file.read_bytes() + b'{"id": "mem_0000')
    listed = memory(tmp_path, "episodic", "list")
    assert listed.exit_code == 0
    assert "1 record(s)" in listed.stdout
    assert "line 2 is torn" in listed.stderr
    memory(tmp_path, "episodic", "add", "--record", '{"n": 2}', *NOW)
    assert "2 record(s)" in memory(tmp_path, "episodic", "list").stdout
    assert "line 2 is damaged" in memory(tmp_path, "episodic", "list", "--json").stdout


def test_what_is_in_the_file_cannot_drive_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    line = {"id": "a\x1b[31m\n", "agent": "b\x07", "at": "\u202e", "record": {}}
    (tmp_path / "memory/episodic.jsonl").write_text(json.dumps(line), encoding="utf-8")
    run = memory(tmp_path, "episodic", "list")
    assert not {"\x1b", "\x07", "\u202e"} & set(run.stdout)
    assert "a\\x1b[31m" in run.stdout
    assert len(run.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    "record",
    [
        *(
            "",
            "not json",
            "[1]",
            "null",
            '"text"',
            '{"a": 1, "a": 2}',
            '{"a": NaN}',
            '{"a": 1e999}',
        ),
        *('{"a": "\\ud800"}', '{"a": ' + "[" * 31 + "]" * 31 + "}"),
    ],
)
def test_a_record_that_is_no_strict_json_object_is_exit_2_and_writes_nothing(
    record: str, tmp_path: Path
) -> None:
    run = memory(tmp_path / "home", "episodic", "add", "--record", record)
    assert run.exit_code == 2
    assert run.stderr.startswith("Error: --record: ")
    assert "Allowed: a JSON object such as" in run.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("agent", ["", " ", "a\nb", "a\x1bb"])
def test_an_agent_that_is_no_name_is_exit_2(agent: str, tmp_path: Path) -> None:
    run = memory(tmp_path / "home", "episodic", "add", "--record", "{}", "--agent", agent)
    assert run.exit_code == 2
    assert run.stderr.startswith("Error: --agent: ")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("dreams", "list"), "STORE: 'dreams' is not allowed. Allowed: episodic, semantic, "),
        (("list", "add", "--record", "{}"), "STORE: 'list' is not allowed"),
        (("episodic", "remove"), "No such command 'remove'"),
        (("episodic",), "Missing command"),
        (("episodic", "add"), "Missing option '--record'"),
        (("episodic", "list", "--record", "{}"), "No such option: --record"),
        (("episodic", "add", "--record", "{}", "--now", "soon"), "--now: 'soon'"),
    ],
)
def test_bad_usage_is_exit_2_and_says_what_is_allowed(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    run = run_cli("memory", *arguments, ALEMBIC_SIM_HOME=str(tmp_path))
    assert run.exit_code == 2
    assert says in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("action", [("list",), ("add", "--record", "{}")])
def test_a_store_that_cannot_be_read_is_exit_2_and_is_not_written(
    action: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "memory/episodic.jsonl").mkdir(parents=True)
    run = memory(tmp_path, "episodic", *action)
    assert run.exit_code == 2
    assert "memory/episodic.jsonl is there but cannot be read" in run.stderr
    assert run.stdout == ""
    assert list((tmp_path / "memory/episodic.jsonl").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there are no such files there")
@pytest.mark.parametrize("action", [("list",), ("add", "--record", "{}")])
def test_a_named_pipe_in_the_place_of_a_store_is_exit_2(
    action: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "memory").mkdir()
    os.mkfifo(tmp_path / "memory/episodic.jsonl")
    run = memory(tmp_path, "episodic", *action)
    assert (run.exit_code, "not a file" in run.stderr) == (2, True)


@pytest.mark.parametrize("action", [("list",), ("add", "--record", "{}")])
@pytest.mark.parametrize("place", ["", "/x", "/x/y"])
def test_a_data_folder_that_is_a_file_or_below_one_is_exit_2(
    place: str, action: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"taken")
    run = memory(Path(f"{tmp_path}/file{place}"), "episodic", *action)
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr == f"Error: --dir: {tmp_path / 'file'} is not a folder\n"


@pytest.mark.parametrize("action", [("list",), ("add", "--record", "{}")])
def test_a_memory_folder_that_is_a_file_is_exit_2(action: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "memory").write_bytes(b"taken")
    run = memory(tmp_path, "episodic", *action)
    assert (run.exit_code, "is not a folder" in run.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]


def test_a_store_that_cannot_be_written_is_exit_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = MeddledFs(MemoryFs(), write=fails("no-space"))
    monkeypatch.setattr("alembic_sim.cli.memory.DiskFs", lambda _home: full)
    run = memory(tmp_path, "episodic", "add", "--record", "{}")
    assert (run.exit_code, "the test says no-space" in run.stderr) == (1, True)


def test_a_hermes_home_is_listed_as_empty_and_never_written(tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(DATA / "hermes_home", home)
    before = sorted(home.rglob("*"))
    assert memory(home, "episodic", "list").exit_code == 0
    run = memory(home, "episodic", "add", "--record", "{}")
    assert run.exit_code == 1
    assert "never written" in run.stderr
    assert sorted(home.rglob("*")) == before
