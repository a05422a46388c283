"""Lesson 01's right answers are the engine's: another engine would expect others."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim import Err, ModelError, Ok
from alembic_sim.models import BreakerModel, RetryingModel
from alembic_sim.teaching.exercises.bank import (
    e01_1_both_sides,
    e01_2_ask_again,
    e01_3_the_breaker,
)
from alembic_sim.teaching.exercises.checking import NotPassed, judge
from tests.teaching.exercises.answers import written


class Stubborn(RetryingModel):
    """Asks again, whatever the error says."""

    def wait_ms_after(self, error: ModelError, attempt: int) -> int | None:
        return super().wait_ms_after(ModelError(error.code, error.message, True), attempt)


class Patient(BreakerModel):
    """Bears one failure more."""

    def __init__(self, *given: Any, failures: int, **more: Any) -> None:
        super().__init__(*given, failures=failures + 1, **more)


class Hasty(BreakerModel):
    """Asks again a millisecond too early."""

    def __init__(self, *given: Any, cool_down_ms: int, **more: Any) -> None:
        super().__init__(*given, cool_down_ms=cool_down_ms - 1, **more)


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (e01_1_both_sides, "describe", lambda error: error.message),
        (e01_2_ask_again, "RetryingModel", Stubborn),
        (e01_3_the_breaker, "BreakerModel", Patient),
        (e01_3_the_breaker, "BreakerModel", Hasty),
    ],
)
def test_with_another_engine_the_solution_is_wrong(
    module: Any, name: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)
    exercise = module.EXERCISE
    assert isinstance(judge(exercise, written(exercise, exercise.solution)), NotPassed)


def test_successes_and_failures_are_told_in_order() -> None:
    answers: list[Any] = [Ok(0), e01_1_both_sides.REFUSED, Ok("tea"), e01_1_both_sides.BUSY]
    told = ["refused: not for you", "busy: try later"]
    assert e01_1_both_sides.reference(answers) == ([0, "tea"], told)


@pytest.mark.parametrize(
    ("attempts", "says", "told"),
    [
        (3, ("ok",), "Ok of call 1: asked"),
        (3, ("busy", "ok"), "Ok of call 2: asked, waited 500, asked"),
        (3, ("refused", "ok"), "Err refused of call 1: asked"),
        (2, ("busy",), "Err busy of call 2: asked, waited 500, asked"),
        (
            4,
            ("busy", "busy", "busy", "ok"),
            "Ok of call 4: asked, waited 500, asked, waited 1000, asked, waited 2000, asked",
        ),
    ],
)
def test_what_is_seen_of_a_retry_is_its_answer_and_what_it_did(
    attempts: int, says: tuple[str, ...], told: str
) -> None:
    script = e01_2_ask_again.Script(attempts, says)
    seen = e01_2_ask_again.observe(e01_2_ask_again.reference, (script,))
    assert isinstance(seen, e01_2_ask_again.Seen)
    assert seen.told() == told


def test_a_retry_that_does_nothing_at_all_is_seen_as_that() -> None:
    script = e01_2_ask_again.Script(1, ("ok",))
    seen = e01_2_ask_again.observe(lambda *_: "tea", (script,))
    assert isinstance(seen, e01_2_ask_again.Seen)
    assert seen.told() == "'tea': nothing was done"


@pytest.mark.parametrize(
    ("state", "answer", "later_ms", "after"),
    [
        (("closed", 0), e01_3_the_breaker.BUSY, 1, ("closed", 1)),
        (("closed", 2), e01_3_the_breaker.BUSY, 1, ("open", 100_001)),
        (("closed", 2), e01_3_the_breaker.REFUSED, 1, ("closed", 0)),
        (("open", 100_000), e01_3_the_breaker.YES, 29_999, ("open", 100_000)),
        (("open", 100_000), e01_3_the_breaker.YES, 30_000, ("closed", 0)),
        (("open", 100_000), e01_3_the_breaker.BUSY, 30_000, ("open", 130_000)),
    ],
)
def test_the_state_is_read_off_the_real_breaker(
    state: tuple[str, int], answer: Any, later_ms: int, after: tuple[str, int]
) -> None:
    now = e01_3_the_breaker.SINCE + later_ms
    assert e01_3_the_breaker.reference(state, answer, now) == after


def test_the_cases_name_the_answers_as_the_lesson_does() -> None:
    case = (("closed", 1), Err(ModelError("busy", "try later", True)), 5)
    assert e01_3_the_breaker.show(case) == "my_breaker(('closed', 1), Err(busy), 5)"
