"""Lint of a skill library as a whole: its names, its SKILL.md files, its records.

What a SKILL.md says is its author's business: that it is text, and which skill it says that it is,
is looked at here, with the eyes of those who list the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, dirname

from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.skills.skill_file import parse_skill
from alembic_sim.shorten import not_utf8, shorten


def lint_skill_file(file: str, data: bytes) -> tuple[Finding, ...]:
    """The findings in one SKILL.md: is it text, and does it say what the skill is for?"""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return (Finding(file, "unparseable", f"{not_utf8(error)}. Save it as UTF-8", line),)
    found = []
    problem = parse_skill(text).problem
    if problem is not None:
        why = f"{problem}: an agent that chooses by the description passes the skill over"
        remedy = "Begin it with a line ---, name: and description:, and a line ---"
        found.append(Finding(file, "frontmatter", f"{why}. {remedy}", 1))
    if "\0" in text:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        found.append(Finding(file, "unparseable", "it holds a NUL. Take it out by hand", line))
    return tuple(found)


def skill_names(file: str, data: bytes) -> frozenset[str]:
    """What the skill may be called in a sidecar: its folder's name, its frontmatter's `name`."""
    said = parse_skill(data.decode("utf-8", "replace")).name
    return frozenset({basename(dirname(file)), said or basename(dirname(file))})


def other_names(
    skills: Mapping[str, frozenset[str]], records: Iterable[str], native: bool
) -> Iterator[Finding]:
    """Each SKILL.md whose frontmatter calls the skill otherwise than its folder does.

    `skills` is every SKILL.md with the names it goes by. To the ancestor a folder without a record
    goes by its frontmatter alone, and neither name is wrong.
    """
    recorded = set(records)
    for file, names in sorted(skills.items()):
        folder = basename(dirname(file))
        if folder and len(names) > 1 and (native or folder in recorded):
            [said] = names - {folder}
            why = f"its frontmatter calls it {shorten(said)}, its folder {folder!r}"
            yield Finding(file, "other-name", f"{why}. Give it one name", 1)


def case_clashes(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name that differs from an earlier one by case alone, and the sentence that says so."""
    first_of: dict[str, str] = {}
    for name in sorted(names):
        first = first_of.setdefault(name.casefold(), name)
        if first != name:
            why = (
                f"it differs from {first!r} by case alone: one name to the store and to many disks"
            )
            yield name, f"{why}. Rename one of the two"


def lint_pairs(
    skills: Mapping[str, frozenset[str]], records: Iterable[str], sidecar: str, native: bool
) -> Iterator[Finding]:
    """Records without a SKILL.md, and in a library of ours SKILL.md files without a record.

    `skills` is every SKILL.md with the names it goes by; where there is none at all the bodies
    live elsewhere, and nothing is missing. The ancestor gives a bundled skill no record before it
    is first used, so there that is no finding.
    """
    recorded = set(records)
    bodied = {name for names in skills.values() for name in names}
    for name in sorted(recorded - bodied) if skills else ():
        why = "no SKILL.md goes by this name: the telemetry of a skill that is gone, or renamed"
        yield Finding(sidecar, "record-without-skill", why, part=f"record {name!r}")
    for file, names in sorted(skills.items()) if native else ():
        if not names & recorded:
            why = f"{sidecar} has no record of it, so it is neither counted nor curated"
            yield Finding(file, "skill-without-record", f"{why}. Use it once, or create it anew")
