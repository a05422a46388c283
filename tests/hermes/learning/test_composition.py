"""Gates made of gates: votes are counted, means are exact, an error fails the panel closed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import (
    Add,
    Err,
    GateVerdict,
    MemoryFs,
    MemoryStore,
    Ok,
    ReviewDeps,
    ReviewProposal,
    StoreError,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.learning.composition import (
    all_of,
    any_of,
    exact_mean,
    mean_score_gate,
    quorum,
)
from tests.meddled_fs import Liar, Unspeakable

PROPOSAL = ReviewProposal(target="memory", op=Add("a fact"), rationale="why", score=0.75)


def voter(approved: bool, reason: str = "so I say") -> object:
    return lambda _proposal: Ok(GateVerdict(approved, reason))


def scorer(score: object) -> object:
    return lambda _proposal: Ok(score)


def raiser(_proposal: object) -> object:
    raise Unspeakable


yes, no = voter(True), voter(False)

# --- votes ---


@pytest.mark.parametrize(
    "votes", [v for n in (1, 2, 3) for v in itertools.product([0, 1], repeat=n)]
)
def test_the_votes_decide_as_their_name_says(votes: tuple[int, ...]) -> None:
    gates = [voter(bool(vote)) for vote in votes]
    assert all_of(*gates)(PROPOSAL).value.approved is all(votes)
    assert any_of(*gates)(PROPOSAL).value.approved is any(votes)
    for needed in range(1, len(votes) + 1):
        assert quorum(needed, *gates)(PROPOSAL).value.approved is (sum(votes) >= needed)


def test_the_reason_counts_the_votes_and_names_each_with_its_own_reason() -> None:
    verdict = quorum(2, score_threshold_gate(), voter(False, "seen only once"), yes)(PROPOSAL).value
    assert verdict == GateVerdict(
        True,
        "2 of 3 approve, 2 needed (gate 1 yes: score 0.75 ≥ threshold 0.7; "
        "gate 2 no: seen only once; gate 3 yes: so I say)",
    )


@pytest.mark.parametrize(
    "broken",
    [
        lambda _p: Err(StoreError("out", "the judge is out")),
        raiser,
        lambda _p: None,
        lambda _p: True,
        lambda _p: Ok(True),
        lambda _p: GateVerdict(True, "bare"),
        lambda _p: Ok(GateVerdict(1, "one")),
        lambda _p: Err(Liar()),
    ],
    ids=["Err", "raises", "None", "True", "Ok(True)", "bare", "approved=1", "Err(liar)"],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_gate_that_errs_fails_the_panel_closed_however_the_others_vote(
    broken: object, place: int
) -> None:
    for others in ([yes, yes], [no, no]):
        gates = [*others[:place], broken, *others[place:]]
        for panel in (all_of(*gates), any_of(*gates), quorum(2, *gates)):
            error = panel(PROPOSAL).error
            assert error.message.startswith(f"gate {place + 1}: ")


def test_the_error_keeps_the_gates_own_code() -> None:
    panel = any_of(yes, lambda _p: Err(StoreError("out", "the judge is out")))
    assert panel(PROPOSAL).error.code == "out"
    assert panel(PROPOSAL).error.message == "gate 2: the judge is out"


def test_panels_can_be_members_of_panels() -> None:
    panel = all_of(any_of(no, yes), quorum(2, yes, no, yes))
    assert panel(PROPOSAL).value.approved is True
    assert all_of(panel, no)(PROPOSAL).value.approved is False


def test_a_verdict_that_was_made_to_say_something_odd_is_no_vote_for_it() -> None:
    verdict = GateVerdict(False, "hm")
    object.__setattr__(verdict, "approved", "yes")
    decided = any_of(lambda _p: Ok(verdict))(PROPOSAL).value
    assert decided == GateVerdict(False, "0 of 1 approve, 1 needed (gate 1 no: hm)")


@pytest.mark.parametrize("make", [all_of, any_of, lambda: quorum(1), mean_score_gate])
def test_an_empty_panel_is_refused_for_it_would_approve_out_of_nothing(make: object) -> None:
    with pytest.raises(ValueError, match="out of nothing"):
        make()


@pytest.mark.parametrize("needed", [0, -1, 3, True, 1.0, "1", None, 10**5000], ids=range(8))
def test_a_number_of_votes_out_of_reach_is_refused_at_construction(needed: object) -> None:
    with pytest.raises(ValueError, match=r"^needed: .* is not a number of votes, 1 to 2$"):
        quorum(needed, yes, no)


@pytest.mark.parametrize("member", [None, "gate", GateVerdict(True, "x"), Liar()], ids=range(4))
def test_a_member_that_cannot_be_called_is_refused_at_construction(member: object) -> None:
    with pytest.raises(ValueError, match=r"^gate 2: .* cannot be called$"):
        any_of(yes, member)
    with pytest.raises(ValueError, match=r"^scorer 1: .* cannot be called$"):
        mean_score_gate(member)


# --- a mean of scores ---


def mean_of(*scores: object, minimum: float = 0.7) -> GateVerdict:
    return mean_score_gate(*map(scorer, scores), minimum=minimum)(PROPOSAL).value


@pytest.mark.parametrize("scores", [(0.7, 0.7, 0.7), *itertools.permutations([0.6, 0.7, 0.8])])
def test_scores_whose_decimal_mean_is_the_threshold_are_approved_in_every_order(
    scores: tuple[float, ...],
) -> None:
    """Binary sums of these are above or below 2.1 depending on the order."""
    verdict = mean_of(*scores)
    assert verdict.approved is True
    assert verdict.reason.startswith("mean score 0.7 ≥ threshold 0.7 (scores ")


def test_the_reason_shows_the_mean_the_bar_and_every_score() -> None:
    assert mean_of(1.0, 0.5, 0).reason == (
        "mean score 0.5 < threshold 0.7 (scores 1, 0.5, 0; learn only from validated wins)"
    )
    assert mean_of(1, 1, 0.5).reason == (
        "mean score 0.83333333333333333 ≥ threshold 0.7 (scores 1, 1, 0.5)"
    )


def test_a_mean_a_hair_below_is_refused_and_the_reason_does_not_round_it_up() -> None:
    verdict = mean_of(0.7, 0.7, math.nextafter(0.7, 0))
    assert verdict.approved is False
    assert verdict.reason.startswith("mean score 0.69999999999999993 < threshold 0.7 (")


def test_a_mean_below_by_less_than_is_printed_is_rounded_down_not_up() -> None:
    verdict = mean_of(math.nextafter(0.7, 0), math.nextafter(2e-16, 0), minimum=0.35)
    assert verdict.approved is False
    assert verdict.reason.startswith("mean score 0.34999999999999999 < threshold 0.35 (")


def test_the_traps_of_binary_fractions() -> None:
    assert exact_mean([0.1, 0.2]) == Fraction(15, 100)
    assert mean_of(0.1, 0.2, 0.3, minimum=0.2).approved is True
    assert mean_of(0.1 + 0.2, 0.3, minimum=0.3).approved is True
    assert mean_of(0.3, 0.3, minimum=0.1 + 0.2).approved is False, "0.30000000000000004 is more"
    assert mean_of(*[0.1] * 10, minimum=0.1).approved is True
    assert mean_of(5e-324, minimum=0).reason.startswith("mean score 5e-324 ≥ threshold 0 (")


@given(
    st.lists(st.floats(0, 1) | st.sampled_from([0.1, 0.2, 0.3, 0.6, 0.7, 0.8]), min_size=1),
    st.floats(0, 1) | st.just(0.7),
    st.randoms(),
)
@example([0.7, 0.7, math.nextafter(0.7, 0)], 0.7, None)
def test_the_verdict_is_that_of_whole_numbers_and_no_order_changes_it(
    scores: list[float], minimum: float, shuffle: object
) -> None:
    """The oracle scales every decimal up to a whole number and compares those."""
    verdict = mean_of(*scores, minimum=minimum)
    scale = 10**1100
    whole = [int(Fraction(repr(score)) * scale) for score in scores]
    bar = int(Fraction(repr(minimum)) * scale) * len(scores)
    assert verdict.approved is (sum(whole) >= bar)
    printed = verdict.reason.split()[2]
    assert (Fraction(printed) >= Fraction(repr(minimum))) is verdict.approved
    if shuffle is not None:
        shuffle.shuffle(scores)
        assert mean_of(*scores, minimum=minimum).approved is verdict.approved


@pytest.mark.parametrize(
    "odd",
    [-0.1, 1.1, 70, math.nan, math.inf, True, False, "0.7", None, Fraction(1, 2), 10**400, Liar()],
    ids=range(12),
)
def test_a_score_off_the_scale_is_an_error_of_the_panel_not_a_low_mark(odd: object) -> None:
    error = mean_score_gate(scorer(0.9), scorer(odd))(PROPOSAL).error
    assert error.code == "bad-score"
    assert error.message.startswith("scorer 2 said ")


def test_a_scorer_that_errs_fails_the_panel_closed() -> None:
    error = mean_score_gate(raiser, scorer(1))(PROPOSAL).error
    assert error.message.startswith("scorer 1: ")


@pytest.mark.parametrize("minimum", [-0.1, 1.1, math.nan, True, "0.7", None, Liar()], ids=range(7))
def test_an_impossible_bar_is_refused_at_construction(minimum: object) -> None:
    with pytest.raises(ValueError, match=r"^minimum: .* is not a number from 0 to 1$"):
        mean_score_gate(scorer(1), minimum=minimum)


def test_a_scorer_sees_the_proposal() -> None:
    verdict = mean_score_gate(lambda proposal: Ok(proposal.score))(PROPOSAL).value
    assert verdict.reason == "mean score 0.75 ≥ threshold 0.7 (scores 0.75)"


# --- as the gate of the kernel ---


def test_a_panel_is_a_gate_like_any_other_and_its_error_writes_nothing() -> None:
    fs = MemoryFs()

    def learn(gate: object) -> object:
        return review_and_learn(
            "turn", ReviewDeps(lambda _s: Ok([PROPOSAL]), gate, MemoryStore(fs))
        )

    assert learn(any_of(yes, raiser)).error.code == "gate-error"
    assert fs.files() == {}
    assert len(learn(all_of(yes, no)).value.rejected) == 1
    assert fs.files() == {}
    assert len(learn(quorum(1, yes, no)).value.applied) == 1
    assert fs.files() == {"memory/MEMORY.md": b"a fact"}
