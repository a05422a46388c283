"""The learner's own record of what they tried and passed: counts in one file of theirs.

The file lies in their data folder and is sent nowhere. It is a convenience: whatever is wrong with
it, a check still answers.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.durable import WriteError, write_atomic
from alembic_sim.ports.fs import FsError, FsPort
from alembic_sim.result import Coded, Err, Fault, Ok, Result
from alembic_sim.strict_json import dump_strict_json, parse_strict_json

FILE = "progress.json"
SPOILT = "progress.spoilt.json"
"""Where the bytes of a file that cannot be read are kept, before a new one is begun."""

HOME_VARIABLE = "ALEMBIC_SIM_HOME"
DEFAULT_HOME = "~/.alembic-sim"

_MAX_BYTES = 1 << 20
_LOCK_MS = 1_000
_MAX_COUNT = 10**9


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often an exercise was checked with something written in it, and how often it passed."""

    tried: int = 0
    passed: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """The attempts by exercise id; `problem` says why a file that is there could not be read."""

    attempts: Mapping[str, Attempts] = field(default_factory=dict)
    problem: str | None = None

    def of(self, exercise_id: str) -> Attempts:
        """The attempts at one exercise."""
        return self.attempts.get(exercise_id, Attempts())


def home_folder() -> Path | None:
    """The learner's data folder, as the environment says now; None for a user without a home."""
    try:
        return Path(os.environ.get(HOME_VARIABLE) or DEFAULT_HOME).expanduser()
    except RuntimeError:
        return None


def note_attempt(exercise_id: str, passed: bool, folder: Path | None = None) -> Result[None, Coded]:
    """Counts one attempt in the learner's file; an `Err` says why it is not written down."""
    home = home_folder() if folder is None else folder
    if home is None:
        return Err(Fault("no-home", f"no home folder: name one in {HOME_VARIABLE}"))
    fs = DiskFs(home)
    locked = fs.lock(FILE, _LOCK_MS)
    if not locked.ok:
        return locked
    with locked.value:
        progress = read_progress(fs)
        kept = Ok(None) if progress.problem is None else _keep_spoilt(fs)
        if not kept.ok:
            return kept
        old = progress.of(exercise_id)
        new = Attempts(min(old.tried + 1, _MAX_COUNT), min(old.passed + passed, _MAX_COUNT))
        return write_progress(fs, Progress({**progress.attempts, exercise_id: new}))


def reset_progress(folder: Path) -> Result[None, WriteError | FsError]:
    """Begins a new file without any attempt."""
    fs = DiskFs(folder)
    locked = fs.lock(FILE, _LOCK_MS)
    if not locked.ok:
        return locked
    with locked.value:
        return write_progress(fs, Progress())


def read_progress(fs: FsPort) -> Progress:
    """What the file says; what cannot be read counts as never tried."""
    read = fs.read(FILE, _MAX_BYTES)
    if not read.ok:
        return Progress() if read.error.code == "missing" else Progress(problem=read.error.message)
    parsed = parse_strict_json(read.value)
    if not parsed.ok:
        return Progress(problem=parsed.error.message)
    if not isinstance(parsed.value, dict):
        return Progress(problem="not a JSON object")
    return Progress({str(key): _attempts(value) for key, value in parsed.value.items()})


def write_progress(fs: FsPort, progress: Progress) -> Result[None, WriteError]:
    """Writes the file, atomically; the caller holds its lock."""
    document = {
        key: {"passed": attempts.passed, "tried": attempts.tried}
        for key, attempts in progress.attempts.items()
    }
    return write_atomic(fs, FILE, dump_strict_json(document).encode("utf-8"))


def _attempts(raw: object) -> Attempts:
    match raw:
        case {"tried": tried, "passed": passed} if (
            type(tried) is int and type(passed) is int and 0 <= passed <= tried <= _MAX_COUNT
        ):
            return Attempts(tried, passed)
    return Attempts()


def _keep_spoilt(fs: FsPort) -> Result[None, WriteError | FsError]:
    """Copies a file that cannot be read aside; the bytes may be worth mending."""
    read = fs.read(FILE)
    if not read.ok:
        return Err(read.error)
    return write_atomic(fs, SPOILT, read.value)
