"""A curator pass as lines for a person and as a document for a program; pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.report import CuratorReport
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.iso import iso_from_ms


@dataclass(frozen=True, slots=True)
class PassView:
    """One pass: what was there before, under which policy and time, and what came of it."""

    file: Path
    is_hermes: bool
    dry_run: bool
    now_ms: int
    policy: CuratorPolicy
    before: UsageSidecar
    report: CuratorReport
    warnings: tuple[str, ...] = ()

    def states(self) -> dict[str, SkillState]:
        """Every readable skill's state after the pass (of a dry run: after it would have run)."""
        after = {name: record.state for name, record in sorted(self.before.records.items())}
        return after | {moved.name: moved.to_state for moved in self.report.transitioned}


def pass_document(view: PassView) -> dict[str, object]:
    """The strict JSON document of `curate --json`."""
    return {
        "now": iso_from_ms(view.now_ms),
        "policy": {
            "stale_after_days": _days(view.policy.stale_after_days),
            "archive_after_days": _days(view.policy.archive_after_days),
        },
        "source": {
            "path": view.file.as_posix(),
            "format": "hermes" if view.is_hermes else "native",
        },
        "dry_run": view.dry_run,
        **view.report.to_json(),
        "states": view.states(),
        "invalid": [
            {"name": name, "reason": why} for name, why in sorted(view.before.why_invalid.items())
        ],
        "warnings": list(view.warnings),
    }


def pass_lines(view: PassView) -> list[str]:
    """The pass as a person reads it, about a screen."""
    report, stale, archive = (
        view.report,
        view.policy.stale_after_days,
        view.policy.archive_after_days,
    )
    kind = "Hermes home, read-only" if view.is_hermes else "library"
    lines = [
        f"{view.file.as_posix()} ({kind})",
        f"stale after {stale:g} days, archived after {archive:g}; now {iso_from_ms(view.now_ms)}",
        "",
        f"{'would move' if view.dry_run else 'moved'}: {len(report.transitioned)}",
    ]
    width = max((len(moved.name) for moved in report.transitioned), default=0)
    lines += [
        f"  {moved.name:<{width}}  {moved.from_state} → {moved.to_state}"
        for moved in report.transitioned
    ]
    reasons = Counter(skip.reason for skip in report.skipped)
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    lines.append(f"skipped: {len(report.skipped)}{f' ({why})' if why else ''}")
    states = Counter(view.states().values())
    counts = ", ".join(f"{states[state]} {state}" for state in get_args(SkillState))
    lines.append(f"{'states then' if view.dry_run else 'states now'}: {counts}")
    if report.never_active:
        lines.append("never active (so never stale):")
        lines += [f"  {skill.name}, {_age(skill.age_days)}" for skill in report.never_active]
    if report.future_activity:
        lines.append(
            f"active in the future (a clock was wrong): {', '.join(report.future_activity)}"
        )
    for name, reason in sorted(view.before.why_invalid.items()):
        lines.append(f"damaged record, left as it is: {name} ({reason})")
    lines += [f"note: {warning}" for warning in view.warnings]
    if view.dry_run:
        lines += ["", "dry run: nothing was written"]
    return lines


def _days(days: float) -> float:
    """A whole number of days as 30, not as 30.0."""
    return int(days) if float(days).is_integer() else days


def _age(age_days: int | None) -> str:
    return "creation time unknown" if age_days is None else f"created {age_days} days ago"
