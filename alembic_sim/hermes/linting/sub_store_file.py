"""Lint of a sub-store (`episodic.jsonl` and the like): one record a line, none torn."""

from __future__ import annotations

from collections.abc import Iterator

from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.hermes.memory.sub_record import parse_records
from alembic_sim.iso import ms_from_iso
from alembic_sim.shorten import shorten


def lint_sub_store(file: str, data: bytes, now_ms: int) -> tuple[Finding, ...]:
    """The findings in a sub-store's bytes, line by line; a blank line says nothing."""
    *ended, last = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    lines = [line + b"\n" for line in ended] + [last]
    return tuple(
        Finding(file, code, message, number)
        for number, line in enumerate(lines, start=1)
        for code, message in _in_line(line, now_ms)
    )


def _in_line(line: bytes, now_ms: int) -> Iterator[tuple[str, str]]:
    """Code and sentence of what is to mend in one line, its newline included."""
    listing = parse_records(b"\n" + line)  # so it is line 2, where a byte-order mark is damage
    for warning in listing.warnings:
        code = "damaged-line" if line.endswith(b"\n") else "torn-line"
        yield code, f"the line{warning.removeprefix('line 2')}. Mend it by hand"
    for record in listing.records:
        at = ms_from_iso(record.at)
        if not at.ok:
            yield "bad-instant", f"at: {at.error.message}. Mend it by hand"
        elif at.value > now_ms:
            ahead = f"at: {shorten(record.at)} is later than now: a clock was wrong"
            yield "future", f"{ahead}. Correct the time"
