"""MeteredModel: counts calls and characters, and stops when the budget is used up (seed 4)."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.models.asking import ask_model
from alembic_sim.models.checks import check_request, identity_of, whole_number
from alembic_sim.ports.model import ModelAdapter, ModelError, ModelReply, ModelRequest
from alembic_sim.result import Err, Result


@dataclass(frozen=True, slots=True)
class Spent:
    """What went through the meter: calls, and characters of prompts and replies together."""

    calls: int = 0
    chars: int = 0


class MeteredModel:
    """The model `inner`, asked while both budgets last; `spent` says how much is gone.

    A call counts when it is made, whether it succeeds or not. Characters are code points, since
    they can be counted before the call and for every model; tokens cannot. A reply's length is
    known only afterwards: the last reply may overdraw, and is still handed over, as it is paid.
    Raises `ValueError` for a budget that is not a whole number ≥ 0.
    """

    def __init__(self, inner: ModelAdapter, *, max_calls: int, max_chars: int) -> None:
        self.identity = identity_of(inner)
        self._inner = inner
        self._max = Spent(
            whole_number("max_calls", max_calls, 0), whole_number("max_chars", max_chars, 0)
        )
        self.spent = Spent()

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The model's answer; `calls-used-up` or `chars-used-up` without asking it."""
        checked = check_request(request)
        if not checked.ok:
            return checked
        asked = Spent(
            self.spent.calls + 1, self.spent.chars + len(request.system) + len(request.prompt)
        )
        if asked.calls > self._max.calls:
            return _used_up("calls", self.spent.calls, asked.calls, self._max.calls)
        if asked.chars > self._max.chars:
            return _used_up("chars", self.spent.chars, asked.chars, self._max.chars)
        self.spent = asked
        answer = ask_model(self._inner, request)
        if answer.ok:
            self.spent = Spent(asked.calls, asked.chars + len(answer.value.text))
        return answer


def _used_up(what: str, spent: int, needed: int, limit: int) -> Err[ModelError]:
    why = f"{spent} of {limit} {what} are spent; this call needs {needed - spent} more"
    return Err(ModelError(f"{what}-used-up", why))
