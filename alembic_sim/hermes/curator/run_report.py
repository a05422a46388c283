"""The text of a run's `REPORT.md`: what a person wants to know of a pass, or of undoing one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alembic_sim.hermes.curator.report import Transition, age_in_words
from alembic_sim.hermes.curator.run_record import RunRecord
from alembic_sim.hermes.curator.skill_name import check_name
from alembic_sim.iso import iso_from_ms
from alembic_sim.shorten import shorten

_STATUS = {
    "started": "This run was cut off before its end: some of what it planned may have been done.",
    "not-begun": "This run was not begun: nothing was moved.",
    "completed": "This run is complete.",
    "stopped": "This run stopped before its end.",
}


def run_report(run: RunRecord) -> str:
    """The run as Markdown; the names of skills stand in code blocks, where nothing is markup."""
    title = "Curator pass" if run.undoes is None else f"Undo of {run.undoes},"
    lines = [f"# {title} {run.id}", "", _STATUS[run.status], f"Time: {iso_from_ms(run.now_ms)}."]
    if run.policy is not None:
        days = f"{run.policy.stale_after_days:g} idle days, archived after"
        lines.append(f"Stale after {days} {run.policy.archive_after_days:g}.")
    if run.error is not None:
        lines.append(f"Why it stopped: {shorten(run.error, 500)}.")
    if run.status == "started":
        lines += _section("Planned", _moves(run.planned))
    else:
        lines += _section("Moved", _moves(run.report.transitioned))
    skipped = Counter(skip.reason for skip in run.report.skipped)
    lines += _section(
        "Skipped", [f"{reason}: {count}" for reason, count in sorted(skipped.items())]
    )
    never = [
        f"{_name(skill.name)}  {age_in_words(skill.age_days)}" for skill in run.report.never_active
    ]
    lines += _section("Never active, so never stale", never)
    lines += _section("Active in the future", [_name(n) for n in run.report.future_activity])
    changed = [f"{_name(c.name)}  now {c.found}" for c in run.changed_since]
    lines += _section("Changed since the pass, left alone", changed)
    lines += _section("In their old state already", [_name(name) for name in run.as_before])
    return "\n".join(lines) + "\n"


def _section(title: str, rows: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"    {row}" for row in rows)] if rows else []


def _moves(moves: Sequence[Transition]) -> list[str]:
    return [f"{_name(m.name)}  {m.from_state} → {m.to_state}" for m in moves] or ["nothing"]


def _name(name: str) -> str:
    """An ordinary name as it is, any other in quotes and on one line."""
    return name if check_name(name) is None else shorten(name, 80)
