"""RetryingModel: asks again where asking again can help (seed 4: over one shape of Result)."""

from __future__ import annotations

from collections.abc import Callable

from alembic_sim.models.asking import ask_model
from alembic_sim.models.checks import identity_of, whole_number
from alembic_sim.ports.model import ModelAdapter, ModelError, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised


class RetryingModel:
    """The model `inner`, asked up to `attempts` times while its errors are `retryable`.

    Between two attempts it waits `base_ms`, then twice that, and so on up to `cap_ms`, through the
    injected `sleep(ms)`. No chance is mixed in: the same errors give the same waits.
    Raises `ValueError` for settings that are not whole numbers (attempts ≥ 1, times ≥ 0).
    """

    def __init__(
        self,
        inner: ModelAdapter,
        *,
        sleep: Callable[[int], object],
        attempts: int = 3,
        base_ms: int = 500,
        cap_ms: int = 8_000,
    ) -> None:
        self.identity = identity_of(inner)  # who answers stays who answers
        self._inner = inner
        self._sleep = sleep
        self._attempts = whole_number("attempts", attempts, 1)
        self._base_ms = whole_number("base_ms", base_ms, 0)
        self._cap_ms = whole_number("cap_ms", cap_ms, 0)

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The first reply, or the first error after which asking again is no use."""
        attempt = 1
        while True:
            answer = ask_model(self._inner, request)
            wait_ms = None if answer.ok else self.wait_ms_after(answer.error, attempt)
            if wait_ms is None:
                return answer
            slept = _pause(self._sleep, wait_ms)
            if not slept.ok:
                return slept
            attempt += 1

    def wait_ms_after(self, error: ModelError, attempt: int) -> int | None:
        """How long to wait after the attempt (counted from 1) failed; `None`: don't ask again.

        A server that says when to come back is obeyed; if that is later than `cap_ms`, it isn't
        asked again, since coming earlier would only be refused.
        """
        if not error.retryable or attempt >= self._attempts:
            return None
        asked_for = error.retry_after_ms or 0
        backoff = min(self._cap_ms, self._base_ms * 2 ** (attempt - 1))
        return max(backoff, asked_for) if asked_for <= self._cap_ms else None


def _pause(sleep: Callable[[int], object], ms: int) -> Result[None, ModelError]:
    try:
        sleep(ms)
    except Exception as error:  # the sleep is the caller's, and may raise anything
        return Err(ModelError("bad-sleep", f"the sleep of {ms} ms raised {raised(error)}"))
    return Ok(None)
