"""A forecast as lines for a person and as a document; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path

from alembic_sim.cli.forecast_table import skill_table, table_lines
from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.iso import iso_from_ms
from alembic_sim.sim.forecast.differences import CAUSES, Cause
from alembic_sim.sim.forecast.forecast import Forecast
from alembic_sim.sim.forecast.horizon import REGRET_DAYS
from alembic_sim.sim.forecast.outlook import PolicyOutlook, Totals
from alembic_sim.sim.forecast.skill_forecast import Course, OutOfPlay
from alembic_sim.sim.run import policy_name

ROWS = 20
"""So many skills of each policy are shown, and so many notes, unless all are asked for."""

EXAMPLES = 5
"""So many skills of each cause and policy that the ancestor would treat otherwise."""

_OUT_OF_PLAY: dict[OutOfPlay, str] = {
    "pass-stops": "beyond the one where every pass ends",
    "archived": "archived already",
    "pinned": "pinned",
    "not-agent-created": "not made by the agent",
    "invalid-record": "damaged",
}


@dataclass(frozen=True, slots=True)
class ForecastView:
    """One forecast, the file it is about, and what else speaks for or against a policy.

    `best_elsewhere` is the best policy by days ahead, `refused` those that the guard of `curate`
    would not let run now, each with the reason.
    """

    file: Path
    is_hermes: bool
    forecast: Forecast
    best_elsewhere: Mapping[int, str] = field(default_factory=dict)
    refused: tuple[tuple[CuratorPolicy, str], ...] = ()


def forecast_document(view: ForecastView) -> dict[str, object]:
    """The strict JSON document of `forecast --json`."""
    source = {
        "path": view.file.as_posix(),
        "format": "hermes" if view.is_hermes else "native",
    }
    return {
        "source": source,
        **view.forecast.to_json(),
        "best_within_days": {str(days): name for days, name in view.best_elsewhere.items()},
        "refused_by_guard": [
            {"policy": policy.to_json(), "why": why} for policy, why in view.refused
        ],
    }


def forecast_lines(view: ForecastView, show_all: bool = False) -> list[str]:
    """The forecast as a person reads it: the skills by date, the differences, then the answer.

    Of a large library the first skills and notes, and how many more there are.
    """
    made = view.forecast
    kind = "Hermes home, read-only" if view.is_hermes else "library, read-only"
    lines = [
        f"{visible_line(view.file.as_posix())} ({kind})",
        f"now {iso_from_ms(made.now_ms)}; {_count(made.horizon_days, 'day')} ahead,"
        f" until {_date(made.end_ms)}",
        _who_is_in_play(made),
    ]
    for index in range(len(made.policies)):
        lines += ["", *_policy_lines(made, index, None if show_all else ROWS)]
    lines += ["", *_difference_lines(made, None if show_all else EXAMPLES)]
    if made.notes:
        notes = [f"note: {visible_line(note)}" for note in made.notes]
        lines += ["", *_first(notes, None if show_all else ROWS, "", "notes")]
    return [*lines, "", *_basis_lines(made), "", *_answer_lines(view)]


def _who_is_in_play(made: Forecast) -> str:
    reasons = Counter(skill.by_policy[0].under(made.rules).out_of_play for skill in made.skills)
    told = [f"{reasons[None]} in play"]
    told += [f"{reasons[why]} {words}" for why, words in _OUT_OF_PLAY.items() if reasons[why]]
    return f"{_count(len(made.skills), 'skill')}: {', '.join(told)}"


def _policy_lines(made: Forecast, index: int, limit: int | None) -> list[str]:
    """The table of one policy: who moves first stands first, who never moves last."""
    policy = made.policies[index]
    name = policy_name(policy.stale_after_days, policy.archive_after_days)
    stale, archive = name.split("/")
    title = (
        f"{name}: stale after {stale} idle days, archived after {archive};"
        f" dates if not used again, chances in % until {_date(made.end_ms)}"
    )
    rows = [(skill, skill.by_policy[index]) for skill in made.skills]
    shown = [row for row in rows if row[1].under(made.rules).out_of_play is None]
    if not shown:
        return [title, "  nothing is in play"]
    shown.sort(key=lambda row: (row[1].under(made.rules).sort_ms, row[0].name))
    table = skill_table(shown[:limit], made.rules, made.now_ms)
    return [title, *table, *_more(len(shown), limit, "  ", "skills")]


def _difference_lines(made: Forecast, limit: int | None) -> list[str]:
    """Every skill that the ancestor would treat otherwise, under the cause of it."""
    lines: list[str] = []
    for cause in CAUSES:
        names = [s.name for s in made.skills if any(p.cause == cause for p in s.by_policy)]
        if names:
            lines.append(f"  [{cause}] {_count(len(names), 'skill')}: {CAUSES[cause]}")
            for index in range(len(made.policies)):
                lines += _first(_side_by_side(made, index, cause), limit, "    ", "skills")
    if not lines:
        return ["the ancestor would do the same to every skill"]
    return ["where the ancestor would do otherwise, and why:", *lines]


def _side_by_side(made: Forecast, index: int, cause: Cause) -> list[str]:
    """Both curators' moves, a line for each skill that differs by this cause."""
    name = made.outlooks[index].name
    return [
        f"    {name} {visible_line(skill.name)}: Alembic {_moves(both.alembic)};"
        f" the ancestor {_moves(both.ancestor)}"
        for skill in made.skills
        for both in [skill.by_policy[index]]
        if both.cause == cause
    ]


