"""OpenAICompatibleModel against a server on this machine; the key appears nowhere but on the wire.

Every failure is a typed error that says whether asking again can help, within the time-out.
"""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import FakeClock, MemoryFs, ModelReply, ModelRequest, Ok
from alembic_sim.models import (
    EnvironmentKey,
    OpenAICompatibleModel,
    RecordingModel,
    RetryingModel,
)
from alembic_sim.models.chat_completions import HttpAnswer
from alembic_sim.models.openai_compatible import MAX_RESPONSE_BYTES, _redacted
from alembic_sim.ports.model import ModelIdentity
from tests.meddled_fs import Unspeakable
from tests.models.loopback import Loopback, loopback

ASKED = ModelRequest("rules", "question")
KEY = "sk-test/0123456789abcdef"


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


def model_that(does: str, server: Loopback, **settings: object) -> OpenAICompatibleModel:
    given_settings = {"monotonic": time.monotonic, "timeout_ms": 5_000, **settings}
    return OpenAICompatibleModel(server.url, does, **given_settings)


def test_it_answers(server: Loopback) -> None:
    answer = model_that("echo", server, api_key=lambda: KEY).run(ASKED)
    assert answer == Ok(ModelReply("You said: question"))
    path, headers, body = server.asked[-1]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Accept-Encoding"] == "identity", "a compressed body would get past the cap"
    assert [message["content"] for message in json.loads(body)["messages"]] == ["rules", "question"]


def test_a_slash_at_the_end_of_the_address_makes_no_difference(server: Loopback) -> None:
    model = OpenAICompatibleModel(f"{server.url}/", "echo", monotonic=time.monotonic)
    assert model.run(ASKED).ok
    assert server.asked[-1][0] == "/v1/chat/completions"


def test_without_a_key_none_is_sent(server: Loopback) -> None:
    assert model_that("echo", server).run(ASKED).ok
    assert "Authorization" not in server.asked[-1][1]


@pytest.mark.parametrize(
    ("does", "code", "retryable"),
    [
        ("throttle", "throttled", True),
        ("unavailable", "server-error", True),
        ("bad-request", "refused", False),
        ("denied", "denied", False),
        ("not-found", "not-found", False),
        ("redirect", "redirected", False),
        ("break-off", "unreachable", True),
        ("hang-up", "unreachable", True),
        ("no-http", "unreachable", True),
        ("endless", "too-large", False),
        ("gzip", "bad-reply", False),
        ("not-json", "bad-reply", False),
        ("not-utf8", "bad-reply", False),
        ("wrong-shape", "bad-reply", False),
    ],
)
def test_every_way_to_fail_is_a_typed_error(
    does: str, code: str, retryable: bool, server: Loopback
) -> None:
    error = model_that(does, server).run(ASKED).error
    assert (error.code, error.retryable) == (code, retryable), error
    assert error.message


def test_a_redirect_is_not_followed(server: Loopback) -> None:
    before = len(server.asked)
    model_that("redirect", server, api_key=lambda: KEY).run(ASKED)
    assert [path for path, *_ in server.asked[before:]] == ["/v1/chat/completions"]


def test_retry_after_is_told_and_a_retry_around_it_waits_for_it(server: Loopback) -> None:
    throttled, clock = model_that("throttle", server), FakeClock(0)
    error = throttled.run(ASKED).error
    assert (error.retry_after_ms, error.message) == (2_000, "HTTP 429: 'slow down'")
    RetryingModel(throttled, sleep=clock.sleep, attempts=2).run(ASKED)
    assert clock() == 2_000


def test_a_retry_after_date_is_read_against_the_servers_own(server: Loopback) -> None:
    wait_ms = model_that("unavailable", server).run(ASKED).error.retry_after_ms
    assert wait_ms is not None
    assert wait_ms > 10**11, "decades"


@pytest.mark.parametrize("does", ["stall", "drip", "drip-headers", "endless-processing"])
def test_neither_silence_nor_a_drip_outlasts_the_time_out(does: str, server: Loopback) -> None:
    started = time.monotonic()
    error = model_that(does, server, timeout_ms=150).run(ASKED).error
    assert (error.code, error.retryable) == ("timeout", True)
    assert "0.15 s" in error.message
    assert time.monotonic() - started < 3


def test_an_endless_body_is_cut_at_the_cap(server: Loopback) -> None:
    assert str(MAX_RESPONSE_BYTES) in model_that("endless", server).run(ASKED).error.message


def test_nobody_there_is_unreachable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    error = OpenAICompatibleModel(url, "echo", monotonic=time.monotonic).run(ASKED).error
    assert (error.code, error.retryable) == ("unreachable", True)
    assert "127.0.0.1" in error.message


# the environment


