"""Notes and learning outcomes as lines for a person and as documents for a program; pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alembic_sim.cli.visible import visible
from alembic_sim.hermes.learning.types import LearnError, LearnOutcome, ReviewProposal
from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.memory_store import FILE_NAMES, MemoryStore
from alembic_sim.hermes.memory.operations import MemoryTarget, op_to_json
from alembic_sim.hermes.memory.snapshot import MemorySnapshot
from alembic_sim.result import Result


def notes_document(folder: Path, store: MemoryStore, snapshot: MemorySnapshot) -> dict[str, object]:
    """The strict JSON document of `notes show --json`; sizes are code points.

    The entries of a file that cannot be read are null: nobody knows them.
    """
    return {
        "folder": folder.as_posix(),
        **{
            target: {
                "file": name,
                "entries": None if lost else list(store.entries(target)),
                "used_chars": None if lost else _used(store, target),
                "limit_chars": store.limit(target),
            }
            for target, name, lost in (
                (target, name, target in snapshot.unreadable) for target, name in FILE_NAMES.items()
            )
        },
        "warnings": list(snapshot.warnings),
    }


def notes_lines(folder: Path, store: MemoryStore, unreadable: Sequence[MemoryTarget]) -> list[str]:
    """Both files as a person reads them, one numbered entry after the other."""
    lines = [folder.as_posix()]
    for target, name in FILE_NAMES.items():
        if target in unreadable:
            lines += ["", f"{name}: cannot be read"]
            continue
        used, limit = _used(store, target), store.limit(target)
        lines += ["", f"{name}: {used:,} of {limit:,} characters"]
        for number, entry in enumerate(store.entries(target), start=1):
            first, *rest = visible(entry).split("\n")
            lines += [f"  {number}. {first}", *(f"     {line}" for line in rest)]
        if not store.entries(target):
            lines.append("  (empty)")
    return lines


def learned_document(learned: Result[LearnOutcome, LearnError]) -> dict[str, object]:
    """The three buckets as strict JSON values, then why the step stopped and what it left.

    `error` is null and `remaining` empty if it went through.
    """
    outcome = learned.value if learned.ok else learned.error.partial
    error = None if learned.ok else {"code": learned.error.code, "message": learned.error.message}
    return {
        "applied": [_proposal_document(proposal) for proposal in outcome.applied],
        "rejected": [
            {"proposal": _proposal_document(no.proposal), "reason": no.reason}
            for no in outcome.rejected
        ],
        "failed": [
            {"proposal": _proposal_document(no.proposal), "reason": no.reason}
            for no in outcome.failed
        ],
        "error": error,
        "remaining": [] if learned.ok else list(learned.error.remaining),
    }


def outcome_lines(outcome: LearnOutcome) -> list[str]:
    """The three buckets as a person reads them."""
    return [
        f"applied: {len(outcome.applied)}",
        *(f"  {_title(proposal)}" for proposal in outcome.applied),
        f"rejected by the gate: {len(outcome.rejected)}",
        *(f"  {_title(no.proposal)}: {visible(no.reason)}" for no in outcome.rejected),
        f"approved, but failed to write: {len(outcome.failed)}",
        *(f"  {_title(no.proposal)}: {visible(no.reason)}" for no in outcome.failed),
    ]


def _proposal_document(proposal: ReviewProposal) -> dict[str, object]:
    return {
        "target": proposal.target,
        "op": op_to_json(proposal.op),
        "rationale": proposal.rationale,
        "score": proposal.score,
    }


def _title(proposal: ReviewProposal) -> str:
    op = op_to_json(proposal.op)
    text = visible(op.get("content", op.get("old_text", ""))).replace("\n", " ⏎ ")
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return f"{proposal.target} {op['action']} '{short}'"


def _used(store: MemoryStore, target: MemoryTarget) -> int:
    return len(serialise_entries(store.entries(target)))
