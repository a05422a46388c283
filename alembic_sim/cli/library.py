"""Which skill library a PATH on the command line means, and how much of it may be touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import bad_usage, fail
from alembic_sim.cli.visible import visible_line
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
    """The library at `path`; a path that cannot be read as one ends with exit 2.

    Exit 1 if a link leads out of the folder that was named, or of the named file's folder: what
    lies elsewhere was not named, and may be another library's. A link within is followed.
    """
    file, root = _sidecar_file(path)
    real = _inside(root, file)
    document = _document(file)
    if is_native(document):
        fs = DiskFs(real.parent)
        try:
            return Library(file, UsageStore(fs, clock, real.name), RunFiles(fs, real.name))
        except (
            ValueError
        ) as error:  # a name such as `a:b` or `a\\b`, which some systems read as a path
            bad_usage("PATH", str(file), f"a file with a plain name ({error})")
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


def _sidecar_file(path: Path) -> tuple[Path, Path]:
    """The sidecar that `path` means, and the folder that it must not lead out of."""
    try:
        if not path.is_dir():
            if path.is_file():
                return path, path.parent
            there = path.exists() or path.is_symlink()
            bad_usage("PATH", str(path), _ALLOWED if there else f"{_ALLOWED}; nothing is there")
        for file in (path / "skills" / ".usage.json", path / ".usage.json"):
            if file.is_file():
                return file, path
            if file.exists() or file.is_symlink():  # whatever it is: no other one is meant
                bad_usage("PATH", str(file), "a file (this is a folder, a pipe or a broken link)")
        bad_usage("PATH", str(path), _ALLOWED)
    except (OSError, ValueError) as error:  # a name too long, a NUL, a folder that is closed to us
        bad_usage("PATH", str(path), f"{_ALLOWED} ({error})")


def _inside(root: Path, file: Path) -> Path:
    """The file's real path; one that a link leads out of the folder `root` ends with exit 1."""
    real = file.resolve()
    if not real.is_relative_to(root.resolve()):
        why = f"{file} leads out of {root} through a link, to {real}"
        fail(f"outside-root: {visible_line(why)}; nothing was written: name that file itself")
    return real


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
