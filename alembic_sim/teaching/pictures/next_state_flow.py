"""`next_state` as a flowchart: its tests in order, and the path that one record takes.

The path is read off the real function's answer, not worked out a second time: each test has its
own answer, so the answer says which test said yes, and that those before it said no.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.palette import FAINT, INK, MUTED, PAPER, SHADE, STATE_MARKS, TAKEN
from alembic_sim.teaching.probing import EXAMPLE_NOW, Decide, Timeline, idle_words
from alembic_sim.teaching.svg import (
    Svg,
    arrow,
    box,
    marker,
    picture,
    text_width,
    words,
    words_on_paper,
)

ARCHIVE_FIRST: tuple[SkillState, ...] = ("archived", "stale", "active")
"""The order of the seed's tests (seed 5 §03), each named by the state it answers."""

STALE_FIRST: tuple[SkillState, ...] = ("stale", "archived", "active")
"""The tempting order; draw it with the function that tests in this order."""

TESTS: dict[SkillState, tuple[str, str]] = {
    "archived": ("anchor ≤ archive cut-off", "and not archived yet?"),
    "stale": ("anchor ≤ stale cut-off", "and the state is active?"),
    "active": ("anchor > stale cut-off", "and the state is stale?"),
}
"""What each test asks, in the words of the code."""

_LEFT, _WIDTH, _TOP, _HEIGHT, _STEP, _ANSWER = 24.0, 300.0, 78.0, 64.0, 98.0, 460.0


@dataclass(frozen=True, slots=True)
class Path:
    """Which tests said no, and the answer: of the test after them, or of none if all said no."""

    order: tuple[SkillState, ...]
    noes: int
    answer: SkillState

    @property
    def yes(self) -> int | None:
        """The place of the test that said yes."""
        return self.noes if self.noes < len(self.order) else None


def path_taken(record: UsageRecord, answer: SkillState, order: Sequence[SkillState]) -> Path:
    """The path that ends in `answer`; an unchanged state means that every test said no."""
    noes = len(order) if answer == record.state else list(order).index(answer)
    return Path(tuple(order), noes, answer)


def draw_next_state_flow(
    record: UsageRecord,
    *,
    now: int = EXAMPLE_NOW,
    policy: CuratorPolicy | None = None,
    decide: Decide = next_state,
    order: Sequence[SkillState] = ARCHIVE_FIRST,
    steps: int | None = None,
) -> Svg:
    """The tests in `order` with the record's path drawn thick; give `decide` the same order.

    `steps` shows only that many tests as answered, for going through it one by one.
    """
    timeline = Timeline(now, policy or CuratorPolicy(), decide)
    path = path_taken(record, timeline.after(record), order)
    asked = path.noes + (path.yes is not None)
    shown = asked if steps is None else min(steps, asked)
    pieces = [_record(record, timeline)]
    pieces += [_test(place, path, shown, timeline) for place in range(len(path.order))]
    pieces.append(_unchanged(path, record, shown))
    title = f"next_state, {path.order[0]} tested first"
    height = _TOP + len(path.order) * _STEP + 58
    return picture(title, _summary(record, path, shown, timeline), height, *pieces)


def _summary(record: UsageRecord, path: Path, shown: int, timeline: Timeline) -> str:
    said = [
        f"{place + 1}. {state}? {'yes' if place == path.yes else 'no'}"
        for place, state in enumerate(path.order[:shown])
    ]
    done = shown == path.noes + (path.yes is not None)
    unchanged = "unchanged, " if path.yes is None else ""
    told = "; ".join(said) or "nothing asked yet"
    answer = f". Answer: {unchanged}{path.answer}." if done else "."
    return f"A skill that is {record.state}, {_anchor(record, timeline)}: {told}{answer}"


def _anchor(record: UsageRecord, timeline: Timeline) -> str:
    """Where the anchor lies: in idle days, or at +∞ if the function never finds it old."""
    if timeline.is_never_old(record):
        return "anchor +∞ (never used)" if record.last_activity_at == 0 else "anchor +∞"
    if record.last_activity_at == 0:
        return "anchor 0, in 1970 (never used)"
    return f"idle {idle_words(timeline.now - record.last_activity_at)}"