def test_proxies_and_netrc_of_the_environment_are_not_asked(
    server: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password mine\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    assert model_that("echo", server, api_key=lambda: KEY).run(ASKED).ok
    assert server.asked[-1][1]["Authorization"] == f"Bearer {KEY}"


# the key


def test_the_key_is_read_at_each_call_by_its_name(server: Loopback) -> None:
    environ: dict[str, str] = {}
    model = model_that("echo", server, api_key=EnvironmentKey(environ, "MODEL_KEY"))
    error = model.run(ASKED).error
    assert error.code == "no-key"
    assert "MODEL_KEY" in error.message
    for key in ("the-first-key", "the-second-key"):
        environ["MODEL_KEY"] = key
        assert model.run(ASKED).ok
        assert server.asked[-1][1]["Authorization"] == f"Bearer {key}"


def test_a_key_that_the_service_repeats_is_in_neither_reply_nor_error(server: Loopback) -> None:
    for does in ("repeat-key", "repeat-key-escaped"):
        replied = model_that(does, server, api_key=lambda: KEY).run(ASKED)
        assert replied == Ok(ModelReply("Your header: Bearer [key]"))
    for key in (KEY, "tiny"):
        denied = model_that("deny-naming-key", server, api_key=lambda key=key: key).run(ASKED).error
        assert denied.message == "HTTP 401: 'bad key: Bearer [key]'"


def test_a_key_that_comes_back_in_json_escapes_is_in_neither_reply_nor_error_nor_cassette(
    server: Loopback,
) -> None:
    """Each character as `\\u0073`, in the body and in JSON within it; no half of a key either."""
    disk = MemoryFs()

    def told(does: str) -> str:
        model = RecordingModel(model_that(does, server, api_key=lambda: KEY), disk, f"{does}.jsonl")
        answer = model.run(ASKED)
        return answer.value.text if answer.ok else answer.error.message

    assert told("repeat-key-in-escapes") == "Your header: Bearer [key]"
    assert "[key]" in told("repeat-key-in-a-proposal")
    assert told("repeat-key-in-escaped-escapes").endswith("[key]"), "searched once more when parsed"
    assert "Bearer [key]" in told("deny-naming-key-in-escapes")
    assert "twice" in told("nonsense-naming-key-in-escapes")
    recorded = b"".join(disk.files().values()).decode("utf-8")
    assert recorded.count("[key]") >= 4
    assert not [sign for sign in ("sk-test", "u0073", "u006b") if sign in recorded]


def test_a_body_of_nothing_but_backslashes_is_searched_for_the_key_in_no_time() -> None:
    started = time.process_time()
    answer = HttpAnswer(200, b"\\" * 1_000_000)
    assert _redacted(answer, KEY) == answer
    assert _redacted(answer, f"/{KEY}") == answer
    assert time.process_time() - started < 5


def test_a_greeting_that_is_no_http_is_told_shortened_and_without_the_key(server: Loopback) -> None:
    error = model_that("no-http", server, api_key=lambda: KEY).run(ASKED).error
    assert "mail.example Bearer [key] x" in error.message
    assert len(error.message) < 300
    long_key = "sk-" + "a" * 300
    error = model_that("no-http", server, api_key=lambda: long_key).run(ASKED).error
    assert "sk-" not in error.message, "shortening must not leave half of a key"


def test_a_placeholder_of_a_key_does_not_spoil_replies(server: Loopback) -> None:
    """Local servers want any key at all: `ollama` must stay a word that a model may say."""
    model = model_that("echo", server, api_key=lambda: "ollama")
    assert model.run(ModelRequest("", "ollama")).value.text == "You said: ollama"


def test_the_key_is_in_no_representation_nor_log_nor_attribute(
    server: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    key = EnvironmentKey({"MODEL_KEY": KEY}, "MODEL_KEY")
    model = model_that("echo", server, api_key=key)
    with caplog.at_level(logging.DEBUG):
        assert model.run(ASKED).ok
    assert caplog.records, "httpx logs something at this level"
    assert KEY not in caplog.text
    assert KEY not in f"{model!r} {model.identity} {key!r} {vars(model)}"
    assert repr(model) == f"OpenAICompatibleModel('{server.url}/chat/completions', 'echo')"


@pytest.mark.parametrize(
    "key", ["", None, 5, b"bytes", "new\nline", "two words", "clé", "a\x7f", 'a"b', "a'b", "a\\b"]
)
def test_a_key_that_no_header_may_hold_is_refused_unrepeated(key: object, server: Loopback) -> None:
    before = len(server.asked)
    error = model_that("echo", server, api_key=lambda: key).run(ASKED).error
    assert (error.code, error.retryable) == ("no-key", False)
    assert not key or str(key) not in error.message
    assert len(server.asked) == before


@pytest.mark.parametrize("raised", [RuntimeError(KEY), KeyError(KEY), Unspeakable()])
def test_a_key_that_cannot_be_had_is_an_error_that_does_not_repeat_it(
    raised: Exception, server: Loopback
) -> None:
    def api_key() -> str:
        raise raised

    error = model_that("echo", server, api_key=api_key).run(ASKED).error
    assert (error.code, error.message) == ("no-key", f"api_key raised {type(raised).__name__}")


# what it is built with


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "localhost:11434/v1",
        "ftp://127.0.0.1/v1",
        "http://",
        "http:///v1",
        "http://[::1/v1",
        "http://127.0.0.1:port/v1",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:65536/v1",
        "http://127.0.0.1:0/v1",
        "http://a\nb/",
        "http://" + "a" * 100_000,
        None,
        5,
        b"http://127.0.0.1/v1",
    ],
)
def test_what_is_no_address_is_refused(base_url: object) -> None:
    with pytest.raises(ValueError, match="base_url"):
        OpenAICompatibleModel(base_url, "small", monotonic=time.monotonic)


