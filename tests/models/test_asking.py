"""ask_model and the checks: whatever a user's adapter does or is, an error says so."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeClock, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models import (
    BreakerModel,
    MeteredModel,
    MisbehavingModel,
    QuorumModel,
    RetryingModel,
)
from alembic_sim.models.asking import ask_model
from alembic_sim.models.checks import check_request, identity_of
from alembic_sim.ports.model import ModelIdentity
from tests.meddled_fs import Incomparable, Liar

ASKED = ModelRequest("rules", "question")
WEIRD = st.sampled_from([None, 5, "text", b"x", float("nan"), Liar(), Incomparable(), 10**5000])


class Answering:
    """An adapter that returns whatever it is told to."""

    identity = ModelIdentity("test", "answering")

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def run(self, _request: ModelRequest) -> object:
        return self.answer


@pytest.mark.parametrize("answer", [Ok(ModelReply("yes")), Err(ModelError("a", "b", True, 5))])
def test_a_promise_kept_is_passed_on_as_it_is(answer: object) -> None:
    assert ask_model(Answering(answer), ASKED) == answer


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("raises", "raised"),
        ("wrong-type", "bad-port"),
        ("nothing", "bad-port"),
        ("not-text", "bad-port"),
    ],
)
def test_a_promise_broken_is_an_error_that_is_not_retryable(name: str, code: str) -> None:
    error = ask_model(MisbehavingModel(name), ASKED).error
    assert (error.code, error.retryable) == (code, False)
    assert "run" in error.message, "it names the method that broke it"


@dataclass
class TheirError:
    """Another's error value: it has a code and a message, and that is all that is asked."""

    code: object
    message: object
    retryable: object = True
    retry_after_ms: object = None


def test_an_error_of_another_type_becomes_a_model_error() -> None:
    error = ask_model(Answering(Err(TheirError("slow", "wait", True, 7))), ASKED).error
    assert error == ModelError("slow", "wait", True, 7)


@pytest.mark.parametrize("wait_ms", ["5", -1, 2**53, float("nan"), Liar()])
def test_a_wait_that_is_no_time_is_none(wait_ms: object) -> None:
    error = ask_model(Answering(Err(ModelError("a", "b", True, wait_ms))), ASKED).error
    assert error == ModelError("a", "b", True, None)


def test_only_true_is_retryable() -> None:
    assert ask_model(Answering(Err(ModelError("a", "b", "yes"))), ASKED).error.retryable is False


@given(st.builds(TheirError, WEIRD, WEIRD, WEIRD, WEIRD).map(Err) | WEIRD | WEIRD.map(Ok))
def test_every_combinator_answers_with_a_value_whatever_the_adapter_answers(answer: object) -> None:
    inner, clock = Answering(answer), FakeClock(0)
    for model in (
        RetryingModel(inner, sleep=clock.sleep),
        BreakerModel(inner, clock=clock),
        MeteredModel(inner, max_calls=5, max_chars=1_000),
        QuorumModel([inner]),
    ):
        error = model.run(ASKED).error
        assert isinstance(error, ModelError)
        assert isinstance(error.code, str)
        assert isinstance(error.message, str)


@pytest.mark.parametrize("request_", [None, {}, ModelRequest(1, ""), ModelRequest("", b"")])
def test_a_request_needs_two_texts(request_: object) -> None:
    assert check_request(request_).error.code == "bad-request"
    assert check_request(ASKED) == Ok(ASKED)


class Broken:
    """Something with an identity that cannot even be asked for."""

    run = print

    @property
    def identity(self) -> ModelIdentity:
        raise RuntimeError("no name")


@dataclass
class Named:
    """Something with an identity, but nothing to run."""

    identity: object
    run: object = print


@pytest.mark.parametrize(
    "model",
    [
        None,
        "gpt",
        Broken(),
        Named("me"),
        Named(ModelIdentity(1, "x")),
        Named(ModelIdentity("x", "y"), run=None),
    ],
)
def test_what_is_no_adapter_is_refused_when_the_combinator_is_built(model: object) -> None:
    for build in (
        identity_of,
        lambda inner: RetryingModel(inner, sleep=print),
        lambda inner: BreakerModel(inner, clock=FakeClock()),
        lambda inner: MeteredModel(inner, max_calls=1, max_chars=1),
        lambda inner: QuorumModel([inner]),
    ):
        with pytest.raises(ValueError, match="not a model adapter"):
            build(model)


def test_combinators_nest_in_any_order() -> None:
    clock, busy = FakeClock(0), ModelError("busy", "later", retryable=True)
    inner = FakeModel([busy, "yes"])
    metered = MeteredModel(inner, max_calls=5, max_chars=1_000)
    model = RetryingModel(BreakerModel(metered, clock=clock), sleep=clock.sleep)
    assert model.run(ASKED) == Ok(ModelReply("yes"))
    assert (model.identity, metered.spent.calls, clock()) == (inner.identity, 2, 500)
