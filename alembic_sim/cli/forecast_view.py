"""A forecast as lines for a person and as a document; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from alembic_sim.cli.visible import visible_line
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.forecast.chances import Chance
from alembic_sim.sim.forecast.differences import CAUSES
from alembic_sim.sim.forecast.forecast import Forecast, PolicyOutlook, Totals, policy_name
from alembic_sim.sim.forecast.skill_forecast import (
    Course,
    OutOfPlay,
    PolicyForecast,
    SkillForecast,
)

_OUT_OF_PLAY: dict[OutOfPlay, str] = {
    "archived": "archived already",
    "pinned": "pinned",
    "not-agent-created": "not made by the agent",
    "invalid-record": "damaged",
}


@dataclass(frozen=True, slots=True)
class ForecastView:
    """One forecast, and the file it is about."""

    file: Path
    is_hermes: bool
    forecast: Forecast


def forecast_document(view: ForecastView) -> dict[str, object]:
    """The strict JSON document of `forecast --json`."""
    source = {
        "path": view.file.as_posix(),
        "format": "hermes" if view.is_hermes else "native",
    }
    return {"source": source, **view.forecast.to_json()}


def forecast_lines(view: ForecastView) -> list[str]:
    """The forecast as a person reads it: the skills by date, the differences, then the answer."""
    made = view.forecast
    kind = "Hermes home, read-only" if view.is_hermes else "library"
    lines = [
        f"{visible_line(view.file.as_posix())} ({kind})",
        f"now {iso_from_ms(made.now_ms)}; {_count(made.horizon_days, 'day')} ahead,"
        f" until {_date(made.end_ms)}",
        _who_is_in_play(made),
    ]
    for index in range(len(made.policies)):
        lines += ["", *_policy_lines(made, index)]
    lines += ["", *_difference_lines(made)]
    if made.notes:
        lines += ["", *(f"note: {visible_line(note)}" for note in made.notes)]
    return [*lines, "", *_basis_lines(made), "", *_answer_lines(made)]


def _who_is_in_play(made: Forecast) -> str:
    reasons = Counter(skill.by_policy[0].alembic.out_of_play for skill in made.skills)
    told = [f"{reasons[None]} in play"]
    told += [f"{reasons[why]} {words}" for why, words in _OUT_OF_PLAY.items() if reasons[why]]
    return f"{_count(len(made.skills), 'skill')}: {', '.join(told)}"


def _policy_lines(made: Forecast, index: int) -> list[str]:
    """The table of one policy: who moves first stands first, who never moves last."""
    policy = made.policies[index]
    stale, archive = policy_name(policy).split("/")
    rows = [(skill, skill.by_policy[index]) for skill in made.skills]
    shown = [row for row in rows if row[1].alembic.out_of_play is None]
    shown.sort(key=lambda row: (_when(row[1].alembic), row[0].name))
    title = (
        f"{policy_name(policy)}: stale after {stale} idle days, archived after {archive};"
        f" chances until {_date(made.end_ms)}"
    )
    if not shown:
        return [title, "  nothing is in play"]
    head = (
        "name",
        "state",
        "idle",
        "if not used again",
        "stale (80 %)",
        "archived (80 %)",
        "the ancestor instead",
    )
    return [title, *_table([head, *(_row(skill, both) for skill, both in shown)])]


def _row(skill: SkillForecast, both: PolicyForecast) -> tuple[str, ...]:
    differs = "" if both.cause is None else f"{_moves(both.ancestor)} [{both.cause}]"
    return (
        visible_line(skill.name),
        skill.state,
        _idle(skill.idle_days),
        _moves(both.alembic),
        _chance(both.alembic.stale),
        _chance(both.alembic.archived),
        differs,
    )


def _difference_lines(made: Forecast) -> list[str]:
    """Every skill that the ancestor would treat otherwise, under the cause of it."""
    found = {
        cause: [s.name for s in made.skills if any(p.cause == cause for p in s.by_policy)]
        for cause in CAUSES
    }
    lines = [
        f"  [{cause}] {', '.join(map(visible_line, names))}: {CAUSES[cause]}"
        for cause, names in found.items()
        if names
    ]
    if not lines:
        return ["the ancestor would do the same to every skill"]
    return ["where the ancestor would do otherwise, and why:", *lines]


def _basis_lines(made: Forecast) -> list[str]:
    """What the numbers rest on."""
    prior = made.prior
    learnt = f"fitted to {_count(prior.fitted_to, 'skill')} of this library"
    hazard = prior.given_up_per_day
    given_up = f"given up after {1 / hazard:.0f} days on average" if hazard else "never given up"
    return [
        "dates: the rules themselves, one pass a day; a weekly pass comes up to 6 days later",
        "chances: each skill's own counts and age; a Poisson rate with the prior"
        f" Gamma(shape {prior.shape:g}, mean {prior.mean_rate:g} a day), {given_up};"
        f" {learnt if prior.fitted_to else 'a default, for too few skills to fit one'}",
    ]


def _answer_lines(made: Forecast) -> list[str]:
    head = (
        "policy",
        "archives now",
        f"by {_date(made.end_ms)} (80 %)",
        "of them needed again in 30 days",
    )
    rows = [row for outlook in made.outlooks for row in _outlook_rows(outlook)]
    lines = ["answer:", *_table([head, *rows]), "", made.sentence]
    return [*lines, made.verdict] if made.verdict else lines


def _outlook_rows(outlook: PolicyOutlook) -> list[tuple[str, ...]]:
    name = policy_name(outlook.policy)
    ours = (name, *_totals(outlook.alembic))
    theirs = (f"{name}, ancestor's rules", *_totals(outlook.ancestor))
    return [ours, theirs]


def _totals(totals: Totals) -> tuple[str, ...]:
    archived, regrets = totals.archived, totals.regrets
    return (
        f"{totals.at_once} of {totals.in_play}",
        f"{archived.mean:.1f} ({archived.low} to {archived.high})",
        f"{regrets.mean:.1f} ({regrets.low} to {regrets.high})",
    )


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _when(course: Course) -> float:
    return float("inf") if course.next_move is None else course.next_move.at_ms


def _moves(course: Course) -> str:
    if not course.moves:
        return f"{visible_line(course.start)}, no move"
    return ", ".join(f"{move.to_state} {_date(move.at_ms)}" for move in course.moves)


def _chance(chance: Chance | None) -> str:
    assert chance is not None, "who is in play has a chance"
    return f"{chance.p:.2f} ({chance.low:.2f}–{chance.high:.2f})"


def _idle(days: float | None) -> str:
    if days is None:
        return "never active"
    return "in the future" if days < 0 else _count(int(days), "day")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _date(at_ms: int) -> str:
    return iso_from_ms(at_ms).partition("T")[0]
