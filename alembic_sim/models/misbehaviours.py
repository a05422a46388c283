"""Misbehaviours by name: every way in which a model's answer goes wrong, to be looped over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, cast

from alembic_sim.ports.model import ModelError, ModelIdentity, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

GOOD_BODY = (
    '[{"target": "memory", "op": {"action": "add", "content": "CI runs on Linux only"}, '
    '"rationale": "the build log says so", "score": 0.9}]'
)
"""A reviewer's reply as it should be: what each misbehaviour spoils."""


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """What a model does wrong: in words, and as a function from the good body to its answer."""

    does: str
    answer: Callable[[str], object]


def _says(does: str, spoil: Callable[[str], str]) -> Misbehaviour:
    return Misbehaviour(does, lambda body: Ok(ModelReply(spoil(body))))


def _fails(does: str, error: ModelError) -> Misbehaviour:
    return Misbehaviour(does, lambda _body: Err(error))


def _raise(_body: str) -> NoReturn:
    raise ConnectionResetError("the client library raised")


def _scored(score: str) -> Callable[[str], str]:
    return lambda body: body.replace("0.9", score)


MISBEHAVIOURS: dict[str, Misbehaviour] = {
    # the body is not a strict JSON array
    "code-fence": _says("wraps the array in a code fence", lambda body: f"```json\n{body}\n```"),
    "prose": _says("introduces the array politely", lambda body: f"Here you are:\n{body}"),
    "postscript": _says("adds a sentence after the array", lambda body: f"{body}\nAnything else?"),
    "object": _says("wraps the array in an object", lambda body: f'{{"proposals": {body}}}'),
    "null": _says("says null", lambda _body: "null"),
    "empty": _says("says nothing", lambda _body: ""),
    "blank": _says("says white space", lambda _body: " \n\t "),
    "truncated": _says("breaks off in the middle", lambda body: body[: len(body) // 2]),
    "single-quotes": _says("writes Python, not JSON", lambda body: body.replace('"', "'")),
    "duplicate-keys": _says(
        "gives one key twice", lambda body: body.replace('"score"', '"score": 0.1, "score"')
    ),
    "nan": _says("scores NaN", _scored("NaN")),
    "infinity": _says("scores Infinity", _scored("Infinity")),
    "overflow": _says("scores a number that no float holds", _scored("1e999")),
    "huge-number": _says("scores a number of 1,000 digits", _scored("9" * 1_000)),
    "lone-surrogate": _says(
        "escapes half a character", lambda body: body.replace("CI runs", "CI \\ud800 runs")
    ),
    "deep-nesting": _says("nests 1,000 arrays", lambda body: "[" * 1_000 + body + "]" * 1_000),
    "too-large": _says("pads the array to over 1 MiB", lambda body: body + " " * 1024 * 1024),
    # the array holds what no proposal may hold
    "text-score": _says("scores with a text", _scored('"0.9"')),
    "percent-score": _says("scores from 0 to 100", _scored("90")),
    "foreign-target": _says(
        "writes to a target of its own", lambda body: body.replace('"memory"', '"../../.bashrc"')
    ),
    # there is no reply
    "times-out": _fails(
        "does not answer in time", ModelError("timeout", "no reply within 60000 ms", retryable=True)
    ),
    "throttled": _fails(
        "asks to be left alone for 2 s",
        ModelError("throttled", "HTTP 429", retryable=True, retry_after_ms=2_000),
    ),
    "unreachable": _fails(
        "cannot be reached", ModelError("unreachable", "connection refused", retryable=True)
    ),
    "denied": _fails("does not accept the key", ModelError("denied", "HTTP 401")),
    # the adapter breaks the promise of its port
    "raises": Misbehaviour("raises an exception", _raise),
    "wrong-type": Misbehaviour("returns the bare text, no Result", lambda body: body),
    "nothing": Misbehaviour("returns None", lambda _body: None),
    "not-text": Misbehaviour(
        "replies with bytes", lambda body: Ok(ModelReply(cast(str, body.encode("utf-8"))))
    ),
}


class MisbehavingModel:
    """A model that misbehaves in one way, by name; it spoils `body`, a good reply.

    It may break every promise of its port: that is what it is for. `calls` records every request.
    Raises `ValueError` for a name that is not in `MISBEHAVIOURS`.
    """

    def __init__(self, name: str, body: str = GOOD_BODY) -> None:
        if not isinstance(name, str) or name not in MISBEHAVIOURS:
            raise ValueError(f"name: {shorten(name)} is not one of {', '.join(MISBEHAVIOURS)}")
        self.identity = ModelIdentity("misbehaving", name)
        self.calls: list[ModelRequest] = []
        self._answer = MISBEHAVIOURS[name].answer
        self._body = body

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """Whatever the misbehaviour is; it may even raise."""
        self.calls.append(request)
        return cast("Result[ModelReply, ModelError]", self._answer(self._body))
