"""FaultPlan: which file operation goes wrong, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from alembic_sim.ports.fs import FsError
from alembic_sim.shorten import shorten

FaultCode = Literal["io", "no-space", "denied"]
FaultKind = Literal["none", "fail", "short-write", "crash"]


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """At most one fault, at operation `at` (counted from 1); `FaultPlan()` has none.

    Build one by `fail`, `short_write` or `crash`. Raises `ValueError` for an impossible plan.
    """

    kind: FaultKind = "none"
    at: int = 1
    code: FaultCode = "io"
    persistent: bool = False
    kept: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in get_args(FaultKind):
            raise ValueError(f"kind: {shorten(self.kind)} is not {', '.join(get_args(FaultKind))}")
        for name, least in (("at", 1), ("kept", 0)):
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < least:
                raise ValueError(f"{name}: {shorten(number)} is not a whole number ≥ {least}")
        if not isinstance(self.persistent, bool):
            raise ValueError(f"persistent: {shorten(self.persistent)} is neither True nor False")
        if not isinstance(self.code, str) or self.code not in get_args(FaultCode):
            raise ValueError(f"code: {shorten(self.code)} is not io, no-space or denied")

    @classmethod
    def fail(cls, at: int, code: FaultCode = "io", persistent: bool = False) -> FaultPlan:
        """A plan by which operation `at` fails without effect, or every one from there on."""
        return cls("fail", at, code, persistent)

    @classmethod
    def short_write(cls, at: int, kept: int) -> FaultPlan:
        """A plan by which the write or append at `at` stores `kept` bytes, then says no-space."""
        return cls("short-write", at, "no-space", kept=kept)

    @classmethod
    def crash(cls, at: int) -> FaultPlan:
        """A plan by which the power goes just before operation `at`, and stays away."""
        return cls("crash", at)

    def refusal(self, number: int) -> FsError | None:
        """Why operation `number` fails without any effect; None if it does not."""
        if self.kind == "crash" and number >= self.at:
            return FsError("io", "the power is off")
        if self.kind == "fail" and (number == self.at or (self.persistent and number > self.at)):
            return FsError(self.code, f"operation {number} fails by plan ({self.code})")
        return None

    def cuts_short(self, number: int) -> bool:
        """True if operation `number` stores `kept` bytes only, should it be a write."""
        return self.kind == "short-write" and number == self.at
