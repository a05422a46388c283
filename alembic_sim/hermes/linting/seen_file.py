"""What lint looks at: files of a home, found and read through the file port, nothing written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename, join
from typing import Literal

from alembic_sim.guarded import GuardedFs
from alembic_sim.hermes.curator.usage_store import MAX_SIDECAR_BYTES
from alembic_sim.hermes.memory.memory_store import MAX_FILE_BYTES
from alembic_sim.hermes.memory.sub_store import MAX_SUB_STORE_BYTES
from alembic_sim.hermes.skills.link_circle import leads_back
from alembic_sim.ports.fs import FsPort

FileKind = Literal[
    "memory",
    "user",
    "sub-store",
    "sidecar",
    "skill",
    "leftover",
    "corrupt-copy",
    "folder",
    "link-circle",
]
_MAX_BYTES: dict[FileKind, int] = {
    "sub-store": MAX_SUB_STORE_BYTES,
    "sidecar": MAX_SIDECAR_BYTES,
}
_NOT_READ = ("leftover", "corrupt-copy")  # that they are there is what there is to say
_IN_MEMORY: tuple[FileKind, ...] = ("memory", "user", "sub-store", "leftover")
_IN_SKILLS: tuple[FileKind, ...] = ("sidecar", "corrupt-copy", "skill", "leftover")
_DEEPER: tuple[FileKind, ...] = ("skill", "leftover")  # a skill's other files are its own affair
_HIDDEN_BUT_OURS = (".archive", ".curator")

MEMORY_FOLDERS = ("memories", "memory")
SKILLS_FOLDER = "skills"
_MAX_DEPTH = 4  # skills/CATEGORY/NAME/SKILL.md, and the same once more under .archive


@dataclass(frozen=True, slots=True)
class SeenFile:
    """One file: its bytes, or the problem that kept them from being read."""

    path: str
    kind: FileKind
    data: bytes = b""
    problem: str | None = None


def kind_of(path: str) -> FileKind | None:
    """What a file is by its name, None if it is nothing that lint knows."""
    match basename(path):
        case "MEMORY.md":
            return "memory"
        case "USER.md":
            return "user"
        case "SKILL.md":
            return "skill"
        case ".usage.json":
            return "sidecar"
        case name if name.startswith(".") and name.endswith(".tmp") and name != ".tmp":
            return "leftover"
        case name if name.startswith(".usage.json.corrupt-"):
            return "corrupt-copy"
        case name:
            return "sub-store" if name.endswith(".jsonl") else None


def see_home(fs: FsPort, folder: str = "") -> tuple[SeenFile, ...]:
    """Every known file of a home: memory folders first, then skills, each sorted by path."""
    memories = [file for name in MEMORY_FOLDERS for file in see_memory(fs, join(folder, name))]
    return (*memories, *see_skills(fs, join(folder, SKILLS_FOLDER)))


def see_memory(fs: FsPort, folder: str = "") -> tuple[SeenFile, ...]:
    """The known files of one memory folder."""
    return tuple(_see_folder(GuardedFs(fs), folder, folder, _IN_MEMORY, depth=0))


def see_skills(fs: FsPort, folder: str = "") -> tuple[SeenFile, ...]:
    """The sidecar and every SKILL.md below the folder, those in `.archive` too."""
    return tuple(_see_folder(GuardedFs(fs), folder, folder, _IN_SKILLS, depth=_MAX_DEPTH))


def see_file(fs: FsPort, path: str, kind: FileKind) -> tuple[SeenFile, ...]:
    """The one file, taken for what it is said to be."""
    return (_see(GuardedFs(fs), path, kind),)


def _see_folder(
    fs: GuardedFs, top: str, folder: str, kinds: tuple[FileKind, ...], depth: int
) -> Iterator[SeenFile]:
    """The known files in a folder of the tree below `top`."""
    listed = fs.list(folder)
    if not listed.ok:
        if listed.error.code != "missing":
            yield SeenFile(folder, "folder", problem=listed.error.message)
        return
    # What is deeper in a skill's own folder belongs to the skill, and hidden folders to others.
    deeper = depth > 0 and not (kinds is _DEEPER and "SKILL.md" in listed.value)
    for name in listed.value:
        path, kind = join(folder, name), kind_of(name)
        if kind in kinds:
            yield _see(fs, path, kind)
        elif deeper and (name in _HIDDEN_BUT_OURS or not name.startswith(".")):
            yield from _see_inside(fs, top, path, depth - 1)


def _see_inside(fs: GuardedFs, top: str, path: str, depth: int) -> Iterator[SeenFile]:
    """What a folder of the library holds; nothing if `path` is a file, or a link to nowhere."""
    there = fs.stat(path)
    if not there.ok:  # a name that is not UTF-8, a link out of the root: told, not hidden
        yield SeenFile(path, "folder", problem=there.error.message)
    elif there.value is not None and there.value.kind == "folder":
        if leads_back(fs, top, path):
            yield SeenFile(path, "link-circle")
        else:
            yield from _see_folder(fs, top, path, _DEEPER, depth)


def _see(fs: GuardedFs, path: str, kind: FileKind) -> SeenFile:
    if kind in _NOT_READ:
        return SeenFile(path, kind)
    read = fs.read(path, _MAX_BYTES.get(kind, MAX_FILE_BYTES))
    if read.ok:
        return SeenFile(path, kind, read.value)
    return SeenFile(path, kind, problem=read.error.message)
