"""SkillLibrary: a sidecar as both curators see it, Alembic's and the ancestor's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from alembic_sim.hermes.curator.hermes_sidecar import read_hermes_sidecar
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.sim.forecast.ancestor import (
    AncestorRecord,
    as_ancestor_record,
    read_ancestor_record,
)

Rules = Literal["alembic", "ancestor"]
"""Alembic's rules, or those of the ancestor: Hermes Agent, from which they come."""


@dataclass(frozen=True, slots=True)
class SkillLibrary:
    """The records that Alembic reads, and every record as the ancestor reads it.

    `warnings` says what could not be read, a line each; `rules`, whose passes it really gets.
    """

    sidecar: UsageSidecar
    ancestor: Mapping[str, AncestorRecord] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[str, ...] = ()
    rules: Rules = "alembic"

    @property
    def names(self) -> tuple[str, ...]:
        """Every name in order, damaged records included."""
        return tuple(sorted({*self.sidecar.names(), *self.ancestor}))

    @property
    def ancestor_stops_at(self) -> str | None:
        """The skill at which every pass of the ancestor ends with an exception, None if none."""
        raising = [name for name, record in self.ancestor.items() if record.raises]
        return min(raising, default=None)


def library_of(sidecar: UsageSidecar) -> SkillLibrary:
    """Our own sidecar, and what the ancestor would make of the same records."""
    ancestor = {name: as_ancestor_record(record) for name, record in sidecar.records.items()}
    return SkillLibrary(sidecar, MappingProxyType(ancestor))


def library_of_hermes(document: Mapping[str, object]) -> SkillLibrary:
    """The parsed `.usage.json` of a Hermes home: the ancestor reads its own words."""
    reading = read_hermes_sidecar(document)
    ancestor = {
        name: read_ancestor_record(raw)
        for name, raw in document.items()
        if isinstance(raw, Mapping)  # the ancestor drops what is no object
    }
    return SkillLibrary(reading.sidecar, MappingProxyType(ancestor), reading.warnings, "ancestor")