def _record(record: UsageRecord, timeline: Timeline) -> str:
    mark = STATE_MARKS[record.state]
    text = f"{record.state}, {_anchor(record, timeline)}"
    width = max(_WIDTH, text_width(text, size=14, bold=True) + 56)
    return (
        box(_LEFT, 16, width, 36, fill=SHADE, rounding=18)
        + marker(_LEFT + 24, 34, mark)
        + words(_LEFT + 40, 39, text, bold=True)
        + arrow((_LEFT + 60, 54), (_LEFT + 60, _TOP - 3), stroke=TAKEN, stroke_width=3)
    )


def _test(place: int, path: Path, shown: int, timeline: Timeline) -> str:
    """One test with its two ways on: yes to its answer on the right, no to the next below."""
    y, state = _TOP + place * _STEP, path.order[place]
    reached, answered = place <= min(path.noes, shown), place < shown
    says_yes, says_no = answered and place == path.yes, answered and place < path.noes
    ink = INK if reached else MUTED
    first, second = TESTS[state]
    cutoff = _cutoff(state, timeline)
    middle = y + _HEIGHT / 2
    return (
        _way(says_yes, (_LEFT + _WIDTH + 2, middle), (_ANSWER - 3, middle), "yes")
        + _way(says_no, (_LEFT + 60, y + _HEIGHT + 2), (_LEFT + 60, y + _STEP - 3), "no")
        + box(
            _LEFT,
            y,
            _WIDTH,
            _HEIGHT,
            stroke=TAKEN if answered else INK if reached else FAINT,
            stroke_width=3 if answered else 1.5,
            dashed=not reached,
        )
        + words(_LEFT + 16, y + 38, f"{place + 1}", size=22, bold=True, fill=ink)
        + words(_LEFT + 44, y + 27, first, bold=reached, fill=ink)
        + words(_LEFT + 44, y + 47, second, size=13, fill=ink)
        + words(_ANSWER - 8, middle + 24, cutoff, size=12, anchor="end", fill=MUTED)
        + _answer(middle, state, state, says_yes)
    )


def _cutoff(state: SkillState, timeline: Timeline) -> str:
    days = (
        timeline.policy.archive_after_days
        if state == "archived"
        else timeline.policy.stale_after_days
    )
    return f"cut-off: {idle_words(round(days * DAY_MS))} ago"


def _unchanged(path: Path, record: UsageRecord, shown: int) -> str:
    y = _TOP + len(path.order) * _STEP
    chosen = path.yes is None and shown == len(path.order)
    return _answer(y + 20, f"unchanged: {record.state}", record.state, chosen, left=_LEFT)


def _answer(
    middle: float, text: str, state: SkillState, chosen: bool, *, left: float = _ANSWER
) -> str:
    """An answer that the function can give; the one given is drawn thick."""
    mark = STATE_MARKS[state]
    return (
        box(
            left,
            middle - 20,
            216,
            40,
            fill=mark.tint if chosen else PAPER,
            stroke=TAKEN if chosen else FAINT,
            stroke_width=3 if chosen else 1.5,
            dashed=not chosen,
            rounding=20,
        )
        + marker(left + 26, middle, mark)
        + words(left + 44, middle + 5, text, bold=chosen, fill=INK if chosen else MUTED)
    )


def _way(taken: bool, start: tuple[float, float], end: tuple[float, float], label: str) -> str:
    colour, width = (TAKEN, 3.0) if taken else (FAINT, 1.0)
    across = start[1] == end[1]
    middle = (start[0] + end[0]) / 2
    x, y = (middle - 12, start[1] + 5) if across else (start[0] + 12, start[1] + 20)
    return arrow(start, end, stroke=colour, stroke_width=width, dashed=not taken) + words_on_paper(
        x, y, label, fill=INK if taken else MUTED
    )
