"""`alembic-sim skills …`: what a person sees, what a program reads, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from alembic_sim.cli import build_app
from alembic_sim.strict_json import parse_strict_json
from tests.cli.run_cli import run_cli

DATA = Path(__file__).parents[1] / "data"
WRITING = ("create", "patch", "use", "pin", "unpin", "archive", "restore")


class Shell:
    """Commands over one data folder at one time."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def run(self, command: str, *arguments: str, now: str = "2026-01-01") -> object:
        return run_cli("skills", command, *arguments, f"--dir={self.home}", f"--now={now}")

    def document(self, command: str, *arguments: str, now: str = "2026-01-01") -> dict:
        run = self.run(command, *arguments, "--json", now=now)
        assert run.exit_code == 0, run.stderr
        return json.loads(run.stdout, parse_constant=pytest.fail)

    def made(self, name: str, body: str = "v1", now: str = "2026-01-01") -> Shell:
        file = self.home.parent / "body.md"
        file.write_text(body, encoding="utf-8")
        run = self.run("create", name, f"--file={file}", f"--description=about {name}", now=now)
        assert run.exit_code == 0, run.stderr
        return self

    def body(self, text: str | bytes) -> str:
        file = self.home.parent / "given.md"
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return f"--file={file}"

    def records(self) -> dict:
        return json.loads((self.home / "skills/.usage.json").read_text("utf-8"))


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "home")


def tree_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(f"{path.relative_to(folder)} {path.stat().st_mtime_ns}\n".encode())
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()


def test_a_life_of_a_skill_as_a_person_sees_it(shell: Shell) -> None:
    told = [shell.run("create", "fix-ci", shell.body("v1"), "--description=How: fix CI")]
    told.append(shell.run("use", "fix-ci", now="2026-01-02"))
    told.append(shell.run("patch", "fix-ci", shell.body("v2"), now="2026-01-03"))
    told.append(shell.run("pin", "fix-ci", now="2026-01-04"))
    told.append(shell.run("unpin", "fix-ci", now="2026-01-04"))
    told.append(shell.run("archive", "fix-ci", now="2026-01-05"))
    told.append(shell.run("restore", "fix-ci", now="2026-01-06"))
    assert [run.stdout for run in told] == [
        "created fix-ci (active; used 0, viewed 0, patched 0, last never)\n",
        "used fix-ci (active; used 1, viewed 0, patched 0, last 2026-01-02)\n",
        "patched fix-ci (active; used 1, viewed 0, patched 1, last 2026-01-03);"
        " the earlier text is skills/fix-ci/SKILL.000001.md\n",
        "pinned fix-ci (active; used 1, viewed 0, patched 1, last 2026-01-03)\n",
        "unpinned fix-ci (active; used 1, viewed 0, patched 1, last 2026-01-03)\n",
        "archived fix-ci (archived; used 1, viewed 0, patched 1, last 2026-01-03)\n",
        "restored fix-ci (active; used 1, viewed 0, patched 1, last 2026-01-06)\n",
    ]
    seen = shell.run("view", "fix-ci", now="2026-01-07")
    assert seen.stdout == "fix-ci: How: fix CI\n\nv2\n"
    assert shell.records()["fix-ci"]["viewCount"] == 1
    assert shell.run("list").stdout.splitlines() == [
        f"{(shell.home / 'skills').as_posix()} (library)",
        "  fix-ci  active     used 1, viewed 1, patched 1, last 2026-01-07",
        "    How: fix CI",
        "1 skill",
    ]


def test_every_command_prints_one_strict_json_document(shell: Shell) -> None:
    made = shell.document("create", "a", shell.body("v1"), "--description=d", "--by=user")
    assert made == {
        "action": "created",
        "name": "a",
        "path": "skills/a/SKILL.md",
        "kept": None,
        "record": made["record"],
        "notes": [],
    }
    assert made["record"]["createdBy"] == "user"
    assert shell.document("patch", "a", shell.body("v2"))["kept"] == "skills/a/SKILL.000001.md"
    actions = [shell.document(command, "a")["action"] for command in WRITING[2:]]
    assert actions == ["used", "pinned", "unpinned", "archived", "restored"]
    assert len(shell.document("pin", "a")["notes"]) == 1
    seen = shell.document("view", "a")
    assert (seen["description"], seen["body"], seen["record"]["viewCount"]) == ("d", "v2", 1)
    [listed] = shell.document("list")["skills"]
    assert (listed["name"], listed["state"], listed["curated"]) == ("a", "active", False)


