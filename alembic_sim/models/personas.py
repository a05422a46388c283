"""Personas: fake models whose judgement follows a stated model, so that it can be predicted.

A reviewer sees some true lessons and some false ones and scores both with noise; validators judge
the same lessons, err at stated rates, and so disagree. Chance is a seeded generator passed in:
the same seed gives the same judgements, draw by draw.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from alembic_sim.models.checks import whole_number
from alembic_sim.models.fake_model import FakeModel
from alembic_sim.ports.model import ModelRequest
from alembic_sim.shorten import shorten

TRUE_CENTRE, FALSE_CENTRE = 85, 55
"""Where a reviewer's scores lie, in hundredths: 15 above and 15 below the threshold of 0.7."""

APPROVE, REJECT = "approve", "reject"


class Chance(Protocol):
    """The one method of `random.Random` that personas draw from: a number in [0, 1)."""

    def random(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a finished turn may teach, and the truth about it, which no model is told.

    Raises `ValueError` for a blank content: it would be found in every prompt.
    """

    content: str
    is_true: bool

    def __post_init__(self) -> None:
        if not isinstance(self.content, str) or not self.content.strip():
            raise ValueError(f"content: {shorten(self.content)} is not a text that says something")


def quality_score(is_true: bool, draw: float, noise: int) -> float:
    """The score of a candidate: whole hundredths, each of centre ± noise equally likely.

    centre is 85 for a true candidate and 55 for a false one; `draw` in [0, 1) picks one of the
    2 × noise + 1 values; what leaves 0–100 is put at its edge. So with the threshold of 0.7 a
    noise of 14 hundredths lets no false one through, one of 15 one in 31, one of 45 31 in 91.

    >>> quality_score(True, 0.5, noise=20), quality_score(False, 0.999, noise=20)
    (0.85, 0.75)
    """
    centre = TRUE_CENTRE if is_true else FALSE_CENTRE
    hundredths = centre - noise + int(draw * (2 * noise + 1))
    return max(0, min(100, hundredths)) / 100


def quality_reviewer(
    candidates: Sequence[Candidate],
    chance: Chance,
    *,
    noise: int = 20,
    model_id: str = "quality-reviewer",
) -> FakeModel:
    """A reviewer that proposes every candidate quoted in the prompt, scored by `quality_score`.

    It draws once for each, in the order of `candidates`; if none is quoted it says `[]`. Raises
    `ValueError` for a noise that is not a whole number of hundredths.
    """
    whole_number("noise", noise, 0)
    known = tuple(candidates)

    def review(request: ModelRequest) -> str:
        proposals = [
            {
                "target": "memory",
                "op": {"action": "add", "content": candidate.content},
                "rationale": "the turn showed it",
                "score": quality_score(candidate.is_true, chance.random(), noise),
            }
            for candidate in _quoted(known, request)
        ]
        return json.dumps(proposals, ensure_ascii=False)

    return FakeModel(review, adapter_id="persona", model_id=model_id)


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """How often a validator errs, in percent. Raises `ValueError` for anything but 0 to 100."""

    approves_false: int
    rejects_true: int

    def __post_init__(self) -> None:
        for name in ("approves_false", "rejects_true"):
            if whole_number(name, getattr(self, name), 0) > 100:
                raise ValueError(f"{name}: {getattr(self, name)} is more than 100 percent")


VALIDATORS: dict[str, ErrorRates] = {
    "analyst": ErrorRates(approves_false=15, rejects_true=10),
    "skeptical-pragmatist": ErrorRates(approves_false=8, rejects_true=25),
    "contrarian": ErrorRates(approves_false=3, rejects_true=45),
}
"""The seed's three validators (seed 3), with rates of ours: the harsher, the more true it loses."""


def judges_true(is_true: bool, draw: float, rates: ErrorRates) -> bool:
    """Whether a validator takes a candidate for true: it errs if `draw` is below its rate."""
    rate = rates.rejects_true if is_true else rates.approves_false
    errs = draw * 100 < rate
    return is_true is not errs


def validator(
    candidates: Sequence[Candidate], chance: Chance, rates: ErrorRates, *, model_id: str
) -> FakeModel:
    """A validator that says `approve` if it takes every candidate quoted in the prompt for true.

    It draws once for each, in the order of `candidates`. A prompt that quotes none is rejected:
    what it cannot judge it lets not pass. Give each validator a generator of its own.
    """
    known = tuple(candidates)

    def judge(request: ModelRequest) -> str:
        quoted = _quoted(known, request)
        verdicts = [judges_true(one.is_true, chance.random(), rates) for one in quoted]
        return APPROVE if verdicts and all(verdicts) else REJECT

    return FakeModel(judge, adapter_id="persona", model_id=model_id)


def _quoted(candidates: Sequence[Candidate], request: ModelRequest) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.content in request.prompt]
