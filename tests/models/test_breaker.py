"""BreakerModel: closed, open, half-open; what counts as a failure; clocks that misbehave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeClock, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models import BreakerModel, RetryingModel

ASKED = ModelRequest("rules", "question")
BUSY = ModelError("busy", "try later", retryable=True)
BAD = ModelError("denied", "HTTP 401")


def opened(*script: object, **settings: int) -> tuple[BreakerModel, FakeModel, FakeClock]:
    """A breaker that opened after three failures, at time 0."""
    clock, inner = FakeClock(0), FakeModel([BUSY, BUSY, BUSY, *script])
    breaker = BreakerModel(inner, clock=clock, **settings)
    assert [breaker.run(ASKED) for _ in range(3)] == [Err(BUSY)] * 3
    assert breaker.state == "open"
    return breaker, inner, clock


def test_it_starts_closed_and_a_reply_keeps_it_so() -> None:
    breaker = BreakerModel(FakeModel(["yes"]), clock=FakeClock())
    assert (breaker.run(ASKED), breaker.state) == (Ok(ModelReply("yes")), "closed")


def test_the_third_failure_in_a_row_opens_it_and_the_model_is_no_longer_asked() -> None:
    breaker, inner, clock = opened("yes")
    clock.advance(ms=10_000)
    error = breaker.run(ASKED).error
    assert (error.code, error.retryable, error.retry_after_ms) == ("circuit-open", True, 20_000)
    assert "3 failures in a row" in error.message
    assert len(inner.calls) == 3


def test_a_reply_between_failures_starts_the_count_anew() -> None:
    breaker = BreakerModel(FakeModel([BUSY, BUSY, "yes", BUSY, BUSY]), clock=FakeClock())
    for _ in range(5):
        breaker.run(ASKED)
    assert breaker.state == "closed"


def test_an_error_that_is_not_retryable_is_no_failure_of_the_service() -> None:
    breaker = BreakerModel(FakeModel([BUSY, BUSY, BAD, BUSY, BUSY]), clock=FakeClock())
    for _ in range(5):
        breaker.run(ASKED)
    assert breaker.state == "closed"


@pytest.mark.parametrize(("ms", "state"), [(29_999, "open"), (30_000, "half-open")])
def test_the_cool_down_ends_at_its_last_millisecond(ms: int, state: str) -> None:
    breaker, inner, clock = opened("yes")
    clock.advance(ms=ms)
    assert breaker.state == state
    assert breaker.run(ASKED).ok == (state == "half-open")
    assert len(inner.calls) == (4 if state == "half-open" else 3)


@pytest.mark.parametrize("answer", ["yes", BAD])
def test_half_open_one_answer_closes_it(answer: object) -> None:
    breaker, _, clock = opened(answer, BUSY, BUSY)
    clock.advance(ms=30_000)
    breaker.run(ASKED)
    assert breaker.state == "closed"
    breaker.run(ASKED), breaker.run(ASKED)
    assert breaker.state == "closed", "and the count starts anew"


def test_half_open_one_failure_opens_it_for_a_whole_cool_down() -> None:
    breaker, inner, clock = opened(BUSY)
    clock.advance(ms=30_000)
    assert breaker.run(ASKED) == Err(BUSY)
    assert breaker.run(ASKED).error.retry_after_ms == 30_000
    assert len(inner.calls) == 4


def test_the_cool_down_starts_when_the_call_has_failed_not_when_it_was_made() -> None:
    clock = FakeClock(0)

    def slow(_request: ModelRequest) -> ModelError:
        clock.advance(ms=60_000)
        return BUSY

    breaker = BreakerModel(FakeModel(slow), clock=clock, failures=1)
    breaker.run(ASKED)
    assert breaker.run(ASKED).error.retry_after_ms == 30_000


def test_a_clock_turned_back_starts_the_cool_down_anew_and_no_more() -> None:
    breaker, _, clock = opened("yes")
    clock.advance(ms=29_000)
    clock.set("1970-01-01T00:00:00Z")
    assert breaker.state == "open"
    clock.advance(ms=30_000)
    assert breaker.run(ASKED).ok


def test_a_clock_turned_back_by_years_does_not_keep_it_open_for_years() -> None:
    clock, inner = FakeClock("2030-01-01T00:00:00Z"), FakeModel([BUSY, "yes"])
    breaker = BreakerModel(inner, clock=clock, failures=1)
    breaker.run(ASKED)
    clock.set("2025-01-01T00:00:00Z")
    assert breaker.run(ASKED).error.retry_after_ms == 30_000
    clock.advance(ms=30_000)
    assert breaker.run(ASKED).ok


def test_a_retry_around_it_waits_for_a_short_cool_down_and_gives_up_on_a_long_one() -> None:
    for cool_down_ms, asked in ((5_000, 4), (30_000, 3)):
        breaker, inner, clock = opened("yes", cool_down_ms=cool_down_ms)
        patient = RetryingModel(breaker, sleep=clock.sleep, cap_ms=8_000)
        assert patient.run(ASKED).ok == (cool_down_ms == 5_000)
        assert len(inner.calls) == asked


@pytest.mark.parametrize("said", [None, -1, 1.5, True])
def test_a_clock_that_cannot_be_read_is_an_error_and_the_model_is_not_asked(said: object) -> None:
    inner = FakeModel(["yes"])
    breaker = BreakerModel(inner, clock=lambda: said)
    assert breaker.run(ASKED).error.code == "bad-clock"
    assert (inner.calls, breaker.state) == ([], "closed")


def test_a_clock_that_breaks_during_the_call_still_opens_it() -> None:
    times = iter([0, None, None, 29_999, 30_000])
    breaker = BreakerModel(FakeModel([BUSY]), clock=lambda: next(times), failures=1)
    breaker.run(ASKED)
    states = [breaker.state for _ in range(3)]
    assert states == ["open", "open", "half-open"], "unread: open; then from the time before it"


def test_who_answers_stays_who_answers() -> None:
    inner = FakeModel([], adapter_id="local", model_id="small")
    assert BreakerModel(inner, clock=FakeClock()).identity == inner.identity


@pytest.mark.parametrize("settings", [{"failures": 0}, {"cool_down_ms": 0}, {"failures": 1.5}])
def test_impossible_settings_are_refused_by_name(settings: dict[str, object]) -> None:
    [name] = settings
    with pytest.raises(ValueError, match=name):
        BreakerModel(FakeModel([]), clock=FakeClock(), **settings)


@given(
    st.lists(st.tuples(st.sampled_from([BUSY, BAD, "yes"]), st.integers(0, 20)), max_size=30),
    st.integers(1, 4),
    st.integers(1, 30),
)
def test_it_agrees_with_a_breaker_written_as_a_state_machine(
    steps: list[tuple[object, int]], failures: int, cool_down_ms: int
) -> None:
    clock = FakeClock(0)
    answer: list[object] = [None]
    inner = FakeModel(lambda _request: answer[0])
    breaker = BreakerModel(inner, clock=clock, failures=failures, cool_down_ms=cool_down_ms)
    state, count, since, asked = "closed", 0, 0, 0
    for answer[0], ms in steps:
        clock.advance(ms=ms)
        if state == "open" and clock() - since >= cool_down_ms:
            state = "half-open"
        assert breaker.state == state
        breaker.run(ASKED)
        if state != "open":
            asked += 1
            count = count + 1 if answer[0] is BUSY else 0
            if answer[0] is BUSY and (state == "half-open" or count >= failures):
                state, since = "open", clock()
            elif answer[0] is not BUSY:
                state = "closed"
        assert (breaker.state, len(inner.calls)) == (state, asked)
