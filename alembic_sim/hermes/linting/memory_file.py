"""Lint of MEMORY.md and USER.md: what a session would drop, block, refuse or misread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from alembic_sim.hermes.linting.entry_places import PlacedEntry, place_entries
from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.linting.merged_entries import merge_signs
from alembic_sim.hermes.memory.decide import check_op, preview
from alembic_sim.hermes.memory.entry_text import parse_entries, serialise_entries
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.hermes.memory.snapshot import scan_safely
from alembic_sim.hermes.memory.threat_scan import ThreatScan, threat_scan
from alembic_sim.shorten import not_utf8


def lint_memory_file(
    file: str, data: bytes, limit_chars: int, scan: ThreatScan = threat_scan
) -> tuple[Finding, ...]:
    """The findings in a memory file's bytes, in the order of its lines."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"{not_utf8(error)}, so every session reads it as empty and writes nothing to it"
        return (Finding(file, "unparseable", f"{why}. Save it as UTF-8", line),)
    parts = place_entries(text)
    found = [
        *_spelling(file, text),
        *_budget(file, text, limit_chars, parts),
        *_repeats(file, parts),
        *_refused(file, parts, scan),
        *_merged(file, parts),
    ]
    return tuple(sorted(found, key=lambda finding: finding.line or 0))


def _spelling(file: str, text: str) -> Iterator[Finding]:
    if text.startswith("\ufeff"):
        why = "it begins with a byte-order mark, which readers drop. Save it without one"
        yield Finding(file, "byte-order-mark", why, 1)
    returns = text.count("\r")
    if returns:
        why = f"{returns} lines end with CR, which readers take as LF. Save it with LF"
        yield Finding(file, "line-ends", why)


def _budget(
    file: str, text: str, limit_chars: int, parts: tuple[PlacedEntry, ...]
) -> Iterator[Finding]:
    used = len(serialise_entries(parse_entries(text)))
    if used > limit_chars:
        share = f" ({used * 100 // limit_chars} %)" if limit_chars else ""
        longest = max(parts, key=lambda part: len(part.text))
        why = f"it holds {used:,} of {limit_chars:,} characters{share}, {used - limit_chars:,} over"
        remedy = "no write that makes it longer is accepted. Shorten or remove entries; the longest"
        where = f"is entry {longest.number} ({len(longest.text):,} characters)"
        yield Finding(file, "over-budget", f"{why}: {remedy} {where}")


def _repeats(file: str, parts: tuple[PlacedEntry, ...]) -> Iterator[Finding]:
    first_of: dict[str, PlacedEntry] = {}
    for part in parts:
        told = partial(Finding, file, line=part.line, part=f"entry {part.number}")
        first = first_of.setdefault(part.text, part)
        if not part.text:
            yield told("blank-entry", "it is blank: readers drop it. Take out one delimiter")
        elif first is not part:
            same = f"entry {first.number} (line {first.line}, {preview(part.text)})"
            yield told("duplicate", f"it repeats {same}: readers drop it. Remove it")


def _refused(file: str, parts: tuple[PlacedEntry, ...], scan: ThreatScan) -> Iterator[Finding]:
    remedy = "Read it, then remove it or put it in other words"
    for part in reversed({part.text: part for part in reversed(parts) if part.text}.values()):
        told = partial(Finding, file, line=part.line, part=f"entry {part.number}")
        reason = scan_safely(scan, part.text)
        if reason is not None:
            why = f"{reason}: the prompt shows [BLOCKED: …] in its place"
            yield told("blocked", f"{why}. {remedy}")
        writable = check_op(Add(part.text), scan=lambda _text: None)
        if not writable.ok:
            why = f"{writable.error.message}: the store would never write it"
            yield told("not-text", f"{why}. {remedy}")


def _merged(file: str, parts: tuple[PlacedEntry, ...]) -> Iterator[Finding]:
    remedy = "If it is two entries, put a line with '§' alone between them"
    for sign in merge_signs(parts):
        yield Finding(
            file, "merged", f"{sign.why}. {remedy}", sign.line, f"entry {sign.entry.number}"
        )
