"""The command line as a whole: what it lists, what it loads, how it says no."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from alembic_sim.cli import COMMANDS, CommandEntry, main


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "alembic_sim", *arguments],
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


def test_help_lists_every_command_with_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    listed = capsys.readouterr().out
    assert ended.value.code == 0
    for entry in COMMANDS:
        assert f"  {entry.name} " in listed
        assert entry.help in listed


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_command_is_there_and_explains_itself(
    entry: CommandEntry, capsys: pytest.CaptureFixture[str]
) -> None:
    module, attribute = entry.target.split(":")
    assert hasattr(import_module(module), attribute)
    with pytest.raises(SystemExit) as ended:
        main([entry.name, "--help"])
    assert ended.value.code == 0
    assert f"Usage: alembic-sim {entry.name}" in capsys.readouterr().out


def test_only_the_command_that_was_asked_for_is_loaded() -> None:
    code = (
        "import sys\nfrom alembic_sim.cli import main\n"
        "try: main(['lab', '--help'])\nexcept SystemExit: pass\n"
        "print(sorted(name for name in sys.modules if name.startswith('alembic_sim.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = done.stdout.decode().splitlines()[-1]
    assert "alembic_sim.cli.lab'" in loaded
    assert "curate" not in loaded
    assert "notes" not in loaded


@pytest.mark.parametrize("arguments", [["curat"], ["--nonsense"], [], ["lab", "extra"]])
def test_bad_usage_is_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "Usage: alembic-sim" in capsys.readouterr().err


def test_version_is_the_one_that_was_installed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.strip() == version("alembic-sim")


def test_python_m_alembic_sim_is_the_command_line() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert done.stdout.startswith(b"Usage: alembic-sim ")


def test_output_is_utf8_whatever_the_machine_speaks() -> None:
    code = (  # all ASCII: such a machine cannot even read the sign on its command line
        "from alembic_sim.cli import common, main\n"
        "import alembic_sim.cli as cli\n"
        "cli.build_app = lambda _: lambda **_: common.print_line('0.7 \\u2265 \\u00a7 \\ud800')\n"
        "main([])"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii:strict", "LC_ALL": "C"},
    )
    assert done.stdout.decode("utf-8").strip() == "0.7 ≥ § \\ud800"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device there")
@pytest.mark.parametrize("arguments", [["--help"], ["notes", "show"], ["skills", "list", "--json"]])
def test_a_full_standard_output_is_one_line_on_stderr_and_exit_1(
    arguments: list[str], tmp_path: Path
) -> None:
    with Path("/dev/full").open("r+b", buffering=0) as full:
        done = subprocess.run(
            [sys.executable, "-m", "alembic_sim", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=os.environ | {"ALEMBIC_SIM_HOME": str(tmp_path)},
        )
    said = done.stderr.decode("utf-8").splitlines()
    assert (done.returncode, len(said)) == (1, 1), said
    assert said[0].startswith("Error: the output could not be written: ")


def test_an_error_of_a_file_that_nobody_expected_is_not_called_one_of_the_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(**_: object) -> None:
        raise FileNotFoundError(2, "No such file", "some/file")

    monkeypatch.setattr("alembic_sim.cli.build_app", lambda _: broken)
    with pytest.raises(FileNotFoundError):
        main([])
