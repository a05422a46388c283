"""Which skill library a PATH on the command line means, and how much of it may be touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import bad_usage
from alembic_sim.hermes.curator.curator import UsageLedger
from alembic_sim.hermes.curator.hermes_sidecar import ReadOnlyUsage, read_hermes_sidecar
from alembic_sim.hermes.curator.run_files import RunFiles
from alembic_sim.hermes.curator.sidecar import parse_document
from alembic_sim.hermes.curator.sidecar_format import is_native, looks_like_sidecar
from alembic_sim.hermes.curator.usage_store import MAX_SIDECAR_BYTES, UsageStore
from alembic_sim.ports.clock import Clock

_ALLOWED = "a .usage.json, a skills folder that holds one, or a home with skills/.usage.json"


@dataclass(frozen=True, slots=True)
class Library:
    """A skill library on disk. A Hermes home, or what may be one, is read and never written.

    `runs` is where its passes are written down: None of a Hermes home.
    """

    file: Path
    usage: UsageLedger
    runs: RunFiles | None
    warnings: tuple[str, ...] = ()

    @property
    def is_hermes(self) -> bool:
        return self.runs is None


def open_library(path: Path, clock: Clock) -> Library:
    """The library at `path`; a path that cannot be read as one ends with exit 2."""
    file = _sidecar_file(path)
    document = _document(file)
    if is_native(document):
        real = file.resolve()  # a link may lead out of its folder, where the store does not look
        fs = DiskFs(real.parent)
        return Library(file, UsageStore(fs, clock, real.name), RunFiles(fs, real.name))
    reading = read_hermes_sidecar(document)
    usage = ReadOnlyUsage(reading.sidecar, clock)
    return Library(file, usage, runs=None, warnings=reading.warnings)


def looks_like_hermes(folder: Path) -> bool:
    """True if the folder, or the one above it, may be a Hermes home: any doubt counts."""
    return any(_has_hermes_marks(home) for home in (folder, folder.resolve().parent))


def _has_hermes_marks(home: Path) -> bool:
    sidecar = home / "skills" / ".usage.json"
    if (home / "memories").is_dir() or home.name == "memories":
        return True
    if not sidecar.is_file():
        return False
    try:
        parsed = parse_document(sidecar.read_bytes())
    except OSError:
        return True
    return not (parsed.ok and isinstance(parsed.value, dict) and is_native(parsed.value))


def _sidecar_file(path: Path) -> Path:
    candidates = [path / "skills" / ".usage.json", path / ".usage.json", path]
    try:
        return next(file for file in candidates if file.is_file())
    except StopIteration:
        allowed = _ALLOWED if path.exists() else f"{_ALLOWED}; nothing is there"
        bad_usage("PATH", str(path), allowed)
    except (OSError, ValueError) as error:  # a name too long, a NUL, a folder that is closed to us
        bad_usage("PATH", str(path), f"{_ALLOWED} ({error})")


def _document(file: Path) -> Mapping[str, object]:
    try:
        if file.stat().st_size > MAX_SIDECAR_BYTES:
            bad_usage("PATH", str(file), f"a file of at most {MAX_SIDECAR_BYTES} bytes")
        data = file.read_bytes()
    except OSError as error:
        bad_usage("PATH", str(file), f"a file that can be read ({error.strerror})")
    parsed = parse_document(data)
    if not parsed.ok:
        bad_usage("PATH", str(file), f"a JSON object of skills; this is {parsed.error.message}")
    if not isinstance(parsed.value, dict):
        bad_usage("PATH", str(file), "a JSON object of skills")
    if not looks_like_sidecar(parsed.value):
        why = "nothing in this one looks like a skill's record"
        bad_usage("PATH", str(file), f"a JSON object of skills; {why}")
    return parsed.value
