"""The answer of a forecast in words: what each policy does, which one to take, and why.

All under the rules in force: a Hermes home is curated by the ancestor, whatever ours would do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.sim.forecast.horizon import REGRET_DAYS
from alembic_sim.sim.forecast.library import Rules
from alembic_sim.sim.forecast.outlook import PolicyOutlook
from alembic_sim.sim.forecast.skill_forecast import SkillForecast

_NOT_NEEDED = f"not needed again within {REGRET_DAYS} days"


@dataclass(frozen=True, slots=True)
class Score:
    """What a policy is judged by, in skills: rightly archived (not needed again), and needed again.

    `chances` are those of each skill to be rightly archived, by the order of the skills.
    """

    name: str
    chances: tuple[float, ...]
    regrets: float

    @property
    def right(self) -> float:
        """How many are archived and not needed again within 30 days, on average."""
        return sum(self.chances)


@dataclass(frozen=True, slots=True)
class Lead:
    """By how many skills one policy is ahead of another, and the standard deviation of that.

    Skill by skill: one with the same chance under both makes no difference. For the others both
    outcomes are taken to be independent, which makes the deviation rather too large.
    """

    mean: float
    deviation: float

    @property
    def is_clear(self) -> bool:
        """True if it is more than its own standard deviation."""
        return self.mean > self.deviation


def scores_of(
    outlooks: Sequence[PolicyOutlook], skills: Sequence[SkillForecast], rules: Rules
) -> tuple[Score, ...]:
    """The score of each policy, in their order."""
    return tuple(
        Score(
            outlook.name,
            tuple(skill.by_policy[index].under(rules).rightly_archived for skill in skills),
            outlook.under(rules).regrets.mean,
        )
        for index, outlook in enumerate(outlooks)
    )


def lead_of(first: Score, second: Score) -> Lead:
    """How far the first is ahead of the second."""
    differing = [(a, b) for a, b in zip(first.chances, second.chances, strict=True) if a != b]
    variance = sum(a * (1 - a) + b * (1 - b) for a, b in differing)
    return Lead(sum(a - b for a, b in differing), math.sqrt(variance))


def best_of(scores: Sequence[Score]) -> Score:
    """The policy that archives most that is not needed again; of equals the fewest regrets.

    Equal is what is equal in tenths of a skill; then the first one wins.
    """
    return min(scores, key=lambda one: (-round(one.right, 1), round(one.regrets, 1)))


def verdict_of(scores: Sequence[Score], in_play: int, horizon_days: int) -> str:
    """Which policy to take, why, and what would speak for another; empty for a single policy."""
    if len(scores) == 1:
        return ""
    if in_play == 0:
        return "Nothing is in play: no policy moves anything."
    best = best_of(scores)
    others = [one for one in scores if one is not best]
    near = [one for one in others if not lead_of(best, one).is_clear]
    if near:
        return _too_close(best, near, horizon_days)
    second = max(others, key=lambda one: one.right)
    return (
        f"Take {best.name}: over {_days(horizon_days)} it archives {best.right:.1f} that are"
        f" {_NOT_NEEDED}, {_words(lead_of(best, second))} more than {second.name}."
        f" {_price_words(best, others)}"
    )


def answer_sentence(outlooks: Sequence[PolicyOutlook], rules: Rules, horizon_days: int) -> str:
    """What each policy archives within the horizon, and how much of it is needed again."""
    count = outlooks[0].under(rules).in_play
    skills = "1 skill" if count == 1 else f"{count} skills"
    told = "; ".join(_outlook_words(outlook, rules) for outlook in outlooks)
    whose = "" if rules == "alembic" else " by the rules of Hermes Agent"
    return f"Of {skills} in play, within {_days(horizon_days)}{whose}: {told}."


def _too_close(best: Score, near: Sequence[Score], horizon_days: int) -> str:
    counted = ", ".join(f"{one.name} {one.right:.1f}" for one in (best, *near))
    furthest = min(near, key=lambda one: one.right)
    cautious = min((best, *near), key=lambda one: round(one.regrets, 1))
    boldest = max((best, *near), key=lambda one: one.regrets)
    if round(boldest.regrets, 1) == round(cautious.regrets, 1):
        advice = f"As many are needed again, {cautious.regrets:.1f}: either will do."
    else:
        advice = (
            f"{cautious.name} is the cautious choice: {cautious.regrets:.1f} are needed again,"
            f" under {boldest.name} {boldest.regrets:.1f}."
        )
    return (
        f"Too close to call over {_days(horizon_days)}. Archived and {_NOT_NEEDED}: {counted};"
        f" the difference is {_words(lead_of(best, furthest))}. {advice}"
    )


def _price_words(best: Score, others: Sequence[Score]) -> str:
    """At which price of a skill that is needed again another policy would be the better one."""
    safer = [one for one in others if round(one.regrets, 1) < round(best.regrets, 1)]
    if not safer:
        return "No other has fewer that are needed again."
    price, first = min(((_price(best, one), one) for one in safer), key=lambda pair: pair[0])
    return (
        f"But {best.regrets:.1f} are needed again ({first.name}: {first.regrets:.1f}):"
        f" take {first.name} if each of those costs you more than {price:.2g} of what one"
        " rightly archived is worth."
    )


def _price(best: Score, other: Score) -> float:
    """At which price of a regret, in skills rightly archived, the other one is as good."""
    return (best.right - other.right) / (best.regrets - other.regrets)


def _outlook_words(outlook: PolicyOutlook, rules: Rules) -> str:
    totals = outlook.under(rules)
    archived, regrets = totals.archived, totals.regrets
    return (
        f"{outlook.name} archives {archived.mean:.1f} ± {archived.deviation:.1f},"
        f" {regrets.mean:.1f} ± {regrets.deviation:.1f} of them needed again"
        f" within {REGRET_DAYS} days"
    )


def _words(lead: Lead) -> str:
    return f"{lead.mean:.1f} ± {lead.deviation:.1f}"


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number} days"
