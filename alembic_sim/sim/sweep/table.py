"""Sweep: the rows of a sweep, and what they come to: figures, bands, the sentence that answers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from importlib import import_module
from statistics import fmean, quantiles, stdev
from typing import Any, Literal

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.sim.figures import REGRET_DAYS
from alembic_sim.sim.run import policy_name
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.replica import SweepRow

BAND = (10, 90)
"""Of a hundred replicas, how many lie below a band and below its upper edge."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A number of skills over the replicas: its mean, and how far one replica is from it."""

    mean: float
    deviation: float

    def __str__(self) -> str:
        """`12 ± 3`, and `1.2 ± 0.9` below ten."""
        decimals = _decimals(self.mean)
        return f"{self.mean:.{decimals}f} ± {self.deviation:.{decimals}f}"


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


@dataclass(frozen=True, slots=True)
class Band:
    """Where eight of ten replicas are at the end of a day, in skills of one state."""

    day: int
    low: float
    median: float
    high: float


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
        return _spread(
            [getattr(a.run.figures, figure) - getattr(b.run.figures, figure) for a, b in pairs]
        )

    def bands(self, policy: CuratorPolicy, state: SkillState) -> tuple[Band, ...]:
        """The band of a state at the end of day 0 and of each day with a pass."""
        interval = self.scenario.curator.interval_days
        days = sorted({0, *range(interval - 1, self.scenario.days, interval)})
        runs = [row.run for row in self.rows_of(policy)]
        return tuple(
            Band(day, *_edges([getattr(run.count_on(day), state) for run in runs]))
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
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install pandas") from error
        return pandas.DataFrame.from_records(list(self.records()))

    def to_csv(self) -> str:
        """The rows as CSV with a heading."""
        out = io.StringIO()
        if self.rows:
            writer = csv.DictWriter(out, list(self.rows[0].tidy()), lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.records())
        return out.getvalue()

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
            _spread([one.skills - one.archived for one in found]),
            _spread([one.stale for one in found]),
            _spread([one.archived for one in found]),
            _spread([one.regretted for one in found]),
            _spread([one.archived_in_use for one in found]),
            _spread([sum(one.false_comfort) for one in found]),
        )


COLUMNS = (
    "stale/archive",
    "kept",
    "stale",
    "archived",
    f"needed within {REGRET_DAYS} d",
    "archived in use",
    "never used, active",
)
"""The heads of the policies' table."""


def table_line(summary: PolicySummary) -> tuple[str, ...]:
    """A policy's line of the table, as texts."""
    figures = (
        summary.kept,
        summary.stale,
        summary.archived,
        summary.regretted,
        summary.archived_in_use,
        summary.false_comfort,
    )
    return (summary.name, *map(str, figures))


def _summary_json(summary: PolicySummary) -> dict[str, object]:
    figures = ("kept", "stale", "archived", "regretted", "archived_in_use", "false_comfort")
    return {
        **summary.policy.to_json(),
        **{
            name: {"mean": one.mean, "deviation": one.deviation}
            for name in figures
            for one in [getattr(summary, name)]
        },
    }


def _spread(values: Sequence[int]) -> Spread:
    return Spread(fmean(values), stdev(values) if len(values) > 1 else 0.0)


def _edges(values: Sequence[int]) -> tuple[float, float, float]:
    """The lower edge, the median and the upper edge."""
    if len(values) == 1:
        return (float(values[0]),) * 3
    cuts = quantiles(values, n=100, method="inclusive")
    return cuts[BAND[0] - 1], cuts[49], cuts[BAND[1] - 1]


def _short(number: float) -> str:
    """With a decimal below ten.

    >>> _short(9.94), _short(9.96), _short(-3.0), _short(0.0)
    ('9.9', '10', '-3.0', '0.0')
    """
    return f"{number:.{_decimals(number)}f}"


def _decimals(number: float) -> int:
    return 1 if abs(round(number, 1)) < 10 else 0


def _asked(sweep: Sweep) -> str:
    if not sweep.rows:
        return f"Interrupted before the first of {sweep.replicas} replicas was finished."
    skills = _short(fmean(row.run.figures.skills for row in sweep.rows))
    asked = f"{sweep.scenario.days} days, {skills} skills, {sweep.finished} replicas"
    if sweep.finished < sweep.replicas:
        asked += f" of {sweep.replicas} (interrupted)"
    return f"{asked}:"


def _answers(sweep: Sweep) -> list[str]:
    """Each policy; of more than four those that archive fewest and most."""
    told = sorted(sweep.summaries, key=lambda one: one.archived.mean)
    chosen = list(sweep.summaries) if len(told) <= 4 else [told[0], told[-1]]
    clauses = [
        f"{one.name} archives {one.archived} skills, "
        f"{_short(one.regretted.mean)} of them needed again within {REGRET_DAYS} days"
        f"{_in_use(one)}, and leaves {_short(one.stale.mean)} stale"
        for one in chosen
    ]
    return ["; ".join(clauses) + "."] if clauses else []


def _in_use(summary: PolicySummary) -> str:
    if summary.archived_in_use.mean == 0:
        return ""
    return f" and {_short(summary.archived_in_use.mean)} archived while in use, uncounted"


def _paired(sweep: Sweep) -> list[str]:
    """Of two policies the difference: the same libraries under both."""
    if len(sweep.summaries) != 2:
        return []
    less, more = sorted(sweep.summaries, key=lambda one: one.archived.mean)
    archived = sweep.difference(more.policy, less.policy, "archived")
    regretted = sweep.difference(more.policy, less.policy, "regretted")
    if archived == regretted == Spread(0, 0):
        return ["The two archive the very same skills."]
    return [
        f"On the same library {more.name} archives {archived} more than {less.name}, "
        f"and {regretted} more are needed again."
    ]
