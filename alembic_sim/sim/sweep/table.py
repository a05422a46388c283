"""Sweep: the rows of a sweep, and what they come to: figures, bands, the sentence that answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from statistics import fmean
from typing import Any, Literal

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.sim.figures import REGRET_DAYS
from alembic_sim.sim.run import policy_name
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.replica import SweepRow
from alembic_sim.sim.sweep.spread import (
    Band,
    Spread,
    band_of,
    csv_text,
    frame_of,
    short_number,
    spread_of,
)


@dataclass(frozen=True, slots=True)
class PolicySummary:
    """What one policy comes to over the finished replicas, in skills.

    `kept` are the skills that are not archived at the end, `stale` those of them that are stale.
    """

    policy: CuratorPolicy
    kept: Spread
    stale: Spread
    archived: Spread
    regretted: Spread
    archived_in_use: Spread
    false_comfort: Spread

    @property
    def name(self) -> str:
        """`30/90`."""
        return policy_name(self.policy.stale_after_days, self.policy.archive_after_days)


@dataclass(frozen=True)
class Sweep:
    """Rows by replica, then by policy in the order of the grid; fewer if it was interrupted."""

    scenario: Scenario
    policies: tuple[CuratorPolicy, ...]
    replicas: int
    rows: tuple[SweepRow, ...] = field(repr=False)

    def __post_init__(self) -> None:
        place = {policy: number for number, policy in enumerate(self.policies)}
        rows = sorted(self.rows, key=lambda row: (row.replica, place[row.run.policy]))
        object.__setattr__(self, "rows", tuple(rows))

    @property
    def finished(self) -> int:
        """How many replicas there are of those that were asked for."""
        return len(self.rows) // len(self.policies)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all rows: the same on every machine, whatever ran them."""
        lines = [
            [row.tidy(), row.run.existing, row.run.stale, row.run.archived] for row in self.rows
        ]
        return sha256(json.dumps(lines, allow_nan=False).encode("ascii")).hexdigest()

    @cached_property
    def summaries(self) -> tuple[PolicySummary, ...]:
        """One for each policy, in the order of the grid; none without a finished replica."""
        return tuple(map(self._summary, self.policies)) if self.rows else ()

    @cached_property
    def sentence(self) -> str:
        """The answer in a sentence or two; ± is the standard deviation over the replicas."""
        return " ".join([_asked(self), *_answers(self), *_paired(self)])

    def rows_of(self, policy: CuratorPolicy) -> tuple[SweepRow, ...]:
        """The rows of one policy, by replica."""
        return tuple(row for row in self.rows if row.run.policy == policy)

    def difference(
        self, policy: CuratorPolicy, other: CuratorPolicy, figure: Literal["archived", "regretted"]
    ) -> Spread:
        """How many more skills under `policy` than under `other`, replica by replica.

        Both meet the same uses: a difference is much surer than the two numbers are.
        """
        pairs = zip(self.rows_of(policy), self.rows_of(other), strict=True)
        return spread_of(
            [getattr(a.run.figures, figure) - getattr(b.run.figures, figure) for a, b in pairs]
        )

    def bands(self, policy: CuratorPolicy, state: SkillState) -> tuple[Band, ...]:
        """The band of a state at the end of day 0 and of each day with a pass."""
        interval = self.scenario.curator.interval_days
        days = sorted({0, *range(interval - 1, self.scenario.days, interval)})
        runs = [row.run for row in self.rows_of(policy)]
        return tuple(
            band_of(day, [getattr(run.count_on(day), state) for run in runs])
            for day in days
            if runs
        )

    def records(self) -> tuple[dict[str, int | float], ...]:
        """The rows as flat mappings: what a table library takes."""
        return tuple(row.tidy() for row in self.rows)

    def to_frame(self) -> Any:
        """The rows as a pandas table.

        pandas is optional: without it this raises `ImportError`, and `records()` has the same.
        """
        return frame_of(self.records())

    def to_csv(self) -> str:
        """The rows as CSV with a heading."""
        return csv_text(self.records())

    def to_json(self) -> dict[str, object]:
        """The sweep as strict JSON values, its rows included."""
        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "replicas": self.replicas,
            "finished": self.finished,
            "policies": [_summary_json(summary) for summary in self.summaries],
            "rows": list(self.records()),
            "digest": self.digest,
            "sentence": self.sentence,
        }

    def _repr_html_(self) -> str:
        """The table of the policies and the sentence, for a notebook; data is escaped."""
        heads = "".join(f"<th>{name}</th>" for name in COLUMNS)
        lines = "".join(
            f"<tr><th style='text-align:left'>{line[0]}</th>"
            + "".join(f"<td>{cell}</td>" for cell in line[1:])
            + "</tr>"
            for line in map(table_line, self.summaries)
        )
        return (
            f"<p><b>{escape(self.scenario.name)}</b>, seed {self.scenario.seed}</p>"
            f"<table><tr>{heads}</tr>{lines}</table><p>{escape(self.sentence)}</p>"
        )

    def _summary(self, policy: CuratorPolicy) -> PolicySummary:
        found = [row.run.figures for row in self.rows_of(policy)]
        return PolicySummary(
            policy,
            spread_of([one.skills - one.archived for one in found]),
            spread_of([one.stale for one in found]),
            spread_of([one.archived for one in found]),
            spread_of([one.regretted for one in found]),
            spread_of([one.archived_in_use for one in found]),
            spread_of([sum(one.false_comfort) for one in found]),
        )


