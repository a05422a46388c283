"""RunRecord: what `run.json` says of one run over a library, a pass or the undoing of one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorReport, Transition
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.iso import iso_from_ms
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.strict_json import dump_strict_json, parse_strict_json

RunStatus = Literal["started", "not-begun", "completed", "stopped"]
"""`started` is the intent, on disk before the first transition: it stays if the run is cut off.

`not-begun` takes its place where the intent could not be made durable: nothing was moved.
"""


@dataclass(frozen=True, slots=True)
class ChangedSince:
    """A skill that an undo left alone, and how it was found.

    Its state is no longer the one that the pass gave it, or it may not be moved any more: `pinned`,
    `not-agent-created`.
    """

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


@dataclass(frozen=True, slots=True)
class RunRecordError:
    """Why the bytes of a `run.json` are no run of ours (`invalid-run`)."""

    code: str
    message: str


class SavedMove(BaseModel):
    """A transition as `run.json` holds it."""

    model_config = ConfigDict(strict=True, frozen=True)

    name: str
    from_state: SkillState = Field(alias="from")
    to_state: SkillState = Field(alias="to")


class SavedRun(BaseModel):
    """What an undo needs to know of an earlier run.

    What no pass does is refused, for an undo would do the reverse of it: a skill that moves to
    where it is, or out of `archived`; a skill that moves twice, or without being planned.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    id: str
    sidecar: str
    kind: Literal["pass", "undo"]
    status: RunStatus
    planned: tuple[SavedMove, ...]
    transitioned: tuple[SavedMove, ...]
    undoes: str | None = None

    @model_validator(mode="after")
    def _as_a_run_does(self) -> Self:
        if (self.kind == "undo") != (self.undoes is not None):
            kind = "a pass" if self.kind == "pass" else "an undo"
            raise ValueError(f"undoes: {shorten(self.undoes)} is not allowed in {kind}")
        for moves in (self.planned, self.transitioned):
            names = Counter(move.name for move in moves)
            for move in moves:
                before, after = move.from_state, move.to_state
                earlier = before if self.kind == "pass" else after
                if before == after or earlier == "archived":
                    raise ValueError(
                        f"{shorten(move.name)}: no {self.kind} moves {before} → {after}"
                    )
                if names[move.name] > 1:
                    raise ValueError(f"{shorten(move.name)} is moved twice")
        unplanned = {m.name for m in self.transitioned} - {m.name for m in self.planned}
        if unplanned:
            raise ValueError(f"{shorten(min(unplanned))} is moved, and was not planned")
        return self

    def moves(self) -> tuple[Transition, ...]:
        """What the run may have changed: one that was cut off or stopped, all that it planned."""
        done = {move.name: move for move in self.transitioned}
        if self.status in ("started", "stopped"):
            done = {move.name: move for move in self.planned} | done
        return tuple(Transition(m.name, m.from_state, m.to_state) for m in done.values())


def read_saved_run(data: bytes) -> Result[SavedRun, RunRecordError]:
    """The run in the bytes of a `run.json`, or `invalid-run`."""
    parsed = parse_strict_json(data)
    if not parsed.ok:
        return Err(RunRecordError("invalid-run", parsed.error.message))
    try:
        return Ok(SavedRun.model_validate_json(data))
    except ValidationError as error:
        return Err(RunRecordError("invalid-run", _why(error)))


def _why(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "value_error":  # raised above, in our own words
        return str(first["ctx"]["error"])
    field = ".".join(map(str, first["loc"])) or "the document"
    if first["type"] == "missing":
        return f"{field} is missing"
    return f"{field}: {shorten(first['input'])} is not allowed here"