def test_cur_09_a_prefix_is_exit_1_and_the_archive_is_untouched(shell: Shell) -> None:
    shell.made("git-helpers").run("archive", "git-helpers")
    run = shell.run("restore", "git")
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr == (
        "Error: unknown-skill: there is no skill 'git'; names are exact: 'git-helpers'\n"
    )
    assert shell.records()["git-helpers"]["state"] == "archived"
    assert shell.run("restore", "git-helpers").exit_code == 0


def test_a_pin_that_no_curator_looks_at_says_so(shell: Shell) -> None:
    shell.run("create", "mine", shell.body("v1"), "--description=d", "--by=user")
    run = shell.run("pin", "mine")
    assert run.exit_code == 0
    assert "note: recorded, but this skill is not curated" in run.stderr


def test_the_body_may_come_from_standard_input(shell: Shell) -> None:
    shell.made("a")
    arguments = ("skills", "patch", "a", "--file", "-", f"--dir={shell.home}")
    run = CliRunner().invoke(build_app(arguments), arguments, input="from a pipe\n")
    assert run.exit_code == 0
    assert shell.document("view", "a")["body"] == "from a pipe"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["create", "Fix", "--description=d"], "NAME: 'Fix' is not allowed"),
        (["create", ".usage.json", "--description=d"], "NAME: '.usage.json' is not allowed"),
        (["create", "b", "--description=\x00"], "--description: '\\x00' is not allowed"),
        (["create", "b", "--description="], "--description: '' is not allowed"),
        (["create", "b", "--description= "], "--description: ' ' is not allowed"),
        (["create", "b", "--description=a\nb"], "--description: 'a\\nb' is not allowed"),
        (["create", "b", "--description=a\u2028b"], "--description: "),
        (["create", "b", "--description=d", "--by="], "--by: '' is not allowed"),
        (["create", "b", "--description=d", "--by=a\nb"], "--by: 'a\\nb' is not allowed"),
        (["create", "b", "--description=d", "--by=\udcff"], "--by: '\\udcff' is not allowed"),
    ],
)
def test_a_bad_name_or_text_is_exit_2(arguments: list[str], field: str, shell: Shell) -> None:
    run = shell.run(*arguments, shell.body("v1"))
    assert run.exit_code == 2
    assert run.stderr.startswith(f"Error: {field}")
    assert not shell.home.exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "Error: --file: blank; say how the thing is done\n"),
        (b"\xff", "a UTF-8 file that can be read"),
        (b"a\0", "Error: --file: character 1 is a NUL\n"),
        (b"---\nname: a\n---\nb", "Error: --file: it begins with a frontmatter of its own"),
        (b"x" * (1024 * 1024), "bytes, more than 1048576"),
        (b"x" * (1024 * 1024 + 1), "a file of at most 1048576 bytes"),
    ],
)
def test_a_file_that_is_no_body_is_exit_2_and_writes_nothing(
    body: bytes, said: str, shell: Shell
) -> None:
    shell.made("a")
    before = shell.records()
    run = shell.run("patch", "a", shell.body(body))
    assert run.exit_code == 2
    assert said in run.stderr
    assert shell.records() == before
    assert [path.name for path in (shell.home / "skills/a").iterdir()] == ["SKILL.md"]


@pytest.mark.parametrize("file", ["no-such-file", "", "."])
def test_a_file_that_cannot_be_read_is_exit_2(file: str, shell: Shell) -> None:
    run = shell.run("patch", "a", f"--file={file}")
    assert run.exit_code == 2
    assert run.stderr.startswith("Error: --file: ")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["status", "--stale=-1"], "--stale"),
        (["status", "--archive=inf"], "--archive"),
        (["list", "--now=tomorrow"], "--now"),
        (["list", f"--dir={__file__}"], "--dir"),
        (["list", f"--dir={'x' * 5000}"], "--dir"),
    ],
)
def test_bad_usage_is_exit_2_and_names_the_field(arguments: list[str], field: str) -> None:
    run = run_cli("skills", *arguments)
    assert run.exit_code == 2
    assert run.stderr.startswith(f"Error: {field}: ")


