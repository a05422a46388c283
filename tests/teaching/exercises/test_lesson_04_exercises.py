"""Lesson 04's right answers are the engine's: another engine would expect others."""

from __future__ import annotations

from typing import Any

import pytest

from alembic_sim import Err, GateVerdict, Ok
from alembic_sim.result import Fault
from alembic_sim.teaching.exercises.bank import (
    e04_1_a_score,
    e04_2_quiet_or_broken,
    e04_3_a_panel,
)
from alembic_sim.teaching.exercises.checking import NotPassed, judge
from tests.teaching.exercises.answers import written


def takes_all(raw: object) -> Any:
    return Ok(raw)


def reads_nothing_into_it(body: str) -> Any:
    """Fails open: what cannot be read is an empty array."""
    return Ok([])


def takes_no_errors(needed: int, *gates: Any) -> Any:
    def gate(proposal: object) -> Any:
        votes = [answer.ok and answer.value.approved for answer in (g(proposal) for g in gates)]
        return Ok(GateVerdict(sum(votes) >= needed, "by votes"))

    return gate


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (e04_1_a_score, "parse_proposal", takes_all),
        (e04_2_quiet_or_broken, "parse_proposals", reads_nothing_into_it),
        (e04_3_a_panel, "quorum", takes_no_errors),
    ],
)
def test_with_another_engine_the_solution_is_wrong(
    module: Any, name: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)
    exercise = module.EXERCISE
    assert isinstance(judge(exercise, written(exercise, exercise.solution)), NotPassed)


def test_a_reviewer_that_errs_is_broken_not_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert e04_2_quiet_or_broken.reference("[]") == "quiet"
    assert e04_2_quiet_or_broken.reference('["a"]') == "proposals"
    fails = lambda body: Err(Fault("bad-reply", "never"))  # noqa: E731
    monkeypatch.setattr(e04_2_quiet_or_broken, "parse_proposals", fails)
    assert e04_2_quiet_or_broken.reference("[]") == "broken"


@pytest.mark.parametrize(
    ("votes", "needed", "answer"),
    [
        (["yes", "yes", "no"], 2, "approved"),
        (["yes", "no", "no"], 2, "not approved"),
        (["yes", "yes", "error"], 2, "error"),
    ],
)
def test_the_panel_answers_as_its_gates_vote(votes: list[str], needed: int, answer: str) -> None:
    assert e04_3_a_panel.reference(votes, needed) == answer