def _basis_lines(made: Forecast) -> list[str]:
    """What the numbers rest on, and what they mean."""
    is_hermes = made.rules == "ancestor"
    prior = made.prior
    learnt = f"fitted to {_count(prior.fitted_to, 'skill')} of this library"
    hazard = prior.given_up_per_day
    given_up = f"given up after {1 / hazard:.0f} days on average" if hazard else "never given up"
    return [
        "dates: the rules themselves, one pass a day; a weekly pass comes up to 6 days later",
        "chances: each skill's own counts and age; a Poisson rate with the prior"
        f" {prior.rates}, {given_up};"
        f" {learnt if prior.fitted_to else 'a default, for too few skills to fit one'}",
        "in brackets: 80 % intervals; ±: one standard deviation;"
        " skills are taken to be used independently",
        "the ancestor: Hermes Agent, from which these rules come"
        + (", and which curates this home: its rules give the answer" if is_hermes else ""),
        "needed again: used, viewed or patched within"
        f" {REGRET_DAYS} days after it was archived, had it still been there",
        "not seen: weekdays, bursts and seasons; where many skills are used in bursts a month or"
        " more apart, middling chances come out up to 35 points too high",
    ]


def _answer_lines(view: ForecastView) -> list[str]:
    made = view.forecast
    head = (
        "policy",
        "archives now",
        f"by {_date(made.end_ms)} (80 %)",
        f"of them needed again in {REGRET_DAYS} days",
    )
    rows = [row for outlook in made.outlooks for row in _outlook_rows(outlook)]
    lines = ["answer:", *table_lines([head, *rows]), "", made.sentence]
    if made.verdict:
        lines += [made.verdict, *_elsewhere_lines(view)]
    if not made.prior.fitted_to:
        lines.append("The library is too small to say how its skills are used: little is known.")
    return [*lines, *_refused_lines(view)]


def _elsewhere_lines(view: ForecastView) -> list[str]:
    """Where the same count over other horizons has another policy first."""
    best = view.forecast.best
    turns = [
        f"over {_count(days, 'day')} {name}"
        for days, name in view.best_elsewhere.items()
        if name != best
    ]
    if not turns:
        return []
    return [f"The horizon decides: by this count {best} is ahead here, {', '.join(turns)}."]


def _refused_lines(view: ForecastView) -> list[str]:
    """A pass of `curate` that its guard would stop, and what lets it run."""
    return [
        f"alembic-sim curate would refuse a pass of {policy_name(*astuple(policy))} now: {why}"
        " If it is: --force."
        for policy, why in view.refused
    ]


def _outlook_rows(outlook: PolicyOutlook) -> list[tuple[str, ...]]:
    ours = (f"{outlook.name}, Alembic's rules", *_totals(outlook.alembic))
    theirs = (f"{outlook.name}, ancestor's rules", *_totals(outlook.ancestor))
    return [ours, theirs]


def _totals(totals: Totals) -> tuple[str, ...]:
    archived, regrets = totals.archived, totals.regrets
    return (
        f"{totals.at_once} of {totals.in_play}",
        f"{archived.mean:.1f} ({archived.low} to {archived.high})",
        f"{regrets.mean:.1f} ({regrets.low} to {regrets.high})",
    )


def _first(lines: Sequence[str], limit: int | None, indent: str, things: str) -> list[str]:
    """The first lines, and how many more there are."""
    return [*lines[:limit], *_more(len(lines), limit, indent, things)]


def _more(count: int, limit: int | None, indent: str, things: str) -> list[str]:
    if limit is None or count <= limit:
        return []
    return [f"{indent}… and {count - limit} more {things}: see them with --all, or --json"]


def _moves(course: Course) -> str:
    if not course.moves:
        return f"{visible_line(course.start)}, no move"
    return ", ".join(f"{move.to_state} {_date(move.at_ms)}" for move in course.moves)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _date(at_ms: int) -> str:
    return iso_from_ms(at_ms).partition("T")[0]
