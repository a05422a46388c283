"""`alembic-sim notes show | apply`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alembic_sim.cli import build_app
from tests.cli.run_cli import run_cli

DATA = Path(__file__).parents[1] / "data"


def proposal(content: str, score: float = 0.9, target: str = "memory") -> dict:
    op = {"action": "add", "content": content}
    return {"target": target, "op": op, "rationale": "seen twice", "score": score}


def write(folder: Path, proposals: object) -> str:
    file = folder / "proposals.json"
    file.write_text(json.dumps(proposals), encoding="utf-8")
    return str(file)


def test_approved_proposals_settle_and_rejected_ones_do_not(tmp_path: Path) -> None:
    file = write(tmp_path, [proposal("a fact"), proposal("a guess", 0.69)])
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(tmp_path))
    assert run.exit_code == 0
    assert run.stdout.splitlines() == [
        "applied: 1",
        "  memory add 'a fact'",
        "rejected by the gate: 1",
        "  memory add 'a guess': score 0.69 < threshold 0.7 (learn only from validated wins)",
        "approved, but failed to write: 0",
    ]
    assert (tmp_path / "memory/MEMORY.md").read_bytes() == b"a fact"


def test_a_write_that_fails_is_exit_1_and_is_not_a_rejection(tmp_path: Path) -> None:
    file = write(tmp_path, [proposal("x" * 2201), proposal("fits")])
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(tmp_path), "--json")
    assert run.exit_code == 1
    document = json.loads(run.stdout)
    assert [len(document[bucket]) for bucket in ("applied", "rejected", "failed")] == [1, 0, 1]
    assert (document["error"], document["remaining"]) == (None, [])
    assert "2200 characters; this would make 2201" in document["failed"][0]["reason"]


def test_a_bad_proposal_is_exit_2_and_what_was_applied_before_is_still_told(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, [proposal("first"), proposal("second", 1.5), proposal("third")])
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(tmp_path))
    assert run.exit_code == 2
    assert "memory add 'first'" in run.stdout
    assert "proposal 2" in run.stderr
    assert f"Error: {file}, proposal 2: Invalid review proposal: score: 1.5 is not" in run.stderr
    assert "2 of 3 not applied" in run.stderr
    assert (tmp_path / "memory/MEMORY.md").read_bytes() == b"first"


def test_a_bad_proposal_is_in_the_json_as_well_with_all_that_remains(tmp_path: Path) -> None:
    proposals = [proposal("first"), proposal("second", 1.5), proposal("third")]
    file = write(tmp_path, proposals)
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(tmp_path), "--json")
    assert run.exit_code == 2
    document = json.loads(run.stdout)
    assert [each["op"]["content"] for each in document["applied"]] == ["first"]
    assert document["remaining"] == proposals[1:]
    assert document["error"] == {
        "code": "invalid-proposal",
        "message": "Invalid review proposal: score: 1.5 is not a number from 0 to 1",
    }


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"not json", b"```json\n[]\n```", b"\xff", b'[{"a": 1, "a": 2}]']
)
def test_a_file_that_is_no_list_of_proposals_is_exit_2_and_writes_nothing(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "proposals.json"
    file.write_bytes(content)
    run = run_cli("notes", "apply", "--proposals", str(file), "--dir", str(tmp_path / "home"))
    assert run.exit_code == 2
    assert run.stderr.startswith("Error: --proposals: ")
    assert not (tmp_path / "home").exists()


def test_an_empty_array_is_a_reviewer_with_nothing_to_say(tmp_path: Path) -> None:
    run = run_cli("notes", "apply", "--proposals", write(tmp_path, []), "--dir", str(tmp_path))
    assert run.exit_code == 0
    assert run.stdout.splitlines()[0] == "applied: 0"


def test_a_hermes_home_is_shown_but_never_written(tmp_path: Path) -> None:
    home = DATA / "hermes_home"
    shown = run_cli("notes", "show", "--dir", str(home), "--json")
    document = json.loads(shown.stdout)
    assert len(document["memory"]["entries"]) == 6
    assert document["user"]["entries"][0] == "Prefers short answers with the command first"
    assert document["memory"]["limit_chars"] == 2200

    file = write(tmp_path, [proposal("x")])
    refused = run_cli("notes", "apply", "--proposals", file, "--dir", str(home))
    assert refused.exit_code == 1
    assert "never written" in refused.stderr


def test_an_empty_home_is_shown_as_empty(tmp_path: Path) -> None:
    run = run_cli("notes", "show", "--dir", str(tmp_path))
    assert run.exit_code == 0
    assert run.stdout.count("(empty)") == 2
    assert list(tmp_path.iterdir()) == []


def test_control_characters_in_a_note_cannot_drive_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/MEMORY.md").write_bytes(b"red \x1b[31m alert")
    run = run_cli("notes", "show", "--dir", str(tmp_path))
    assert "\x1b" not in run.stdout
    assert "red \\x1b[31m alert" in run.stdout


def test_the_data_folder_may_come_from_the_environment(tmp_path: Path) -> None:
    run = run_cli("notes", "show", ALEMBIC_SIM_HOME=str(tmp_path))
    assert run.stdout.splitlines()[0] == (tmp_path / "memory").as_posix()


def test_an_unreadable_file_is_told_and_is_exit_2_and_never_shown_as_empty(
    tmp_path: Path,
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/MEMORY.md").write_bytes(b"known")
    (tmp_path / "memory/USER.md").write_bytes(b"\xff\xfe")
    run = run_cli("notes", "show", "--dir", str(tmp_path))
    assert run.exit_code == 2
    assert "USER.md is there but cannot be read: byte 0 is not UTF-8" in run.stderr
    assert "Error: cannot be read: USER.md;" in run.stderr
    assert "(empty)" not in run.stdout
    assert "USER.md: cannot be read" in run.stdout
    assert "  1. known" in run.stdout, "the other file is shown all the same"


@pytest.mark.parametrize(("target", "code"), [("memory", 0), ("user", 2)])
def test_a_note_for_a_file_that_cannot_be_read_is_exit_2(
    target: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory/USER.md").write_bytes(b"\xff\xfe")
    file = write(tmp_path, [proposal("a fact", target=target)])
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(tmp_path))
    assert run.exit_code == code
    assert ("Error: cannot be read: USER.md;" in run.stderr) == (code == 2)
    assert (tmp_path / "memory/USER.md").read_bytes() == b"\xff\xfe"


@pytest.mark.parametrize("place", ["", "/x", "/memory"])
def test_a_data_folder_that_is_a_file_is_exit_2(place: str, tmp_path: Path) -> None:
    """Or lies below one, or has one in the place of its memory folder."""
    (tmp_path / "home").mkdir()
    taken = tmp_path / "home/memory" if place == "/memory" else tmp_path / "file"
    taken.write_bytes(b"taken")
    home = tmp_path / "home" if place == "/memory" else f"{taken}{place}"
    file = write(tmp_path, [proposal("a fact")])
    for command in (["show"], ["apply", "--proposals", file]):
        run = run_cli("notes", *command, "--dir", str(home))
        assert (run.exit_code, run.stdout) == (2, "")
        assert f"{taken} is not a folder" in run.stderr
    assert taken.read_bytes() == b"taken"


def test_proposals_may_come_from_standard_input_and_begin_with_a_byte_order_mark(
    tmp_path: Path,
) -> None:
    arguments = ("notes", "apply", "--proposals", "-", f"--dir={tmp_path}")
    given = json.dumps([proposal("a fact")]).encode("utf-8-sig")
    run = CliRunner().invoke(build_app(arguments), arguments, input=given)
    assert (run.exit_code, run.stdout.splitlines()[0]) == (0, "applied: 1")
    (tmp_path / "p.json").write_bytes(given)
    run = run_cli("notes", "apply", f"--proposals={tmp_path / 'p.json'}", f"--dir={tmp_path}")
    assert run.exit_code == 0
    assert (tmp_path / "memory/MEMORY.md").read_bytes() == b"a fact"
    run = CliRunner().invoke(build_app(arguments), arguments, input=b"\xef\xbb\xbf" + given)
    assert run.exit_code == 2, "one byte-order mark, not two"


def test_an_unreadable_file_is_null_in_the_json_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "memory/MEMORY.md").mkdir(parents=True)
    run = run_cli("notes", "show", "--dir", str(tmp_path), "--json")
    assert run.exit_code == 2
    document = json.loads(run.stdout)
    assert (document["memory"]["entries"], document["memory"]["used_chars"]) == (None, None)
    assert (document["user"]["entries"], document["user"]["used_chars"]) == ([], 0)
    [warning] = document["warnings"]
    assert "MEMORY.md is there but cannot be read" in warning


@pytest.mark.parametrize(
    ("has", "part"),
    [
        ("memories", ""),
        ("memories", "memories"),
        ("skills", ""),
        ("skills", "skills"),
        ("all", ""),
        ("all", "memories"),
        ("all", "skills"),
    ],
)
def test_whatever_may_be_a_hermes_home_is_never_written(
    has: str, part: str, tmp_path: Path
) -> None:
    home = tmp_path / "outer" / "home"
    for folder in {"memories": ["memories"], "skills": ["skills"]}.get(
        has, ["memories", "skills", "memory"]
    ):
        (home / folder).mkdir(parents=True)
        if folder == "skills":
            sidecar = (DATA / "hermes_home/skills/.usage.json").read_bytes()
            (home / folder / ".usage.json").write_bytes(sidecar)
    before = sorted(home.rglob("*"))
    file = write(tmp_path, [proposal("x")])
    run = run_cli("notes", "apply", "--proposals", file, "--dir", str(home / part))
    assert run.exit_code == 1
    assert sorted(home.rglob("*")) == before