def test_an_empty_data_folder_is_an_empty_library_and_stays_empty(shell: Shell) -> None:
    assert shell.run("list").stdout.splitlines()[1:] == ["0 skills"]
    assert shell.run("status").exit_code == 0
    assert not shell.home.exists()


def test_the_skills_folder_itself_may_be_named(shell: Shell) -> None:
    shell.made("a")
    inside = Shell(shell.home / "skills")
    assert inside.document("use", "a")["record"]["useCount"] == 1
    assert not (shell.home / "skills/skills").exists()


def test_control_characters_in_a_skill_cannot_drive_the_terminal(shell: Shell) -> None:
    shell.made("a")
    head = '---\nname: "b\\u001bad"\ndescription: red \x1b[31m\n---\n'
    for name in ("a", "esc\x1b"):
        folder = shell.home / "skills" / name
        folder.mkdir(exist_ok=True)
        (folder / "SKILL.md").write_text(head + "bell \x07", encoding="utf-8")
    for run in (shell.run("list"), shell.run("view", "a"), shell.run("view", "esc\x1b")):
        assert run.exit_code == 0
        assert not {"\x1b", "\x07"} & {*run.stdout, *run.stderr}
    assert "red \\x1b[31m" in shell.run("list").stdout
    assert "esc\\x1b" in shell.run("list").stdout
    assert "bell \\x07" in shell.run("view", "a").stdout
    assert "\x1b" not in shell.run("use", "no\x1b").stderr


# --- status ---


def test_status_tells_what_comes_next_with_its_day(shell: Shell) -> None:
    for name, day in (("soon", "2026-01-02"), ("later", "2026-01-20"), ("pinned", "2026-01-03")):
        shell.made(name).run("use", name, now=day)
    shell.run("pin", "pinned")
    shell.made("asleep").run("archive", "asleep")
    shell.made("never")
    shell.run("create", "mine", shell.body("x"), "--description=d", "--by=user")
    shell.run("use", "mine")
    shell.run("view", "soon", now="2026-01-10T23:59:00Z")
    status = shell.document("status", now="2026-02-10")
    assert status["states"] == {"active": 5, "stale": 0, "archived": 1}
    assert status["pinned"] == ["pinned"]
    assert status["next_stale"] == [
        {"name": "soon", "on": "2026-02-09"},
        {"name": "later", "on": "2026-02-19"},
    ]
    assert [due["on"] for due in status["next_archived"]] == ["2026-04-10", "2026-04-20"]
    assert status["never_active"] == [{"name": "never", "age_days": 40}]
    assert status["policy"] == {"stale_after_days": 30, "archive_after_days": 90}
    lines = shell.run("status", now="2026-02-10").stdout.splitlines()
    assert lines[1:11] == [
        "now 2026-02-10T00:00:00.000Z; stale after 30 days, archived after 90",
        "6 records: 5 active, 0 stale, 1 archived",
        "pinned: pinned",
        "next to go stale: 2",
        "  2026-02-09  soon (due now)",
        "  2026-02-19  later",
        "next to be archived: 2",
        "  2026-04-10  soon",
        "  2026-04-20  later",
        "never active (so never stale): 1",
    ]
    other = shell.document("status", "--stale=7.5", "--archive=1e308", now="2026-02-10")
    assert other["next_stale"][0] == {"name": "soon", "on": "2026-01-18"}
    assert other["policy"]["stale_after_days"] == 7.5


def test_status_agrees_with_the_curator_about_the_day(shell: Shell) -> None:
    shell.made("a").run("use", "a", now="2026-01-02T12:00:00Z")
    [due] = shell.document("status")["next_stale"]
    assert due["on"] == "2026-02-01"
    for now, states in (("2026-02-01T11:59:59.999Z", "active"), ("2026-02-01T12:00:00Z", "stale")):
        run = run_cli("curate", str(shell.home), "--dry-run", "--json", f"--now={now}")
        assert json.loads(run.stdout)["states"] == {"a": states}
        assert ("a (due now)" in shell.run("status", now=now).stdout) == (states == "stale")


