"""The answer in words: which policy, why, and what would speak for another."""

from __future__ import annotations

import math

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.sim.forecast.answer import (
    Score,
    answer_sentence,
    best_of,
    lead_of,
    scores_of,
    verdict_of,
)
from alembic_sim.sim.forecast.chances import Count
from alembic_sim.sim.forecast.forecast import forecast
from alembic_sim.sim.forecast.outlook import PolicyOutlook, Totals
from tests.sim.forecast.homes import NOW_MS, home

EARLY, LATE = CuratorPolicy(14, 30), CuratorPolicy(30, 90)


def sure(name: str, right: int, regrets: float, skills: int = 60) -> Score:
    """So many skills are rightly archived for certain, the others never."""
    return Score(name, (1.0,) * right + (0.0,) * (skills - right), regrets)


def doubtful(name: str, right: float, regrets: float, skills: int = 20) -> Score:
    """The same chance for each of the skills."""
    return Score(name, (right / skills,) * skills, regrets)


def test_most_that_is_rightly_archived_is_best_and_of_equals_what_is_missed_least() -> None:
    assert best_of([sure("a", 9, 2), sure("b", 12, 5)]).name == "b"
    assert best_of([doubtful("a", 9.03, 0.4), doubtful("b", 9.04, 0.2)]).name == "b"
    assert best_of([doubtful("a", 9.03, 0.304), doubtful("b", 9.04, 0.296)]).name == "a"


def test_a_lead_is_of_the_skills_that_differ_and_no_skill_that_is_certain_makes_it_unsure() -> None:
    first = Score("a", (1.0, 0.5, 0.9, 0.0), 0)
    second = Score("b", (0.0, 0.5, 0.4, 0.0), 0)
    lead = lead_of(first, second)
    assert lead.mean == pytest.approx(1.5)
    assert lead.deviation == pytest.approx(math.sqrt(0.9 * 0.1 + 0.4 * 0.6))
    assert lead.is_clear
    assert not lead_of(second, first).is_clear
    assert not lead_of(first, first).is_clear


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        pytest.param(
            [sure("30/90", 30, 10), sure("14/30", 35, 25)],
            "Take 14/30: over 180 days it archives 35.0 that are not needed again within 30 days,"
            " 5.0 ± 0.0 more than 30/90. But 25.0 are needed again (30/90: 10.0): take 30/90 if"
            " each of those costs you more than 0.33 of what one rightly archived is worth.",
            id="more of both",
        ),
        pytest.param(
            [sure("30/90", 30, 10), sure("30/60", 39, 18), sure("14/30", 40, 20)],
            "Take 14/30: over 180 days it archives 40.0 that are not needed again within 30 days,"
            " 1.0 ± 0.0 more than 30/60. But 20.0 are needed again (30/60: 18.0): take 30/60 if"
            " each of those costs you more than 0.5 of what one rightly archived is worth.",
            id="of two that are safer the one that is as good first, as the price rises",
        ),
        pytest.param(
            [sure("30/90", 37, 3), sure("14/30", 25, 5)],
            "Take 30/90: over 180 days it archives 37.0 that are not needed again within 30 days,"
            " 12.0 ± 0.0 more than 14/30. No other has fewer that are needed again.",
            id="better in both",
        ),
        pytest.param(
            [doubtful("30/90", 10, 0.4), doubtful("14/30", 11, 1.8)],
            "Too close to call over 180 days. Archived and not needed again within 30 days:"
            " 14/30 11.0, 30/90 10.0; the difference is 1.0 ± 3.2. 30/90 is the cautious choice:"
            " 0.4 are needed again, under 14/30 1.8.",
            id="nobody can tell",
        ),
        pytest.param(
            [sure("30/90", 9, 0.5), sure("31/90", 9, 0.5)],
            "Too close to call over 180 days. Archived and not needed again within 30 days:"
            " 30/90 9.0, 31/90 9.0; the difference is 0.0 ± 0.0. As many are needed again, 0.5:"
            " either will do.",
            id="nothing to choose",
        ),
    ],
)
def test_the_verdict_is_no_surer_than_the_numbers_are(scores: list[Score], told: str) -> None:
    assert verdict_of(scores, 60, 180) == told


def test_one_policy_needs_no_verdict_and_nothing_in_play_has_none() -> None:
    assert verdict_of([sure("30/90", 9, 1)], 60, 180) == ""
    nothing = [sure("30/90", 0, 0), sure("14/30", 0, 0)]
    assert verdict_of(nothing, 0, 180) == "Nothing is in play: no policy moves anything."


def test_scores_are_by_the_rules_in_force() -> None:
    made = forecast(home(), NOW_MS).expect("a forecast")
    assert made.rules == "ancestor"
    assert made.scores == scores_of(made.outlooks, made.skills, "ancestor")
    assert made.scores != scores_of(made.outlooks, made.skills, "alembic")
    for score, outlook in zip(made.scores, made.outlooks, strict=True):
        totals = outlook.ancestor
        assert score.right == pytest.approx(totals.archived.mean - totals.regrets.mean)
        assert score.regrets == totals.regrets.mean


def outlook(policy: CuratorPolicy, archived: float, regrets: float) -> PolicyOutlook:
    def totals(in_play: int) -> Totals:
        counts = [Count(mean, 0.5, int(mean), int(mean) + 1) for mean in (archived, regrets)]
        return Totals(in_play, 0, 0, counts[0], counts[0], counts[1])

    return PolicyOutlook(policy, totals(1), totals(2))


def test_the_sentence_names_every_policy_in_its_order_and_whose_rules_they_are() -> None:
    outlooks = [outlook(EARLY, 1.26, 0.04), outlook(LATE, 1, 0)]
    assert answer_sentence(outlooks, "alembic", 1) == (
        "Of 1 skill in play, within 1 day: 14/30 archives 1.3 ± 0.5, 0.0 ± 0.5 of them needed"
        " again within 30 days; 30/90 archives 1.0 ± 0.5, 0.0 ± 0.5 of them needed again within 30"
        " days."
    )
    assert answer_sentence(outlooks, "ancestor", 30).startswith(
        "Of 2 skills in play, within 30 days by the rules of Hermes Agent: 14/30 archives"
    )
