"""What lint found, as lines for a person and as a document for a program; pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.linting.lint_home import LintedFile
from alembic_sim.iso import iso_from_ms

_IN_WORDS = {
    "memory": "MEMORY.md",
    "user": "USER.md",
    "sidecar": ".usage.json",
    "skill": "SKILL.md",
}


@dataclass(frozen=True, slots=True)
class LintView:
    """One run: what was named, the folder that files are below, the time, every file seen."""

    path: Path
    base: Path
    now_ms: int
    files: tuple[LintedFile, ...]

    def findings(self) -> tuple[Finding, ...]:
        """All findings, file by file."""
        return tuple(finding for one in self.files for finding in one.findings)

    def place(self, file: str) -> str:
        """The file's path as whoever runs the command can open it."""
        return (self.base / file).as_posix()

    def told(self, finding: Finding) -> str:
        """The finding on one line; control signs are shown, so that data drives no terminal."""
        line = "" if finding.line is None else f":{finding.line}"
        part = "" if finding.part is None else f"{finding.part}: "
        note = "note: " if finding.severity == "note" else ""
        place = f"{self.place(finding.file)}{line}"
        return visible_line(f"{place}: {note}{finding.code}: {part}{finding.message}")

    def count(self, severity: str) -> int:
        """How many findings are of the severity."""
        return sum(1 for finding in self.findings() if finding.severity == severity)


def lint_document(view: LintView) -> dict[str, object]:
    """The strict JSON document of `lint --json`."""
    return {
        "path": view.path.as_posix(),
        "now": iso_from_ms(view.now_ms),
        "ok": view.count("error") == 0,
        "errors": view.count("error"),
        "notes": view.count("note"),
        "files": [{"file": view.place(one.file.path), "kind": one.file.kind} for one in view.files],
        "findings": [
            {
                "file": view.place(finding.file),
                "line": finding.line,
                "part": finding.part,
                "code": finding.code,
                "severity": finding.severity,
                "message": finding.message,
            }
            for finding in view.findings()
        ],
    }


def lint_lines(view: LintView) -> list[str]:
    """The findings as a person reads them, `file:line: code: …`, and a last line with counts."""
    lines = [view.told(finding) for finding in view.findings()]
    kinds = Counter(_IN_WORDS.get(one.file.kind, one.file.kind) for one in view.files)
    looked_at = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no file"
    counts = f"{view.count('error')} to mend, {view.count('note')} to note"
    return [*lines, visible_line(f"{view.path.as_posix()}: {counts}; looked at {looked_at}")]
