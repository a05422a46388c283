"""The chat-completions format: what is sent, and what each status and body means."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models.chat_completions import HttpAnswer, chat_body, read_answer


def completion(content: object = "yes", finish_reason: object = "stop") -> bytes:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    return json.dumps({"id": "1", "choices": [choice], "usage": {"total_tokens": 3}}).encode()


def test_a_request_is_a_system_and_a_user_message() -> None:
    body = json.loads(chat_body("small", ModelRequest("rules", "quéstion")).value)
    assert body == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "rules"},
            {"role": "user", "content": "quéstion"},
        ],
    }


def test_without_rules_there_is_no_system_message() -> None:
    body = json.loads(chat_body("small", ModelRequest("", "question")).value)
    assert [message["role"] for message in body["messages"]] == ["user"]


@pytest.mark.parametrize("request_", [ModelRequest("\ud800", "x"), ModelRequest("x", "\udfff")])
def test_half_a_character_cannot_be_sent(request_: ModelRequest) -> None:
    error = chat_body("small", request_).error
    assert (error.code, error.retryable) == ("bad-request", False)
    assert "lone surrogate" in error.message


@pytest.mark.parametrize("text", ["yes", "", " \r\n", "\u2028§🙂\0", "```json\n[]\n```"])
def test_the_reply_is_the_text_exactly_as_it_came(text: str) -> None:
    assert read_answer(HttpAnswer(200, completion(text))) == Ok(ModelReply(text))


def test_of_several_choices_the_first_is_the_reply() -> None:
    body = b'{"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]}'
    assert read_answer(HttpAnswer(200, body)) == Ok(ModelReply("a"))


@pytest.mark.parametrize(
    ("finish_reason", "code"), [("length", "cut-off"), ("content_filter", "filtered")]
)
def test_a_reply_that_is_not_whole_is_no_reply(finish_reason: str, code: str) -> None:
    error = read_answer(HttpAnswer(200, completion("half a", finish_reason))).error
    assert (error.code, error.retryable) == (code, False)


@pytest.mark.parametrize(
    ("body", "piece"),
    [
        (b"", "not strict JSON"),
        (b"<html>Bad gateway</html>", "not strict JSON"),
        (b'{"choices": [', "breaks off"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "array"),
        (b"null", "null"),
        (b'"yes"', "text"),
        (b"{}", "no text in choices"),
        (b'{"choices": []}', "no text in choices"),
        (b'{"choices": "yes"}', "no text in choices"),
        (b'{"choices": [{"text": "yes"}]}', "no text in choices"),
        (b'{"choices": [{"message": {"content": null}}]}', "no text in choices"),
        (b'{"choices": [{"message": {"content": ["yes"]}}]}', "no text in choices"),
        (b'{"error": {"message": "overloaded"}}', "overloaded"),
        (b'{"choices": [{"message": {"content": "\\ud800"}}]}', "lone surrogate"),
        (b'{"choices": [], "choices": [{"message": {"content": "x"}}]}', "twice"),
        (b"[" * 100_000, "deep"),
    ],
)
def test_a_body_that_is_nonsense_is_a_bad_reply_that_says_why(body: bytes, piece: str) -> None:
    error = read_answer(HttpAnswer(200, body)).error
    assert (error.code, error.retryable) == ("bad-reply", False)
    assert piece in error.message


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (201, "refused", False),
        (204, "refused", False),
        (300, "redirected", False),
        (301, "redirected", False),
        (307, "redirected", False),
        (400, "refused", False),
        (401, "denied", False),
        (403, "denied", False),
        (404, "not-found", False),
        (408, "timeout", True),
        (422, "refused", False),
        (425, "timeout", True),
        (429, "throttled", True),
        (500, "server-error", True),
        (503, "server-error", True),
        (599, "server-error", True),
    ],
)
def test_every_status_has_its_code(status: int, code: str, retryable: bool) -> None:
    error = read_answer(HttpAnswer(status, completion())).error
    assert (error.code, error.retryable) == (code, retryable)
    assert error.message == f"HTTP {status}"


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_a_busy_server_asks_for_is_told(status: int) -> None:
    assert read_answer(HttpAnswer(status, b"", 2_000)).error.retry_after_ms == 2_000


def test_a_wait_is_not_told_where_waiting_is_no_use() -> None:
    assert read_answer(HttpAnswer(401, b"", 2_000)).error.retry_after_ms is None


@pytest.mark.parametrize(
    "body", [b'{"error": {"message": "no such model", "type": "x"}}', b'{"error": "no such model"}']
)
def test_what_the_service_says_is_wrong_is_told(body: bytes) -> None:
    assert read_answer(HttpAnswer(404, body)) == Err(
        ModelError("not-found", "HTTP 404: 'no such model'")
    )


@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b'{"error": 5}', b'{"error": {}}'])
def test_an_error_body_that_says_nothing_is_left_out(body: bytes) -> None:
    assert read_answer(HttpAnswer(404, body)).error.message == "HTTP 404"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "finish_reason"]), inner
        )
    ),
    max_leaves=12,
)
BODIES = st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode())


@given(st.integers(0, 1_000), BODIES)
def test_any_status_with_any_body_is_a_reply_or_a_short_typed_error(
    status: int, body: bytes
) -> None:
    answer = read_answer(HttpAnswer(status, body))
    if answer.ok:
        assert status == 200
        assert isinstance(answer.value.text, str)
    else:
        assert isinstance(answer.error, ModelError)
        assert len(answer.error.message) < 500


@given(st.text(), st.text())
def test_any_texts_can_be_sent_or_are_a_bad_request(system: str, prompt: str) -> None:
    body = chat_body("small", ModelRequest(system, prompt))
    if body.ok:
        assert json.loads(body.value)["messages"][-1]["content"] == prompt
