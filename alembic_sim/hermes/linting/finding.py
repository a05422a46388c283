"""What lint says: one finding, and the table of every rule that there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "note"]
"""An `error` makes lint fail: something is lost, ignored, blocked or misread. A `note` does not:
every reader copes, but a person may want to know."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a code means; `holds` is the rule as it should be, for a report of passed tests."""

    severity: Severity
    holds: str


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "unreadable": Rule("error", "the file can be read"),
        "unparseable": Rule("error", "the bytes are what the file should hold"),
        "over-budget": Rule("error", "the entries fit into the file's character limit"),
        "blocked": Rule("error", "every entry passes the threat scan"),
        "not-text": Rule("error", "every entry is text that the store would write"),
        "duplicate": Rule("error", "no entry is there twice (a reader drops the second)"),
        "merged": Rule("error", "no entry looks like two that lost their delimiter"),
        "damaged-record": Rule("error", "every record of the sidecar can be read"),
        "bad-instant": Rule("error", "every time in a record can be read"),
        "mixed-format": Rule("error", "the sidecar's records are all in one format"),
        "frontmatter": Rule("error", "the skill has a frontmatter that says what it is for"),
        "other-name": Rule("error", "the frontmatter calls the skill as its folder does"),
        "future": Rule("error", "nothing happened later than now"),
        "case-clash": Rule("error", "no two names differ by case alone"),
        "damaged-line": Rule("error", "every line is one record"),
        "torn-line": Rule("error", "the last line was written to its end"),
        "leftover": Rule("error", "no interrupted write left a temporary file"),
        "byte-order-mark": Rule("note", "the file does not begin with a byte-order mark"),
        "line-ends": Rule("note", "lines end with LF alone"),
        "blank-entry": Rule("note", "there is text between any two delimiters"),
        "record-without-skill": Rule("note", "every record has its SKILL.md"),
        "skill-without-record": Rule("note", "every SKILL.md has its record"),
        "link-circle": Rule("note", "no link leads back to a folder that it lies in"),
        "corrupt-copy": Rule("note", "no unreadable sidecar was put aside"),
    }
)
"""Every code that lint gives."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend: where, which rule, and a sentence with figures and what to do.

    `line` counts from 1; `part` names the entry, the record or the skill (`entry 3`).
    """

    file: str
    code: str
    message: str
    line: int | None = None
    part: str | None = None

    @property
    def severity(self) -> Severity:
        return RULES[self.code].severity
