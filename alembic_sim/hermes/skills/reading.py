"""Reading SKILL.md files: one text with its reason for failing, or one line of a listing."""

from __future__ import annotations

from dataclasses import replace

from alembic_sim.guarded import GuardedFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.skills.skill_file import SkillFile, parse_skill
from alembic_sim.hermes.skills.types import ListedSkill, SkillError
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten

MAX_SKILL_BYTES = 1024 * 1024


def read_skill(fs: GuardedFs, path: str) -> Result[SkillFile, SkillError]:
    """The SKILL.md at `path`, or `missing-text`, or `unreadable`."""
    read = fs.read(path, MAX_SKILL_BYTES)
    if not read.ok:
        if read.error.code == "missing":
            return Err(SkillError("missing-text", f"its text is missing: there is no {path}"))
        return _unreadable(read.error.message)
    try:
        text = read.value.decode("utf-8")
    except UnicodeDecodeError as error:
        return _unreadable(f"{path}: {not_utf8(error)}")
    skill = parse_skill(text)
    if "\0" in text:  # no store writes one, and many a reader stops there
        return Ok(replace(skill, problem=f"character {text.index(chr(0))} of its text is a NUL"))
    return Ok(skill)


def list_skill(
    name: str, path: str, text: Result[SkillFile, SkillError], sidecar: UsageSidecar
) -> ListedSkill:
    """The skill with what is wrong with its text, its name and its record."""
    problems: list[str] = []
    if not text.ok:
        problems.append(text.error.message)
    elif text.value.problem is not None:
        problems.append(text.value.problem)
    elif text.value.name is not None and text.value.name != name:
        problems.append(f"its frontmatter calls it {shorten(text.value.name)}")
    if name in sidecar.invalid:
        problems.append(f"its record is damaged, and kept as it is: {sidecar.why_invalid[name]}")
    elif name not in sidecar.records:
        problems.append("it has no record, so it is not curated")
    description = (text.value.description if text.ok else None) or ""
    return ListedSkill(name, path, description, sidecar.records.get(name), tuple(problems))


def _unreadable(why: str) -> Err[SkillError]:
    return Err(SkillError("unreadable", f"its text cannot be read: {why}"))
