"""SkillForecast: what both rules will do to one skill, and how likely, under each policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.forecast.ancestor import AncestorRecord, ancestor_next_state
from alembic_sim.sim.forecast.chances import Chance
from alembic_sim.sim.forecast.differences import Cause
from alembic_sim.sim.forecast.library import Rules
from alembic_sim.sim.forecast.moves import Move, Step

OutOfPlay = Literal["not-agent-created", "pinned", "archived", "invalid-record", "pass-stops"]
"""Why no pass will ever move a skill, used or not."""


@dataclass(frozen=True, slots=True)
class Course:
    """One rule and one skill: its moves if it is not used again, and the chances if it may be.

    `archived`, `stale` (stale or archived at any pass) and `regret` (archived, then needed again
    within 30 days) are chances within the horizon; None where the skill is out of play.
    """

    start: str
    moves: tuple[Move, ...]
    out_of_play: OutOfPlay | None = None
    stale: Chance | None = None
    archived: Chance | None = None
    regret: float | None = None

    @property
    def next_move(self) -> Move | None:
        """The next transition if the skill is not used again."""
        return self.moves[0] if self.moves else None

    @property
    def archived_at_ms(self) -> int | None:
        """The pass that archives it if it is not used again; None if none does."""
        found = [move.at_ms for move in self.moves if move.to_state == "archived"]
        return found[0] if found else None

    @property
    def rightly_archived(self) -> float:
        """The chance to be archived and not needed again within 30 days; 0 if out of play."""
        return 0.0 if self.archived is None else self.archived.p - (self.regret or 0.0)

    @property
    def sort_ms(self) -> float:
        """When it moves first, for an order by date: infinite for never."""
        return self.moves[0].at_ms if self.moves else float("inf")

    def state_at(self, at_ms: int) -> str:
        """The state after the pass at that time, if the skill is not used again."""
        past = [move.to_state for move in self.moves if move.at_ms <= at_ms]
        return past[-1] if past else self.start

    def to_json(self) -> dict[str, object]:
        return {
            "next": None if self.next_move is None else _move_json(self.next_move),
            "moves": [_move_json(move) for move in self.moves],
            "out_of_play": self.out_of_play,
            "stale_or_archived": None if self.stale is None else self.stale.to_json(),
            "archived": None if self.archived is None else self.archived.to_json(),
            "archived_then_needed": None if self.regret is None else round(self.regret, 6),
        }


@dataclass(frozen=True, slots=True)
class PolicyForecast:
    """Both courses of one skill under one policy; `cause` names why they differ, None if equal."""

    policy: CuratorPolicy
    alembic: Course
    ancestor: Course
    cause: Cause | None

    def under(self, rules: Rules) -> Course:
        """The course under one of the two rule sets."""
        return self.alembic if rules == "alembic" else self.ancestor

    def to_json(self) -> dict[str, object]:
        return {
            "policy": self.policy.to_json(),
            "alembic": self.alembic.to_json(),
            "ancestor": self.ancestor.to_json(),
            "cause": self.cause,
        }


@dataclass(frozen=True, slots=True)
class SkillForecast:
    """One skill. `idle_days` is None if it was never active, `age_days` if its birth is unknown.

    Days are of 24 h, with fractions; below 0 means later than now: a clock was wrong.
    """

    name: str
    state: str
    idle_days: float | None
    age_days: float | None
    events: int
    events_per_day: float | None
    by_policy: tuple[PolicyForecast, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "state": self.state,
            "idle_days": _days(self.idle_days),
            "age_days": _days(self.age_days),
            "events": self.events,
            "events_per_day": _days(self.events_per_day),
            "by_policy": [forecast.to_json() for forecast in self.by_policy],
        }


def alembic_step(record: UsageRecord, policy: CuratorPolicy) -> Step:
    """One pass over the record by the engine's own `judge`, whatever state it has come to."""
    versions: dict[str, UsageRecord] = {}

    def step(state: str, now_ms: int) -> str:
        if state not in versions:
            versions[state] = record.model_copy(update={"state": state})
        return judge(versions[state], *policy.cutoffs(now_ms))[0]

    return step


def ancestor_step(record: AncestorRecord, policy: CuratorPolicy) -> Step:
    """One pass over the record by the ancestor's rule."""

    def step(state: str, now_ms: int) -> str:
        return ancestor_next_state(record, state, policy, now_ms)

    return step


def _move_json(move: Move) -> dict[str, object]:
    return {"at": iso_from_ms(move.at_ms), "from": move.from_state, "to": move.to_state}


def _days(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
