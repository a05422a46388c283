"""Lesson 01's picture: the arrows of the breaker are those that the real one takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from alembic_sim.models import BreakerModel
from alembic_sim.ports.model import ModelError, ModelRequest
from alembic_sim.result import Result
from alembic_sim.teaching.pictures import breaker_states
from alembic_sim.teaching.pictures.breaker_states import draw_breaker_states
from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import all_words, outside, overlapping, parse

PICTURES: dict[str, Callable[[], Svg]] = {
    "as it comes": draw_breaker_states,
    "one failure is enough": lambda: draw_breaker_states(1, 1),
    "large numbers": lambda: draw_breaker_states(40, 86_400_000),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_nothing_overlaps_or_leaves_the_sheet(draw: Callable[[], Svg]) -> None:
    assert overlapping(draw()) == []
    assert outside(draw()) == []
    assert parse(draw()).get("role") == "img"
    assert draw().markup == draw().markup


def test_it_opens_tries_again_and_closes_as_the_real_one_does() -> None:
    assert draw_breaker_states().summary == (
        "closed → open after 3 failures in a row; open → half-open 30 s later; "
        "half-open → closed if the next request succeeds, half-open → open if it fails."
    )
    assert "1 failure;" in draw_breaker_states(1, 1).summary
    assert {"3", "30 s", "it succeeds", "it fails"} <= set(
        all_words(draw_breaker_states()).splitlines()
    )


class Patient(BreakerModel):
    """Bears one failure more."""

    def __init__(self, *given: Any, failures: int, **more: Any) -> None:
        super().__init__(*given, failures=failures + 1, **more)


class Trusting(BreakerModel):
    """Closes after the cool-down, whatever the answer is."""

    def run(self, request: ModelRequest) -> Result[Any, ModelError]:
        half_open = self.state == "half-open"
        answer = super().run(request)
        if half_open:
            self._failed_in_a_row, self._opened_at = 0, None
        return answer


@pytest.mark.parametrize(
    ("breaker", "told"),
    [(Patient, "after 4 failures in a row"), (Trusting, "half-open → closed if it fails")],
)
def test_another_breaker_gives_another_picture(
    breaker: type[BreakerModel], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker_states, "BreakerModel", breaker)
    assert told in draw_breaker_states().summary
