"""Gates made of gates: all of them, any of them, a quorum of votes, a mean of scores [ours].

Every gate of a panel is asked, also when the vote is settled already: one that errs fails the whole
panel closed, and no order of the gates changes a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TypeGuard, TypeVar

from alembic_sim.hermes.learning.gate import DEFAULT_REVIEW_SCORE_THRESHOLD
from alembic_sim.hermes.learning.js_number import js_number
from alembic_sim.hermes.learning.types import GateVerdict, ReviewGate, ReviewProposal
from alembic_sim.result import Coded, Err, Ok, Result, ask
from alembic_sim.shorten import shorten

T = TypeVar("T")

Scorer = Callable[[ReviewProposal], Result[float, Coded]]
"""A proposal in, a score from 0 to 1 out: one judge of a panel."""


@dataclass(frozen=True, slots=True)
class PanelError:
    """Why a panel has no verdict: which of its members erred, and how."""

    code: str
    message: str


def all_of(*gates: ReviewGate) -> ReviewGate:
    """A gate that approves what every one of the gates approves."""
    return quorum(len(gates), *gates)


def any_of(*gates: ReviewGate) -> ReviewGate:
    """A gate that approves what at least one of the gates approves."""
    return quorum(1, *gates)


def quorum(needed: int, *gates: ReviewGate) -> ReviewGate:
    """A gate that approves what at least `needed` of the gates approve; any error is its error.

    Raises `ValueError` for no gates, and for a number of votes that they cannot or need not reach.
    """
    _check_members("gate", gates)
    whole = isinstance(needed, int) and not isinstance(needed, bool)
    if not (whole and 1 <= needed <= len(gates)):
        raise ValueError(f"needed: {shorten(needed)} is not a number of votes, 1 to {len(gates)}")

    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        verdicts = _ask_all("gate", gates, proposal, GateVerdict)
        if not verdicts.ok:
            return verdicts
        yes = sum(verdict.approved is True for verdict in verdicts.value)
        votes = "; ".join(
            f"gate {number} {'yes' if verdict.approved is True else 'no'}: {verdict.reason}"
            for number, verdict in enumerate(verdicts.value, start=1)
        )
        count = f"{yes} of {len(gates)} approve, {needed} needed"
        return Ok(GateVerdict(yes >= needed, f"{count} ({votes})"))

    return gate


def mean_score_gate(
    *scorers: Scorer, minimum: float = DEFAULT_REVIEW_SCORE_THRESHOLD
) -> ReviewGate:
    """A gate that approves a proposal if and only if the mean of its scores is at least `minimum`.

    The mean is exact, over the decimals that the scores print as: 0.6, 0.7 and 0.8 average to 0.7
    in every order, where adding binary fractions makes it 0.7000000000000001 or
    0.6999999999999998. Raises `ValueError` for no scorers or a minimum outside 0 to 1.
    """
    _check_members("scorer", scorers)
    if not _is_score(minimum):
        raise ValueError(f"minimum: {shorten(minimum)} is not a number from 0 to 1")

    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        answers = _ask_all("scorer", scorers, proposal, object)
        if not answers.ok:
            return answers
        scores: list[float] = []
        for number, score in enumerate(answers.value, start=1):
            if not _is_score(score):
                why = f"scorer {number} said {shorten(score)}, not a number from 0 to 1"
                return Err(PanelError("bad-score", why))
            scores.append(score)
        mean = exact_mean(scores)
        approved = mean >= _as_printed(minimum)
        sign, hint = ("≥", "") if approved else ("<", "; learn only from validated wins")
        listed = ", ".join(map(js_number, scores))
        compared = f"mean score {_down_to_17_digits(mean)} {sign} threshold {js_number(minimum)}"
        return Ok(GateVerdict(approved, f"{compared} (scores {listed}{hint})"))

    return gate


def exact_mean(scores: Sequence[float]) -> Fraction:
    """The mean of the scores as they print: of 0.1 and 0.2 it is 3/20, not a bit more.

    >>> exact_mean([0.1, 0.2])
    Fraction(3, 20)
    """
    return sum(map(_as_printed, scores), Fraction()) / len(scores)


def _as_printed(score: float) -> Fraction:
    return Fraction(Decimal(repr(float(score))))


def _down_to_17_digits(mean: Fraction) -> str:
    """The mean, rounded down: 17 digits tell any double from what lies below it."""
    floor = Context(prec=17, rounding=ROUND_FLOOR)
    quotient = floor.divide(Decimal(mean.numerator), Decimal(mean.denominator))
    return str(quotient.normalize()).lower()


def _is_score(score: object) -> TypeGuard[float]:
    return isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1


def _check_members(what: str, members: Sequence[object]) -> None:
    if not members:
        raise ValueError(f"a panel without a {what} would approve or refuse out of nothing")
    for number, member in enumerate(members, start=1):
        if not callable(member):
            raise ValueError(f"{what} {number}: {shorten(member)} cannot be called")


def _ask_all(
    what: str, members: Sequence[Callable[..., object]], proposal: ReviewProposal, returns: type[T]
) -> Result[list[T], PanelError]:
    """Every member's answer, in order; the first error is the panel's."""
    answers: list[T] = []
    for number, member in enumerate(members, start=1):
        answer = ask(member, proposal, returns=returns)
        if not answer.ok:
            return Err(PanelError(answer.error.code, f"{what} {number}: {answer.error.message}"))
        answers.append(answer.value)
    return Ok(answers)
