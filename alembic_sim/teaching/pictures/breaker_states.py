"""The three states of a circuit breaker, with the numbers found by asking the real one."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.models.breaker import BreakerModel
from alembic_sim.models.fake_model import FakeModel, Scripted
from alembic_sim.ports.model import ModelError, ModelRequest
from alembic_sim.teaching.palette import GREEN, INK, ORANGE, VERMILION, Mark
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    curved_arrow,
    lines_of_words,
    marker,
    picture,
    words,
)

_BUSY = ModelError("busy", "too many requests", retryable=True)
_REQUEST = ModelRequest("rules", "question")

_CENTRE = {"closed": 100.0, "open": 350.0, "half-open": 600.0}
_MARKS = {
    "closed": Mark(GREEN, "circle", "#DDF2EB"),
    "open": Mark(VERMILION, "diamond", "#FAE4D8"),
    "half-open": Mark(ORANGE, "triangle", "#FCF0D4"),
}
_DOES = {
    "closed": ("every request", "goes through"),
    "open": ("none goes through:", "Err circuit-open"),
    "half-open": ("the next request", "goes through"),
}
_Y, _HALF_WIDTH, _HALF_HEIGHT = 120.0, 74.0, 26.0
_TOP, _BOTTOM = _Y - _HALF_HEIGHT - 2, _Y + _HALF_HEIGHT + 2


@dataclass(frozen=True, slots=True)
class _Settings:
    failures: int
    cool_down_ms: int


def draw_breaker_states(failures: int = 3, cool_down_ms: int = 30_000) -> Svg:
    """When a breaker with these settings opens, tries again, and what it makes of the answer."""
    settings = _Settings(failures, cool_down_ms)
    opens_after = _opened(settings)[3]
    tried_after_s = _tried_after_ms(settings) / 1000
    after_yes, after_no = (_after_the_try(answer, settings) for answer in ("yes", _BUSY))
    row = "failure" if opens_after == 1 else "failures in a row"
    told = (
        f"closed → open after {opens_after} {row}; open → half-open {tried_after_s:g} s later; "
        f"half-open → {after_yes} if the next request succeeds, half-open → {after_no} if it fails."
    )
    pieces = [
        *(_state(state) for state in _CENTRE),
        _straight("closed", "open", f"{opens_after}", row),
        _straight("open", "half-open", f"{tried_after_s:g} s", "later"),
        _curve(after_yes, "it succeeds", above=True),
        _curve(after_no, "it fails", above=False),
    ]
    return picture("The states of a circuit breaker", told, 222, *pieces)


def _opened(settings: _Settings) -> tuple[BreakerModel, FakeClock, list[Scripted], int]:
    """A breaker that has just opened, if it ever does: its clock, its model's words, and after how
    many failures.
    """
    clock, says = FakeClock(), list[Scripted]([_BUSY])
    breaker = BreakerModel(
        FakeModel(lambda _request: says[-1]),
        clock=clock,
        failures=settings.failures,
        cool_down_ms=settings.cool_down_ms,
    )
    took = 0
    while breaker.state == "closed" and took < 2 * settings.failures:
        breaker.run(_REQUEST)
        took += 1
    return breaker, clock, says, took


def _tried_after_ms(settings: _Settings) -> int:
    """The wait that a refused request is told."""
    breaker, _clock, _says, _took = _opened(settings)
    refused = breaker.run(_REQUEST)
    return 0 if refused.ok else refused.error.retry_after_ms or 0


def _after_the_try(answer: Scripted, settings: _Settings) -> str:
    breaker, clock, says, _took = _opened(settings)
    clock.advance(ms=_tried_after_ms(settings))
    says.append(answer)
    breaker.run(_REQUEST)
    return breaker.state


def _state(state: str) -> str:
    x, mark = _CENTRE[state], _MARKS[state]
    left, top = x - _HALF_WIDTH, _Y - _HALF_HEIGHT
    return (
        box(left, top, 2 * _HALF_WIDTH, 2 * _HALF_HEIGHT, fill=mark.tint, stroke=mark.colour,
            rounding=_HALF_HEIGHT)
        + marker(x - 50, _Y, mark)
        + words(x - 34, _Y + 6, state, size=17, bold=True)
        + lines_of_words(x, _BOTTOM + 20, _DOES[state], size=12.5, anchor="middle")
    )  # fmt: skip


def _straight(start: str, end: str, above: str, below: str) -> str:
    left, right = _CENTRE[start] + _HALF_WIDTH + 2, _CENTRE[end] - _HALF_WIDTH - 3
    middle = (left + right) / 2
    return (
        arrow((left, _Y), (right, _Y), stroke_width=2)
        + words(middle, _Y - 10, above, size=12.5, anchor="middle")
        + words(middle, _Y + 20, below, size=12.5, anchor="middle")
    )


def _curve(end: str, label: str, *, above: bool) -> str:
    """From half-open to where the real breaker went."""
    start_x, end_x = _CENTRE["half-open"] - (0 if above else 60), _CENTRE[end]
    y, bend_y = (_TOP, _TOP - 110) if above else (_BOTTOM, _BOTTOM + 84)
    if end == "open":
        end_x += 60
    label_y = (y + bend_y) / 2 + (-8 if above else 18)
    middle = (start_x + end_x) / 2
    return curved_arrow(
        (start_x, y), (middle, bend_y), (end_x, y), stroke=INK, stroke_width=2
    ) + words(middle, label_y, label, size=12.5, anchor="middle")