def test_a_person_sees_the_first_five_a_program_sees_all(shell: Shell) -> None:
    for number in range(7):
        shell.made(f"s{number}").run("use", f"s{number}")
    lines = shell.run("status").stdout.splitlines()
    at = lines.index("next to go stale: 7 (first 5)")
    assert [line.split()[1] for line in lines[at + 1 : at + 6]] == ["s0", "s1", "s2", "s3", "s4"]
    assert len(shell.document("status")["next_stale"]) == 7


@pytest.mark.parametrize(("chars", "warned"), [(1979, False), (1980, True), (2300, True)])
def test_status_warns_from_90_percent_of_the_memory_on(
    chars: int, warned: bool, shell: Shell
) -> None:
    (shell.home / "memory").mkdir(parents=True)
    (shell.home / "memory/MEMORY.md").write_text("é" * chars, encoding="utf-8")
    memory, user = shell.document("status")["memory"]
    assert memory == {
        "file": "MEMORY.md",
        "used_chars": chars,
        "limit_chars": 2200,
        "nearly_full": warned,
    }
    assert user["nearly_full"] is False
    text = shell.run("status").stdout
    assert (f"MEMORY.md: {chars:,} of 2,200 characters - at 90 % or more" in text) == warned


def test_status_tells_damage_and_missing_texts_and_wrong_clocks(shell: Shell) -> None:
    shell.made("ahead").run("use", "ahead", now="2030-01-01")
    records = shell.records() | {"bad": {"useCount": "x"}, "gone": {"createdBy": "agent"}}
    (shell.home / "skills/.usage.json").write_text(json.dumps(records), encoding="utf-8")
    status = shell.document("status")
    assert status["damaged"] == [{"name": "bad", "reason": "useCount: 'x' is not allowed here"}]
    assert {told["name"]: len(told["problems"]) for told in status["problems"]} == {
        "bad": 2,
        "gone": 1,
    }
    assert status["future_activity"] == ["ahead"]
    text = shell.run("status").stdout
    assert "! gone: its text is missing: there is no skills/gone/SKILL.md" in text
    assert "! bad: its record is damaged, and kept as it is" in text
    assert "active in the future (a clock was wrong): ahead" in text
    assert "  gone, creation time unknown" in text


def test_a_memory_that_cannot_be_read_is_told(shell: Shell) -> None:
    (shell.home / "memory").mkdir(parents=True)
    (shell.home / "memory/USER.md").write_bytes(b"\xff")
    assert "USER.md is there but cannot be read" in shell.run("status").stdout


# --- a Hermes home ---


@pytest.fixture
def hermes(tmp_path: Path) -> Shell:
    shutil.copytree(DATA / "hermes_home", tmp_path / "hermes")
    return Shell(tmp_path / "hermes")


@pytest.mark.parametrize("part", ["", "skills"])
def test_a_hermes_home_is_shown_and_not_one_byte_of_it_changes(part: str, hermes: Shell) -> None:
    before = tree_hash(hermes.home)
    inside = Shell(hermes.home / part)
    listed = inside.document("list")
    assert listed["source"]["format"] == "hermes"
    assert len(listed["skills"]) == 40
    status = inside.document("status", now="2026-06-01")
    assert sum(status["states"].values()) == 40
    assert status["next_stale"][0] == {"name": "review-notebook-outputs", "on": "2026-06-09"}
    seen = inside.run("view", "fix-ci-cache")
    assert seen.stdout.startswith("fix-ci-cache: How to fix ci cache here\n\n# fix-ci-cache\n")
    assert "not counted" in seen.stderr
    assert inside.run("view", "ghost").exit_code == 1
    assert tree_hash(hermes.home) == before


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("part", ["", "skills", "memories"])
def test_writing_to_a_hermes_home_is_refused(command: str, part: str, hermes: Shell) -> None:
    before = tree_hash(hermes.home)
    more = {"create": ["--description=d"], "patch": []}
    arguments = [*more[command], hermes.body("v1")] if command in more else []
    run = Shell(hermes.home / part).run(command, "fix-ci-cache", *arguments)
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr.startswith("Error: foreign-format: ")
    assert tree_hash(hermes.home) == before


