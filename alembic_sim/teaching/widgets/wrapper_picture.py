"""The picture of `WrapperBench`: six requests on a time line, and the breaker's state below."""

from __future__ import annotations

from itertools import pairwise

from alembic_sim.teaching.palette import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MUTED,
    SHADE,
    VERMILION,
    YELLOW,
    Mark,
)
from alembic_sim.teaching.svg import Svg, box, line, marker, picture, words
from alembic_sim.teaching.widgets.wrapper_trace import Handled, Trace

_MARKS = {
    "reply": Mark(GREEN, "circle", "#DDF2EB"),
    "failure": Mark(VERMILION, "cross", "#FAE4D8"),
    "not asked": Mark(YELLOW, "diamond", "#FCF9D0"),
}
_LEVELS = {"closed": 0, "half-open": 1, "open": 2}
_LEFT, _RIGHT, _TOP, _ROW, _LEVEL = 104.0, 556.0, 66.0, 32.0, 20.0
_LEAST_MS = 15_000


def draw_wrapper_bench(trace: Trace, summary: str) -> Svg:
    """Each request from its start to its answer; a mark for each time the model was asked."""
    rows = len(trace.requests)
    axis = _TOP + rows * _ROW + (3 * _LEVEL + 34 if trace.states else 6)
    span_ms = max(trace.end_ms, _LEAST_MS)
    pieces = [
        *_legend(),
        *_axis(span_ms, axis),
        *(_request(place, one, span_ms) for place, one in enumerate(trace.requests)),
        *(_breaker(trace, span_ms, _TOP + rows * _ROW + 16) if trace.states else ()),
        words(16, axis + 44, _counts(trace), size=14, bold=True),
    ]
    return picture("Requests through a stack of wrappers", summary, axis + 60, *pieces)


def _x(at_ms: int, span_ms: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * at_ms / span_ms


def _legend() -> list[str]:
    texts = {
        "reply": "the model replies",
        "failure": "the model fails",
        "not asked": "the model is not asked",
    }
    places = (24.0, 184.0, 330.0)
    return [
        marker(x, 27, _MARKS[kind], size=6) + words(x + 12, 32, text, size=13, fill=MUTED)
        for x, (kind, text) in zip(places, texts.items(), strict=True)
    ]


def _axis(span_ms: int, y: float) -> list[str]:
    """A line for every few seconds."""
    every_ms = 5_000 if span_ms <= 50_000 else 10_000
    pieces = []
    for at_ms in range(0, span_ms + 1, every_ms):
        x = _x(at_ms, span_ms)
        pieces.append(line((x, _TOP - 14), (x, y), stroke=FAINT, stroke_width=0.5))
        pieces.append(words(x, y + 15, f"{at_ms // 1000} s", size=12, anchor="middle", fill=MUTED))
    return pieces


def _request(place: int, one: Handled, span_ms: int) -> str:
    y = _TOP + place * _ROW
    start, end = _x(one.start_ms, span_ms), _x(one.end_ms, span_ms)
    return (
        words(16, y + 5, f"request {place + 1}", size=13)
        + (line((start, y), (end, y), stroke=MUTED, stroke_width=2) if end > start else "")
        + "".join(
            marker(_x(event.at_ms, span_ms), y, _MARKS[event.kind], size=5) for event in one.events
        )
        + words(_RIGHT + 20, y + 5, one.answer, size=13, bold=one.answer == "Ok")
    )


def _breaker(trace: Trace, span_ms: int, y: float) -> list[str]:
    """The three states as three heights of one line."""
    ends = [*(at_ms for at_ms, _ in trace.states[1:]), span_ms]
    points = []
    for (at_ms, state), end_ms in zip(trace.states, ends, strict=True):
        height = y + 8 + _LEVELS[state] * _LEVEL
        points += [(_x(at_ms, span_ms), height), (_x(end_ms, span_ms), height)]
    return [
        box(_LEFT, y, _RIGHT - _LEFT, 3 * _LEVEL, fill=SHADE, stroke=FAINT, stroke_width=0.5,
            rounding=2),
        *(
            words(_LEFT - 8, y + 12 + level * _LEVEL, state, size=12, anchor="end", fill=MUTED)
            for state, level in _LEVELS.items()
        ),
        *(
            line(one, other, stroke=BLUE, stroke_width=3 if one[1] == other[1] else 1)
            for one, other in pairwise(points)
        ),
        words(_RIGHT + 20, y + 12, "the breaker", size=13, fill=INK),
    ]  # fmt: skip


def _counts(trace: Trace) -> str:
    calls = "1 call reaches" if trace.calls == 1 else f"{trace.calls} calls reach"
    return (
        f"{calls} the model · {trace.replies} of {len(trace.requests)} requests end in Ok · "
        f"{trace.end_ms / 1000:g} s in all"
    )
