"""MeteredModel: what counts, when it stops, and that it says with which numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import FakeClock, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models import MeteredModel, RetryingModel, Spent

ASKED = ModelRequest("rules", "question")  # 5 + 8 characters
BUSY = ModelError("busy", "try later", retryable=True)


def metered(script: object, calls: int = 10, chars: int = 1_000) -> tuple[MeteredModel, FakeModel]:
    inner = FakeModel(script)
    return MeteredModel(inner, max_calls=calls, max_chars=chars), inner


def test_a_call_costs_one_call_and_the_characters_of_both_prompts_and_the_reply() -> None:
    model, _ = metered(["yes!"])
    assert model.run(ASKED) == Ok(ModelReply("yes!"))
    assert model.spent == Spent(calls=1, chars=17)


def test_characters_are_code_points_not_bytes() -> None:
    model, _ = metered(["🙂"])
    model.run(ModelRequest("", "§é"))
    assert model.spent.chars == 3


def test_a_failed_call_counts_too_for_what_was_asked() -> None:
    model, _ = metered([BUSY])
    model.run(ASKED)
    assert model.spent == Spent(calls=1, chars=13)


def test_the_call_after_the_last_is_refused_with_the_numbers_and_not_made() -> None:
    model, inner = metered(["a", "b", "c"], calls=2)
    assert [model.run(ASKED).ok for _ in range(3)] == [True, True, False]
    error = model.run(ASKED).error
    assert (error.code, error.retryable) == ("calls-used-up", False)
    assert error.message == "2 of 2 calls are spent; this call needs 1 more"
    assert len(inner.calls) == 2


@pytest.mark.parametrize(("limit", "asked"), [(13, 1), (12, 0)])
def test_a_request_that_just_fits_is_made_one_character_more_is_not(limit: int, asked: int) -> None:
    model, inner = metered([BUSY], chars=limit)
    model.run(ASKED)
    assert len(inner.calls) == asked


def test_the_last_reply_may_overdraw_and_is_still_handed_over() -> None:
    model, _ = metered(["x" * 50], chars=20)
    assert model.run(ASKED).ok
    assert model.spent == Spent(1, 63)
    error = model.run(ASKED).error
    assert error.code == "chars-used-up"
    assert error.message == "63 of 20 chars are spent; this call needs 13 more"


def test_a_refused_call_costs_nothing() -> None:
    model, _ = metered([], calls=0)
    model.run(ASKED)
    assert model.spent == Spent(0, 0)


def test_inside_a_retry_it_counts_every_attempt_around_it_only_the_request() -> None:
    inside, _ = metered([BUSY, BUSY, "yes"])
    RetryingModel(inside, sleep=FakeClock().sleep).run(ASKED)
    assert inside.spent.calls == 3
    retrying = RetryingModel(FakeModel([BUSY, BUSY, "yes"]), sleep=FakeClock().sleep)
    around = MeteredModel(retrying, max_calls=10, max_chars=1_000)
    around.run(ASKED)
    assert around.spent.calls == 1


@pytest.mark.parametrize("request_", [None, "text", ModelRequest(None, "x"), ModelRequest("x", 5)])
def test_what_is_no_request_is_refused_and_costs_nothing(request_: object) -> None:
    model, inner = metered(["yes"])
    assert model.run(request_).error.code == "bad-request"
    assert (model.spent, inner.calls) == (Spent(), [])


def test_who_answers_stays_who_answers() -> None:
    model, inner = metered([])
    assert model.identity == inner.identity


@pytest.mark.parametrize("budgets", [{"max_calls": -1}, {"max_chars": 1.5}, {"max_chars": None}])
def test_impossible_budgets_are_refused_by_name(budgets: dict[str, object]) -> None:
    [name] = budgets
    with pytest.raises(ValueError, match=name):
        MeteredModel(FakeModel([]), **{"max_calls": 1, "max_chars": 1, **budgets})


@given(
    st.lists(st.text(max_size=9) | st.just(BUSY), max_size=9), st.integers(0, 9), st.integers(0, 60)
)
def test_calls_never_exceed_their_budget_and_only_the_last_reply_exceeds_the_other(
    script: list[object], calls: int, chars: int
) -> None:
    model, inner = metered(script, calls, chars)
    for _ in range(12):
        before = model.spent
        answer = model.run(ASKED)
        assert model.spent.calls == len(inner.calls) <= calls
        if len(inner.calls) == before.calls:
            assert model.spent == before, "refused: nothing is spent"
        else:
            reply = len(answer.value.text) if answer.ok else 0
            assert model.spent.chars == before.chars + 13 + reply
            assert before.chars + 13 <= chars
