"""Personas: scores and verdicts follow their stated models, and the same seed repeats them."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import (
    MemoryFs,
    MemoryStore,
    ModelRequest,
    ReviewDeps,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.models import (
    APPROVE,
    REJECT,
    VALIDATORS,
    Candidate,
    ErrorRates,
    QuorumModel,
    quality_reviewer,
    quality_score,
    validator,
)
from alembic_sim.models.personas import judges_true

TRUE = Candidate("CI runs on Linux only", True)
FALSE = Candidate("tests may be skipped", False)
BOTH = ModelRequest("rules", f"We saw: {TRUE.content}; someone said: {FALSE.content}.")
NEITHER = ModelRequest("rules", "a quiet turn")


class Draws:
    """Chance that draws what it is told to; it fails the test when drawn from too often."""

    def __init__(self, *draws: float) -> None:
        self.left = list(draws)

    def random(self) -> float:
        return self.left.pop(0)


def scores(noise: int, is_true: bool) -> list[float]:
    """Every score that a draw can give, each equally likely."""
    values = 2 * noise + 1
    return [quality_score(is_true, (i + 0.5) / values, noise) for i in range(values)]


@pytest.mark.parametrize(("is_true", "score"), [(True, 0.85), (False, 0.55)])
def test_without_noise_a_score_is_its_centre(is_true: bool, score: float) -> None:
    assert scores(0, is_true) == [score]


def test_scores_are_every_hundredth_around_the_centre() -> None:
    assert scores(2, True) == [0.83, 0.84, 0.85, 0.86, 0.87]
    assert (scores(20, False)[0], scores(20, False)[-1]) == (0.35, 0.75)


def test_what_leaves_the_scale_is_put_at_its_edge() -> None:
    assert (max(scores(30, True)), min(scores(60, False))) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("noise", "is_true", "approved", "of"),
    [
        (14, False, 0, 29),
        (15, False, 1, 31),
        (15, True, 31, 31),
        (16, True, 32, 33),
        (45, False, 31, 91),
    ],
)
def test_how_many_pass_the_threshold_can_be_counted(
    noise: int, is_true: bool, approved: int, of: int
) -> None:
    passed = [score for score in scores(noise, is_true) if score >= 0.7]
    assert (len(passed), len(scores(noise, is_true))) == (approved, of)


@given(st.booleans(), st.floats(0, 1, exclude_max=True), st.integers(0, 200))
def test_every_score_is_a_proper_one_no_further_from_its_centre_than_the_noise(
    is_true: bool, draw: float, noise: int
) -> None:
    score = quality_score(is_true, draw, noise)
    assert 0 <= score <= 1
    assert abs(score - (0.85 if is_true else 0.55)) <= noise / 100 + 1e-9


def test_a_reviewer_proposes_what_the_prompt_quotes_in_its_own_order() -> None:
    reviewer = quality_reviewer([FALSE, TRUE], Draws(0.999, 0.0), noise=20)
    proposals = json.loads(reviewer.run(BOTH).value.text)
    assert [(p["op"]["content"], p["score"]) for p in proposals] == [
        ("tests may be skipped", 0.75),
        ("CI runs on Linux only", 0.65),
    ]


def test_a_reviewer_that_sees_nothing_says_so_and_draws_nothing() -> None:
    assert quality_reviewer([TRUE], Draws()).run(NEITHER).value.text == "[]"


def test_the_same_seed_gives_the_same_reviews() -> None:
    def reviews(seed: int) -> list[str]:
        reviewer = quality_reviewer([TRUE, FALSE], random.Random(seed))
        return [reviewer.run(BOTH).value.text for _ in range(5)]

    assert reviews(7) == reviews(7) != reviews(8)


def test_a_quiet_reviewer_teaches_the_truth_and_nothing_else() -> None:
    store = MemoryStore(MemoryFs())
    reviewer = quality_reviewer([TRUE, FALSE], random.Random(1), noise=14)
    deps = ReviewDeps(model_proposer(reviewer), score_threshold_gate(), store)
    outcome = review_and_learn(BOTH.prompt, deps).value
    assert (len(outcome.applied), len(outcome.rejected)) == (1, 1)
    assert store.entries("memory") == (TRUE.content,)


@pytest.mark.parametrize(
    ("is_true", "draw", "taken_for_true"),
    [(True, 0.25, True), (True, 0.249, False), (False, 0.08, False), (False, 0.079, True)],
)
def test_a_validator_errs_when_the_draw_is_below_its_rate(
    is_true: bool, draw: float, taken_for_true: bool
) -> None:
    rates = ErrorRates(approves_false=8, rejects_true=25)
    assert judges_true(is_true, draw, rates) is taken_for_true


@pytest.mark.parametrize("name", VALIDATORS)
def test_over_many_draws_each_validator_errs_at_its_stated_rates(name: str) -> None:
    rates, draws = VALIDATORS[name], [(i + 0.5) / 1_000 for i in range(1_000)]
    wrongly_rejected = sum(not judges_true(True, draw, rates) for draw in draws)
    wrongly_approved = sum(judges_true(False, draw, rates) for draw in draws)
    assert (wrongly_approved, wrongly_rejected) == (
        rates.approves_false * 10,
        rates.rejects_true * 10,
    )


def test_the_three_validators_disagree() -> None:
    names = list(VALIDATORS)
    panel = [
        validator([TRUE], random.Random(seed), VALIDATORS[name], model_id=name)
        for seed, name in enumerate(names)
    ]
    request = ModelRequest("rules", TRUE.content)
    verdicts = [tuple(one.run(request).value.text for one in panel) for _ in range(30)]
    assert {word for verdict in verdicts for word in verdict} == {APPROVE, REJECT}
    assert any(len(set(verdict)) > 1 for verdict in verdicts)


def test_their_majority_can_be_asked_as_one_model() -> None:
    panel = [
        validator([TRUE], Draws(draw), rates, model_id=name)
        for draw, (name, rates) in zip((0.9, 0.0, 0.9), VALIDATORS.items(), strict=True)
    ]
    assert QuorumModel(panel).run(ModelRequest("", TRUE.content)).value.text == APPROVE


def test_one_candidate_taken_for_false_is_enough_to_reject() -> None:
    judge = validator([TRUE, FALSE], Draws(0.9, 0.9), VALIDATORS["analyst"], model_id="a")
    assert judge.run(BOTH).value.text == REJECT


def test_what_a_validator_cannot_judge_it_rejects() -> None:
    judge = validator([TRUE], Draws(), VALIDATORS["analyst"], model_id="a")
    assert judge.run(NEITHER).value.text == REJECT


@pytest.mark.parametrize("content", ["", " \n", None, 5])
def test_a_candidate_says_something(content: object) -> None:
    with pytest.raises(ValueError, match="content"):
        Candidate(content, True)


@pytest.mark.parametrize("rates", [(-1, 0), (0, 101), (0.5, 0), (True, 0)])
def test_rates_are_whole_percentages(rates: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match=r"approves_false|rejects_true"):
        ErrorRates(*rates)


@pytest.mark.parametrize("noise", [-1, 0.2, None])
def test_noise_is_whole_hundredths(noise: object) -> None:
    with pytest.raises(ValueError, match="noise"):
        quality_reviewer([TRUE], Draws(), noise=noise)


@pytest.mark.parametrize("request_", [None, "text", ModelRequest("", None)])
def test_a_persona_asked_with_nonsense_answers_with_an_error(request_: object) -> None:
    judge = validator([TRUE], Draws(), VALIDATORS["analyst"], model_id="a")
    assert not quality_reviewer([TRUE], Draws()).run(request_).ok
    assert not judge.run(request_).ok
