"""BreakerModel: leaves a model in trouble alone for a while (circuit breaker; seed 4)."""

from __future__ import annotations

from typing import Literal

from alembic_sim.guarded import read_clock
from alembic_sim.models.asking import ask_model
from alembic_sim.models.checks import identity_of, whole_number
from alembic_sim.ports.clock import Clock
from alembic_sim.ports.model import ModelAdapter, ModelError, ModelReply, ModelRequest
from alembic_sim.result import Err, Result


class BreakerModel:
    """The model `inner`, not asked for `cool_down_ms` once it failed `failures` times in a row.

    closed: every request goes through. open: none does, the answer is `circuit-open` at once.
    half-open, when the cool-down is over: one request goes through; it closes or opens again.
    Only `retryable` errors are failures: any other says something of the request, not of the
    service. Raises `ValueError` for settings that are not whole numbers ≥ 1.
    """

    def __init__(
        self, inner: ModelAdapter, *, clock: Clock, failures: int = 3, cool_down_ms: int = 30_000
    ) -> None:
        self.identity = identity_of(inner)
        self._inner = inner
        self._clock = clock
        self._failures = whole_number("failures", failures, 1)
        self._cool_down_ms = whole_number("cool_down_ms", cool_down_ms, 1)
        self._failed_in_a_row = 0
        self._opened_at: int | None = None

    @property
    def state(self) -> Literal["closed", "open", "half-open"]:
        """The state now; with a clock that cannot be read, a breaker that opened is open."""
        if self._opened_at is None:
            return "closed"
        now = read_clock(self._clock)
        return "open" if not now.ok or self._left_ms(now.value) > 0 else "half-open"

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        """The model's answer, or `circuit-open` (retryable, with the time that is left)."""
        now = read_clock(self._clock)
        if not now.ok:
            return Err(ModelError(now.error.code, now.error.message))
        left_ms = self._left_ms(now.value)
        if left_ms > 0:
            why = f"{self._failed_in_a_row} failures in a row; asked again in {left_ms} ms"
            return Err(ModelError("circuit-open", why, retryable=True, retry_after_ms=left_ms))
        answer = ask_model(self._inner, request)
        if answer.ok or not answer.error.retryable:
            self._failed_in_a_row, self._opened_at = 0, None
            return answer
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self._failures:  # so one failure is enough when half-open
            after = read_clock(self._clock)  # the call itself may have taken long
            self._opened_at = after.value if after.ok else now.value
        return answer

    def _left_ms(self, now: int) -> int:
        """What is left of the cool-down; it starts anew if the clock was turned back."""
        if self._opened_at is None:
            return 0
        self._opened_at = min(self._opened_at, now)
        return max(0, self._opened_at + self._cool_down_ms - now)