COLUMNS = (
    "stale/archive",
    "kept",
    "stale",
    "archived (8 of 10)",
    f"needed within {REGRET_DAYS} d",
    "archived in use",
    "never used, active",
)
"""The heads of the policies' table; in brackets stands where eight of ten replicas lie."""

_MANY = 4
"""More policies than this are not told one by one in a sentence."""


def table_line(summary: PolicySummary) -> tuple[str, ...]:
    """A policy's line of the table, as texts."""
    return (
        summary.name,
        str(summary.kept),
        str(summary.stale),
        summary.archived.with_band(),
        summary.regretted.with_band(),
        str(summary.archived_in_use),
        str(summary.false_comfort),
    )


def _summary_json(summary: PolicySummary) -> dict[str, object]:
    figures = ("kept", "stale", "archived", "regretted", "archived_in_use", "false_comfort")
    return {
        **summary.policy.to_json(),
        **{name: getattr(summary, name).to_json() for name in figures},
    }


def _asked(sweep: Sweep) -> str:
    if not sweep.rows:
        return f"Interrupted before the first of {sweep.replicas} replicas was finished."
    skills = short_number(fmean(row.run.figures.skills for row in sweep.rows))
    replicas = "replica" if sweep.finished == 1 else "replicas"
    asked = f"{sweep.scenario.days} days, {skills} skills, {sweep.finished} {replicas}"
    if sweep.finished < sweep.replicas:
        asked += f" of {sweep.replicas} (interrupted)"
    return f"{asked}:"


def _answers(sweep: Sweep) -> list[str]:
    """Each policy; of many only those that are worth choosing between."""
    if not sweep.summaries:
        return []
    if len(sweep.summaries) <= _MANY:
        return ["; ".join(map(_clause, sweep.summaries)) + "."]
    best = unbeaten(sweep.summaries)
    told = best if len(best) <= _MANY else (best[0], best[-1])
    between = f", from the most careful to the boldest of {len(best)}" if told != best else ""
    return [
        "; ".join(map(_clause, told)) + ".",
        f"Of {len(sweep.summaries)} policies none keeps fewer skills with fewer needed again "
        f"than {'these' if len(told) > 1 else 'this one'}{between}.",
    ]


def unbeaten(summaries: Sequence[PolicySummary]) -> tuple[PolicySummary, ...]:
    """The policies that no other one beats: by fewer skills kept, with no more needed again, or
    by fewer needed again, with no more kept. From few archived to many.

    Of policies that are alike in both, as those with one archive window are, the first.
    """
    places: dict[tuple[float, float], PolicySummary] = {}
    for one in summaries:
        places.setdefault((one.kept.mean, one.regretted.mean), one)
    best = [
        one
        for (kept, regretted), one in places.items()
        if not any(
            other != (kept, regretted) and other[0] <= kept and other[1] <= regretted
            for other in places
        )
    ]
    return tuple(sorted(best, key=lambda one: one.archived.mean))


def _clause(one: PolicySummary) -> str:
    return (
        f"{one.name} archives {one.archived} skills, "
        f"{short_number(one.regretted.mean)} of them needed again within {REGRET_DAYS} days"
        f"{_in_use(one)}, and leaves {short_number(one.stale.mean)} stale"
    )


def _in_use(summary: PolicySummary) -> str:
    if summary.archived_in_use.mean == 0:
        return ""
    return f" and {short_number(summary.archived_in_use.mean)} archived while in use, uncounted"


def _paired(sweep: Sweep) -> list[str]:
    """Of two policies the difference: the same libraries under both."""
    if len(sweep.summaries) != 2:
        return []
    less, more = sorted(sweep.summaries, key=lambda one: one.archived.mean)
    archived = sweep.difference(more.policy, less.policy, "archived")
    regretted = sweep.difference(more.policy, less.policy, "regretted")
    if not any((archived.mean, archived.deviation, regretted.mean, regretted.deviation)):
        return ["The two archive the very same skills."]
    return [
        f"On the same library {more.name} archives {archived} more than {less.name}, "
        f"and {regretted} more are needed again."
    ]
