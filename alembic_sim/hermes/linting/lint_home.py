"""lint: everything to mend in the files of a home; pure, bytes and time in, findings out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.linting.memory_file import lint_memory_file
from alembic_sim.hermes.linting.seen_file import FileKind, SeenFile
from alembic_sim.hermes.linting.sidecar_file import lint_sidecar, read_sidecar
from alembic_sim.hermes.linting.skill_library import (
    case_clashes,
    lint_pairs,
    lint_skill_file,
    other_names,
    skill_names,
)
from alembic_sim.hermes.linting.sub_store_file import lint_sub_store
from alembic_sim.hermes.memory.memory_store import (
    DEFAULT_MEMORY_CHAR_LIMIT,
    DEFAULT_USER_CHAR_LIMIT,
)

_MEMORY_CODES = (
    *("over-budget", "blocked", "not-text", "duplicate", "merged"),
    *("byte-order-mark", "line-ends", "blank-entry"),
)
_CODES: dict[FileKind, tuple[str, ...]] = {
    "memory": ("unreadable", "unparseable", *_MEMORY_CODES),
    "user": ("unreadable", "unparseable", *_MEMORY_CODES),
    "sub-store": ("unreadable", "torn-line", "damaged-line", "bad-instant", "future"),
    "sidecar": (
        *("unreadable", "unparseable", "damaged-record", "bad-instant", "mixed-format", "future"),
        *("case-clash", "record-without-skill"),
    ),
    "skill": (
        *("unreadable", "unparseable", "frontmatter", "other-name"),
        *("case-clash", "skill-without-record"),
    ),
    "leftover": ("leftover",),
    "corrupt-copy": ("corrupt-copy",),
    "folder": ("unreadable",),
    "link-circle": ("link-circle",),
}


@dataclass(frozen=True, slots=True)
class LintedFile:
    """One file that was looked at, and all that is to mend in it."""

    file: SeenFile
    findings: tuple[Finding, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        """Every rule that holds for a file of this kind."""
        return _CODES[self.file.kind]


def lint(files: tuple[SeenFile, ...], now_ms: int) -> tuple[LintedFile, ...]:
    """Every file in the order given, with its findings; a file that could not be read has one."""
    library = tuple(_in_library(files))
    return tuple(
        LintedFile(
            file,
            (*_in_file(file, now_ms), *(one for one in library if one.file == file.path)),
        )
        for file in files
    )


def errors_in(linted: tuple[LintedFile, ...]) -> int:
    """How many findings make lint fail."""
    found = (finding for one in linted for finding in one.findings)
    return sum(1 for finding in found if finding.severity == "error")


def _in_file(file: SeenFile, now_ms: int) -> tuple[Finding, ...]:
    if file.problem is not None:
        meant = "to every session it is empty, and is not written. Put a readable file there"
        if file.kind == "folder":
            meant = "what is in it was not looked at. Mend it, rename it or move it away"
        return (Finding(file.path, "unreadable", f"{file.problem}: {meant}"),)
    match file.kind:
        case "memory":
            return lint_memory_file(file.path, file.data, DEFAULT_MEMORY_CHAR_LIMIT)
        case "user":
            return lint_memory_file(file.path, file.data, DEFAULT_USER_CHAR_LIMIT)
        case "sidecar":
            return lint_sidecar(file.path, file.data, now_ms)
        case "sub-store":
            return lint_sub_store(file.path, file.data, now_ms)
        case "skill":
            return lint_skill_file(file.path, file.data)
        case _:
            return (Finding(file.path, file.kind, _ASIDE[file.kind]),)


_ASIDE: dict[FileKind, str] = {
    "leftover": "a write was cut off before its end; the file it was for is the older, whole one. "
    "See whether it holds more, then let it go (the store's next write there sweeps its own)",
    "corrupt-copy": "a sidecar that could not be read was put aside here before it was written "
    "over. Merge by hand what it still holds, then move it away",
    "link-circle": "it leads back to a folder that it lies in, so it was not looked into. Move the "
    "link away",
}


def _in_library(files: tuple[SeenFile, ...]) -> Iterator[Finding]:
    """What only shows when the sidecar and the SKILL.md files are seen together."""
    skills = {
        file.path: skill_names(file.path, file.data) for file in files if file.kind == "skill"
    }
    for path, why in case_clashes(skills):
        yield Finding(path, "case-clash", why)
    sidecars = [file for file in files if file.kind == "sidecar"]
    if not sidecars and not any(file.path.startswith("memories/") for file in files):
        yield from other_names(skills, records=(), native=True)
    for file in sidecars:
        read = None if file.problem else read_sidecar(file.data)
        if read is not None and read.ok:
            names = read.value.sidecar.names()
            for name, why in case_clashes(names):
                yield Finding(file.path, "case-clash", why, part=f"record {name!r}")
            yield from lint_pairs(skills, names, file.path, read.value.native)
            yield from other_names(skills, names, read.value.native)
