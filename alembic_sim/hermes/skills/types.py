"""What a SkillStore answers: receipts, a text that was looked at, a listing, an error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord

SkillAction = Literal["created", "patched", "used", "archived", "restored", "pinned", "unpinned"]


@dataclass(frozen=True, slots=True)
class SkillError:
    """Why a skill was not read, or not changed."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SkillReceipt:
    """What a call did: the record as it is now, and as it was `before` (None: there was none).

    `path` is where the text is, `kept` where a patch put the earlier text. `notes` say what else
    there is to know; a `record` of None after a patch means that it could not be counted.
    """

    action: SkillAction
    name: str
    path: str
    record: UsageRecord | None
    before: UsageRecord | None = None
    kept: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillView:
    """A skill's text, looked at; `record` counts this view, None if it could not be counted."""

    name: str
    path: str
    description: str
    body: str
    record: UsageRecord | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """One skill as far as it can be read; `problems` say what is missing or damaged.

    `record` is None if there is none, or if it is damaged.
    """

    name: str
    path: str
    description: str
    record: UsageRecord | None
    problems: tuple[str, ...] = ()

    @property
    def state(self) -> SkillState | None:
        """The record's state; None without a readable record."""
        return None if self.record is None else self.record.state

    @property
    def curated(self) -> bool:
        """True if the curator manages it: the agent made it."""
        return self.record is not None and self.record.created_by == "agent"


@dataclass(frozen=True, slots=True)
class SkillListing:
    """Every skill by name, archived ones too, and what concerns the library as a whole."""

    skills: tuple[ListedSkill, ...] = ()
    warnings: tuple[str, ...] = ()
