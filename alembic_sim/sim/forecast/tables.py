"""A forecast as flat rows, and as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.forecast.chances import Chance
from alembic_sim.sim.forecast.moves import Move
from alembic_sim.sim.forecast.outlook import Totals
from alembic_sim.sim.forecast.skill_forecast import Course, PolicyForecast, SkillForecast

if TYPE_CHECKING:
    from alembic_sim.sim.forecast.forecast import Forecast

HTML_ROWS = 20
"""So many skills stand in a notebook; `records()` holds all."""

Cell = str | int | float | None


def flat_records(skills: Sequence[SkillForecast]) -> tuple[dict[str, Cell], ...]:
    """A row for each skill and policy, skills first: what a table library takes.

    Times are ISO texts, chances from 0 to 1; None where there is no such move or no chance.
    """
    return tuple(_record(skill, both) for skill in skills for both in skill.by_policy)


def forecast_html(made: Forecast) -> str:
    """The policies' table, the answer, and who is archived first; all data is escaped."""
    heads = ("policy", "rules", "archives now", f"within {made.horizon_days} d", "needed again")
    lines = [
        (outlook.name, rules, *_totals_cells(totals))
        for outlook in made.outlooks
        for rules, totals in (("Alembic", outlook.alembic), ("ancestor", outlook.ancestor))
    ]
    answer = "".join(f"<p>{escape(text)}</p>" for text in (made.sentence, made.verdict) if text)
    notes = f"<p>{len(made.notes)} notes: see <code>.notes</code></p>" if made.notes else ""
    return f"{_table(heads, lines)}{answer}{_skills_table(made)}{notes}"


def _record(skill: SkillForecast, both: PolicyForecast) -> dict[str, Cell]:
    ours, theirs = both.alembic, both.ancestor
    return {
        "name": skill.name,
        "state": skill.state,
        "idle_days": skill.idle_days,
        "age_days": skill.age_days,
        "events": skill.events,
        "events_per_day": skill.events_per_day,
        "stale_after_days": both.policy.stale_after_days,
        "archive_after_days": both.policy.archive_after_days,
        "out_of_play": ours.out_of_play,
        **_move_cells("next", ours.next_move),
        "archived_at": _archived_at(ours),
        **_chance_cells("stale", ours.stale),
        **_chance_cells("archived", ours.archived),
        "p_regret": ours.regret,
        **_move_cells("ancestor_next", theirs.next_move),
        "ancestor_archived_at": _archived_at(theirs),
        "cause": both.cause,
    }


def _move_cells(prefix: str, move: Move | None) -> dict[str, Cell]:
    return {
        f"{prefix}_state": None if move is None else move.to_state,
        f"{prefix}_at": None if move is None else iso_from_ms(move.at_ms),
    }


def _chance_cells(state: str, chance: Chance | None) -> dict[str, Cell]:
    return {
        f"p_{state}": None if chance is None else chance.p,
        f"p_{state}_low": None if chance is None else chance.low,
        f"p_{state}_high": None if chance is None else chance.high,
    }


def _archived_at(course: Course) -> str | None:
    at_ms = course.archived_at_ms
    return None if at_ms is None else iso_from_ms(at_ms)


def _totals_cells(totals: Totals) -> tuple[str, ...]:
    archived, regrets = totals.archived, totals.regrets
    return (
        f"{totals.at_once} of {totals.in_play}",
        f"{archived.mean:.1f} ({archived.low} to {archived.high})",
        f"{regrets.mean:.1f} ({regrets.low} to {regrets.high})",
    )


def _skills_table(made: Forecast) -> str:
    """The skills in play, those first that the first policy moves first."""
    in_play = [s for s in made.skills if s.by_policy[0].under(made.rules).out_of_play is None]
    in_play.sort(key=lambda skill: (skill.by_policy[0].under(made.rules).sort_ms, skill.name))
    heads = ["skill", "state", *(f"{outlook.name} archives" for outlook in made.outlooks)]
    lines = [
        (
            skill.name,
            skill.state,
            *(_archived_cell(both.under(made.rules)) for both in skill.by_policy),
        )
        for skill in in_play[:HTML_ROWS]
    ]
    more = len(in_play) - len(lines)
    tail = f"<p>… and {more} more: <code>.records()</code></p>" if more else ""
    return (_table(heads, lines) if lines else "") + tail


def _archived_cell(course: Course) -> str:
    chance, at_ms = course.archived, course.archived_at_ms
    assert chance is not None, "who is in play has a chance"
    when = "never if unused" if at_ms is None else f"{iso_from_ms(at_ms)[:10]} if unused"
    return f"{when}, {chance.p:.0%} ({chance.low:.0%} to {chance.high:.0%})"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(line[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in lines
    )
    return f"<table><tr>{head}</tr>{rows}</table>"
