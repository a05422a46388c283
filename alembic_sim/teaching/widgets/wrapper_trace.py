"""Six requests through a stack of wrappers: the real retry and the real breaker on a fake clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.models.breaker import BreakerModel
from alembic_sim.models.fake_model import FakeModel
from alembic_sim.models.retry import RetryingModel
from alembic_sim.ports.model import ModelAdapter, ModelError, ModelReply, ModelRequest
from alembic_sim.result import Result

REQUESTS, EVERY_MS = 6, 2_000
FAILURES, COOL_DOWN_MS = 3, 5_000
TICK_MS = 100
"""Every wait is a multiple of it: the breaker's state is noted at each tick."""

STACKS: dict[str, str] = {
    "the model alone": "",
    "retry": "r",
    "breaker": "b",
    "retry around breaker": "br",
    "breaker around retry": "rb",
}
"""Which wrappers stand around the model, the inner one first."""

ERRORS: dict[str, ModelError] = {
    "busy": ModelError("busy", "too many requests", retryable=True),
    "refused": ModelError("refused", "the key is not valid"),
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at an instant: `reply`, `failure`, or `not asked`."""

    at_ms: int
    kind: str


@dataclass(frozen=True, slots=True)
class Handled:
    """One request, from when it was made to its answer: `Ok`, or `Err` with the code."""

    start_ms: int
    end_ms: int
    events: tuple[Event, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Trace:
    """All requests, and the breaker's states, each with when it began (none without a breaker)."""

    requests: tuple[Handled, ...]
    states: tuple[tuple[int, str], ...]

    @property
    def calls(self) -> int:
        """How often the model itself was asked."""
        return sum(one.kind != "not asked" for request in self.requests for one in request.events)

    @property
    def replies(self) -> int:
        """How many requests ended well."""
        return sum(request.answer == "Ok" for request in self.requests)

    @property
    def opened(self) -> int:
        """How often the breaker opened."""
        return sum(state == "open" for _, state in self.states)

    @property
    def end_ms(self) -> int:
        """When the last request was answered."""
        return self.requests[-1].end_ms


@dataclass(slots=True)
class _Bench:
    """The clock, the stack, and what was noted while they ran."""

    clock: FakeClock = field(default_factory=lambda: FakeClock(0))
    breaker: BreakerModel | None = None
    events: list[Event] = field(default_factory=list)
    states: list[tuple[int, str]] = field(default_factory=list)

    def look(self) -> None:
        """Notes the breaker's state if it has changed."""
        if self.breaker is not None:
            state = self.breaker.state
            if not self.states or self.states[-1][1] != state:
                self.states.append((self.clock(), state))

    def sleep(self, ms: int) -> None:
        """Lets the time pass, and looks at the breaker meanwhile."""
        for _ in range(ms // TICK_MS):
            self.clock.advance(ms=TICK_MS)
            self.look()

    def called(self, answer: Result[ModelReply, ModelError]) -> None:
        self.events.append(Event(self.clock(), "reply" if answer.ok else "failure"))

    def passed_breaker(self, answer: Result[ModelReply, ModelError]) -> None:
        if not answer.ok and answer.error.code == "circuit-open":
            self.events.append(Event(self.clock(), "not asked"))
        self.look()


class _Listening:
    """The model `inner`, with somebody who hears its answers."""

    def __init__(
        self, inner: ModelAdapter, hear: Callable[[Result[ModelReply, ModelError]], None]
    ) -> None:
        self.identity = inner.identity
        self._inner, self._hear = inner, hear

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        answer = self._inner.run(request)
        self._hear(answer)
        return answer


def trace_requests(stack: str, error: str, fails_first: int, attempts: int) -> Trace:
    """Six requests, two seconds apart or right after the one before; the first calls fail."""
    bench = _Bench()
    left = iter([ERRORS[error]] * fails_first)
    model: ModelAdapter = _Listening(FakeModel(lambda _request: next(left, "yes")), bench.called)
    for wrapper in STACKS[stack]:
        if wrapper == "r":
            model = RetryingModel(model, sleep=bench.sleep, attempts=attempts)
        else:
            bench.breaker = BreakerModel(
                model, clock=bench.clock, failures=FAILURES, cool_down_ms=COOL_DOWN_MS
            )
            model = _Listening(bench.breaker, bench.passed_breaker)
    bench.look()
    requests = []
    for number in range(REQUESTS):
        bench.sleep(max(0, number * EVERY_MS - bench.clock()))
        requests.append(_handle(bench, model))
    return Trace(tuple(requests), tuple(bench.states))


def _handle(bench: _Bench, model: ModelAdapter) -> Handled:
    start_ms = bench.clock()
    bench.events = []
    answer = model.run(ModelRequest("rules", "question"))
    said = "Ok" if answer.ok else f"Err {answer.error.code}"
    return Handled(start_ms, bench.clock(), tuple(bench.events), said)
