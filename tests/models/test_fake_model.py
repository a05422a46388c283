"""FakeModel: it says what its script says, remembers what it was asked, and never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.ports.model import ModelIdentity
from tests.meddled_fs import Unspeakable

ASKED = ModelRequest("rules", "question")
BUSY = ModelError("busy", "try later", retryable=True)


def test_answers_come_in_the_order_of_the_script() -> None:
    model = FakeModel(["one", BUSY, ModelReply("three")])
    answers = [model.run(ASKED) for _ in range(3)]
    assert answers == [Ok(ModelReply("one")), Err(BUSY), Ok(ModelReply("three"))]


def test_a_script_may_hold_results_themselves() -> None:
    model = FakeModel([Ok(ModelReply("yes")), Err(BUSY)])
    assert [model.run(ASKED), model.run(ASKED)] == [Ok(ModelReply("yes")), Err(BUSY)]


def test_a_used_up_script_is_an_error_that_says_how_long_it_was() -> None:
    model = FakeModel(["one", "two"])
    model.run(ASKED), model.run(ASKED)
    error = model.run(ASKED).error
    assert (error.code, error.retryable) == ("script-exhausted", False)
    assert "2 answers" in error.message


def test_an_empty_script_has_nothing_to_say() -> None:
    assert FakeModel([]).run(ASKED).error.code == "script-exhausted"


def test_a_function_is_asked_with_the_request() -> None:
    model = FakeModel(lambda request: request.prompt.upper())
    assert model.run(ASKED) == Ok(ModelReply("QUESTION"))


def test_every_request_is_remembered_in_order_also_those_that_failed() -> None:
    model = FakeModel([BUSY, "two"])
    requests = [ModelRequest("rules", prompt) for prompt in ("a", "b", "c")]
    for request in requests:
        model.run(request)
    assert model.calls == requests


@pytest.mark.parametrize("error", [RuntimeError("oh"), KeyError("x"), Unspeakable()])
def test_a_script_that_raises_is_an_error_value(error: Exception) -> None:
    def script(_request: ModelRequest) -> str:
        raise error

    failed = FakeModel(script).run(ASKED).error
    assert failed.code == "script-raised"
    assert type(error).__name__ in failed.message


@pytest.mark.parametrize("answer", [None, 5, b"bytes", Ok("text"), Err("text"), {"text": "x"}])
def test_a_script_that_answers_with_anything_else_is_an_error_value(answer: object) -> None:
    assert FakeModel([answer]).run(ASKED).error.code == "bad-script"


@pytest.mark.parametrize("script", ["[]", b"[]", 5, None, map(int, ["one"])])
def test_a_script_that_is_neither_a_list_nor_a_function_is_refused_at_once(script: object) -> None:
    """A text would be read letter by letter: `FakeModel("[]")` is always a mistake."""
    with pytest.raises(ValueError, match="script"):
        FakeModel(script)


def test_two_models_are_the_same_judge_only_under_the_same_identity() -> None:
    assert FakeModel([]).identity == ModelIdentity("fake", "scripted")
    named = FakeModel([], adapter_id="local", model_id="small")
    assert named.identity == ModelIdentity("local", "small") != FakeModel([]).identity


@given(st.lists(st.text() | st.none() | st.integers() | st.binary(), max_size=5), st.integers(0, 7))
def test_whatever_the_script_holds_every_call_gets_a_reply_or_an_error(
    script: list[object], calls: int
) -> None:
    model = FakeModel(script)
    answers = [model.run(ASKED) for _ in range(calls)]
    for given_answer, answer in zip(script, answers, strict=False):
        assert answer.ok == isinstance(given_answer, str)
    assert all(answer.error.code == "script-exhausted" for answer in answers[len(script) :])
    assert len(model.calls) == calls
