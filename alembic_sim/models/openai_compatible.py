"""OpenAICompatibleModel: a real model behind any OpenAI-compatible chat-completions endpoint.

Over httpx, the extra `[model]`, not over the `openai` package: the format is one POST; httpx is a
requirement of JupyterLab already, so the extra adds nothing to a lesson's install, whereas
`openai` adds five more packages and a retry, a time-out and an environment of its own, where a
lesson wants to see ours. httpx is imported when a model is built, never with this module.

The environment is not asked: no proxy, no `.netrc` (which would replace the key), no certificate
folder from there (`trust_env=False`). Redirects are not followed. Both would carry the key away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING

from alembic_sim.models.chat_completions import HttpAnswer, chat_body, read_answer
from alembic_sim.models.checks import check_request, whole_number
from alembic_sim.models.retry_after import retry_after_ms
from alembic_sim.ports.model import ModelError, ModelIdentity, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES = 4 * 1024 * 1024
SHORTEST_SECRET = 8
"""A shorter key is a placeholder, as local servers want one: a reply may well hold that word."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key that is looked up by name at each call: `EnvironmentKey(os.environ, "MY_KEY")`."""

    environ: Mapping[str, str] = field(repr=False)
    name: str

    def __call__(self) -> str:
        return self.environ.get(self.name, "")


class OpenAICompatibleModel:
    """The model `model_id` behind `base_url` (such as `http://localhost:11434/v1`).

    `api_key` is called for each request and its answer forgotten; without it no key is sent.
    `monotonic` gives seconds that only grow (`time.monotonic`): no request lasts much longer than
    `timeout_ms`, also if the reply drips in byte by byte. The reply may hold up to 4 MiB.
    Raises `ValueError` for an impossible setting, for a `base_url` that holds a user, a query or a
    fragment (keys are found there), for a key over plain http to another machine, and without
    httpx.
    """

    def __init__(
        self,
        base_url: str,
        model_id: str,
        *,
        monotonic: Callable[[], float],
        api_key: Callable[[], str] | None = None,
        timeout_ms: int = 60_000,
        adapter_id: str | None = None,
    ) -> None:
        if not isinstance(model_id, str) or not model_id.isprintable() or not model_id.strip():
            raise ValueError(f"model_id: {shorten(model_id)} is not the name of a model")
        self._url = _completions_url(base_url, has_key=api_key is not None)
        self._model_id = model_id
        self._monotonic = monotonic
        self._api_key = api_key
        self._timeout_s = whole_number("timeout_ms", timeout_ms, 1) / 1_000
        where = f"openai-compatible@{self._url.netloc.decode('ascii')}"
        self.identity = ModelIdentity(adapter_id or where, model_id)

    def __repr__(self) -> str:
        return f"OpenAICompatibleModel({str(self._url)!r}, {self._model_id!r})"

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The reply, or why there is none; nothing in it holds the key."""
        checked = check_request(request)
        body = chat_body(self._model_id, request) if checked.ok else checked
        if not body.ok:
            return body
        key = self._read_key()
        if not key.ok:
            return key
        answer = self._post(body.value, key.value)
        read = read_answer(_redacted(answer.value, key.value)) if answer.ok else answer
        return read if read.ok else Err(_without_key(read.error, key.value))

    def _read_key(self) -> Result[str, ModelError]:
        """The key, or `""` if none is to be sent. No message repeats it, also not a bad one."""
        if self._api_key is None:
            return Ok("")
        try:
            key = self._api_key()
        except Exception as error:  # the caller's function; its message may hold the key
            return Err(ModelError("no-key", f"api_key raised {type(error).__name__}"))
        if not isinstance(key, str) or not key:
            named = isinstance(self._api_key, EnvironmentKey)
            source = f": {shorten(self._api_key)} is not set" if named else ""
            return Err(ModelError("no-key", f"api_key gave no key{source}"))
        if not (key.isascii() and key.isprintable()) or set(key) & set(" \"'\\"):
            return Err(ModelError("no-key", "the key holds a character that no token may hold"))
        return Ok(key)

    def _post(self, body: bytes, key: str) -> Result[HttpAnswer, ModelError]:
        """The response, whatever its status; httpx's exceptions become values here."""
        import httpx

        timed_out = f"no complete reply within {self._timeout_s:g} s"
        try:
            deadline = self._monotonic() + self._timeout_s
            with (
                httpx.Client(timeout=self._timeout_s, trust_env=False) as client,
                client.stream("POST", self._url, content=body, headers=_headers(key)) as response,
            ):
                received = bytearray()
                for chunk in response.iter_raw():
                    received += chunk
                    if len(received) > MAX_RESPONSE_BYTES:
                        why = f"the response holds more than {MAX_RESPONSE_BYTES} bytes"
                        return Err(ModelError("too-large", why))
                    if self._monotonic() > deadline:
                        return Err(ModelError("timeout", timed_out, retryable=True))
                wait_ms = retry_after_ms(
                    response.headers.get("retry-after"), response.headers.get("date")
                )
                return Ok(HttpAnswer(response.status_code, bytes(received), wait_ms))
        except httpx.TimeoutException:
            return Err(ModelError("timeout", timed_out, retryable=True))
        except httpx.TransportError as error:  # refused, reset, broken off, no HTTP at all
            said = shorten(str(error).replace(key, "[key]") if key else str(error), 200)
            why = f"{self._url.host}: {type(error).__name__}: {said}"
            return Err(ModelError("unreachable", why, retryable=True))
        except Exception as error:  # a user's monotonic; what httpx adds in a later version
            return Err(ModelError("raised", f"the request raised {type(error).__name__}"))


def _completions_url(base_url: object, *, has_key: bool) -> httpx.URL:
    """The endpoint's address. No message repeats `base_url`: a key may stand in it."""
    try:
        import_module("httpx")
    except ImportError:
        why = "a real model needs httpx: pip install 'alembic-sim[model]'"
        raise ValueError(why) from None
    import httpx

    try:
        url = httpx.URL(base_url)  # type: ignore[arg-type]  # what is not a text raises TypeError
    except (httpx.InvalidURL, TypeError, UnicodeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("base_url: not an http or https address such as http://localhost:11434/v1")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("base_url: holds a user, a query or a fragment; a key goes into api_key")
    if has_key and url.scheme == "http" and url.host not in LOOPBACK:
        raise ValueError("base_url: a key goes over https only, but to this machine itself")
    return url.copy_with(path=f"{url.path.rstrip('/')}/chat/completions")


def _headers(key: str) -> dict[str, str]:
    """Identity encoding: a compressed body could be far larger than what the cap sees."""
    headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
    return {**headers, "Authorization": f"Bearer {key}"} if key else headers


def _redacted(answer: HttpAnswer, key: str) -> HttpAnswer:
    """The answer without the key, in case the service repeats it."""
    if len(key) < SHORTEST_SECRET:
        return answer
    body = answer.body
    for spelling in (key, key.replace("/", "\\/")):  # JSON may write a slash either way
        body = body.replace(spelling.encode("ascii"), b"[key]")
    return replace(answer, body=body)


def _without_key(error: ModelError, key: str) -> ModelError:
    return replace(error, message=error.message.replace(key, "[key]")) if key else error
