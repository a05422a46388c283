"""The data folder that a `skills` command works in: its library, and if it may be written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import bad_input, bad_usage, clock_at, home_folder, must_be_folder
from alembic_sim.cli.library import looks_like_hermes
from alembic_sim.hermes.curator.hermes_sidecar import read_hermes_sidecar
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.sidecar_format import looks_like_sidecar
from alembic_sim.hermes.curator.usage_store import MAX_SIDECAR_BYTES, UsageStore
from alembic_sim.hermes.linting.sidecar_file import read_sidecar
from alembic_sim.hermes.skills.skill_store import SkillStore


@dataclass(frozen=True, slots=True)
class SkillsHome:
    """The data folder as it was found; `store` is None where nothing may be written."""

    root: Path
    folder: str
    now_ms: int
    store: SkillStore | None
    sidecar: UsageSidecar
    warnings: tuple[str, ...] = ()


def open_home(given: Path | None, now: str | None) -> SkillsHome:
    """The library in the data folder; one that may be a Hermes home can only be read.

    Exit 2 if the folder, its skills folder or the records in it are not what they should be.
    """
    now_ms = clock_at(now)()
    home = home_folder(given)
    try:
        is_hermes = looks_like_hermes(home)
        root, name = _skills_folder(home)
        usage = UsageStore(DiskFs(root), lambda: now_ms, f"{name}/.usage.json")
        store = SkillStore(DiskFs(root), usage, name)
    except (OSError, ValueError) as error:  # closed to us, or of a name that no store takes
        bad_usage("--dir", str(home), f"a folder that can be read ({error})")
    must_be_folder(root / name)
    if is_hermes:
        return SkillsHome(root, name, now_ms, None, *_read_only_records(root, name))
    records = usage.load()
    if records.problem is not None:  # a folder, say: shown as empty, it would hide every skill
        bad_input("--dir", f"its records cannot be read: {records.problem}")
    return SkillsHome(root, name, now_ms, store, records)


def _skills_folder(home: Path) -> tuple[Path, str]:
    """The root and the name of the skills folder: `home` may be that folder itself."""
    if (home / ".usage.json").is_file() and not (home / "skills").is_dir():
        real = home.resolve()
        return real.parent, real.name
    return home, "skills"


def _read_only_records(root: Path, name: str) -> tuple[UsageSidecar, tuple[str, ...]]:
    """The records of what may be a Hermes home, in either format, and what is odd in them."""
    path = f"{name}/.usage.json"
    data = DiskFs(root).read(path, MAX_SIDECAR_BYTES)
    if not data.ok:
        if data.error.code == "missing":
            return UsageSidecar(), ()
        bad_input("--dir", f"its records cannot be read: {data.error.message}")
    reading = read_sidecar(data.value)
    if not reading.ok:
        bad_input("--dir", f"{path} is no JSON object of skills: {reading.error.message}")
    document = reading.value.document
    if not looks_like_sidecar(document):
        bad_input("--dir", f"{path}: nothing in it looks like a skill's record")
    warnings = () if reading.value.native else read_hermes_sidecar(document).warnings
    return reading.value.sidecar, warnings
