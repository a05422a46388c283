"""WrapperBench plays the real wrappers: another retry or breaker, another trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching import WrapperBench
from alembic_sim.teaching.widgets.wrapper_bench import (
    MAX_ATTEMPTS,
    MAX_FAILS,
    WrapperBenchState,
    render_wrapper_bench,
)
from alembic_sim.teaching.widgets.wrapper_trace import (
    ERRORS,
    EVERY_MS,
    REQUESTS,
    STACKS,
    TICK_MS,
    Event,
    trace_requests,
)
from tests.teaching.svg_reading import all_words

a_stack, an_error = st.sampled_from(list(STACKS)), st.sampled_from(list(ERRORS))
some_fails, some_attempts = st.integers(0, MAX_FAILS), st.integers(1, MAX_ATTEMPTS)


@given(a_stack, an_error, some_fails, some_attempts)
def test_every_request_is_answered_in_turn_and_no_failure_is_counted_twice(
    stack: str, error: str, fails_first: int, attempts: int
) -> None:
    trace = trace_requests(stack, error, fails_first, attempts)
    assert len(trace.requests) == REQUESTS
    last = 0
    for number, one in enumerate(trace.requests):
        assert one.start_ms == max(last, number * EVERY_MS)
        last = one.end_ms
        assert all(one.start_ms <= event.at_ms <= one.end_ms for event in one.events)
        assert one.events, "something was asked, or the breaker said no"
        assert (one.answer == "Ok") == (one.events[-1].kind == "reply")
    kinds = [event.kind for one in trace.requests for event in one.events]
    assert kinds.count("failure") == min(fails_first, trace.calls)
    assert all(at_ms % TICK_MS == 0 for at_ms, _ in trace.states)


@given(an_error, some_fails, some_attempts)
def test_without_a_breaker_the_model_is_asked_each_time(
    error: str, fails_first: int, attempts: int
) -> None:
    for stack in ("the model alone", "retry"):
        trace = trace_requests(stack, error, fails_first, attempts)
        assert trace.states == ()
        assert all(event.kind != "not asked" for one in trace.requests for event in one.events)


def test_the_model_alone_is_asked_once_a_request() -> None:
    trace = trace_requests("the model alone", "busy", 3, 3)
    assert (trace.calls, trace.replies, trace.end_ms) == (6, 3, 10_000)


def test_retry_asks_again_after_half_a_second_and_a_second() -> None:
    first = trace_requests("retry", "busy", 2, 3).requests[0]
    assert first.events == (Event(0, "failure"), Event(500, "failure"), Event(1500, "reply"))


def test_retry_does_not_ask_again_after_a_final_error() -> None:
    trace = trace_requests("retry", "refused", 2, 3)
    assert [one.answer for one in trace.requests[:3]] == ["Err refused", "Err refused", "Ok"]
    assert trace.calls == 6


def test_the_breaker_opens_at_the_third_failure_and_lets_one_through_five_seconds_later() -> None:
    trace = trace_requests("breaker", "busy", 12, 3)
    opened = [(0, "closed"), (4000, "open"), (9000, "half-open"), (10_000, "open")]
    assert list(trace.states) == opened
    assert (trace.calls, trace.opened) == (4, 2)


def test_a_final_error_never_opens_the_breaker() -> None:
    assert trace_requests("breaker", "refused", 12, 3).states == ((0, "closed"),)


def test_the_order_of_the_wrappers_decides_how_many_calls_it_takes_to_open() -> None:
    outside = trace_requests("retry around breaker", "busy", 12, 3)
    inside = trace_requests("breaker around retry", "busy", 12, 3)
    assert outside.states[1] == (1500, "open"), "after one request of three calls"
    assert inside.states[1] == (5500, "open"), "after three requests of three calls"
    assert inside.calls == 9


def test_the_words_and_the_picture_say_the_same_counts() -> None:
    told = WrapperBench("retry around breaker", fails_first=4)
    assert told.summary == (
        "Retry around breaker, the first 4 calls fail (busy): 8 calls, 11.5 s, 4 of 6 Ok. "
        "The breaker opens twice. The answers: Err busy, Err circuit-open, Ok, Ok, Ok, Ok."
    )
    said = all_words(render_wrapper_bench(told.state))
    assert "8 calls reach the model · 4 of 6 requests end in Ok · 11.5 s in all" in said
    assert "half-open" in said


@pytest.mark.parametrize(
    ("stack", "fails_first", "told"),
    [
        ("breaker", 0, "The breaker never opens."),
        ("breaker", 3, "The breaker opens once."),
        ("retry around breaker", 12, "The breaker opens 6 times."),
        ("retry", 0, "6 of 6 Ok. The answers"),
    ],
)
def test_how_often_it_opened_is_told_where_there_is_a_breaker(
    stack: str, fails_first: int, told: str
) -> None:
    assert told in WrapperBench(stack, fails_first).summary


def test_where_there_is_no_breaker_none_is_drawn() -> None:
    assert "half-open" not in all_words(render_wrapper_bench(WrapperBenchState()))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stack", "glue"),
        ("fails_first", MAX_FAILS + 1),
        ("fails_first", True),
        ("attempts", 0),
        ("error", "busy "),
    ],
)
def test_an_impossible_bench_is_refused_by_its_field(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{field}: "):
        WrapperBench().change(**{field: value})
