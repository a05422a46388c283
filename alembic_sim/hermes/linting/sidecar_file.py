"""Lint of `.usage.json`, ours or the ancestor's: what a curator would ignore or misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alembic_sim.hermes.curator.hermes_sidecar import read_hermes_sidecar
from alembic_sim.hermes.curator.sidecar import UsageSidecar, parse_sidecar
from alembic_sim.hermes.curator.sidecar_format import holds_hermes_keys, is_native
from alembic_sim.hermes.linting.finding import Finding
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok, Result
from alembic_sim.strict_json import JsonError, json_type, parse_strict_json


@dataclass(frozen=True, slots=True)
class SidecarReading:
    """The file's JSON object, and the records in it; any doubt makes a file the ancestor's."""

    document: Mapping[str, object]
    sidecar: UsageSidecar
    native: bool


def read_sidecar(data: bytes) -> Result[SidecarReading, JsonError]:
    """The records in the bytes, or why the whole file says nothing."""
    parsed = parse_strict_json(data)
    if not parsed.ok:
        return parsed
    document = parsed.value
    if not isinstance(document, dict):
        why = f"a JSON {json_type(document)}, not an object of skills"
        return Err(JsonError("not-json", why))
    native = is_native(document)
    sidecar = parse_sidecar(data) if native else read_hermes_sidecar(document).sidecar
    return Ok(SidecarReading(document, sidecar, native))


def lint_sidecar(file: str, data: bytes, now_ms: int) -> tuple[Finding, ...]:
    """The findings in a sidecar's bytes, in the order of its records' names."""
    reading = read_sidecar(data)
    if not reading.ok:
        why = f"{reading.error.message}, so it reads as empty: no skill is counted or curated"
        remedy = "Mend the JSON by hand, or put a copy back"
        return (Finding(file, "unparseable", f"{why}. {remedy}"),)
    return tuple(
        Finding(file, code, message, part=f"record {name!r}")
        for name in reading.value.sidecar.names()
        for code, message in _in_record(name, reading.value, now_ms)
    )


def _in_record(name: str, reading: SidecarReading, now_ms: int) -> Iterator[tuple[str, str]]:
    """Code and sentence of everything to mend in one record."""
    raw = reading.document[name]
    if isinstance(raw, Mapping) and holds_hermes_keys(reading.document):
        yield from _keys_of_ours(raw)
    if name in reading.sidecar.invalid:
        why = f"{reading.sidecar.why_invalid[name]}, so the curator leaves this skill alone"
        yield "damaged-record", f"{why}. Mend the field by hand"
        return
    if not reading.native:
        for warning in read_hermes_sidecar({name: raw}).warnings:
            yield (
                "bad-instant",
                f"{warning.removeprefix(f'{name}: ')}. Write an ISO instant or null",
            )
    record = reading.sidecar.records[name]
    for what, instant_ms in (
        ("last activity", record.last_activity_at),
        ("creation", record.created_at),
    ):
        if instant_ms > now_ms:
            ahead = f"{iso_from_ms(instant_ms)} is {(instant_ms - now_ms) / DAY_MS:,.1f} days later"
            why = f"{what} {ahead} than now ({iso_from_ms(now_ms)}): a clock was wrong"
            yield "future", f"{why}, and idle time counts from then. Correct the time"


def _keys_of_ours(raw: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    ours = sorted(key for key in raw if is_native({"": {key: None}}))
    if ours:
        why = f"{', '.join(ours)} in a file that also has the ancestor's snake_case keys"
        yield "mixed-format", f"{why}: not read, and the file is never written. Keep one format"
