"""The cassette's format: a conversation with one model as strict JSON lines. Pure.

The first line names the format and the model; each further line holds a request and its reply or
error. Lines end with LF alone: a prompt may hold any other line separator.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from alembic_sim.ports.model import ModelError, ModelIdentity, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten
from alembic_sim.strict_json import parse_strict_json

T = TypeVar("T")

FORMAT = "alembic-sim 1"


@dataclass(frozen=True, slots=True)
class Turn:
    """One request and what came back."""

    request: ModelRequest
    answer: Result[ModelReply, ModelError]


@dataclass(frozen=True, slots=True)
class Cassette:
    """A recorded conversation: whose, and its turns in order."""

    identity: ModelIdentity
    turns: tuple[Turn, ...] = ()


def header_line(identity: ModelIdentity) -> str:
    """The first line of a cassette."""
    return _line(
        {"cassette": FORMAT, "adapter_id": identity.adapter_id, "model_id": identity.model_id}
    )


def turn_line(turn: Turn) -> str:
    """A further line of a cassette."""
    request = {"system": turn.request.system, "prompt": turn.request.prompt}
    if turn.answer.ok:
        return _line({"request": request, "reply": turn.answer.value.text})
    error = turn.answer.error
    told = {
        "code": error.code,
        "message": error.message,
        "retryable": error.retryable,
        "retry_after_ms": error.retry_after_ms,
    }
    return _line({"request": request, "error": told})


def parse_cassette(data: bytes) -> Result[Cassette, ModelError]:
    """The conversation, or `bad-cassette` naming the first damaged line."""
    try:
        lines = data.decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        return _bad(f"the cassette is not text: {not_utf8(error)}")
    identity = _read_line(1, lines[0], _read_header, "its header")
    if not identity.ok:
        return identity
    turns: list[Turn] = []
    for number, line in enumerate(lines[1:], start=2):
        turn = _read_line(number, line, _read_turn, "a request with a reply or an error")
        if not turn.ok:
            return turn
        turns.append(turn.value)
    return Ok(Cassette(identity.value, tuple(turns)))


def nearest_difference(turns: Sequence[Turn], asked: ModelRequest) -> str:
    """Where the recorded request that is most like the asked one differs from it."""
    if not turns:
        return "the cassette holds no request at all"
    nearest = max(turns, key=lambda turn: _likeness(turn.request, asked))  # the first of equals
    number = turns.index(nearest) + 2
    name = "system" if nearest.request.system != asked.system else "prompt"
    recorded, wanted = getattr(nearest.request, name), getattr(asked, name)
    at = _common_start(recorded, wanted)
    there, here = shorten(recorded[at:], 30), shorten(wanted[at:], 30)
    where = f"its {name} differs from character {at} on"
    return f"nearest is line {number}: {where}: {there} on the cassette, {here} asked for"


def _read_line(
    number: int, line: str, read: Callable[[object], T | None], wanted: str
) -> Result[T, ModelError]:
    parsed = parse_strict_json(line)
    if not parsed.ok:
        return _bad(f"line {number} of the cassette is {parsed.error.message}")
    found = read(parsed.value)
    if found is None:
        return _bad(f"line {number} of the cassette is not {wanted}: {shorten(line)}")
    return Ok(found)


def _read_header(raw: object) -> ModelIdentity | None:
    match raw:
        case {"cassette": "alembic-sim 1", "adapter_id": str(adapter), "model_id": str(model)}:
            return ModelIdentity(adapter, model)
    return None


def _read_turn(raw: object) -> Turn | None:
    match raw:
        case {"request": {"system": str(system), "prompt": str(prompt)}, "reply": str(text)}:
            return Turn(ModelRequest(system, prompt), Ok(ModelReply(text)))
        case {
            "request": {"system": str(system), "prompt": str(prompt)},
            "error": {
                "code": str(code),
                "message": str(message),
                "retryable": bool(retryable),
                "retry_after_ms": (int() | None) as wait_ms,
            },
        }:
            error = ModelError(code, message, retryable, wait_ms)
            return Turn(ModelRequest(system, prompt), Err(error))
    return None


def _likeness(one: ModelRequest, other: ModelRequest) -> int:
    """How many characters agree, counted from both ends: linear, however long the prompts are."""
    pairs = ((one.system, other.system), (one.prompt, other.prompt))
    return sum(_common_start(a, b) + _common_start(a[::-1], b[::-1]) for a, b in pairs)


def _common_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _line(document: dict[str, object]) -> str:
    return json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _bad(why: str) -> Err[ModelError]:
    return Err(ModelError("bad-cassette", why))
