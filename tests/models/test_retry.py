"""RetryingModel: it asks again where that can help, waits as stated, and obeys Retry-After."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeClock, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models import MisbehavingModel, RetryingModel
from tests.meddled_fs import Unspeakable

ASKED = ModelRequest("rules", "question")
BUSY = ModelError("busy", "try later", retryable=True)
BAD = ModelError("denied", "HTTP 401")


def retrying(script: list[object], **settings: int) -> tuple[RetryingModel, FakeModel, list[int]]:
    model, waits = FakeModel(script), []
    return RetryingModel(model, sleep=waits.append, **settings), model, waits


def test_a_reply_at_once_costs_one_call_and_no_wait() -> None:
    model, inner, waits = retrying(["yes"])
    assert model.run(ASKED) == Ok(ModelReply("yes"))
    assert (len(inner.calls), waits) == (1, [])


def test_two_failures_and_a_reply_are_a_reply() -> None:
    model, inner, waits = retrying([BUSY, BUSY, "yes"])
    assert model.run(ASKED) == Ok(ModelReply("yes"))
    assert (inner.calls, waits) == ([ASKED] * 3, [500, 1_000])


def test_the_last_error_comes_back_when_the_attempts_are_used_up_without_a_last_wait() -> None:
    last = ModelError("busy", "the third", retryable=True)
    model, inner, waits = retrying([BUSY, BUSY, last, "never asked"])
    assert model.run(ASKED) == Err(last)
    assert (len(inner.calls), waits) == (3, [500, 1_000])


def test_an_error_that_is_not_retryable_is_not_asked_again() -> None:
    model, inner, waits = retrying([BUSY, BAD, "never asked"])
    assert model.run(ASKED) == Err(BAD)
    assert (len(inner.calls), waits) == (2, [500])


def test_waits_double_up_to_the_cap() -> None:
    model, _, waits = retrying([BUSY] * 7, attempts=7, base_ms=100, cap_ms=1_000)
    model.run(ASKED)
    assert waits == [100, 200, 400, 800, 1_000, 1_000]


def test_a_server_that_says_when_to_come_back_is_obeyed() -> None:
    patient = ModelError("throttled", "HTTP 429", retryable=True, retry_after_ms=3_000)
    hasty = ModelError("throttled", "HTTP 429", retryable=True, retry_after_ms=1)
    model, _, waits = retrying([patient, hasty, "yes"])
    assert model.run(ASKED).ok
    assert waits == [3_000, 1_000], "never earlier than the backoff"


@pytest.mark.parametrize(("asked_for", "calls"), [(8_000, 2), (8_001, 1)])
def test_one_that_says_later_than_the_cap_is_left_alone(asked_for: int, calls: int) -> None:
    error = ModelError("throttled", "HTTP 429", retryable=True, retry_after_ms=asked_for)
    model, inner, _ = retrying([error, "yes"], cap_ms=8_000)
    assert model.run(ASKED).ok == (calls == 2)
    assert len(inner.calls) == calls


def test_waiting_advances_the_fake_clock() -> None:
    clock = FakeClock(0)
    RetryingModel(FakeModel([BUSY, BUSY, "yes"]), sleep=clock.sleep).run(ASKED)
    assert clock() == 1_500


def test_every_request_has_its_attempts_anew() -> None:
    model, inner, _ = retrying([BUSY, "one", BUSY, "two"], attempts=2)
    assert [model.run(ASKED).value.text for _ in range(2)] == ["one", "two"]
    assert len(inner.calls) == 4


def test_who_answers_stays_who_answers() -> None:
    inner = FakeModel([], adapter_id="local", model_id="small")
    assert RetryingModel(inner, sleep=print).identity == inner.identity


@pytest.mark.parametrize("error", [RuntimeError("no bed"), Unspeakable()])
def test_a_sleep_that_raises_is_an_error_value(error: Exception) -> None:
    def sleep(_ms: int) -> None:
        raise error

    failed = RetryingModel(FakeModel([BUSY, "yes"]), sleep=sleep).run(ASKED).error
    assert failed.code == "bad-sleep"
    assert type(error).__name__ in failed.message


def test_an_adapter_that_raises_is_an_error_value_and_not_asked_again() -> None:
    inner = MisbehavingModel("raises")
    assert RetryingModel(inner, sleep=print).run(ASKED).error.code == "raised"
    assert len(inner.calls) == 1


@pytest.mark.parametrize(
    "settings",
    [{"attempts": 0}, {"attempts": 2.0}, {"attempts": True}, {"base_ms": -1}, {"cap_ms": "8"}],
)
def test_impossible_settings_are_refused_by_name(settings: dict[str, object]) -> None:
    [name] = settings
    with pytest.raises(ValueError, match=name):
        RetryingModel(FakeModel([]), sleep=print, **settings)


@given(
    st.lists(st.sampled_from([BUSY, BAD, "yes"]), max_size=8),
    st.integers(1, 6),
    st.integers(0, 500),
    st.integers(0, 2_000),
)
def test_never_more_calls_than_attempts_nor_waits_beyond_the_cap(
    script: list[object], attempts: int, base_ms: int, cap_ms: int
) -> None:
    model, inner, waits = retrying(script, attempts=attempts, base_ms=base_ms, cap_ms=cap_ms)
    model.run(ASKED)
    assert 1 <= len(inner.calls) <= attempts
    assert len(waits) == len(inner.calls) - 1
    assert waits == sorted(waits)
    assert all(0 <= wait <= cap_ms for wait in waits)
    assert all(failed == BUSY for failed in script[: len(inner.calls) - 1])
