"""Lesson 04's picture: each step at the station where the real kernel ended it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from alembic_sim import (
    Err,
    FakeModel,
    LearnError,
    LearnOutcome,
    MemoryFs,
    MemoryStore,
    Ok,
    ReviewDeps,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.result import Fault, Result
from alembic_sim.strict_json import dump_strict_json
from alembic_sim.teaching.pictures.where_it_stops import (
    STATIONS,
    draw_where_it_stops,
    where_it_stopped,
)
from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import all_words, outside, overlapping, parse

GATE = score_threshold_gate()


def note(text: str, score: float) -> dict[str, object]:
    op = {"action": "add", "content": text}
    return {"target": "memory", "op": op, "rationale": "seen at work", "score": score}


def step(body: object, gate: Any = GATE) -> Result[LearnOutcome, LearnError]:
    said = body if isinstance(body, str) else dump_strict_json(body)
    deps = ReviewDeps(model_proposer(FakeModel([said])), gate, MemoryStore(MemoryFs()))
    return review_and_learn("A day's work.", deps)


STEPS = {
    "proposer-error": step("prose"),
    "invalid-proposal": step([note("tea", 90)]),
    "gate-error": step([note("tea", 0.9)], lambda proposal: Err(Fault("sick", "not today"))),
    "nothing": step("[]"),
    "rejected": step([note("tea", 0.1)]),
    "failed": step([note("  ", 0.9)]),
    "applied": step([note("tea", 0.7)]),
}

PICTURES: dict[str, Callable[[], Svg]] = {
    "one at each": lambda: draw_where_it_stops(STEPS),
    "nothing at all": lambda: draw_where_it_stops({}),
    "many at one": lambda: draw_where_it_stops(
        {f"a way to go wrong, number {n}": step("") for n in range(40)}
    ),
    "a hostile name": lambda: draw_where_it_stops({"<script> \x00 " + "x" * 400: step("[]")}),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_nothing_overlaps_or_leaves_the_sheet(draw: Callable[[], Svg]) -> None:
    assert overlapping(draw()) == []
    assert outside(draw()) == []
    assert parse(draw()).get("role") == "img"
    assert draw().markup == draw().markup


@pytest.mark.parametrize("station", STATIONS)
def test_each_station_is_where_the_kernel_ends_such_a_step(station: str) -> None:
    assert where_it_stopped(STEPS[station]) == station


def test_what_was_written_is_not_hidden_behind_what_was_refused() -> None:
    mixed = step([note("tea", 0.1), note("milk", 0.9), note("  ", 0.9)])
    assert where_it_stopped(mixed) == "applied"


def test_a_summary_that_is_no_text_never_gets_beyond_the_proposer() -> None:
    deps = ReviewDeps(lambda summary: Ok([]), GATE, MemoryStore(MemoryFs()))
    never: Any = 5
    assert where_it_stopped(review_and_learn(never, deps)) == "proposer-error"


def test_the_picture_counts_and_names() -> None:
    picture = draw_where_it_stops({"quiet": step("[]"), "polite": step("Good day."), "x": step("")})
    assert picture.summary == "3 steps ended: 2 proposer-error, 1 nothing."
    assert "polite, x" in all_words(picture)
    assert draw_where_it_stops({}).summary == "0 steps ended: none."
