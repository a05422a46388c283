"""A SKILL.md as a value: frontmatter with name and description, then the body.

The form is the ancestor's. Of its frontmatter only the two fields are read, best effort; whatever
else stands there (tags, a version, comments) is the author's, and is kept letter for letter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from alembic_sim.hermes.memory.entry_text import normalise_newlines

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FENCE = "---"
_PLAIN = re.compile(r"[^\W\d_](?:[^\s:#]|[ ](?![ #])|:(?! ))*")  # safe without quotes, in any YAML
_PLAIN_BUT_NO_TEXT = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_TO_ESCAPE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")  # YAML calls some of them line breaks


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One SKILL.md, read best effort.

    `head` is the frontmatter with its fences, letter for letter ("" if there is none); `body` has
    LF newlines and no blank lines around it. `problem` says what a careful reader should know.
    """

    head: str
    name: str | None
    description: str | None
    body: str
    problem: str | None = None


def parse_skill(text: str) -> SkillFile:
    """The parts of a SKILL.md; a text without frontmatter is all body."""
    lines: list[str] = _LINE.findall(text)
    if not lines or lines[0].lstrip("\ufeff").rstrip() != _FENCE:
        return SkillFile("", None, None, clean_body(text), "it has no frontmatter")
    inside = list(takewhile(lambda line: line.rstrip() != _FENCE, lines[1:]))
    if len(inside) == len(lines) - 1:
        return SkillFile("", None, None, clean_body(text), "its frontmatter never ends")
    head, body = lines[: len(inside) + 2], lines[len(inside) + 2 :]
    name, description = read_field(inside, "name"), read_field(inside, "description")
    problem = None if description else "its frontmatter has no description"
    return SkillFile("".join(head), name, description, clean_body("".join(body)), problem)


def new_head(name: str, description: str) -> str:
    """The frontmatter of a new skill: strict enough for any YAML reader."""
    return f"{_FENCE}\nname: {_scalar(name)}\ndescription: {_scalar(description)}\n{_FENCE}\n"


def skill_text(head: str, body: str) -> str:
    """The text of a SKILL.md; `parse_skill` gives back both parts."""
    ended = head if head.endswith(("\n", "\r")) else f"{head}\n"
    return f"{ended}\n{body}\n"


def clean_body(text: str) -> str:
    """The body as it is compared and shown: LF newlines, nothing but text at both ends."""
    return normalise_newlines(text).lstrip("\ufeff").strip("\n")


def read_field(lines: Sequence[str], key: str) -> str | None:
    """The value of a top-level field as plain text, whatever of YAML's forms it is written in."""
    for at, line in enumerate(lines):
        field, colon, rest = line.partition(":")
        if field == key and colon and (not rest or rest[0].isspace()):
            more = takewhile(lambda line: not line.strip() or line[0] in " \t", lines[at + 1 :])
            value = _value(rest.strip(), [line.strip() for line in more])
            return value.encode("utf-8", "replace").decode("utf-8")  # "\ud800" is an escape too
    return None


def _value(first: str, more: list[str]) -> str:
    if first[:1] in ("|", ">"):
        return ("\n" if first[0] == "|" else " ").join(more).strip()
    joined = " ".join(part for part in (first, *more) if part)
    if joined.startswith('"'):
        try:
            value, _end = json.JSONDecoder(strict=False).raw_decode(joined)
        except ValueError:  # an escape of YAML that JSON does not have
            return joined.strip('"')
        return str(value)
    if joined.startswith("'"):
        quoted = re.match(r"'((?:[^']|'')*)'", joined)
        return quoted[1].replace("''", "'") if quoted else joined.strip("'")
    return re.split(r"(?:^|\s)#", joined, maxsplit=1)[0].strip()


def _scalar(text: str) -> str:
    if (
        _PLAIN.fullmatch(text)
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and text.casefold() not in _PLAIN_BUT_NO_TEXT
    ):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _TO_ESCAPE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)