def test_a_home_with_memories_alone_has_no_skills_and_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "home/memories").mkdir(parents=True)
    shell = Shell(tmp_path / "home")
    assert shell.document("list")["skills"] == []
    assert shell.run("use", "a").exit_code == 1
    assert [path.name for path in (tmp_path / "home").rglob("*")] == ["memories"]


def test_a_sidecar_that_cannot_be_read_is_exit_2(shell: Shell) -> None:
    shell.made("a")
    (shell.home / "skills/.usage.json").write_bytes(b"garbage")
    for command in (["list"], ["use", "a"], ["status"]):
        run = shell.run(*command)
        assert run.exit_code == 2
        assert run.stderr.startswith("Error: --dir: skills/.usage.json is no JSON object of skills")
    (shell.home / "skills/.usage.json").write_bytes(b'{"version": 1}')
    assert "nothing in it looks like a skill's record" in shell.run("list").stderr


@pytest.mark.skipif(os.name == "nt", reason="links need rights there, and pipes have no names")
@pytest.mark.parametrize("command", [["list"], ["status"], ["use", "a"], ["view", "a"]])
@pytest.mark.parametrize("hermes", [False, True])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link out"])
def test_a_sidecar_that_is_no_file_of_the_library_is_exit_2_and_not_an_empty_library(
    kind: str, hermes: bool, command: list[str], shell: Shell
) -> None:
    shell.made("a")
    if hermes:
        (shell.home / "memories").mkdir()
    sidecar = shell.home / "skills/.usage.json"
    outside = sidecar.rename(shell.home.parent / "outside.json")
    match kind:
        case "folder":
            sidecar.mkdir()
        case "pipe":
            os.mkfifo(sidecar)
        case _:
            sidecar.symlink_to(outside)
    before = outside.read_bytes()
    run = shell.run(*command)
    assert (run.exit_code, run.stdout) == (2, "")
    assert run.stderr.startswith("Error: --dir: its records cannot be read: ")
    assert outside.read_bytes() == before


@pytest.mark.parametrize("command", ["list", "status"])
def test_a_skills_folder_that_is_a_file_is_exit_2(command: str, shell: Shell) -> None:
    shell.home.mkdir()
    (shell.home / "skills").write_text("a file", encoding="utf-8")
    run = shell.run(command)
    assert (run.exit_code, run.stdout) == (2, "")
    assert f"{shell.home / 'skills'} is not a folder" in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="there are no such names there")
def test_a_skills_folder_of_a_name_that_no_store_takes_is_exit_2(shell: Shell) -> None:
    shell.made("a")
    renamed = (shell.home / "skills").rename(shell.home / "a:b")
    run = run_cli("skills", "list", f"--dir={renamed}")
    assert (run.exit_code, run.stderr[:13]) == (2, "Error: --dir:")


def test_a_text_that_is_no_text_is_exit_2_and_an_unknown_skill_is_told_once(shell: Shell) -> None:
    shell.made("a")
    (shell.home / "skills/a/SKILL.md").write_bytes(b"\xff")
    run = shell.run("view", "a")
    assert (run.exit_code, "byte 0 is not UTF-8" in run.stderr) == (2, True)
    run = shell.run("view", "nope")
    assert (run.exit_code, run.stderr) == (1, "Error: unknown-skill: there is no skill 'nope'\n")


@pytest.mark.skipif(os.name == "nt", reason="there are no such names there")
@pytest.mark.parametrize("hermes", [False, True])
def test_a_skill_whose_folder_is_not_utf_8_is_told(hermes: bool, shell: Shell) -> None:
    shell.made("a")
    if hermes:
        (shell.home / "memories").mkdir()
    try:
        (shell.home / "skills" / os.fsdecode(b"d\xff")).mkdir()
    except OSError:
        pytest.skip("this disk takes no such name")
    run = shell.run("list")
    assert run.exit_code == 0
    assert "d\\udcff" in run.stdout + run.stderr
    printed = shell.run("list", "--json").stdout
    assert parse_strict_json(printed).ok
    assert "d\\\\udcff" in printed


def test_status_reads_ages_as_a_person_does_also_of_what_is_still_to_come(shell: Shell) -> None:
    shell.made("early")
    told = shell.run("status", now="2025-12-01").stdout
    assert "  early, created in the future (a clock was wrong)" in told
    assert "  early, created 1 day ago" in shell.run("status", now="2026-01-02").stdout
