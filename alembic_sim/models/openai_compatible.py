"""OpenAICompatibleModel: a real model behind any OpenAI-compatible chat-completions endpoint.

Over httpx, the extra `[model]`, not over the `openai` package: the format is one POST; httpx is a
requirement of JupyterLab already, so the extra adds nothing to a lesson's install, whereas
`openai` adds five more packages and a retry, a time-out and an environment of its own, where a
lesson wants to see ours. httpx is imported when a model is built, never with this module. The
POST itself goes through httpcore, the half of httpx that holds the connections: only there can one
deadline cover the headers too.

The environment is not asked: no proxy, no `.netrc` (which would replace the key), no certificate
folder from there (`trust_env=False`). Redirects are not followed. Both would carry the key away.
"""

from __future__ import annotations

import re
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
LONGEST_TIMEOUT_MS = 2**31 - 1
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
    `monotonic` gives seconds that only grow (`time.monotonic`): by them no request lasts longer
    than `timeout_ms`, from the connection to the last byte, also if header or reply drip in byte by
    byte. Two steps are the operating system's, and may take longer: looking up the host's name, and
    trying its addresses, each of which gets `timeout_ms`. The reply may hold up to 4 MiB.
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
        if whole_number("timeout_ms", timeout_ms, 1) > LONGEST_TIMEOUT_MS:
            raise ValueError(f"timeout_ms: {shorten(timeout_ms)} is more than a socket can wait")
        self._timeout_s = timeout_ms / 1_000
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
        if not read.ok:
            return Err(replace(read.error, message=_without_key(read.error.message, key.value)))
        if len(key.value) < SHORTEST_SECRET:
            return read
        return Ok(replace(read.value, text=_without_key(read.value.text, key.value)))

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
        """The response, whatever its status; httpcore's exceptions become values here."""
        import httpcore
        import httpx

        from alembic_sim.models.deadline import Deadline, DeadlineBackend

        try:
            backend = DeadlineBackend(Deadline(self._monotonic, self._timeout_s))
            https = self._url.scheme == "https"
            trusted = httpx.create_ssl_context(trust_env=False) if https else None
            with (
                httpcore.ConnectionPool(ssl_context=trusted, network_backend=backend) as pool,
                pool.stream("POST", str(self._url), content=body, headers=_headers(key)) as got,
            ):
                received = bytearray()
                for chunk in got.iter_stream():
                    received += chunk
                    if len(received) > MAX_RESPONSE_BYTES:
                        why = f"the response holds more than {MAX_RESPONSE_BYTES} bytes"
                        return Err(ModelError("too-large", why))
                told = httpx.Headers(got.headers)
                wait_ms = retry_after_ms(told.get("retry-after"), told.get("date"))
                return Ok(HttpAnswer(got.status, bytes(received), wait_ms))
        except httpcore.TimeoutException:
            why = f"no complete reply within {self._timeout_s:g} s"
            return Err(ModelError("timeout", why, retryable=True))
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:  # refused, reset, no HTTP
            said = shorten(_without_key(str(error), key), 200)
            why = f"{self._url.host}: {type(error).__name__}: {said}"
            return Err(ModelError("unreachable", why, retryable=True))
        except Exception as error:  # a user's monotonic; what httpcore adds in a later version
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
    possible = url.port is None or 0 < url.port < 65_536  # httpx takes any number for one
    if url.scheme not in ("http", "https") or not url.host or not possible:
        raise ValueError("base_url: not an http or https address such as http://localhost:11434/v1")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("base_url: holds a user, a query or a fragment; a key goes into api_key")
    if has_key and url.scheme == "http" and url.host not in LOOPBACK:
        raise ValueError("base_url: a key goes over https only, but to this machine itself")
    return url.copy_with(path=f"{url.path.rstrip('/')}/chat/completions")


def _headers(key: str) -> list[tuple[bytes | str, bytes | str]]:
    """Identity encoding: a compressed body could be far larger than what the cap sees."""
    headers: list[tuple[bytes | str, bytes | str]] = [
        ("Accept-Encoding", "identity"),
        ("Content-Type", "application/json"),
        ("User-Agent", "alembic-sim"),
    ]
    return [*headers, ("Authorization", f"Bearer {key}")] if key else headers


def _redacted(answer: HttpAnswer, key: str) -> HttpAnswer:
    """The answer without the key, in case the service repeats it."""
    if len(key) < SHORTEST_SECRET:
        return answer
    body = re.sub(_spellings(key).encode("ascii"), b"[key]", answer.body)
    return replace(answer, body=body)


def _without_key(text: str, key: str) -> str:
    return re.sub(_spellings(key), "[key]", text) if key else text


def _spellings(key: str) -> str:
    """A pattern for every way in which JSON, or JSON within JSON, may write the key.

    Any character may be an escape (`\\u0073` for s) and a slash may have backslashes before it. The
    body is searched as it came, for what is wrong with it is told shortened, and the reply once
    more when it is parsed: only then are all escapes of the outer JSON gone. Eight backslashes are
    four JSON texts within each other; without a bound, a body of backslashes would take for ever.
    """
    escaped = (rf"\\{{1,8}}u00{_either_case(f'{ord(sign):02x}')}" for sign in key)
    pairs = zip(key, escaped, strict=True)
    return "".join(f"(?:{_literal(sign)}|{other})" for sign, other in pairs)


def _literal(sign: str) -> str:
    return r"\\{0,8}/" if sign == "/" else re.escape(sign)


def _either_case(digits: str) -> str:
    return "".join(f"[{digit}{digit.upper()}]" for digit in digits)
