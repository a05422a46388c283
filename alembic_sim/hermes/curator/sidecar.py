"""The sidecar's text: read best effort, written so that the same records give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pydantic import ValidationError

from alembic_sim.hermes.curator.sidecar_format import holds_hermes_keys
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.shorten import shorten
from alembic_sim.strict_json import dump_strict_json, json_type, parse_strict_json


@dataclass(frozen=True, slots=True)
class UsageSidecar:
    """What a sidecar file says, as far as it can be read.

    `invalid` holds the records that are kept as they are (raw JSON by name), `why_invalid` the
    reason for each; `problem` says why the whole file read as empty, None if it did not. `foreign`
    marks a file in the ancestor's format: it is not ours to write.
    """

    records: Mapping[str, UsageRecord] = field(default_factory=lambda: MappingProxyType({}))
    invalid: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    why_invalid: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    problem: str | None = None
    foreign: bool = False

    def names(self) -> tuple[str, ...]:
        """Every skill's name, sorted, damaged records included."""
        return tuple(sorted([*self.records, *self.invalid]))


def parse_sidecar(data: bytes) -> UsageSidecar:
    """The records in the bytes; a file that is not a strict JSON object reads as empty.

    [ours, the seed blanks the whole file] one damaged record does not hide the others.
    """
    parsed = parse_strict_json(data)
    if not parsed.ok:
        return UsageSidecar(problem=parsed.error.message)
    if not isinstance(parsed.value, dict):
        return UsageSidecar(problem=f"a JSON {json_type(parsed.value)}, not an object")
    if holds_hermes_keys(parsed.value):
        return UsageSidecar(problem="a Hermes sidecar, which is only read", foreign=True)
    records: dict[str, UsageRecord] = {}
    invalid: dict[str, object] = {}
    why: dict[str, str] = {}
    for name, raw in parsed.value.items():
        try:
            records[name] = UsageRecord.model_validate(raw, by_name=False, by_alias=True)
        except ValidationError as error:
            invalid[name] = raw
            why[name] = _why(error)
    return UsageSidecar(MappingProxyType(records), MappingProxyType(invalid), MappingProxyType(why))


def serialise_sidecar(sidecar: UsageSidecar) -> bytes:
    """The file's bytes: sorted keys, 2-space indent, UTF-8, final newline; never NaN or ∞."""
    document: dict[str, object] = {name: r.to_json() for name, r in sidecar.records.items()}
    return dump_strict_json({**document, **sidecar.invalid}).encode("utf-8")


def _why(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    if not first["loc"]:
        return f"{shorten(first['input'])} is not a record"
    return f"{first['loc'][0]}: {shorten(first['input'])} is not allowed here"
