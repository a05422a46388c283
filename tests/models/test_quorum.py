"""QuorumModel: who votes, what counts as equal, who wins, and what there is when no one does."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Err, FakeModel, ModelError, ModelReply, ModelRequest, Ok
from alembic_sim.models import MisbehavingModel, QuorumModel
from alembic_sim.models.quorum import count_votes
from alembic_sim.ports.model import ModelIdentity

ASKED = ModelRequest("rules", "question")
BUSY = ModelError("busy", "try later", retryable=True)
BAD = ModelError("denied", "HTTP 401")


def panel(*answers: object) -> list[FakeModel]:
    return [
        FakeModel([answer], adapter_id="fake", model_id=letter)
        for letter, answer in zip("abcdefghi", answers, strict=False)
    ]


def test_two_of_three_make_the_reply() -> None:
    assert QuorumModel(panel("yes", "no", "yes")).run(ASKED) == Ok(ModelReply("yes"))


def test_every_model_is_asked_also_when_the_quorum_is_already_there() -> None:
    models = panel("yes", "yes", "yes")
    QuorumModel(models).run(ASKED)
    assert [model.calls for model in models] == [[ASKED]] * 3


def test_white_space_around_a_reply_does_not_make_it_another() -> None:
    """The first of the equal ones is handed over as it came; letters and case do count."""
    assert QuorumModel(panel("yes\n", "Yes", " yes")).run(ASKED) == Ok(ModelReply("yes\n"))


def test_half_is_no_majority() -> None:
    error = QuorumModel(panel("yes", "yes", "no", "no")).run(ASKED).error
    assert (error.code, error.retryable) == ("no-quorum", False)
    assert error.message == "3 of 4 equal replies needed, got 2 × 'yes', 2 × 'no'"


def test_a_model_that_failed_has_no_vote_and_does_not_lower_the_bar() -> None:
    error = QuorumModel(panel("yes", BUSY, BAD)).run(ASKED).error
    assert error.message == (
        "2 of 3 equal replies needed, got 1 × 'yes', failed: 'busy', failed: 'denied'"
    )


@pytest.mark.parametrize(
    ("answers", "retryable"),
    [
        (("yes", "no", BUSY), True),
        (("yes", "no", BAD), False),
        (("a", "b", "c", "d", BUSY), False),  # one more vote would make 2 of the 3 needed
        ((BUSY, BUSY, BAD), True),
        ((BUSY, BAD, BAD), False),
    ],
)
def test_it_is_retryable_if_those_who_failed_for_now_could_still_make_a_quorum(
    answers: tuple[object, ...], retryable: bool
) -> None:
    assert QuorumModel(panel(*answers)).run(ASKED).error.retryable is retryable


def test_a_higher_bar_can_be_set() -> None:
    assert QuorumModel(panel("yes", "yes", "no"), needed=3).run(ASKED).error.code == "no-quorum"
    assert QuorumModel(panel("yes", "yes", "yes"), needed=3).run(ASKED).ok


def test_one_that_breaks_its_promise_is_one_that_failed() -> None:
    models = [*panel("yes", "yes"), MisbehavingModel("raises")]
    assert QuorumModel(models).run(ASKED).value.text == "yes"


def test_its_identity_tells_who_votes() -> None:
    assert QuorumModel(panel("x", "y")).identity == ModelIdentity("quorum", "2 of fake/a + fake/b")


@pytest.mark.parametrize("needed", [0, 1, 4, 2.0, True])
def test_a_bar_that_two_texts_could_reach_or_none_is_refused(needed: object) -> None:
    with pytest.raises(ValueError, match="needed"):
        QuorumModel(panel("x", "y", "z"), needed=needed)


def test_no_models_are_no_quorum() -> None:
    with pytest.raises(ValueError, match="1 votes of 0"):
        QuorumModel([])


def test_one_judge_has_one_vote() -> None:
    with pytest.raises(ValueError, match="twice"):
        QuorumModel([FakeModel(["yes"]), FakeModel(["yes"]), *panel("no")])


@given(st.lists(st.sampled_from(["yes", "no", "yes ", BUSY, BAD]), min_size=1, max_size=9))
def test_a_reply_wins_if_and_only_if_more_than_half_gave_it(answers: list[object]) -> None:
    needed = len(answers) // 2 + 1
    results = [Ok(ModelReply(a)) if isinstance(a, str) else Err(a) for a in answers]
    votes = Counter(a.strip() for a in answers if isinstance(a, str))
    winners = [text for text, count in votes.items() if count * 2 > len(answers)]
    counted = count_votes(results, needed)
    assert [counted.value.text.strip()] == winners if counted.ok else winners == []


@pytest.mark.parametrize("models", [None, 5, object(), FakeModel([])])
def test_what_is_no_row_of_models_is_refused(models: object) -> None:
    with pytest.raises(ValueError, match="models: "):
        QuorumModel(models)
