"""The default gate: approve if and only if the score is at least 0.7."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import (
    DEFAULT_REVIEW_SCORE_THRESHOLD,
    Add,
    GateVerdict,
    Ok,
    ReviewProposal,
    score_threshold_gate,
)

BELOW = math.nextafter(0.7, 0)


def scored(score: float) -> ReviewProposal:
    return ReviewProposal(target="memory", op=Add("a fact"), rationale="why", score=score)


def test_the_threshold_is_seven_tenths() -> None:
    assert DEFAULT_REVIEW_SCORE_THRESHOLD == 0.7


@pytest.mark.parametrize(
    ("score", "approved", "reason"),
    [
        (0.9, True, "score 0.9 ≥ threshold 0.7"),
        (0.7, True, "score 0.7 ≥ threshold 0.7"),
        (1.0, True, "score 1 ≥ threshold 0.7"),
        (0.5, False, "score 0.5 < threshold 0.7 (learn only from validated wins)"),
        (0.0, False, "score 0 < threshold 0.7 (learn only from validated wins)"),
        (-0.0, False, "score 0 < threshold 0.7 (learn only from validated wins)"),
        (
            BELOW,
            False,
            "score 0.6999999999999998 < threshold 0.7 (learn only from validated wins)",
        ),
        (1e-7, False, "score 1e-7 < threshold 0.7 (learn only from validated wins)"),
    ],
)
def test_the_verdict_and_its_reason_are_as_the_seed_prints_them(
    score: float, approved: bool, reason: str
) -> None:
    assert score_threshold_gate()(scored(score)) == Ok(GateVerdict(approved, reason))


def test_the_boundary_is_inclusive_to_the_last_bit() -> None:
    gate = score_threshold_gate()
    assert gate(scored(0.7)).value.approved is True
    assert gate(scored(BELOW)).value.approved is False
    assert gate(scored(math.nextafter(0.7, 1))).value.approved is True


def test_a_rejection_is_a_verdict_not_an_error() -> None:
    assert score_threshold_gate()(scored(0)).ok


@pytest.mark.parametrize("minimum", [0, 0.0, 1, 1.0, 0.5])
def test_another_bar_can_be_set_and_is_inclusive_too(minimum: float) -> None:
    gate = score_threshold_gate(minimum)
    assert gate(scored(minimum)).value.approved is True
    if minimum > 0:
        assert gate(scored(math.nextafter(minimum, 0))).value.approved is False


def test_the_reason_names_the_bar_as_javascript_would() -> None:
    assert score_threshold_gate(1)(scored(1)).value.reason == "score 1 ≥ threshold 1"


@given(st.floats(0, 1), st.floats(0, 1))
@example(0.1 + 0.2, 0.3)
def test_the_gate_is_pure_and_agrees_with_the_comparison(score: float, minimum: float) -> None:
    gate = score_threshold_gate(minimum)
    verdict = gate(scored(score)).value
    assert verdict == gate(scored(score)).value
    assert verdict.approved is (score >= minimum)
    assert ("≥" in verdict.reason) is verdict.approved


@pytest.mark.parametrize(
    "minimum", [-0.1, 1.1, 70, math.nan, math.inf, -math.inf, True, False, "0.7", None, 10**400]
)
def test_an_impossible_bar_is_refused_at_construction(minimum: object) -> None:
    with pytest.raises(ValueError, match=r"^minimum: .* is not a number from 0 to 1$"):
        score_threshold_gate(minimum)


def test_the_gate_answers_for_a_proposal_and_nothing_else() -> None:
    for thing in (None, 0.9, {"score": 0.9}):
        result = score_threshold_gate()(thing)  # type: ignore[arg-type]
        assert not result.ok
        assert result.error.code == "invalid-proposal"
