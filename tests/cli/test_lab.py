"""`alembic-sim lab`, for real: a JupyterLab on loopback, started, asked, and stopped whole."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil  # it comes with ipykernel
import pytest

FIRST = "00_start_here.ipynb"
URL = re.compile(r"^http://[\w.]+:\d+/lab/tree/[\w.]+\.ipynb\?token=[\w-]+$")
OWN_SETTINGS = json.dumps({"IdentityProvider": {"token": "theirs"}, "ServerApp": {"ip": "::"}})
posix = pytest.mark.skipif(os.name != "posix", reason="signals and modes are POSIX")


@dataclass(frozen=True)
class RunningLab:
    """A started `alembic-sim lab`, with the address that it printed."""

    process: subprocess.Popen[str]
    folder: Path
    home: Path
    said: list[str]
    url: str

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.url).query)["token"][0]

    def ask(self, path: str, token: str | None = None, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=body,
            headers={"Authorization": f"token {self.token if token is None else token}"},
        )
        return fetched(request)

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


def fetched(request: urllib.request.Request | str) -> bytes:
    with urllib.request.urlopen(request, timeout=30) as reply:
        return bytes(reply.read())


def start(folder: Path, home: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """The command with a home of its own, whose Jupyter settings it must neither use nor touch."""
    own = home / ".jupyter" / "jupyter_server_config.json"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(OWN_SETTINGS, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        kept.pop(name, None)
    return subprocess.Popen(
        [sys.executable, "-m", "alembic_sim", "lab", "--dir", str(folder), *options],
        env=kept | {"HOME": str(home), "USERPROFILE": str(home), "COLUMNS": "20"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


@contextmanager
def running_lab(folder: Path, *options: str, **environment: str) -> Iterator[RunningLab]:
    home = folder.parent / "home"
    process = start(folder, home, *options, **environment)
    said: list[str] = []
    too_long = threading.Timer(120, process.terminate)
    too_long.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if URL.match(said[-1]):
                too_long.cancel()
                break
        else:
            pytest.fail("no address was printed:\n" + "\n".join(said))
        yield RunningLab(process, folder, home, said, said[-1])
    finally:
        too_long.cancel()
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningLab]:
    folder = tmp_path_factory.mktemp("lab") / "my lessons"
    with running_lab(folder, "--no-browser") as running:
        yield running


def port_is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def gone_within(seconds: float, processes: list[psutil.Process]) -> bool:
    _gone, alive = psutil.wait_procs(processes, timeout=seconds)
    return alive == []


def test_the_address_stands_on_a_line_of_its_own_unwrapped(lab: RunningLab) -> None:
    assert lab.url.startswith("http://127.0.0.1:")
    assert f"/lab/tree/{FIRST}?" in lab.url


def test_the_address_opens_jupyterlab(lab: RunningLab) -> None:
    assert b"<title>JupyterLab</title>" in fetched(lab.url)


def test_the_lessons_are_there_as_copies(lab: RunningLab) -> None:
    listed = {entry["name"] for entry in json.loads(lab.ask("/api/contents"))["content"]}
    assert FIRST in listed
    assert (lab.folder / FIRST).is_file()


def test_fresh_copies_are_trusted_so_that_their_pictures_show(lab: RunningLab) -> None:
    cells = json.loads(lab.ask(f"/api/contents/{FIRST}"))["content"]["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(cell["metadata"]["trusted"] for cell in code)


def test_a_notebook_of_unknown_origin_is_not_trusted(lab: RunningLab) -> None:
    text = (lab.folder / FIRST).read_text(encoding="utf-8")
    foreign = json.loads(text)
    foreign["cells"][-1] |= {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "source": "1",
        "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<p>"}}],
    }
    (lab.folder / "foreign.ipynb").write_text(json.dumps(foreign), encoding="utf-8")
    cells = json.loads(lab.ask("/api/contents/foreign.ipynb"))["content"]["cells"]
    assert cells[-1]["metadata"]["trusted"] is False


def test_without_the_token_it_is_shut(lab: RunningLab) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        lab.ask("/api/contents", token="wrong")
    refused.value.close()
    assert refused.value.code == 403


def test_it_listens_on_loopback_only(lab: RunningLab) -> None:
    addresses = {
        connection.laddr.ip
        for process in lab.descendants()
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert addresses == {"127.0.0.1"}


def test_its_kernel_is_this_interpreters(lab: RunningLab) -> None:
    specs = json.loads(lab.ask("/api/kernelspecs"))
    assert specs["default"] == "python3"
    argv = specs["kernelspecs"]["python3"]["spec"]["argv"]
    # A plain `python` is replaced by the interpreter that runs the server.
    assert argv[0] in {"python", sys.executable}


def test_it_asks_for_no_news_and_leaves_the_learners_own_settings_alone(lab: RunningLab) -> None:
    setting = json.loads(lab.ask("/lab/api/settings/@jupyterlab/apputils-extension:notification"))
    assert json.loads(setting["raw"]) == {"checkForUpdates": False, "fetchNews": "false"}
    (own,) = (lab.home / ".jupyter").iterdir()
    assert own.read_text(encoding="utf-8") == OWN_SETTINGS
    page = fetched(lab.url).decode("utf-8")
    assert re.search(r'"news": \{"disabled": true\}', page)


def test_it_writes_nothing_outside_the_lessons_folder(lab: RunningLab) -> None:
    kernel = json.loads(lab.ask("/api/kernels", body=b'{"name": "python3"}'))
    give_up = time.monotonic() + 60
    while not list(lab.folder.glob(".jupyter/ipython/**/history.sqlite")):
        assert time.monotonic() < give_up, "the kernel keeps no history there"
        time.sleep(0.2)
    assert kernel["id"] in "".join(path.name for path in lab.folder.glob(".jupyter/runtime/*"))
    kept = [path.relative_to(lab.home).as_posix() for path in lab.home.rglob("*") if path.is_file()]
    assert kept == [".jupyter/jupyter_server_config.json"]


def test_a_saved_lesson_keeps_its_widgets_for_the_next_day(lab: RunningLab) -> None:
    setting = json.loads(lab.ask("/lab/api/settings/@jupyter-widgets/jupyterlab-manager:plugin"))
    assert json.loads(setting["raw"]) == {"saveState": True}


@posix
def test_the_token_can_be_read_by_nobody_else(lab: RunningLab) -> None:
    private = lab.folder / ".jupyter"
    assert private.stat().st_mode & 0o077 == 0
    assert (private / "lab.log").stat().st_mode & 0o077 == 0
    for process in [psutil.Process(lab.process.pid), *lab.descendants()]:
        assert lab.token not in " ".join(process.cmdline())


def test_a_second_lab_on_the_same_port_says_so_and_ends(lab: RunningLab, tmp_path: Path) -> None:
    second = start(tmp_path / "two", tmp_path / "home", "--no-browser", "--port", str(lab.port))
    said, _ = second.communicate(timeout=60)
    assert second.returncode == 1
    assert f"Port {lab.port} on 127.0.0.1" in said
    assert "Leave out --port" in said
    assert not (tmp_path / "two").exists()


@posix
def test_ctrl_c_stops_the_server_and_its_kernels(tmp_path: Path) -> None:
    opened = tmp_path / "opened.txt"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n', encoding="utf-8")
    browser.chmod(0o700)
    with running_lab(tmp_path / "lessons", "--lesson", "3", BROWSER=str(browser)) as lab:
        assert "/lab/tree/03_propose_gate_apply.ipynb?" in lab.url
        lab.ask("/api/kernels", body=b'{"name": "python3"}')
        started = lab.descendants()
        assert any("ipykernel" in " ".join(process.cmdline()) for process in started)
        page = Path(when_written(opened).removeprefix("file://")).read_text(encoding="utf-8")
        assert lab.url in page, "the browser was sent to the lesson"

        lab.process.send_signal(signal.SIGINT)
        rest, _ = lab.process.communicate(timeout=60)

        assert lab.process.returncode == 0
        assert "JupyterLab has stopped" in rest
        assert gone_within(10, started)
        assert not port_is_open(lab.port)


@posix
def test_killed_outright_it_leaves_no_server_and_no_kernel_behind(tmp_path: Path) -> None:
    with running_lab(tmp_path / "lessons", "--no-browser") as lab:
        lab.ask("/api/kernels", body=b'{"name": "python3"}')
        started = lab.descendants()
        assert any("ipykernel" in " ".join(process.cmdline()) for process in started)
        lab.process.kill()
        lab.process.wait(30)
        assert gone_within(30, started)
        assert not port_is_open(lab.port)


def when_written(file: Path) -> str:
    give_up = time.monotonic() + 30
    while not (file.exists() and file.read_text(encoding="utf-8").strip()):
        assert time.monotonic() < give_up, f"{file} was never written"
        time.sleep(0.1)
    return file.read_text(encoding="utf-8").strip()


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_stop_before_it_is_ready_leaves_no_orphan(name: str, tmp_path: Path) -> None:
    lab = start(tmp_path / "lessons", tmp_path / "home", "--no-browser")
    give_up = time.monotonic() + 30
    while not (started := psutil.Process(lab.pid).children(recursive=True)):
        assert time.monotonic() < give_up
        time.sleep(0.02)
    lab.send_signal(getattr(signal, name))
    said, _ = lab.communicate(timeout=60)
    assert lab.returncode == 0, said
    assert gone_within(10, started)


def test_a_server_that_dies_at_once_gives_its_reason(tmp_path: Path) -> None:
    (tmp_path / "jupyterlab.py").write_text("raise SystemExit('broken on purpose')", "utf-8")
    lab = start(tmp_path / "lessons", tmp_path / "home", PYTHONPATH=str(tmp_path))
    said, _ = lab.communicate(timeout=60)
    assert lab.returncode == 1
    assert "JupyterLab ended before it was ready" in said
    assert "broken on purpose" in said


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (["--lesson", "99"], "--lesson: there is no lesson"),
        (["--port", "70000"], "--port"),
        (["--port", "x"], "--port"),
    ],
)
def test_bad_usage_is_exit_2_and_copies_nothing(
    options: list[str], field: str, tmp_path: Path
) -> None:
    lab = start(tmp_path / "lessons", tmp_path / "home", *options)
    said, _ = lab.communicate(timeout=60)
    assert lab.returncode == 2
    assert field in said
    assert options[1] in said
    assert not (tmp_path / "lessons").exists()


def test_a_folder_that_is_a_file_is_bad_usage(tmp_path: Path) -> None:
    file = tmp_path / "lessons"
    file.write_text("mine", encoding="utf-8")
    lab = start(file, tmp_path / "home")
    said, _ = lab.communicate(timeout=60)
    assert lab.returncode == 2, said
    assert "--dir" in said
    assert file.read_text(encoding="utf-8") == "mine"
