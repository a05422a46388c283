"""A JupyterLab of our own: started on loopback with a token, asked until it answers, stopped whole.

It never touches the learner's own JupyterLab: what it keeps (settings, the history of what was
typed, which kernels run) lives in `.jupyter/` inside the lessons' folder. Nothing it does leaves
the machine.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from urllib.parse import quote

from alembic_sim.cli.lab_trust import signature_options

LOOPBACK = "127.0.0.1"
PORTS = (1, 65535)
"""The lowest and the highest port there is."""

STOP_SECONDS = 20
LOG_TAIL_LINES = 15

_SETTINGS: dict[str, dict[str, object]] = {
    # JupyterLab asks "would you like to get notified about news?" unless the settings say so.
    "@jupyterlab/apputils-extension/notification": {"checkForUpdates": False, "fetchNews": "false"},
    # A lesson that is saved and opened again says "model not found" unless its widgets are saved.
    "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
}


@dataclass(frozen=True, slots=True)
class LabServer:
    """A started JupyterLab: its process, where it listens, the token it wants, its log."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    token: str = field(repr=False)

    def url(self, notebook: str) -> str:
        """The address that opens `notebook` without asking for the token."""
        return f"http://{LOOPBACK}:{self.port}/lab/tree/{quote(notebook)}?token={self.token}"

    def died(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def answers(self) -> bool:
        """Whether it is ready: `/api/status` answers to our token."""
        request = urllib.request.Request(
            f"http://{LOOPBACK}:{self.port}/api/status",
            headers={"Authorization": f"token {self.token}"},
        )
        # A proxy from the environment would be asked about our own loopback.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=5) as reply:
                return bool(reply.status == 200)
        except urllib.error.HTTPError as refusal:
            refusal.close()
            return False
        except OSError:
            return False

    def stop(self) -> None:
        """Ends the server and, through it, every kernel; returns when the process is gone."""
        if not self.died():
            self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdin is not None
        self.process.stdin.close()

    def log_tail(self) -> str:
        """The last lines that it logged, the token blotted out."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.splitlines()[-LOG_TAIL_LINES:]).replace(self.token, "…")


def start_server(folder: Path, port: int, notebook: str, open_browser: bool) -> LabServer:
    """Starts JupyterLab on `folder`; it may still be far from ready. Raises OSError."""
    private = private_folder(folder)
    private.mkdir(mode=0o700, exist_ok=True)
    _settle_settings(private / "lab" / "user-settings")
    log = private / "lab.log"
    token = secrets.token_urlsafe(24)
    # The log may quote the token: only this user may read it, also while it is being made.
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        process = subprocess.Popen(
            _command(folder, port, notebook, open_browser),
            cwd=folder,
            env=environment_of(private, token),
            # Its other end is ours alone: if we are killed, it closes, and the server ends itself.
            stdin=subprocess.PIPE,
            stdout=handle,
            stderr=subprocess.STDOUT,
            # Ctrl-C goes to the whole terminal; JupyterLab would ask a question that nobody hears.
            # It gets a session of its own, and we pass the stop on.
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
    finally:
        os.close(handle)
    return LabServer(process=process, port=port, log=log, token=token)


def private_folder(folder: Path) -> Path:
    """What JupyterLab keeps for itself, beside the lessons; hidden from its file browser."""
    return folder / ".jupyter"


def _command(folder: Path, port: int, notebook: str, open_browser: bool) -> list[str]:
    command = [
        *(sys.executable, "-m", "alembic_sim.cli.lab_child"),
        f"--ServerApp.ip={LOOPBACK}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        f"--ServerApp.open_browser={open_browser and has_screen()}",
        f"--LabApp.default_url=/lab/tree/{quote(notebook)}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=None",
        "--LabApp.extension_manager=readonly",
        # It would run npm to look for language servers, and npm asks its registry for news.
        "--LanguageServerManager.autodetect=False",
    ]
    signatures = signature_options(private_folder(folder))
    command += [f"--NotebookNotary.{name}={value}" for name, value in signatures.items()]
    if os.name == "posix" and os.geteuid() == 0:
        command.append("--allow-root")
    return command


def environment_of(private: Path, token: str) -> dict[str, str]:
    # A kernel, a settings folder or a token that the learner set for other servers stays with them.
    others = ("JUPYTER_PATH", "JUPYTER_CONFIG_PATH", "JUPYTER_TOKEN_FILE")
    inherited = {name: value for name, value in os.environ.items() if name not in others}
    return inherited | {
        # In the environment, not on the command line, which every user of the machine can read.
        "JUPYTER_TOKEN": token,
        # The kernel named python3 is this interpreter's, not one installed in the home folder.
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_DIR": str(private),
        "JUPYTERLAB_SETTINGS_DIR": str(private / "lab" / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(private / "lab" / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(private / "runtime"),
        "IPYTHONDIR": str(private / "ipython"),
        "PYTHONUTF8": "1",
    }


def _settle_settings(folder: Path) -> None:
    """Writes each setting that is not there yet: what a learner changed later stays."""
    for plugin, values in _SETTINGS.items():
        file = folder / f"{plugin}.jupyterlab-settings"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def has_screen() -> bool:
    """Whether a browser could show itself. Without a screen, a text one would take the terminal."""
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def why_not(port: int) -> str | None:
    """Why this port cannot be had, None if it can."""
    with socket.socket() as probe:
        if os.name == "posix":  # as the server does; on Windows the flag would share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            return error.strerror or str(error)
    return None


class StopRequest:
    """Whether somebody asked us to stop: Ctrl-C, SIGTERM or a closed terminal."""

    def __init__(self) -> None:
        self.seen = False

    def sleep(self, seconds: float) -> None:
        """Waits, though not past a request by more than a tenth of a second."""
        end = time.monotonic() + seconds
        while not self.seen and time.monotonic() < end:
            time.sleep(0.1)


@contextmanager
def catching_stop() -> Iterator[StopRequest]:
    """Turns the signals that end a program into a request, so that the server is stopped first."""
    request = StopRequest()

    # A handler that raised could do so between the server's birth and our holding it.
    def remember(_number: int, _frame: FrameType | None) -> None:
        request.seen = True

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, remember) for number in numbers}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
