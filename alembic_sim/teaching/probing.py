"""What the real `next_state` answers over idle time: the questions that the pictures ask it.

No rule is repeated here. Edges of bands, arrows between states and the place of a never-used skill
are found by calling the deciding function and watching its answers: a picture of a changed rule is
a changed picture.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS

Decide = Callable[[UsageRecord, float, float], SkillState]
"""`next_state` or a lesson's variant of it: (record, stale_cutoff, archive_cutoff) -> state."""

STATES: tuple[SkillState, ...] = ("active", "stale", "archived")
"""The states of a skill in the order of its ageing."""

EXAMPLE_NOW = 1_735_689_600_000
"""2025-01-01T00:00:00Z, for pictures where the instant itself does not matter."""


_LOOKS = 400
"""How often a timeline is looked at; an edge between two looks is found exactly all the same."""


def idle_skill(
    idle_days: float, now: int = EXAMPLE_NOW, state: SkillState = "active"
) -> UsageRecord:
    """The record of an agent's skill that was last active `idle_days` before `now`."""
    return _idle_ms(round(idle_days * DAY_MS), now, state)


def never_used_skill(state: SkillState = "active") -> UsageRecord:
    """The record of an agent's skill that was created and never used."""
    return UsageRecord(created_by="agent", state=state, last_activity_at=0)


@dataclass(frozen=True, slots=True)
class Change:
    """From this idle time on, one pass gives this state."""

    idle_ms: int
    state: SkillState


@dataclass(frozen=True, slots=True)
class Timeline:
    """How `decide` judges skills at the instant `now` under a policy."""

    now: int = EXAMPLE_NOW
    policy: CuratorPolicy = field(default_factory=CuratorPolicy)
    decide: Decide = next_state

    def after(self, record: UsageRecord) -> SkillState:
        """The state that the record has after one pass."""
        return self.decide(record, *self.policy.cutoffs(self.now))

    def is_never_old(self, record: UsageRecord) -> bool:
        """Whether no cut-off, however late, reaches this record: it behaves as anchored at +∞."""
        latest = sys.float_info.max
        active = record.model_copy(update={"state": "active"})
        return self.decide(active, latest, latest) == "active"

    def changes(self, horizon_days: int, state: SkillState = "active") -> tuple[Change, ...]:
        """The answers for a skill in `state` by idle time, from 0 up to the horizon.

        Each edge is exact to the millisecond: it is the first idle time with the new answer.
        """
        found = [Change(0, self._after_idling(0, state))]
        step = max(1, horizon_days // _LOOKS)
        for day in range(step, horizon_days + step, step):
            end = day * DAY_MS
            while self._after_idling(end, state) != found[-1].state:
                found.append(self._first_change(found[-1], end, state))
        return tuple(found)

    def _after_idling(self, idle_ms: int, state: SkillState) -> SkillState:
        return self.after(_idle_ms(idle_ms, self.now, state))

    def _first_change(self, since: Change, end_ms: int, state: SkillState) -> Change:
        """The first idle time after `since` whose answer differs, by halving the interval."""
        same, different = since.idle_ms, end_ms
        while different - same > 1:
            middle = (same + different) // 2
            if self._after_idling(middle, state) == since.state:
                same = middle
            else:
                different = middle
        return Change(different, self._after_idling(different, state))


def idle_words(idle_ms: int) -> str:
    """An idle time for a label: `30 d`, `30 d + 1 ms`, `30 d − 1 ms`, `12.5 d`; `−2 d` is to come.

    Only a whole number of days is written as one, so that no label claims an edge that is not
    reached: fractions are cut, not rounded.
    """
    if idle_ms < 0:
        return f"−{idle_words(-idle_ms)}"
    days, rest = divmod(idle_ms, DAY_MS)
    if rest == 0:
        return f"{days} d"
    if rest < 1_000:
        return f"{days} d + {rest} ms"
    if DAY_MS - rest < 1_000:
        return f"{days + 1} d − {DAY_MS - rest} ms"
    if rest < DAY_MS // 100:
        return f"{days} d + {rest // 1_000} s"
    return f"{idle_ms * 100 // DAY_MS / 100:g} d"


def _idle_ms(idle_ms: int, now: int, state: SkillState) -> UsageRecord:
    # Never 0 or less: that would mean "never used", which is another question.
    last_activity_at = max(1, now - idle_ms)
    return UsageRecord(created_by="agent", state=state, last_activity_at=last_activity_at)
