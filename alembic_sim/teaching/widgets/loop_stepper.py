"""LoopStepper: proposal after proposal through the real kernel's three stations (seed 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alembic_sim.hermes.learning.gate import DEFAULT_REVIEW_SCORE_THRESHOLD
from alembic_sim.hermes.memory.memory_store import DEFAULT_USER_CHAR_LIMIT
from alembic_sim.teaching.palette import BUCKET_MARKS
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_fraction, check_list, check_whole
from alembic_sim.teaching.widgets.controls import Button, Fraction, Slider
from alembic_sim.teaching.widgets.loop_picture import LoopMoment, draw_loop
from alembic_sim.teaching.widgets.loop_trace import APPLY, Handled, Trace, trace_loop
from alembic_sim.teaching.widgets.shell import Shell

MAX_LIMIT_CHARS = 2200


def note(text: str, score: float, target: str = "memory") -> dict[str, object]:
    """A raw proposal as a model sends it: please add this text."""
    op = {"action": "add", "content": text}
    return {"target": target, "op": op, "rationale": "seen at work today", "score": score}


EXAMPLE_PROPOSALS: tuple[object, ...] = (
    note("Run the linter first.", 0.9),
    note("Builds fail on Mondays.", 0.5),
    note("Keep commits small.", 0.7),
    note("Run the linter first.", 0.8),
    note("The build cache must be cleared by hand after every upgrade.", 0.95),
    note("Likes short answers.", 0.75, "user"),
)
"""A sure one, a doubtful one, one on the edge, a duplicate, one too long, one about the user."""


@dataclass(frozen=True, slots=True)
class LoopStepperState:
    """The raw proposals and the ports' settings; `done` proposals are in their buckets, and the
    next one has passed `station` stations (0: it still waits).
    """

    proposals: tuple[object, ...] = EXAMPLE_PROPOSALS
    threshold: float = DEFAULT_REVIEW_SCORE_THRESHOLD
    memory_char_limit: int = 80
    done: int = 0
    station: int = 0

    def __post_init__(self) -> None:
        check_list("proposals", self.proposals, "raw proposals")
        check_fraction("threshold", self.threshold)
        check_whole("memory_char_limit", self.memory_char_limit, 0, MAX_LIMIT_CHARS)
        check_whole("done", self.done, 0, len(self.proposals))
        check_whole("station", self.station, 0, APPLY - 1)

    def trace(self) -> Trace:
        """What the real kernel makes of all of them."""
        return trace_loop(self.proposals, self.threshold, self.memory_char_limit)


def moment_of(state: LoopStepperState, trace: Trace) -> LoopMoment:
    """What the state shows: with another threshold a proposal may end at an earlier station."""
    settled = [one for one in trace.handled if one.bucket is not None]
    done = tuple(settled[: state.done])
    coming = trace.handled[len(done)] if len(done) < len(trace.handled) else None
    station = 0 if coming is None else min(state.station, _last_station(coming))
    just_done = done[-1] if done else None
    current = coming if station else just_done
    limits = {
        "memory/MEMORY.md": state.memory_char_limit,
        "memory/USER.md": DEFAULT_USER_CHAR_LIMIT,
    }
    ended = ""
    if coming is None:
        ended = "all steps done"
    elif coming.bucket is None and station == coming.stations:
        ended = "the step stops here"
    return LoopMoment(len(state.proposals), done, current, station, limits, ended)


def _last_station(one: Handled) -> int:
    """The last station at which a proposal is still in hand; a step that stops, stops there."""
    return one.stations if one.bucket is None else one.stations - 1


def render_loop_stepper(state: LoopStepperState) -> Svg:
    """The proposal at its station, the buckets, the files' bytes."""
    trace = state.trace()
    moment = moment_of(state, trace)
    return draw_loop(moment, _summary(moment, trace))


def _summary(moment: LoopMoment, trace: Trace) -> str:
    counts = ", ".join(
        f"{sum(one.bucket == name for one in moment.done)} {name}" for name in BUCKET_MARKS
    )
    where = f"{len(moment.done)} of {moment.total} done: {counts}."
    current = moment.current
    if current is None:
        return where
    if moment.station == 0:
        why = f": {current.reason}" if current.reason else ""
        end = " All steps done." if moment.ended else ""
        return f"{where} {current.told} {current.bucket}{why}.{end}"
    if current.bucket is None:
        code = trace.stopped.code if trace.stopped else ""
        return f"{where} {current.told} stops the whole step ({code}): {current.reason}."
    so_far = "valid" if moment.station == 1 else "approved by the gate"
    return f"{where} {current.told} is {so_far}."


def _step(state: LoopStepperState) -> LoopStepperState:
    """One station on; from the last one into a bucket."""
    trace = state.trace()
    moment = moment_of(state, trace)
    done, station = len(moment.done), moment.station
    if done == len(trace.handled):
        return state
    coming = trace.handled[done]
    if station < _last_station(coming):
        return replace(state, done=done, station=station + 1)
    if coming.bucket is None:  # the step has stopped here: nothing after it is decided
        return replace(state, done=done, station=station)
    return replace(state, done=done + 1, station=0)


def _back(state: LoopStepperState) -> LoopStepperState:
    """The state one step before; `_step` leads here again."""
    trace = state.trace()
    moment = moment_of(state, trace)
    done, station = len(moment.done), moment.station
    if station > 0:
        return replace(state, done=done, station=station - 1)
    if done == 0:
        return state
    return replace(state, done=done - 1, station=_last_station(trace.handled[done - 1]))


def _next(state: LoopStepperState) -> LoopStepperState:
    """The proposal in hand, or the next one, through to its end."""
    trace = state.trace()
    moment = moment_of(state, trace)
    done = len(moment.done)
    if done == len(trace.handled):
        return state
    coming = trace.handled[done]
    if coming.bucket is None:
        return replace(state, done=done, station=_last_station(coming))
    return replace(state, done=done + 1, station=0)


def _reset(state: LoopStepperState) -> LoopStepperState:
    return replace(state, done=0, station=0)


class LoopStepper(Shell[LoopStepperState]):
    """The widget. `LoopStepper([...raw proposals...], threshold=0.7, memory_char_limit=80)`."""

    def __init__(
        self,
        proposals: Sequence[object] = EXAMPLE_PROPOSALS,
        threshold: float = DEFAULT_REVIEW_SCORE_THRESHOLD,
        memory_char_limit: int = 80,
    ) -> None:
        check_list("proposals", proposals, "raw proposals")
        super().__init__(
            LoopStepperState(tuple(proposals), threshold, memory_char_limit),
            render_loop_stepper,
            [
                [
                    Button("step", "Step", rests=True),
                    Button("next", "Next proposal", rests=True),
                    Button("back", "Back"),
                    Button("reset", "Reset"),
                ],
                [Fraction("threshold", "Gate's threshold")],
                [
                    Slider(
                        "memory_char_limit",
                        "Memory limit (chars)",
                        0,
                        MAX_LIMIT_CHARS if memory_char_limit > 300 else 300,
                    )
                ],
            ],
            {"step": _step, "next": _next, "back": _back, "reset": _reset},
        )
