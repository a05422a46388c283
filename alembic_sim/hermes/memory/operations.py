"""Add, Replace, Remove: the three things that can be asked of a memory (seed 2 §1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

MemoryTarget = Literal["memory", "user"]
"""`memory`: the agent's own notes; `user`: what it knows about the user."""


@dataclass(frozen=True, slots=True)
class Add:
    """Add an entry. An entry that is already there is reinforced, not duplicated."""

    content: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Put `content` in the place of the **whole** entry that `old_text` finds."""

    old_text: str
    content: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Take out the entry that `old_text` finds."""

    old_text: str


MemoryOp = Add | Replace | Remove
"""Built without checks: the store checks, and answers with a code."""


@dataclass(frozen=True, slots=True)
class OpError:
    """Why a JSON object is not an operation: the field, what it holds, what is allowed."""

    code: str
    message: str


def op_from_json(raw: object) -> Result[MemoryOp, OpError]:
    """The operation that `{"action", "content"?, "old_text"?}` means (also `oldText`).

    Unknown keys are dropped; a missing or non-text field is `bad-op`. What the texts hold is the
    store's business.
    """
    if not isinstance(raw, Mapping):
        return _bad("op", raw, "an object with an action")
    action = raw.get("action")
    if not isinstance(action, str) or action not in ("add", "replace", "remove"):
        return _bad("op.action", action, "add, replace or remove")
    content = raw.get("content")
    if action != "remove" and not isinstance(content, str):
        return _bad("op.content", content, "a text")
    if "old_text" in raw and "oldText" in raw and raw["old_text"] != raw["oldText"]:
        return _bad("op.oldText", raw["oldText"], "the same text as op.old_text")
    old_text = raw.get("old_text", raw.get("oldText"))
    if action != "add" and not isinstance(old_text, str):
        return _bad("op.old_text", old_text, "a text")
    match action, content, old_text:
        case "add", str(new), _:
            return Ok(Add(new))
        case "replace", str(new), str(old):
            return Ok(Replace(old, new))
        case _, _, str(old):
            return Ok(Remove(old))
    raise AssertionError("every action was checked above")


def op_to_json(op: MemoryOp) -> dict[str, str]:
    """The JSON form of an operation."""
    if isinstance(op, Add):
        return {"action": "add", "content": op.content}
    if isinstance(op, Replace):
        return {"action": "replace", "old_text": op.old_text, "content": op.content}
    return {"action": "remove", "old_text": op.old_text}


def _bad(field: str, value: object, allowed: str) -> Err[OpError]:
    return Err(OpError("bad-op", f"{field}: {shorten(value)} is not {allowed}"))
