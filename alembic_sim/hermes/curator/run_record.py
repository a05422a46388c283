"""RunRecord: what `run.json` says of one run over a library, a pass or the undoing of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorReport, Transition
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.iso import iso_from_ms
from alembic_sim.strict_json import dump_strict_json, parse_strict_json

RunStatus = Literal["started", "completed", "stopped"]
"""`started` is the intent, on disk before the first transition: it stays if the run is cut off."""


@dataclass(frozen=True, slots=True)
class ChangedSince:
    """A skill that an undo left alone: its state is no longer the one that the pass gave it."""

    name: str
    found: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run as it is told to `run.json` and `REPORT.md`.

    `sidecar` is the file's name, `report` what a pass did, `error` why it stopped. Of an undo,
    `report` holds the transitions back, `undoes` names the pass, and `as_before` the skills that
    were in their old state already.
    """

    id: str
    sidecar: str
    now_ms: int
    status: RunStatus
    planned: tuple[Transition, ...]
    report: CuratorReport = field(default_factory=CuratorReport)
    policy: CuratorPolicy | None = None
    undoes: str | None = None
    changed_since: tuple[ChangedSince, ...] = ()
    as_before: tuple[str, ...] = ()
    error: str | None = None

    def to_json(self) -> dict[str, object]:
        """The record as strict JSON values."""
        document: dict[str, object] = {
            "id": self.id,
            "sidecar": self.sidecar,
            "kind": "pass" if self.undoes is None else "undo",
            "now": iso_from_ms(self.now_ms),
            "status": self.status,
            "planned": CuratorReport(self.planned).to_json()["transitioned"],
            **self.report.to_json(),
            "error": self.error,
        }
        if self.policy is not None:
            document["policy"] = self.policy.to_json()
        if self.undoes is not None:
            changed = [{"name": c.name, "found": c.found} for c in self.changed_since]
            undone = {"undoes": self.undoes, "changed_since": changed}
            document |= {**undone, "as_before": list(self.as_before)}
        return document

    def to_bytes(self) -> bytes:
        """The bytes of `run.json`."""
        # A port's own words may hold what UTF-8 cannot: a report must not fail for that.
        return dump_strict_json(self.to_json()).encode("utf-8", errors="replace")


class SavedMove(BaseModel):
    """A transition as `run.json` holds it."""

    model_config = ConfigDict(strict=True, frozen=True)

    name: str
    from_state: SkillState = Field(alias="from")
    to_state: SkillState = Field(alias="to")


class SavedRun(BaseModel):
    """What an undo needs to know of an earlier run."""

    model_config = ConfigDict(strict=True, frozen=True)

    sidecar: str
    kind: Literal["pass", "undo"]
    status: RunStatus
    planned: tuple[SavedMove, ...]
    transitioned: tuple[SavedMove, ...]
    undoes: str | None = None

    def moves(self) -> tuple[Transition, ...]:
        """What the run may have changed: a run that did not complete, all that it had planned."""
        done = {move.name: move for move in self.transitioned}
        if self.status != "completed":
            done = {move.name: move for move in self.planned} | done
        return tuple(Transition(m.name, m.from_state, m.to_state) for m in done.values())


def read_saved_run(data: bytes) -> SavedRun | None:
    """The run in the bytes of a `run.json`, None if they are not one."""
    if not parse_strict_json(data).ok:
        return None
    try:
        return SavedRun.model_validate_json(data)
    except ValidationError:
        return None
