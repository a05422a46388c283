"""What an operation does to a list of entries: pure, no files, no clock."""

from __future__ import annotations

import difflib
from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from alembic_sim.hermes.memory.entry_text import clean_text, holds_delimiter_line
from alembic_sim.hermes.memory.operations import Add, MemoryOp, Remove, Replace
from alembic_sim.hermes.memory.snapshot import scan_safely
from alembic_sim.hermes.memory.threat_scan import ThreatScan
from alembic_sim.result import Err, Ok, Result

WriteKind = Literal["added", "reinforced", "replaced", "removed"]


@dataclass(frozen=True, slots=True)
class StoreError:
    """Why the store did not write: nothing on disk has changed, unless it is `write-uncertain`.

    `entry` is an entry that this error reveals (`drift`, `no-match`): naming it makes it seen.
    """

    code: str
    message: str
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """The entries after an operation; `entry` is what it wrote, `old_entry` what it took away."""

    kind: WriteKind
    entries: tuple[str, ...]
    entry: str | None = None
    old_entry: str | None = None


def check_op(op: object, scan: ThreatScan) -> Result[MemoryOp, StoreError]:
    """The operation with its texts cleaned, or the first reason to refuse it unread."""
    match op:
        case Add(content):
            texts = {"content": content}
        case Replace(old_text, content):
            texts = {"old_text": old_text, "content": content}
        case Remove(old_text):
            texts = {"old_text": old_text}
        case _:
            return _refuse("unknown-op", f"{type(op).__name__} is not Add, Replace or Remove")
    for name, text in texts.items():
        if not isinstance(text, str):
            return _refuse("not-text", f"{name} is {type(text).__name__}, not text")
    clean = {name: clean_text(text) for name, text in texts.items()}
    for name, text in clean.items():
        if not text:
            return _refuse(f"empty-{name.replace('_', '-')}", f"{name} is blank: nothing to do")
    for name, text in clean.items():
        if not _storable(text):
            return _refuse("not-text", f"{name} holds a NUL or a lone surrogate: not valid text")
    if holds_delimiter_line(clean.get("content", "")):
        why = "a line of the content is exactly '§', the delimiter: it would come back as two"
        return _refuse("delimiter-in-content", f"{why} entries; write § within a line, or split it")
    reason = scan_safely(scan, clean["content"]) if "content" in clean else None
    if reason is not None:
        return _refuse("threat", f"the content was refused by the threat scan: {reason}")
    return Ok(type(op)(**clean))


def decide(entries: tuple[str, ...], op: MemoryOp, seen: Set[str]) -> Result[Change, StoreError]:
    """What a cleaned operation makes of the entries; budget is not looked at here.

    `seen`: the entries that the caller knows of; others may not be replaced or removed (`drift`).
    """
    if isinstance(op, Add):
        if op.content in entries:
            return Ok(Change("reinforced", entries, op.content))
        return Ok(Change("added", (*entries, op.content), op.content))
    found = _find(entries, op.old_text)
    if not found.ok:
        return found
    old = found.value
    if old not in seen:
        why = f"the entry {preview(old)} was changed or added since this session looked"
        return _refuse("drift", f"{why}; look at it, then ask again", old)
    if isinstance(op, Remove):
        return Ok(Change("removed", tuple(e for e in entries if e != old), None, old))
    place = entries.index(old)
    swapped = (*entries[:place], op.content, *entries[place + 1 :])
    if op.content in entries:  # the two merge; asked first, for a batch would hash all each time
        swapped = tuple(dict.fromkeys(swapped))
    return Ok(Change("replaced", swapped, op.content, old))


def preview(text: str) -> str:
    """The text on one line, quoted, at most 80 characters of it."""
    line = " ⏎ ".join(text.split("\n"))
    return f"'{line}'" if len(line) <= 80 else f"'{line[:79]}…'"


def _find(entries: tuple[str, ...], old_text: str) -> Result[str, StoreError]:
    """The one entry that is equal to the text or, failing that, contains it."""
    if old_text in entries:
        return Ok(old_text)
    matches = [entry for entry in entries if old_text in entry]
    if len(matches) == 1:
        return Ok(matches[0])
    if matches:
        shown = ", ".join(preview(entry) for entry in matches[:5])
        why = f"{preview(old_text)} is in {len(matches)} entries ({shown})"
        return _refuse("ambiguous", f"{why}; use a longer, unique part of the one you mean")
    why = f"no entry contains {preview(old_text)}"
    nearest = _nearest(entries, old_text)
    if nearest is None:
        return _refuse("no-match", f"{why}: the store is empty")
    return _refuse("no-match", f"{why}; the nearest is {preview(nearest)}", nearest)


def _nearest(entries: tuple[str, ...], text: str) -> str | None:
    """The entry most like the text; both are cut, so that a huge file cannot stall the search."""
    by_head = {entry[:200]: entry for entry in reversed(entries[:1000])}
    heads = difflib.get_close_matches(text[:200], list(by_head), n=1, cutoff=0.0)
    return by_head[heads[0]] if heads else None


def _storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _refuse(code: str, message: str, entry: str | None = None) -> Err[StoreError]:
    return Err(StoreError(code, message, entry))
