"""`alembic-sim doctor`: each check goes red on what it looks for, and names the remedy."""

from __future__ import annotations

import json
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from alembic_sim.cli import doctor as doctor_command
from alembic_sim.cli import doctor_probes as probes
from alembic_sim.cli.doctor_checks import (
    WIDGET_PACKAGES,
    WIDGETS_IN_LAB,
    Check,
    KernelSpec,
    Needed,
    check_encoding,
    check_folder,
    check_imports,
    check_kernel,
    check_labextension,
    check_lessons,
    check_loopback,
    check_packages,
    check_pins,
    check_port,
    check_python,
)
from tests.cli.run_cli import run_cli

PYTHON = str(Path("env", "bin", "python"))
OTHER = str(Path("other", "bin", "python"))


def needed(installed: str | None, fits: bool) -> list[Needed]:
    return [
        Needed("jupyterlab", "alembic-sim", "<5,>=4.4", "4.6.6", True),
        Needed("ipywidgets", "alembic-sim", "<9,>=8.1", installed, fits),
    ]


GOOD = {
    "a Python that is new enough": check_python((3, 11, 0), PYTHON),
    "the interpreter's own kernel": check_kernel(
        PYTHON, KernelSpec(PYTHON, "share"), KernelSpec(str(Path("env", "bin", "python3")), "x")
    ),
    "a kernel that Jupyter replaces": check_kernel(PYTHON, KernelSpec("python", "share"), "none"),
    "packages that fit": check_packages(PYTHON, needed("8.1.9", True)),
    "the widgets' labextension": check_labextension(PYTHON, ["x", WIDGETS_IN_LAB]),
    "widgets that Python can import": check_imports(PYTHON, {}),
    "a port that is free": check_port(8888, None),
    "a folder to write in": check_folder("lessons folder", Path("x"), None, "--dir"),
    "a loopback that answers": check_loopback(None),
    "UTF-8 by any name": check_encoding({"output": "UTF8", "file names": "utf-8"}),
    "lessons": check_lessons(Path("notebooks"), 4, True),
    "the tested versions": check_pins({"numpy": "2.0", "absent": "1"}, {"numpy": "2.0"}),
}

BAD: dict[str, tuple[Check, str, str]] = {
    "an old Python": (check_python((3, 10, 9), PYTHON), "3.10.9", "3.11 or newer"),
    "no kernel": (check_kernel(PYTHON, "No such kernel", None), "No such kernel", "ipykernel"),
    "another interpreter's kernel": (
        check_kernel(PYTHON, KernelSpec(OTHER, "their/kernels"), None),
        f"starts {OTHER}",
        "their/kernels",
    ),
    "a kernel that shadows ours elsewhere": (
        check_kernel(PYTHON, KernelSpec("python", "share"), KernelSpec(OTHER, "their/kernels")),
        f"outside alembic-sim lab, python3 starts {OTHER}",
        "their/kernels",
    ),
    "an old ipywidgets": (
        check_packages(PYTHON, needed("7.7", False)),
        "ipywidgets 7.7 (alembic-sim needs <9,>=8.1)",
        f'{PYTHON} -m pip install "ipywidgets<9,>=8.1"',
    ),
    "a missing package": (
        check_packages(PYTHON, needed(None, False)),
        "ipywidgets is missing",
        "pip install",
    ),
    "no labextension": (check_labextension(PYTHON, ["x"]), WIDGETS_IN_LAB, "jupyterlab_widgets"),
    "a broken Jupyter": (
        check_labextension(PYTHON, "Jupyter is broken (why)"),
        "(why)",
        "pip install",
    ),
    "a package that is listed and broken": (
        check_imports(PYTHON, {"ipywidgets": "RuntimeError: half installed"}),
        "ipywidgets cannot be imported: RuntimeError: half installed",
        f"{PYTHON} -m pip install --force-reinstall ipywidgets",
    ),
    "a port that is taken": (
        check_port(8888, "Address already in use"),
        "127.0.0.1: Address already in use",
        "Leave out --port",
    ),
    "a folder that is read-only": (
        check_folder("data folder", Path("x"), "Permission denied", "the variable V"),
        "x: Permission denied",
        "the variable V",
    ),
    "a loopback that is shut": (check_loopback("timed out"), "timed out", "firewall"),
    "another encoding of the output": (
        check_encoding({"output": "cp1252", "file names": "utf-8"}),
        "output: cp1252",
        "PYTHONUTF8",
    ),
    "an encoding nobody knows": (check_encoding({"output": "none"}), "none", "PYTHONUTF8"),
    "no lessons": (check_lessons(Path("nowhere"), 0, False), "nowhere", "anew"),
}


