"""The frozen snapshot: what a session's system prompt says of memory, from its start to its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from alembic_sim.hermes.memory.entry_text import serialise_entries
from alembic_sim.hermes.memory.operations import MemoryTarget
from alembic_sim.hermes.memory.threat_scan import ThreatScan
from alembic_sim.shorten import raised, shorten


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """Both stores as they were at the session's first load (seed 2 §1).

    `memory` and `user` are the texts for the system prompt and never change within a session, so
    that the prompt's prefix cache stays warm. `warnings` says what could not be read, is blocked
    or is over its limit; `behind` how many writes this session made since. [ours] `unreadable`
    names the targets whose file was there but could not be read: empty here, and not on disk.
    """

    memory: str
    user: str
    warnings: tuple[str, ...] = ()
    behind: int = 0
    unreadable: tuple[MemoryTarget, ...] = ()


def prompt_text(entries: Iterable[str], scan: ThreatScan) -> tuple[str, tuple[str, ...]]:
    """The text for the prompt, and the reasons why entries are blocked in it.

    [ours] An entry that fails the scan appears as `[BLOCKED: …]`; the file keeps it as it is.
    """
    shown: list[str] = []
    reasons: list[str] = []
    for entry in entries:
        reason = scan_safely(scan, entry)
        shown.append(entry if reason is None else f"[BLOCKED: {reason}]")
        if reason is not None:
            reasons.append(reason)
    return serialise_entries(shown), tuple(reasons)


def scan_safely(scan: ThreatScan, text: str) -> str | None:
    """The scan's verdict; a scan that raises has not cleared the text."""
    try:
        reason = scan(text)
    except Exception as error:  # an injected scan may raise anything; unscanned is refused
        return " ".join(f"the threat scan raised {raised(error)}".split())
    if reason is None:
        return None
    # On one line: a reason must not bring a delimiter of its own into the prompt.
    return " ".join(reason.split()) if isinstance(reason, str) else shorten(reason)


def render_system_prompt(base: str, snapshot: MemorySnapshot) -> str:
    """The session's system prompt: the base text, then what is remembered, blanks left out."""
    notes = {"Your notes": snapshot.memory, "What you know about the user": snapshot.user}
    sections = [f"# {title}\n{text}" for title, text in notes.items() if text]
    return "\n\n".join([base, *sections])
