"""The skills of a Hermes home: category folders and `.archive` too; read and never written."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname, join

from alembic_sim.guarded import GuardedFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.skills.link_circle import leads_back
from alembic_sim.hermes.skills.reading import list_skill, read_skill
from alembic_sim.hermes.skills.skill_texts import FILE_NAME
from alembic_sim.hermes.skills.types import ListedSkill, SkillError, SkillListing, SkillView
from alembic_sim.ports.fs import FsPort
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

ARCHIVE = ".archive"
_MAX_DEPTH = 4  # .archive/CATEGORY/NAME, and one to spare


def list_hermes_skills(fs: FsPort, sidecar: UsageSidecar, folder: str = "skills") -> SkillListing:
    """Every SKILL.md below the folder and every record, by name; best effort, writes nothing.

    A skill goes by its folder's name if that has a record, else by its frontmatter's. Of two texts
    with one name the one outside `.archive` counts, and a warning names the other. Warnings also
    name each folder that cannot be looked into, and each link in a circle, which is not followed.
    """
    guarded = GuardedFs(fs)
    found: dict[str, ListedSkill] = {}
    warnings: list[str] = []
    paths = _walk(guarded, folder, folder, warnings)
    for path in sorted(paths, key=lambda path: (_in_archive(path, folder), path)):
        text = read_skill(guarded, path)
        name = basename(dirname(path))
        if name not in sidecar.names() and text.ok and text.value.name:
            name = text.value.name
        if name in found:
            warnings.append(f"{shorten(name)} has another text at {path}")
        else:
            found[name] = list_skill(name, path, text, sidecar)
    for name in sidecar.names():
        if name not in found:
            missing = Err(SkillError("missing-text", f"its text is missing below {folder}"))
            found[name] = list_skill(name, "", missing, sidecar)
    return SkillListing(tuple(found[name] for name in sorted(found)), tuple(warnings))


def view_hermes_skill(
    fs: FsPort, sidecar: UsageSidecar, name: str, folder: str = "skills"
) -> Result[SkillView, SkillError]:
    """The skill's text; the view is not counted, for a Hermes home is never written."""
    listing = list_hermes_skills(fs, sidecar, folder)
    listed = next((skill for skill in listing.skills if skill.name == name), None)
    if listed is None:
        return Err(SkillError("unknown-skill", f"there is no skill {shorten(name)}"))
    if not listed.path:
        return Err(SkillError("missing-text", f"{shorten(name)}: {listed.problems[0]}"))
    text = read_skill(GuardedFs(fs), listed.path)
    if not text.ok:
        return text
    why = ("not counted: a Hermes home is never written", *listed.problems)
    return Ok(SkillView(name, listed.path, listed.description, text.value.body, listed.record, why))


def _walk(
    fs: GuardedFs, top: str, folder: str, warnings: list[str], depth: int = 0
) -> Iterator[str]:
    """The paths of the SKILL.md files; inside a skill's own folder nothing is looked for."""
    listed = fs.list(folder)
    if not listed.ok:
        if depth or listed.error.code != "missing":
            warnings.append(f"not looked into: {listed.error.message}")
        return
    if depth and FILE_NAME in listed.value:
        yield join(folder, FILE_NAME)
        return
    for name in listed.value if depth < _MAX_DEPTH else ():
        if not name.startswith(".") or name == ARCHIVE:
            yield from _walk_inside(fs, top, join(folder, name), warnings, depth + 1)


def _walk_inside(
    fs: GuardedFs, top: str, path: str, warnings: list[str], depth: int
) -> Iterator[str]:
    there = fs.stat(path)
    if not there.ok:  # a name that is not UTF-8, a link out of the root: told, not hidden
        warnings.append(f"not looked into: {there.error.message}")
    elif there.value is not None and there.value.kind == "folder":
        if leads_back(fs, top, path):
            warnings.append(f"not looked into: {path} is a link in a circle")
        else:
            yield from _walk(fs, top, path, warnings, depth)


def _in_archive(path: str, folder: str) -> bool:
    return path.startswith(join(folder, ARCHIVE, ""))
