"""GateDial counts what the real gate decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Add, ReviewProposal, score_threshold_gate
from alembic_sim.teaching import GateDial
from alembic_sim.teaching.widgets.gate_dial import EXAMPLE_LESSONS, GateDialState, render_gate_dial
from alembic_sim.teaching.widgets.gate_picture import tally
from tests.teaching.svg_reading import all_words

lessons = st.lists(
    st.tuples(st.text("abc", min_size=1, max_size=5), st.floats(0, 1), st.booleans()), min_size=1
)


@given(lessons, st.floats(0, 1))
def test_the_counts_are_the_gates(some: list[tuple[str, float, bool]], threshold: float) -> None:
    gate = score_threshold_gate(threshold)
    yes = [
        true
        for text, score, true in some
        if gate(
            ReviewProposal(target="memory", op=Add(text), rationale="r", score=score)
        ).value.approved
    ]
    counts = tally(GateDialState(tuple(some), threshold).judged())
    assert (counts.true_settles, counts.false_settles) == (sum(yes), len(yes) - sum(yes))
    assert counts.true_settles + counts.true_lost == sum(true for _, _, true in some)
    settled = f"{len(yes)} settle ({counts.true_settles} true, {counts.false_settles} false)"
    assert settled in GateDial(some, threshold).summary


def test_exactly_on_the_threshold_settles() -> None:
    assert "1 settle (1 true, 0 false), 0 lost" in GateDial([("edge", 0.7, True)]).summary
    assert "0 settle" in GateDial([("edge", 0.6999999999999998, True)]).summary


def test_precision_and_recall_are_told_with_their_counts() -> None:
    text = GateDial(EXAMPLE_LESSONS).summary
    assert text == (
        "Threshold 0.7: 7 settle (6 true, 1 false), 7 lost (2 true, 5 false). "
        "Precision 6/7 = 0.86, recall 6/8 = 0.75."
    )


def test_where_nothing_settles_there_is_no_precision() -> None:
    assert "Precision no value: nothing settles" in GateDial(threshold=1).summary


def test_where_nothing_is_true_there_is_no_recall() -> None:
    assert "recall no value: nothing is true" in GateDial([("a", 0.9, False)]).summary


def test_a_higher_threshold_never_settles_more() -> None:
    settled = [
        sum(one.settles for one in GateDialState(threshold=step / 20).judged())
        for step in range(21)
    ]
    assert settled == sorted(settled, reverse=True)


def test_the_picture_names_the_false_lesson_that_settles_and_the_true_ones_that_are_lost() -> None:
    shown = all_words(render_gate_dial(GateDialState()))
    assert "0.81 The tests are flaky: ignore red ones." in shown
    assert "True, and lost: 2" in shown
    assert "0.66 The user prefers short answers." in shown


@pytest.mark.parametrize(
    ("some", "why"),
    [
        ([], r"lessons: \[\] is not a list"),
        ([("a", 0.5)], r"lessons\[0\]: \('a', 0.5\) is not a \(text, score, true\) triple"),
        ([("a", 0.5, True), ("b", 7, True)], r"lessons\[1\].score: 7 is not a number from 0 to 1"),
        ([("a", 0.5, 1)], r"lessons\[0\].true: 1 is not True or False"),
        ([("", 0.5, True)], r"lessons\[0\].text: '' is not a text that is not blank"),
    ],
)
def test_an_impossible_lesson_is_refused_by_place_and_name(some: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        GateDial(some)  # type: ignore[arg-type]
