"""UsageSidecar: the records of a library as the curator sees them, cold (seed 5 §01)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # deciding needs no pydantic: it is loaded by whoever reads a file
    from alembic_sim.hermes.curator.usage_record import UsageRecord

_EXTRA = attrgetter("model_extra")


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

    def is_plain(self) -> bool:
        """True if it holds nothing but the fields of ours: values that nobody can change."""
        return not self.invalid and not any(map(_EXTRA, self.records.values()))
