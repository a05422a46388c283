"""Run: what a simulation did, as a value; its files, its figures, and the sentence that answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from importlib import import_module
from types import MappingProxyType
from typing import Any

from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.arms import ARMS
from alembic_sim.sim.event_log import log_bytes
from alembic_sim.sim.figures import (
    AGE_BANDS,
    REGRET_DAYS,
    Alarm,
    DayCount,
    LibraryFigures,
    StateChange,
    WeekCount,
    transitions_per_week,
)
from alembic_sim.sim.figures import library_figures as library_figures_of
from alembic_sim.sim.learning_figures import (
    LAST_SESSIONS,
    ArmFigures,
    SessionResult,
    arm_figures,
    success_curve,
)
from alembic_sim.sim.log_lines import LogLine
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.trace import EventTrace
from alembic_sim.strict_json import dump_strict_json


@dataclass(frozen=True)
class Run:
    """A finished simulation. `counts` has a row a day, `events` a line of the log each.

    `files` is the tree that the simulated host left, by path; `digest` that tree's, the log's and
    the counts' together: the same scenario gives the same one, in every process and on every
    machine. `alarms` are the passes that the guard of `alembic-sim curate` would have refused,
    under Alembic's anchor; a simulated curator has none.
    """

    scenario: Scenario
    trace: EventTrace = field(repr=False)
    counts: tuple[DayCount, ...] = field(repr=False)
    transitions: tuple[StateChange, ...] = field(repr=False)
    sessions: tuple[SessionResult, ...] = field(repr=False)
    events: tuple[LogLine, ...] = field(repr=False)
    states: Mapping[str, SkillState] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)
    alarms: tuple[Alarm, ...] = field(default=(), repr=False)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of everything that the run left behind."""
        return tree_digest(
            {
                **{f"home/{path}": data for path, data in self.files.items()},
                "events.jsonl": log_bytes(self.events),
                "counts.csv": counts_csv(self.counts),
            }
        )

    @cached_property
    def library(self) -> LibraryFigures:
        """What the curator did to the library, and what that was worth."""
        end_ms = self.scenario.end_ms
        return library_figures_of(self.trace, self.transitions, self.states, end_ms)

    @cached_property
    def weeks(self) -> tuple[WeekCount, ...]:
        """The transitions per week, by the state that they lead to."""
        return transitions_per_week(self.transitions, self.scenario.start_ms, self.scenario.days)

    @cached_property
    def arms(self) -> tuple[ArmFigures, ...]:
        """What was learnt with the gate, without it, and not at all; empty without sessions."""
        return tuple(arm_figures(arm, self.sessions) for arm in ARMS) if self.sessions else ()

    @cached_property
    def success(self) -> Mapping[str, tuple[float, ...]]:
        """The share of tasks that succeeded, session by session, for each arm."""
        return MappingProxyType({arm: success_curve(arm, self.sessions) for arm in ARMS})

    @cached_property
    def sentence(self) -> str:
        """The answer in a few sentences."""
        return " ".join(
            [
                _library_sentence(self),
                *_alarm_sentence(self),
                *_loss_sentence(self),
                *_arms_sentence(self),
            ]
        )

    def to_json(self) -> dict[str, object]:
        """The run as strict JSON values: what `run.json` holds."""
        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "at_end": asdict(self.counts[-1]),
            "library": asdict(self.library),
            "weeks": [asdict(week) for week in self.weeks],
            "arms": [asdict(figures) for figures in self.arms],
            "success": {arm: list(curve) for arm, curve in self.success.items()},
            "alarms": [asdict(alarm) for alarm in self.alarms],
            "transitions": [asdict(change) for change in self.transitions],
            "digest": self.digest,
            "sentence": self.sentence,
        }

    def output_files(self) -> dict[str, bytes]:
        """What `--out` writes, by name: run.json, events.jsonl, counts.csv."""
        return {
            "run.json": dump_strict_json(self.to_json()).encode("utf-8"),
            "events.jsonl": log_bytes(self.events),
            "counts.csv": counts_csv(self.counts),
        }

    def to_frame(self) -> Any:
        """The counts as a pandas table, a row a day and state: day, state, skills.

        pandas is optional: without it this raises `ImportError`, and `counts` has the same numbers.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install pandas") from error
        rows = [
            (count.day, state, getattr(count, state))
            for count in self.counts
            for state in ("active", "stale", "archived", "unknown")
        ]
        return pandas.DataFrame(rows, columns=["day", "state", "skills"])

    def _repr_html_(self) -> str:
        """The sentence and the last day's counts, for a notebook; data is escaped."""
        last = self.counts[-1]
        cells = "".join(
            f"<tr><th style='text-align:left'>{state}</th><td>{getattr(last, state)}</td></tr>"
            for state in ("active", "stale", "archived")
        )
        return (
            f"<p><b>{escape(self.scenario.name)}</b>, seed {self.scenario.seed}, "
            f"{self.scenario.days} days</p><table>{cells}</table><p>{escape(self.sentence)}</p>"
            f"<p><code>{self.digest[:16]}…</code></p>"
        )


