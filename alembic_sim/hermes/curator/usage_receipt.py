"""What the usage store answers to a change: a receipt, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # deciding needs no pydantic: it is loaded by whoever reads a file
    from alembic_sim.hermes.curator.usage_record import UsageRecord


@dataclass(frozen=True, slots=True)
class UsageError:
    """Why the sidecar has no answer, or was not written."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class UsageReceipt:
    """The record as it is now on disk, and as it was there `before` (None: it was new).

    [ours] `corrupt_copy` names where bytes that could not be read were kept.
    """

    name: str
    record: UsageRecord
    before: UsageRecord | None = None
    corrupt_copy: str | None = None
