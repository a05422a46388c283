"""FaultBench: fail the n-th file operation of one counted use, and watch the recovery."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_one_of, check_whole
from alembic_sim.teaching.widgets.controls import Choice, Slider
from alembic_sim.teaching.widgets.fault_picture import draw_fault_bench
from alembic_sim.teaching.widgets.fault_trace import FATES, WRITERS, trace_use
from alembic_sim.teaching.widgets.shell import Shell

MAX_OPERATION = 9


@dataclass(frozen=True, slots=True)
class FaultBenchState:
    """Which operation goes wrong (0: none), how, and who writes."""

    fail_at: int = 0
    fate: str = "fails once"
    writer: str = "by the store"

    def __post_init__(self) -> None:
        check_whole("fail_at", self.fail_at, 0, MAX_OPERATION)
        check_one_of("fate", self.fate, list(FATES))
        check_one_of("writer", self.writer, list(WRITERS))


def render_fault_bench(state: FaultBenchState) -> Svg:
    """The operations with the one that went wrong, the answer, and what is on the disk then."""
    trace = trace_use(state.writer, state.fate, state.fail_at)
    met = 0 < state.fail_at <= len(trace.operations)
    broken = trace.operations[state.fail_at - 1].name if met else ""
    fault = f"{state.fate} at operation {state.fail_at} ({broken})" if met else "no fault"
    if state.fail_at and not met:
        fault = (
            "the power goes after the last operation"
            if state.fate == "the power goes"
            else f"no operation {state.fail_at}: no fault"
        )
    disks = " or ".join(
        dict.fromkeys("unreadable" if d.uses is None else f"{d.uses} uses" for d in trace.lefts)
    )
    word = "nothing is lost" if trace.keeps_its_word else "uses are lost"
    summary = f"Written {state.writer}, {fault}: the call answers {trace.answer}; "
    return draw_fault_bench(trace, f"{summary}on disk then {disks}: {word}.")


class FaultBench(Shell[FaultBenchState]):
    """The widget; start it anywhere, e.g. `FaultBench(fail_at=4, writer="in place")`."""

    def __init__(
        self, fail_at: int = 0, fate: str = "fails once", writer: str = "by the store"
    ) -> None:
        super().__init__(
            FaultBenchState(fail_at, fate, writer),
            render_fault_bench,
            [
                [Slider("fail_at", "Fail operation", 0, MAX_OPERATION)],
                [
                    Choice("fate", "What happens", [(fate, fate) for fate in FATES]),
                    Choice("writer", "Written", [(writer, writer) for writer in WRITERS]),
                ],
            ],
        )
