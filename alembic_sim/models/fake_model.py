"""FakeModel: a model that says what its script says, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from alembic_sim.ports.model import ModelError, ModelIdentity, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

Scripted = str | ModelReply | ModelError | Result[ModelReply, ModelError]
Script = Iterable[Scripted] | Callable[[ModelRequest], Scripted]


class FakeModel:
    """A scripted model: a list of answers, one a call, or a function of the request.

    A text is a reply, a `ModelError` an error. `calls` records every request. When the list is
    used up the answer is the error `script-exhausted`; a function that raises is `script-raised`.
    Raises `ValueError` for a script that is neither a list of answers nor a function.
    """

    def __init__(
        self, script: Script, *, adapter_id: str = "fake", model_id: str = "scripted"
    ) -> None:
        self.identity = ModelIdentity(adapter_id, model_id)
        self.calls: list[ModelRequest] = []
        self._answer = script if callable(script) else _read_out(script)

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The next scripted answer."""
        self.calls.append(request)
        try:
            answer = self._answer(request)
        except Exception as error:  # a lesson's script may raise anything; a model never does
            return Err(ModelError("script-raised", raised(error)))
        match answer:
            case str():
                return Ok(ModelReply(answer))
            case ModelReply():
                return Ok(answer)
            case ModelError():
                return Err(answer)
            case Ok(ModelReply()) | Err(ModelError()):
                return answer
        got = type(answer).__name__
        return Err(ModelError("bad-script", f"the script answered with {got}, not with a text"))


def _read_out(script: Iterable[Scripted]) -> Callable[[ModelRequest], Scripted]:
    if isinstance(script, str | bytes) or not isinstance(script, Iterable):
        raise ValueError(f"script: {shorten(script)} is not a list of answers, nor a function")
    try:
        answers = list(script)
    except Exception as error:  # whatever was handed over instead of a list
        raise ValueError(f"script: {shorten(script)}: {raised(error)}") from None
    remaining = iter(answers)

    def next_answer(_request: ModelRequest) -> Scripted:
        used_up = f"the script of {len(answers)} answers is used up"
        return next(remaining, ModelError("script-exhausted", used_up))

    return next_answer
