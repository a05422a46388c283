"""UsageRecord: what the sidecar knows of one skill, and its form on disk (seed 5 §07)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from alembic_sim.ports.clock import MAX_SAFE_INTEGER

SkillState = Literal["active", "stale", "archived"]
"""`archived` is the end of the road: recoverable, on disk, never deleted."""

Count = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]


class UsageRecord(BaseModel):
    """One skill's telemetry. Times are ms since the epoch; `last_activity_at` 0 means never.

    On disk the names are camelCase. Missing fields take these defaults, unknown ones are kept,
    and a field of the wrong type makes the record invalid (`ValidationError`, a `ValueError`).
    """

    model_config = ConfigDict(
        strict=True, frozen=True, extra="allow", alias_generator=to_camel, validate_by_name=True
    )

    created_at: Count = 0
    created_by: str | None = None
    last_activity_at: Count = 0
    patch_count: Count = 0
    pinned: bool = False
    state: SkillState = "active"
    use_count: Count = 0
    view_count: Count = 0

    def to_json(self) -> dict[str, object]:
        """The record as the sidecar holds it: camelCase keys, unknown fields included."""
        return self.model_dump(by_alias=True)
