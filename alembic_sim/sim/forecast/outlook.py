"""PolicyOutlook: what a policy comes to over a whole library, under both rule sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.forecast.chances import Chance, Count, count_of
from alembic_sim.sim.forecast.library import Rules
from alembic_sim.sim.forecast.skill_forecast import Course, SkillForecast
from alembic_sim.sim.run import policy_name


@dataclass(frozen=True, slots=True)
class Totals:
    """One rule over the whole library within the horizon.

    `in_play` skills can be moved at all; a pass now archives `at_once` of them, and by the end of
    the horizon, if nothing is used again, `if_unused` are archived;
    `archived`, `stale` (stale or archived at any pass) and `regrets` (archived and needed again
    within 30 days after that) are what to expect.
    """

    in_play: int
    at_once: int
    if_unused: int
    archived: Count
    stale: Count
    regrets: Count

    def to_json(self) -> dict[str, object]:
        return {
            "in_play": self.in_play,
            "archived_at_once": self.at_once,
            "archived_if_unused": self.if_unused,
            "archived": self.archived.to_json(),
            "stale_or_archived": self.stale.to_json(),
            "archived_then_needed": self.regrets.to_json(),
        }


@dataclass(frozen=True, slots=True)
class PolicyOutlook:
    """A policy's totals under Alembic's rules and under the ancestor's."""

    policy: CuratorPolicy
    alembic: Totals
    ancestor: Totals

    @property
    def name(self) -> str:
        """`30/90`."""
        return policy_name(self.policy.stale_after_days, self.policy.archive_after_days)

    def under(self, rules: Rules) -> Totals:
        """The totals under one of the two rule sets."""
        return self.alembic if rules == "alembic" else self.ancestor


def outlook_of(
    skills: Sequence[SkillForecast], index: int, policy: CuratorPolicy, now_ms: int, end_ms: int
) -> PolicyOutlook:
    """The outlook of the policy that stands at `index` in every skill's `by_policy`."""
    both = [skill.by_policy[index] for skill in skills]
    return PolicyOutlook(
        policy,
        _totals([one.alembic for one in both], now_ms, end_ms),
        _totals([one.ancestor for one in both], now_ms, end_ms),
    )


def _totals(courses: Iterable[Course], now_ms: int, end_ms: int) -> Totals:
    in_play = [course for course in courses if course.out_of_play is None]
    return Totals(
        in_play=len(in_play),
        at_once=sum(course.state_at(now_ms) == "archived" for course in in_play),
        if_unused=sum(course.state_at(end_ms) == "archived" for course in in_play),
        archived=count_of(_p(course.archived) for course in in_play),
        stale=count_of(_p(course.stale) for course in in_play),
        regrets=count_of(course.regret or 0.0 for course in in_play),
    )


def _p(chance: Chance | None) -> float:
    return 0.0 if chance is None else chance.p