@pytest.mark.parametrize(
    "base_url",
    [
        f"https://{KEY[:7]}@api.example/v1",
        f"https://user:{KEY[:7]}@api.example/v1",
        f"https://api.example/v1?key={KEY}",
        f"https://api.example/v1#{KEY}",
    ],
)
def test_an_address_that_may_hold_a_key_is_refused_unrepeated(base_url: str) -> None:
    with pytest.raises(ValueError, match="api_key") as refused:
        OpenAICompatibleModel(base_url, "small", monotonic=time.monotonic)
    assert "sk-test" not in str(refused.value)


@pytest.mark.parametrize(
    ("base_url", "allowed"),
    [
        ("https://api.example/v1", True),
        ("http://localhost:1/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://api.example/v1", False),
        ("http://localhost.example/v1", False),
    ],
)
def test_a_key_goes_over_plain_http_to_this_machine_only(base_url: str, allowed: bool) -> None:
    def build(**key: object) -> OpenAICompatibleModel:
        return OpenAICompatibleModel(base_url, "small", monotonic=time.monotonic, **key)

    assert build().identity.model_id == "small", "without a key any address will do"
    if allowed:
        assert build(api_key=lambda: KEY).identity.model_id == "small"
    else:
        with pytest.raises(ValueError, match="https only"):
            build(api_key=lambda: KEY)


@pytest.mark.parametrize("timeout_ms", [0, -1, 1.5, None, 2**31, 10**400])
def test_an_impossible_time_out_is_refused(timeout_ms: object, server: Loopback) -> None:
    with pytest.raises(ValueError, match="timeout_ms"):
        model_that("echo", server, timeout_ms=timeout_ms)


def test_its_identity_tells_where_it_runs_unless_it_is_given_a_name(server: Loopback) -> None:
    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert model_that("echo", server).identity == ModelIdentity(f"openai-compatible@{host}", "echo")
    named = model_that("echo", server, adapter_id="local")
    assert named.identity == ModelIdentity("local", "echo")


@pytest.mark.parametrize("model_id", ["", None, 5, "\ud800"])
def test_a_model_needs_a_name(model_id: object, server: Loopback) -> None:
    with pytest.raises(ValueError, match="model_id"):
        OpenAICompatibleModel(server.url, model_id, monotonic=time.monotonic)


def test_without_httpx_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ValueError, match=r"pip install 'alembic-sim\[model\]'"):
        OpenAICompatibleModel("http://localhost/v1", "small", monotonic=time.monotonic)


def test_importing_every_model_loads_no_httpx_and_opens_no_socket() -> None:
    code = (
        "import sys; events = []\n"
        "sys.addaudithook(lambda name, _: events.append(name) if name.startswith('socket') "
        "else None)\n"
        "from alembic_sim.models import *\n"
        "import alembic_sim.models.openai_compatible\n"
        "print('httpx' in sys.modules, events)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "False []"


# whatever comes in


@pytest.mark.parametrize(
    "request_", [None, "text", ModelRequest(5, "x"), ModelRequest("\ud800", "")]
)
def test_what_cannot_be_sent_is_refused_before_the_key_is_asked_for(
    request_: object, server: Loopback
) -> None:
    asked: list[int] = []
    model = model_that("echo", server, api_key=lambda: asked.append(1) or KEY)
    assert model.run(request_).error.code == "bad-request"
    assert asked == []


def test_a_monotonic_time_that_raises_is_an_error_value(server: Loopback) -> None:
    def broken() -> float:
        raise RuntimeError(KEY)

    error = model_that("echo", server, monotonic=broken).run(ASKED).error
    assert (error.code, error.message) == ("raised", "the request raised RuntimeError")


@given(prompt=st.text(max_size=40) | st.text("\ud800\0\r\u2028🙂", max_size=4))
@settings(max_examples=30)
def test_any_text_comes_back_as_it_was_sent_or_is_refused(server: Loopback, prompt: str) -> None:
    answer = model_that("echo", server).run(ModelRequest("rules", prompt))
    if any("\ud800" <= character <= "\udfff" for character in prompt):
        assert answer.error.code == "bad-request"
    else:
        assert answer == Ok(ModelReply(f"You said: {prompt}"))


@given(st.text(max_size=60))
def test_any_text_for_an_address_is_used_or_refused(base_url: str) -> None:
    with suppress(ValueError):
        OpenAICompatibleModel(f"http://{base_url}", "small", monotonic=time.monotonic)