def tree_digest(files: Mapping[str, bytes]) -> str:
    """The SHA-256 of files by path: of each path and each length too, so nothing can shift."""
    digest = sha256()
    for path, data in sorted(files.items()):
        digest.update(json.dumps([path, len(data)]).encode("ascii"))
        digest.update(data)
    return digest.hexdigest()


def counts_csv(counts: tuple[DayCount, ...]) -> bytes:
    """The counts as CSV with a heading, a row a day."""
    rows = [f"{c.day},{c.active},{c.stale},{c.archived},{c.unknown}" for c in counts]
    return "\n".join(["day,active,stale,archived,unknown", *rows, ""]).encode("ascii")


def policy_name(stale_after_days: float, archive_after_days: float) -> str:
    """Two windows as people say them: `30/90`.

    >>> policy_name(30.0, 90.0), policy_name(0.5, 14)
    ('30/90', '0.5/14')
    """
    return f"{stale_after_days:g}/{archive_after_days:g}"


def _library_sentence(run: Run) -> str:
    plan, found = run.scenario.curator, run.library
    unused = sum(found.false_comfort)
    ages = f" ({_bands(found.false_comfort)})" if unused else ""
    return (
        f"{policy_name(plan.stale_after_days, plan.archive_after_days)} archives "
        f"{found.archived_ever} of {_skills(found.skills)} in {run.scenario.days} days, "
        f"{found.regretted} of them needed again within {REGRET_DAYS} days; "
        f"{_skills(unused)} never used (made by the agent, not pinned) "
        f"{_are(unused)} still active{ages}."
    )


def _alarm_sentence(run: Run) -> list[str]:
    if not run.alarms:
        return []
    many = f"{len(run.alarms)} of these passes" if len(run.alarms) > 1 else "one of these passes"
    day = (run.alarms[0].at_ms - run.scenario.start_ms) / DAY_MS
    return [
        f"The guard of `alembic-sim curate` would have refused {many}, "
        f"after {day:g} days: {run.alarms[0].why}"
    ]


def _loss_sentence(run: Run) -> list[str]:
    found, lost = run.library, run.counts[-1].unknown
    said = []
    if found.archived_in_use:
        said.append(f"{found.archived_in_use} archived while in use, by uses that nobody counted.")
    if lost:
        said.append(f"{_skills(lost)} {_are(lost)} unknown to the sidecar.")
    return said


def _arms_sentence(run: Run) -> list[str]:
    if not run.arms:
        return []
    gated, ungated, none = run.arms
    last = f"In the last {min(LAST_SESSIONS, gated.sessions)} sessions"
    without = f"{none.success_at_end:.0%} without learning"
    kept = f"{ungated.true_kept} true lessons and {ungated.false_settled} false ones"
    if run.scenario.learning.gate == "none":
        return [
            f"{last} {ungated.success_at_end:.0%} of tasks succeed with no gate, {without}: "
            f"{kept} were kept, and a full memory refused {ungated.refused_for_budget} proposals."
        ]
    return [
        f"{last} {gated.success_at_end:.0%} of tasks succeed with the gate, "
        f"{ungated.success_at_end:.0%} without it, {without}. "
        f"The gate kept {gated.true_kept} true lessons and {gated.false_settled} false ones "
        f"(ungated: {kept}). It turned away {gated.true_rejected} true proposals, and a full "
        f"memory refused {gated.refused_for_budget} that it had approved. "
        "This is one run: `alembic-sim sweep … --gate` shows many."
    ]


def _bands(counts: tuple[int, ...]) -> str:
    names = [f"{low}–{high} d" if high else f"over {low} d" for low, high in AGE_BANDS]
    return ", ".join(f"{name}: {count}" for name, count in zip(names, counts, strict=True))


def _skills(count: int) -> str:
    return f"{count} skill" if count == 1 else f"{count} skills"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
