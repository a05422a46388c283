"""ask_model: whatever a user's adapter does, a reply with a text or a ModelError comes back."""

from __future__ import annotations

from alembic_sim.ports.clock import MAX_SAFE_INTEGER
from alembic_sim.ports.model import ModelAdapter, ModelError, ModelReply, ModelRequest
from alembic_sim.result import Coded, Err, Result, ask
from alembic_sim.shorten import shorten


def ask_model(model: ModelAdapter, request: ModelRequest) -> Result[ModelReply, ModelError]:
    """The model's own answer; `raised` or `bad-port` if it breaks the promise of its port."""

    def run() -> Result[ModelReply, ModelError]:  # inside `ask`, since even `model.run` may raise
        return model.run(request)

    answer = ask(run, returns=ModelReply)
    if not answer.ok:
        return Err(_model_error(answer.error))
    if not isinstance(answer.value.text, str):
        got = type(answer.value.text).__name__
        return Err(ModelError("bad-port", f"run replied with {got}, not with a text"))
    return answer


def _model_error(error: Coded) -> ModelError:
    """The error with fields of the promised types, so that combinators can count with them."""
    match error:
        case ModelError(code=str(), message=str(), retryable=bool(), retry_after_ms=None):
            return error
    wait_ms = getattr(error, "retry_after_ms", None)
    if not isinstance(wait_ms, int) or not 0 <= wait_ms <= MAX_SAFE_INTEGER:
        wait_ms = None
    retryable = getattr(error, "retryable", False) is True
    return ModelError(_text(error.code), _text(error.message), retryable, wait_ms)


def _text(value: object) -> str:
    return value if isinstance(value, str) else shorten(value)
