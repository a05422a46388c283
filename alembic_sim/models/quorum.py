"""QuorumModel: several models answer, and what enough of them say is the reply (seed 4)."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.models.asking import ask_model
from alembic_sim.models.checks import identity_of, whole_number
from alembic_sim.ports.model import (
    ModelAdapter,
    ModelError,
    ModelIdentity,
    ModelReply,
    ModelRequest,
)
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten


class QuorumModel:
    """The models as one: its reply is the text that at least `needed` of them gave.

    Every model is asked, in order, every time: what a request costs does not depend on the
    answers. Two replies are equal if their texts are, apart from white space around them; the
    first of the equal ones is handed over as it came. `needed` is more than half of the models
    (the smallest majority if not given), so that two texts never win at once. Raises `ValueError`
    for any other number, for no models, and for two of the same identity: one judge, one vote.
    """

    def __init__(self, models: Sequence[ModelAdapter], needed: int | None = None) -> None:
        try:
            self._models = tuple(models)
        except Exception as error:  # whatever was handed over instead of models
            raise ValueError(f"models: {shorten(models)}: {raised(error)}") from None
        identities = [identity_of(model) for model in self._models]
        majority = len(identities) // 2 + 1
        self._needed = majority if needed is None else whole_number("needed", needed, majority)
        if self._needed > len(identities):
            raise ValueError(f"needed: {self._needed} votes of {len(identities)} models")
        twice = [one for one in identities if identities.count(one) > 1]
        if twice:
            raise ValueError(f"models: {twice[0]} is there twice; one judge has one vote")
        names = " + ".join(f"{one.adapter_id}/{one.model_id}" for one in identities)
        self.identity = ModelIdentity("quorum", f"{self._needed} of {names}")

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The reply that reached the quorum, or `no-quorum`."""
        return count_votes([ask_model(model, request) for model in self._models], self._needed)


def count_votes(
    answers: Sequence[Result[ModelReply, ModelError]], needed: int
) -> Result[ModelReply, ModelError]:
    """The reply that `needed` answers agree on, or `no-quorum` with the count of each.

    It is retryable if the models that failed for now could still make a quorum.
    """
    replies: dict[str, list[ModelReply]] = {}
    failures = [answer.error for answer in answers if not answer.ok]
    for answer in answers:
        if answer.ok:
            replies.setdefault(answer.value.text.strip(), []).append(answer.value)
    best = max(replies.values(), key=len, default=[])  # the first of equally long ones
    if len(best) >= needed:
        return Ok(best[0])
    votes = [f"{len(same)} × {shorten(text)}" for text, same in replies.items()]
    failed = [f"failed: {shorten(failure.code)}" for failure in failures]
    undecided = sum(failure.retryable for failure in failures)
    why = f"{needed} of {len(answers)} equal replies needed, got {', '.join([*votes, *failed])}"
    return Err(ModelError("no-quorum", why, retryable=len(best) + undecided >= needed))
