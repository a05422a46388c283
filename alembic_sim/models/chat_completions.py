"""The chat-completions format: a request as a JSON body, an HTTP response as a reply or an error.

Pure: what goes over the wire, and what the answer means. The wire itself is `openai_compatible`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from alembic_sim.ports.model import ModelError, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten
from alembic_sim.strict_json import json_type, parse_strict_json


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A response as far as its meaning goes."""

    status: int
    body: bytes
    retry_after_ms: int | None = None


def chat_body(model_id: str, request: ModelRequest) -> Result[bytes, ModelError]:
    """The JSON body of a request; `bad-request` for a text that UTF-8 cannot hold."""
    messages = [{"role": "user", "content": request.prompt}]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    try:
        return Ok(
            json.dumps({"model": model_id, "messages": messages}, ensure_ascii=False).encode(
                "utf-8"
            )
        )
    except UnicodeError as error:
        return Err(ModelError("bad-request", f"the request is not text: {not_utf8(error)}"))


def read_answer(answer: HttpAnswer) -> Result[ModelReply, ModelError]:
    """The reply of a 200 with the expected body, else a typed error.

    Asking again can help after 408, 425, 429 and 5xx; never after any other status, nor after a
    200 that says nonsense: the same request would get the same.
    """
    match answer.status:
        case 200:
            return _read_reply(answer.body)
        case 429:
            return _refused("throttled", answer, retryable=True)
        case 408 | 425:
            return _refused("timeout", answer, retryable=True)
        case 401 | 403:
            return _refused("denied", answer)
        case 404:
            return _refused("not-found", answer)
        case status if 300 <= status < 400:  # not followed: the key would travel with it
            return _refused("redirected", answer)
        case status if status >= 500:
            return _refused("server-error", answer, retryable=True)
    return _refused("refused", answer)


def _read_reply(body: bytes) -> Result[ModelReply, ModelError]:
    parsed = parse_strict_json(body)
    if not parsed.ok:
        return _bad_reply(f"is {parsed.error.message}")
    match parsed.value:
        case {"choices": [{"finish_reason": "length"}, *_]}:
            return Err(ModelError("cut-off", "the reply reached the model's limit of tokens"))
        case {"choices": [{"finish_reason": "content_filter"}, *_]}:
            return Err(ModelError("filtered", "the service held the reply back"))
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            return Ok(ModelReply(text))
        case dict() as document:
            return _bad_reply(f"has no text in choices[0].message.content: {shorten(document)}")
        case other:
            return _bad_reply(f"is a JSON {json_type(other)}, not an object")


def _bad_reply(why: str) -> Err[ModelError]:
    return Err(ModelError("bad-reply", f"the body {why}"))


def _refused(code: str, answer: HttpAnswer, *, retryable: bool = False) -> Err[ModelError]:
    why = f"HTTP {answer.status}{_reason(answer.body)}"
    wait_ms = answer.retry_after_ms if retryable else None
    return Err(ModelError(code, why, retryable, wait_ms))


def _reason(body: bytes) -> str:
    """What the service says is wrong, shortened: `error.message`, or a bare `error` text."""
    parsed = parse_strict_json(body)
    match parsed.value if parsed.ok else None:
        case {"error": {"message": str(reason)}} | {"error": str(reason)}:
            return f": {shorten(reason, 200)}"
    return ""
