"""The sidecar's text: read best effort, written so that the same records give the same bytes."""

from __future__ import annotations

import codecs
from functools import cache
from types import MappingProxyType

from pydantic import TypeAdapter, ValidationError

from alembic_sim.hermes.curator.sidecar_format import holds_hermes_keys
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar as UsageSidecar
from alembic_sim.result import Result
from alembic_sim.shorten import shorten
from alembic_sim.strict_json import JsonError, dump_strict_json, json_type, parse_strict_json


def parse_document(data: bytes) -> Result[object, JsonError]:
    """The bytes as strict JSON, without the byte order mark that some editors put before it."""
    return parse_strict_json(data.removeprefix(codecs.BOM_UTF8))


def parse_sidecar(data: bytes) -> UsageSidecar:
    """The records in the bytes; a file that is not a strict JSON object reads as empty.

    [ours, the seed blanks the whole file] one damaged record does not hide the others.
    """
    parsed = parse_document(data)
    if not parsed.ok:
        return UsageSidecar(problem=parsed.error.message)
    if not isinstance(parsed.value, dict):
        return UsageSidecar(problem=f"a JSON {json_type(parsed.value)}, not an object")
    if holds_hermes_keys(parsed.value):
        return UsageSidecar(problem="a Hermes sidecar, which is only read", foreign=True)
    records: dict[str, UsageRecord] = {}
    invalid: dict[str, object] = {}
    why: dict[str, str] = {}
    for name, raw in sorted(parsed.value.items()):
        try:
            records[name] = UsageRecord.model_validate(raw, by_name=False, by_alias=True)
        except ValidationError as error:
            invalid[name] = raw
            why[name] = _why(error)
    return UsageSidecar(MappingProxyType(records), MappingProxyType(invalid), MappingProxyType(why))


def serialise_sidecar(sidecar: UsageSidecar) -> bytes:
    """The file's bytes: sorted keys, 2-space indent, UTF-8, final newline; never NaN or ∞."""
    if sidecar.records and sidecar.is_plain():
        # The same bytes seven times as fast: the fields are declared in the order of their keys.
        in_order = dict(sorted(sidecar.records.items()))
        return _plain_records().dump_json(in_order, by_alias=True, indent=2) + b"\n"
    document: dict[str, object] = {name: r.to_json() for name, r in sidecar.records.items()}
    return dump_strict_json({**document, **sidecar.invalid}).encode("utf-8")


@cache
def _plain_records() -> TypeAdapter[dict[str, UsageRecord]]:
    return TypeAdapter(dict[str, UsageRecord])


def _why(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    if not first["loc"]:
        return f"{shorten(first['input'])} is not a record"
    return f"{first['loc'][0]}: {shorten(first['input'])} is not allowed here"
