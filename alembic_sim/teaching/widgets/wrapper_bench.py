"""WrapperBench: retry and breaker around a model that fails at first, in either order (seed 4)."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_one_of, check_whole
from alembic_sim.teaching.widgets.controls import Choice, Slider
from alembic_sim.teaching.widgets.shell import Shell
from alembic_sim.teaching.widgets.wrapper_picture import draw_wrapper_bench
from alembic_sim.teaching.widgets.wrapper_trace import ERRORS, STACKS, trace_requests

MAX_FAILS, MAX_ATTEMPTS = 12, 5


@dataclass(frozen=True, slots=True)
class WrapperBenchState:
    """What stands around the model, how often it fails first and how, and how often retry asks."""

    stack: str = "retry"
    fails_first: int = 2
    attempts: int = 3
    error: str = "busy"

    def __post_init__(self) -> None:
        check_one_of("stack", self.stack, list(STACKS))
        check_whole("fails_first", self.fails_first, 0, MAX_FAILS)
        check_whole("attempts", self.attempts, 1, MAX_ATTEMPTS)
        check_one_of("error", self.error, list(ERRORS))


def render_wrapper_bench(state: WrapperBenchState) -> Svg:
    """Six requests through the stack, each with its calls and its answer."""
    trace = trace_requests(state.stack, state.error, state.fails_first, state.attempts)
    answers = ", ".join(request.answer for request in trace.requests)
    often = {0: "never opens", 1: "opens once", 2: "opens twice"}
    times = often.get(trace.opened, f"opens {trace.opened} times")
    breaker = f" The breaker {times}." if trace.states else ""
    told = (
        f"{state.stack.capitalize()}, the first {state.fails_first} calls fail ({state.error}): "
        f"{trace.calls} calls, {trace.end_ms / 1000:g} s, "
        f"{trace.replies} of {len(trace.requests)} Ok.{breaker} The answers: {answers}."
    )
    return draw_wrapper_bench(trace, told)


class WrapperBench(Shell[WrapperBenchState]):
    """The widget; start it anywhere, e.g. `WrapperBench("retry around breaker", fails_first=9)`."""

    def __init__(
        self, stack: str = "retry", fails_first: int = 2, attempts: int = 3, error: str = "busy"
    ) -> None:
        super().__init__(
            WrapperBenchState(stack, fails_first, attempts, error),
            render_wrapper_bench,
            [
                [Choice("stack", "Around the model", [(stack, stack) for stack in STACKS])],
                [Slider("fails_first", "Calls that fail", 0, MAX_FAILS)],
                [Slider("attempts", "Attempts of retry", 1, MAX_ATTEMPTS)],
                [
                    Choice(
                        "error",
                        "The failures",
                        [
                            (f"{code} ({'' if error.retryable else 'not '}retryable)", code)
                            for code, error in ERRORS.items()
                        ],
                    )
                ],
            ],
        )