@pytest.mark.parametrize("check", GOOD.values(), ids=GOOD)
def test_what_is_in_order_is_ok_and_needs_no_remedy(check: Check) -> None:
    assert (check.status, check.remedy) == ("ok", "")


@pytest.mark.parametrize(("check", "found", "remedy"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_a_problem_with_its_remedy(check: Check, found: str, remedy: str) -> None:
    assert check.status == "problem"
    assert found in check.found
    assert remedy in check.remedy


def test_other_versions_than_the_tested_ones_are_only_a_remark() -> None:
    check = check_pins({"numpy": "2.0", "rich": "13"}, {"numpy": "1.26", "rich": "13"})
    assert (check.status, check.found) == ("remark", "numpy 1.26 (tested with 2.0)")
    assert "constraints.txt" in check.remedy


def test_two_environments_are_told_apart_though_their_pythons_are_one_file(tmp_path: Path) -> None:
    pythons = []
    for name in ("one", "two"):
        (tmp_path / name / "bin").mkdir(parents=True)
        python = tmp_path / name / "bin" / "python"
        try:
            python.symlink_to(sys.executable)
        except OSError:
            pytest.skip("this user may not make links")
        pythons.append(str(python))
    assert check_kernel(pythons[0], KernelSpec(pythons[1], "share"), None).status == "problem"
    assert check_kernel(pythons[0], KernelSpec(pythons[0], "share"), None).status == "ok"


def test_a_path_with_a_space_is_quoted_to_be_typed() -> None:
    remedy = check_labextension(str(Path("my env", "python")), []).remedy
    assert remedy.startswith(f'"{Path("my env", "python")}" -m pip')


# ---- the probes, on this machine


def test_in_the_environment_of_the_tests_everything_is_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "none"))  # whatever this user has there
    run = run_cli("doctor", "--json")
    told = json.loads(run.stdout)
    problems = [check for check in told["checks"] if check["status"] == "problem"]
    assert problems == []
    assert (run.exit_code, told["ok"]) == (0, True)
    assert [check["check"] for check in told["checks"]] == [
        *("Python", "kernel", "packages", "widgets in Python", "widgets in JupyterLab"),
        *("lessons folder", "data folder", "port", "text", "lessons", "pins"),
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_kernelspec_in_the_users_home_is_seen_as_each_jupyter_would_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = ["no-such-interpreter", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    text = json.dumps({"argv": argv, "display_name": "Mine", "language": "python"})
    (spec / "kernel.json").write_text(text, encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    in_lab, _ = probes.ask_jupyter(as_lab_does=True)
    elsewhere, _ = probes.ask_jupyter(as_lab_does=False)
    assert elsewhere == KernelSpec("no-such-interpreter", str(spec))
    assert check_kernel(sys.executable, in_lab, elsewhere).status == "problem"
    assert check_kernel(sys.executable, in_lab, None).status == "ok"


def test_a_jupyter_that_cannot_be_imported_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jupyter_client.py").write_text("raise ImportError('half installed')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    kernel, extensions = probes.ask_jupyter(as_lab_does=True)
    assert kernel == extensions == "Jupyter is broken (ImportError: half installed)"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("print('hello')\nraise RuntimeError('half\\ninstalled')", "RuntimeError: half installed"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import os\nos._exit(7)", "Python ended with exit code 7"),
    ],
)
def test_a_package_that_is_listed_and_cannot_be_imported_is_told(
    source: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The listing of what is installed says nothing of it."""
    (tmp_path / "ipywidgets.py").write_text(source, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert probes.why_no_import(WIDGET_PACKAGES) == {"ipywidgets": why}


def test_the_doctor_says_that_the_widgets_are_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ipywidgets.py").write_text("raise RuntimeError('half installed')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    run = run_cli("doctor")
    assert run.exit_code == 1
    assert "widgets in Python" in run.stderr
    assert "Everything is in place" not in run.stdout


def test_the_doctor_looks_at_a_port_that_is_meant_for_lab() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        told = json.loads(run_cli("doctor", "--port", str(port), "--json").stdout)
    (check,) = [one for one in told["checks"] if one["check"] == f"port {port}"]
    assert check["status"] == "problem"
    bad = run_cli("doctor", "--port", "70000")
    assert (bad.exit_code, bad.stdout) == (2, "")
    assert "--port: '70000' is not allowed" in bad.stderr


def test_what_the_kit_needs_is_read_from_the_packages_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = {(one.name, one.by): one for one in probes.needed_packages()}
    assert found["ipywidgets", "alembic-sim"].fits
    assert found["jupyterlab_widgets", "ipywidgets"].installed is not None
    assert ("pytest", "alembic-sim") not in found  # only an extra asks for it
    monkeypatch.setattr(probes, "_version_of", {"ipywidgets": "7.7.0"}.get)
    old = [one for one in probes.needed_packages() if one.by == "alembic-sim"]
    assert [one.fits for one in old] == [False] * len(old)
    assert {one.name: one.installed for one in old}["ipywidgets"] == "7.7.0"


def test_pins_are_read_for_this_machine_only(tmp_path: Path) -> None:
    file = tmp_path / "constraints.txt"
    text = "numpy==2.0\nnever==1 ; sys_platform == 'nowhere'\n# a remark\nrich==13.9\n"
    file.write_text(text, encoding="utf-8")
    assert probes.pins(file) == {"numpy": "2.0", "rich": "13.9"}
    assert probes.pins(tmp_path / "none.txt") == {}


def test_a_folder_is_tried_where_it_is_or_would_be_made(tmp_path: Path) -> None:
    assert probes.why_not_writable(tmp_path / "deep" / "down") is None
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "is a file" in (probes.why_not_writable(tmp_path / "file" / "down") or "")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_read_only_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:  # root, who may write anywhere, would not be refused
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert probes.why_not_writable(tmp_path) == "Permission denied"


def test_a_loopback_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert probes.why_no_loopback() is None

    def refuse(*_: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert probes.why_no_loopback() == "Permission denied"


def test_a_problem_is_printed_with_its_remedy_and_exits_with_1(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [
        Check("Python", "ok", "3.11.7"),
        Check("port", "problem", "127.0.0.1: timed out", "Open it."),
        Check("pins", "remark", "numpy 1", "Install it."),
    ]
    monkeypatch.setattr(doctor_command, "all_checks", lambda folder, port: iter(found))
    run = run_cli("doctor")
    assert run.exit_code == 1
    assert run.stdout.splitlines() == [
        "ok       Python  3.11.7",
        "problem  port    127.0.0.1: timed out",
        "                 → Open it.",
        "remark   pins    numpy 1",
        "                 → Install it.",
    ]
    assert run.stderr == "Error: 1 found: port.\n"
    assert json.loads(run_cli("doctor", "--json").stdout)["ok"] is False
    found.pop(1)
    assert run_cli("doctor").exit_code == 0
