"""The skills of a forecast as a table for a terminal; pure."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.cli.visible import visible_line
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.forecast.chances import Chance
from alembic_sim.sim.forecast.library import Rules
from alembic_sim.sim.forecast.skill_forecast import Course, PolicyForecast, SkillForecast

_HEAD = (
    *("name", "state", "idle", "stale", "archived", "stale, %", "archived, %"),
    *("needed again, %", ""),
)

DIFFERS = "rules differ"
"""What stands behind a skill that the two rule sets treat otherwise; the reason stands below."""


def skill_table(
    rows: Sequence[tuple[SkillForecast, PolicyForecast]], rules: Rules, now_ms: int
) -> list[str]:
    """A line a skill, under a heading: its dates if it is not used again, its chances if it may."""
    return table_lines([_HEAD, *(_row(skill, both, rules, now_ms) for skill, both in rows)])


def table_lines(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def percent(share: float) -> str:
    """The chance in %; only what is certain is 0 or 100.

    >>> percent(0.884), percent(0.998), percent(1.0), percent(0.001), percent(0.0)
    ('88', '>99', '100', '<1', '0')
    """
    if 0 < share < 0.005:
        return "<1"
    if 0.995 <= share < 1:
        return ">99"
    return f"{share:.0%}".removesuffix("%")


def _row(skill: SkillForecast, both: PolicyForecast, rules: Rules, now_ms: int) -> tuple[str, ...]:
    course = both.under(rules)
    assert course.stale is not None, "who is in play has a chance"
    assert course.regret is not None
    return (
        visible_line(skill.name),
        skill.state,
        _idle(skill.idle_days),
        _stale_on(course, now_ms),
        _date(course.archived_at_ms),
        percent(course.stale.p),
        _chance(course.archived),
        percent(course.regret),
        "" if both.cause is None else f"{DIFFERS} [{both.cause}]",
    )


def _stale_on(course: Course, now_ms: int) -> str:
    """The date on which it becomes stale; a dash where it is archived without having been."""
    dates = [move.at_ms for move in course.moves if move.to_state == "stale"]
    if dates:
        return _date(dates[0])
    if course.start == "stale":
        return "active again" if course.state_at(now_ms) == "active" else "already"
    return "never" if course.archived_at_ms is None else "–"


def _chance(chance: Chance | None) -> str:
    assert chance is not None, "who is in play has a chance"
    p, low, high = map(percent, (chance.p, chance.low, chance.high))
    return p if p == low == high else f"{p} ({low}–{high})"


def _idle(days: float | None) -> str:
    if days is None:
        return "never used"
    return "in the future" if days < 0 else f"{int(days)} d"


def _date(at_ms: int | None) -> str:
    return "never" if at_ms is None else iso_from_ms(at_ms).partition("T")[0]
