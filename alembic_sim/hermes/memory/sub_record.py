"""A sub-store's records as lines of JSON, and lines as records again: pure (seed 5 §12)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised
from alembic_sim.strict_json import MAX_DEPTH, JsonError, parse_strict_json

_FIELDS = {"id": str, "agent": str, "at": str, "record": dict}
_OWN_ID = re.compile(rb'\{"id": "([^"\\]+)"')  # how our own lines begin


@dataclass(frozen=True, slots=True)
class SubRecord:
    """One line of a sub-store: what was recorded, by whom, and when (ISO, milliseconds)."""

    id: str
    agent: str
    at: str
    record: dict[str, object]


@dataclass(frozen=True, slots=True)
class SubListing:
    """The records, newest first; `warnings` tells of the lines that are none, oldest first."""

    records: tuple[SubRecord, ...] = ()
    warnings: tuple[str, ...] = ()


def parse_records(data: bytes) -> SubListing:
    """The records in a file's bytes; a line that is none is skipped and told.

    A last line without a newline counts if it can be read; if not, a write broke off there. Newest
    means last in the file: clocks can be set back.
    """
    records: list[SubRecord] = []
    warnings: list[str] = []
    for number, line, ended in _lines(data):
        read = _record_from(line)
        if read.ok:
            records.append(read.value)
        else:
            what = "is damaged" if ended else "is torn: a write broke off there"
            warnings.append(f"line {number} {what}; skipped ({read.error.message})")
    return SubListing(tuple(reversed(records)), tuple(warnings))


def record_line(record: SubRecord) -> bytes:
    """The record as its line, newline included."""
    document = {"id": record.id, "agent": record.agent, "at": record.at, "record": record.record}
    return json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def check_record(record: object) -> Result[dict[str, object], JsonError]:
    """A copy of the record, if a line that holds it can be read back as the same."""
    if not isinstance(record, dict):
        return _no_record("it is not an object")
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
        read = parse_strict_json(text, max_depth=MAX_DEPTH - 1)  # the line is one level more
        if not read.ok:
            return _no_record(read.error.message)
        if isinstance(read.value, dict) and read.value == record:
            return Ok(read.value)
    except Exception as error:  # NaN, a set, a cycle, a value whose own methods raise
        return _no_record(raised(error))
    return _no_record("a key that is no text, or a tuple, would come back as something else")


def ids_in(data: bytes) -> tuple[str, ...]:
    """Every id in a file's bytes, in order; those of damaged lines too, if they can be made out."""
    ids: list[str] = []
    for _number, line, _ended in _lines(data):
        own = _OWN_ID.match(line)
        if own:  # at once: an append must not parse all that was ever recorded
            ids.append(own[1].decode("utf-8", "replace"))
        else:
            read = _record_from(line)
            ids += [read.value.id] if read.ok else []
    return tuple(ids)


def next_id(taken: Iterable[str]) -> str:
    """The id after the highest `mem_…` number that is taken: `mem_000001` if there is none.

    >>> next_id(["mem_000009", "imported-17", "mem_000003"])
    'mem_000010'
    """
    known = frozenset(taken)
    numbers = (re.fullmatch(r"mem_([0-9]{1,15})", each) for each in known)
    number = max((int(found[1]) for found in numbers if found), default=0) + 1
    while f"mem_{number:06d}" in known:  # only beyond 15 digits, which nobody counted up to
        number += 1
    return f"mem_{number:06d}"


def _lines(data: bytes) -> Iterable[tuple[int, bytes, bool]]:
    """Number, bytes and whether a newline ends it, for every line that is not blank."""
    *ended, last = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")  # no BOM, as editors leave it
    for number, line in enumerate((*ended, last), start=1):
        if line.strip():
            yield number, line, number <= len(ended)


def _record_from(line: bytes) -> Result[SubRecord, JsonError]:
    read = parse_strict_json(line)
    if not read.ok:
        return read
    fields = read.value
    if not isinstance(fields, dict):
        return _no_record("it is not an object")
    for name, kind in _FIELDS.items():
        if not isinstance(fields.get(name), kind):
            wanted = "an object" if kind is dict else "a text"
            return _no_record(f"its {name} is not {wanted}")
    return Ok(SubRecord(**{name: fields[name] for name in _FIELDS}))


def _no_record(why: str) -> Err[JsonError]:
    return Err(JsonError("bad-record", why))
