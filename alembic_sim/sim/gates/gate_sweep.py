"""GateSweep: the rows of a learning sweep, and what they come to: figures, bands, the answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from math import sqrt
from typing import Any

from alembic_sim.sim.arms import TASKS_PER_SESSION
from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_row import GateRow
from alembic_sim.sim.gates.gate_summary import COLUMNS, GateSummary, summarise, table_line
from alembic_sim.sim.learning_figures import LAST_SESSIONS
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.session_plots import trailing_mean
from alembic_sim.sim.sweep.spread import (
    Spread,
    band_of,
    csv_text,
    frame_of,
    short_number,
    spread_of,
)


@dataclass(frozen=True, slots=True)
class SuccessBand:
    """Where eight of ten replicas are at a session: the shares of tasks that succeed."""

    session: int
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class GateSweep:
    """Rows by replica, then by gate in the order asked for, no learning last.

    There are fewer if it was interrupted.
    """

    scenario: Scenario
    gates: tuple[GateChoice, ...]
    replicas: int
    rows: tuple[GateRow, ...] = field(repr=False)

    def __post_init__(self) -> None:
        place = {gate: number for number, gate in enumerate(self.choices)}
        rows = sorted(self.rows, key=lambda row: (row.replica, place[row.gate]))
        object.__setattr__(self, "rows", tuple(rows))

    @property
    def choices(self) -> tuple[GateChoice, ...]:
        """The gates, and no learning."""
        return (*self.gates, NO_LEARNING)

    @property
    def finished(self) -> int:
        """How many replicas there are of those that were asked for."""
        return len(self.rows) // len(self.choices)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all rows: the same on every machine, whatever ran them."""
        lines = [[row.tidy(), row.learnt.successes.hex()] for row in self.rows]
        return sha256(json.dumps(lines, allow_nan=False).encode("ascii")).hexdigest()

    @cached_property
    def summaries(self) -> tuple[GateSummary, ...]:
        """One for each gate, then no learning; none without a finished replica."""
        if not self.rows:
            return ()
        return tuple(
            summarise(gate, [row.learnt for row in self.rows_of(gate)], self.scenario.learning)
            for gate in self.choices
        )

    @cached_property
    def ranked(self) -> tuple[GateSummary, ...]:
        """The gates' summaries by their success at the end, the best one first."""
        return tuple(sorted(self.summaries[:-1], key=lambda one: -one.success_at_end.mean))

    @cached_property
    def sentence(self) -> str:
        """The answer in a few sentences; ± is the standard deviation over the replicas."""
        if not self.rows:
            return f"Interrupted before the first of {self.replicas} replicas was finished."
        return " ".join([_asked(self), _told(self), _best(self)])

    def rows_of(self, gate: GateChoice) -> tuple[GateRow, ...]:
        """The rows of one gate, by replica."""
        return tuple(row for row in self.rows if row.gate == gate)

    def difference(self, gate: GateChoice, other: GateChoice) -> Spread:
        """How much larger the share that succeeds at the end is through `gate`, by replica.

        Both meet the same tasks and proposals: a difference is much surer than the two numbers are.
        """
        pairs = zip(self.rows_of(gate), self.rows_of(other), strict=True)
        return spread_of([a.learnt.success_at_end - b.learnt.success_at_end for a, b in pairs])

    def bands(self, gate: GateChoice, window: int = LAST_SESSIONS) -> tuple[SuccessBand, ...]:
        """The band of the success, session by session: each the mean of the last `window`."""
        curves = [
            trailing_mean([count / TASKS_PER_SESSION for count in row.learnt.successes], window)
            for row in self.rows_of(gate)
        ]
        found = (band_of(at, shares) for at, shares in enumerate(zip(*curves, strict=True)))
        return tuple(
            SuccessBand(session, band.low, band.median, band.high)
            for session, band in enumerate(found)
        )

    def records(self) -> tuple[dict[str, str | int | float], ...]:
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
            "gates": [summary.to_json() for summary in self.summaries],
            "rows": list(self.records()),
            "digest": self.digest,
            "sentence": self.sentence,
        }

    def _repr_html_(self) -> str:
        """The table of the gates and the sentence, for a notebook; data is escaped."""
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


_TOLD = 4
"""Of more gates than these the sentence tells the best, the worst and no gate at all."""


def _asked(sweep: GateSweep) -> str:
    sessions = _many(len(sweep.rows[0].learnt.successes), "session")
    proposals = _many(sweep.scenario.learning.proposals_per_session, "proposal")
    asked = f"{sessions} of {proposals} each, "
    if sweep.finished < sweep.replicas:
        return f"{asked}{sweep.finished} of {_many(sweep.replicas, 'replica')} (interrupted):"
    return f"{asked}{_many(sweep.finished, 'replica')}:"


def _told(sweep: GateSweep) -> str:
    """Each gate, in the order asked for, and no learning."""
    best, worst = sweep.ranked[0], sweep.ranked[-1]
    *gates, unlearnt = sweep.summaries
    clauses = [
        f"{_said(one.gate)} keeps {one.true_kept} true lessons and settles {one.false_settled} "
        f"false ones, and {one.success_at_end.mean:.0%} of tasks succeed at the end"
        for one in gates
        if len(gates) <= _TOLD or one in (best, worst) or one.gate == NO_GATE
    ]
    return "; ".join([*clauses, f"without learning {unlearnt.success_at_end.mean:.0%} do"]) + "."


def _best(sweep: GateSweep) -> str:
    """The best gate, how sure that is, and what it buys."""
    best, *others = (one.gate for one in sweep.ranked)
    beaten = [(NO_LEARNING, "no learning")]
    if NO_GATE in others[1:]:
        beaten.insert(0, (NO_GATE, "no gate"))
    above = " and ".join(
        f"{_points(sweep.difference(best, gate).mean)} above {name}" for gate, name in beaten
    )
    if not others:
        return f"That is {above}."
    return f"Best of these: {_said(best)}, {_lead(sweep, best, others[0])}; it is {above}."


def _lead(sweep: GateSweep, best: GateChoice, second: GateChoice) -> str:
    """By how much the best is above the second, where a lead of two standard errors tells."""
    lead = sweep.difference(best, second)
    error = lead.deviation / sqrt(sweep.finished)
    known = f", standard error {short_number(100 * error)}" if sweep.finished > 1 else ""
    told = f"on the same sessions {_points(lead.mean)} above {_said(second)}{known}"
    if sweep.finished > 1 and lead.mean > 2 * error:
        return told
    return f"though {_many(sweep.finished, 'replica')} cannot tell it from {_said(second)} ({told})"


def _said(gate: GateChoice) -> str:
    """A gate as a sentence names it."""
    return {"none": "no gate", "board": "the board"}.get(gate.name, gate.name)


def _points(share: float) -> str:
    return f"{short_number(100 * share)} points"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
