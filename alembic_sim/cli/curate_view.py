"""A curator pass, or the undoing of one, as lines for a person and as a document; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from alembic_sim.cli.visible import visible_line
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorReport, Transition, age_in_words
from alembic_sim.hermes.curator.run_record import RunRecord
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.skill_name import shown_name
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS


@dataclass(frozen=True, slots=True)
class PassView:
    """One pass: what was there before, under which policy and time, and what came of it.

    Only a real pass has a `run_id`; `refused` is why a dry run would not be allowed to be one.
    """

    file: Path
    is_hermes: bool
    now_ms: int
    policy: CuratorPolicy
    before: UsageSidecar
    report: CuratorReport
    run_id: str | None = None
    refused: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def dry_run(self) -> bool:
        return self.run_id is None

    def states(self) -> dict[str, SkillState]:
        """Every readable skill's state after the pass (of a dry run: after it would have run)."""
        after = {name: record.state for name, record in sorted(self.before.records.items())}
        return after | {moved.name: moved.to_state for moved in self.report.transitioned}


def pass_document(view: PassView) -> dict[str, object]:
    """The strict JSON document of `curate --json`."""
    return {
        "now": iso_from_ms(view.now_ms),
        "policy": view.policy.to_json(),
        "source": {
            "path": view.file.as_posix(),
            "format": "hermes" if view.is_hermes else "native",
        },
        "dry_run": view.dry_run,
        "run": view.run_id,
        "refused": view.refused,
        **view.report.to_json(),
        "states": view.states(),
        "invalid": [
            {"name": name, "reason": why} for name, why in sorted(view.before.why_invalid.items())
        ],
        "warnings": list(view.warnings),
    }


def pass_lines(view: PassView) -> list[str]:
    """The pass as a person reads it, about a screen."""
    report, policy = view.report, view.policy
    days = f"{policy.stale_after_days:g} days, archived after {policy.archive_after_days:g}"
    lines = [
        _head(view.file, "Hermes home, read-only" if view.is_hermes else "library"),
        f"stale after {days}; now {iso_from_ms(view.now_ms)}",
        "",
        f"{'would move' if view.dry_run else 'moved'}: {len(report.transitioned)}",
        *_table(
            (_name(moved.name), _arrow(moved), _idle(view, moved.name))
            for moved in report.transitioned
        ),
    ]
    reasons = Counter(skip.reason for skip in report.skipped)
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    lines.append(f"skipped: {len(report.skipped)}{f' ({why})' if why else ''}")
    lines += _pinned(view.before)
    states = Counter(view.states().values())
    counts = ", ".join(f"{states[state]} {state}" for state in get_args(SkillState))
    lines.append(f"{'states then' if view.dry_run else 'states now'}: {counts}")
    if report.never_active:
        lines.append("never active (so never stale):")
        lines += [f"  {_name(s.name)}, {age_in_words(s.age_days)}" for s in report.never_active]
    if report.future_activity:
        names = ", ".join(map(_name, report.future_activity))
        lines.append(f"active in the future (a clock was wrong): {names}")
    for name, reason in sorted(view.before.why_invalid.items()):
        lines.append(f"damaged record, left as it is: {_name(name)} ({reason})")
    lines += [f"note: {visible_line(warning)}" for warning in view.warnings]
    return [*lines, "", *_outcome(view)]


def undo_document(file: Path, run: RunRecord) -> dict[str, object]:
    """The strict JSON document of `curate --undo --json`."""
    return {
        "now": iso_from_ms(run.now_ms),
        "source": {"path": file.as_posix(), "format": "native"},
        "run": run.id,
        "undoes": run.undoes,
        "restored": run.report.to_json()["transitioned"],
        "changed_since": [{"name": c.name, "found": c.found} for c in run.changed_since],
        "as_before": list(run.as_before),
    }


def undo_lines(file: Path, run: RunRecord) -> list[str]:
    """The undoing of a pass as a person reads it."""
    lines = [
        _head(file, "library"),
        f"took back {run.undoes}; written down as {run.id}; now {iso_from_ms(run.now_ms)}",
        "",
        f"moved back: {len(run.report.transitioned)}",
        *(f"  {move_line(moved)}" for moved in run.report.transitioned),
    ]
    if run.changed_since:
        lines.append(f"changed since the pass, left alone: {len(run.changed_since)}")
        lines += [f"  {_name(c.name)}, now {c.found}" for c in run.changed_since]
    if run.as_before:
        names = ", ".join(map(_name, run.as_before))
        lines.append(f"in their old state already: {names}")
    return lines


def move_line(moved: Transition) -> str:
    """One transition in a few words."""
    return f"{_name(moved.name)} {_arrow(moved)}"


def _head(file: Path, kind: str) -> str:
    return f"{visible_line(file.as_posix())} ({kind})"


def _arrow(moved: Transition) -> str:
    return f"{moved.from_state} → {moved.to_state}"


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """The rows as lines, each column as wide as its widest cell."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _idle(view: PassView, name: str) -> str:
    record = view.before.records.get(name)
    if record is None:
        return "new"  # since this view was taken, a moment before the pass
    if record.last_activity_at == 0:
        return "never active"
    days = (view.now_ms - record.last_activity_at) // DAY_MS
    return "active in the future" if days < 0 else f"{days} day{'' if days == 1 else 's'} idle"


def _pinned(sidecar: UsageSidecar) -> list[str]:
    """Who is pinned, and whose pin changes nothing because the curator never moves them anyway."""
    pinned = [(name, r.created_by) for name, r in sorted(sidecar.records.items()) if r.pinned]
    if not pinned:
        return []
    told = [
        f"{_name(name)}{'' if author == 'agent' else ' (not curated anyway)'}"
        for name, author in pinned
    ]
    return [f"pinned: {', '.join(told)}"]


def _outcome(view: PassView) -> list[str]:
    """What was written, or would be."""
    if view.run_id is not None:
        remedy = "; `curate --undo` takes it back" if view.report.transitioned else ""
        return [f"written down as {view.run_id}{remedy}"]
    lines = ["dry run: nothing was written"]
    if view.refused is not None:
        lines.append(f"a real run would be refused: {view.refused}")
    return lines


def _name(name: str) -> str:
    return visible_line(shown_name(name))
