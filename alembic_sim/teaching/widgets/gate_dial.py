"""GateDial: turn the gate's threshold over labelled proposals (seed 1: the default gate)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.hermes.learning.gate import DEFAULT_REVIEW_SCORE_THRESHOLD, score_threshold_gate
from alembic_sim.hermes.learning.js_number import js_number
from alembic_sim.hermes.learning.types import ReviewProposal
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import (
    check_fraction,
    check_list,
    check_switch,
    check_text,
)
from alembic_sim.teaching.widgets.controls import Fraction
from alembic_sim.teaching.widgets.gate_picture import Judgement, draw_gate_dial, tally
from alembic_sim.teaching.widgets.shell import Shell

Labelled = tuple[str, float, bool]
"""A lesson's text, the reviewer's score for it, and whether it is true."""

EXAMPLE_LESSONS: tuple[Labelled, ...] = (
    ("Run the linter before pushing.", 0.92, True),
    ("Keep commits small.", 0.7, True),
    ("Write the failing test first.", 0.84, True),
    ("The staging database is rebuilt every night.", 0.76, True),
    ("Pin the versions in CI.", 0.88, True),
    ("The user prefers short answers.", 0.66, True),
    ("Ask before changing a public name.", 0.58, True),
    ("The cache key holds the branch's name.", 0.73, True),
    ("Builds fail on Mondays.", 0.42, False),
    ("Retrying always helps.", 0.69, False),
    ("The tests are flaky: ignore red ones.", 0.81, False),
    ("Nobody reads the changelog.", 0.3, False),
    ("Sleeping 5 s mends the race.", 0.62, False),
    ("Main is never protected.", 0.12, False),
)
"""Eight true lessons and six false ones; one true lesson lies exactly on the default threshold."""


@dataclass(frozen=True, slots=True)
class GateDialState:
    """The labelled lessons, and the threshold that they meet."""

    lessons: tuple[Labelled, ...] = EXAMPLE_LESSONS
    threshold: float = DEFAULT_REVIEW_SCORE_THRESHOLD

    def __post_init__(self) -> None:
        check_list("lessons", self.lessons, "(text, score, true) triples")
        for place, lesson in enumerate(self.lessons):
            _check_lesson(f"lessons[{place}]", lesson)
        check_fraction("threshold", self.threshold)

    def judged(self) -> tuple[Judgement, ...]:
        """What the real gate says of each lesson."""
        gate = score_threshold_gate(self.threshold)
        return tuple(
            Judgement(text, score, true, gate(_proposal(text, score)).expect("verdict").approved)
            for text, score, true in self.lessons
        )


def _check_lesson(field: str, lesson: object) -> None:
    if not isinstance(lesson, list | tuple) or len(lesson) != 3:
        raise ValueError(f"{field}: {lesson!r} is not a (text, score, true) triple")
    check_text(f"{field}.text", lesson[0])
    check_fraction(f"{field}.score", lesson[1])
    check_switch(f"{field}.true", lesson[2])


def _proposal(text: str, score: float) -> ReviewProposal:
    return ReviewProposal(target="memory", op=Add(text), rationale="labelled", score=score)


def render_gate_dial(state: GateDialState) -> Svg:
    """The scores on a line with the threshold; counts, precision and recall."""
    judged = state.judged()
    return draw_gate_dial(judged, state.threshold, _summary(judged, state.threshold))


def _summary(judged: Sequence[Judgement], threshold: float) -> str:
    counts = tally(judged)
    settle = counts.true_settles + counts.false_settles
    lost = counts.true_lost + counts.false_lost
    return (
        f"Threshold {js_number(threshold)}: {settle} settle ({counts.true_settles} true, "
        f"{counts.false_settles} false), {lost} lost ({counts.true_lost} true, "
        f"{counts.false_lost} false). Precision {counts.precision()}, recall {counts.recall()}."
    )


class GateDial(Shell[GateDialState]):
    """The widget. `GateDial([("Keep commits small.", 0.7, True), …], threshold=0.7)`."""

    def __init__(
        self,
        lessons: Sequence[Labelled] = EXAMPLE_LESSONS,
        threshold: float = DEFAULT_REVIEW_SCORE_THRESHOLD,
    ) -> None:
        check_list("lessons", lessons, "(text, score, true) triples")
        super().__init__(
            GateDialState(tuple(lessons), threshold),
            render_gate_dial,
            [[Fraction("threshold", "Gate's threshold")]],
        )
