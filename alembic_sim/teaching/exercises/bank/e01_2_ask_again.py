"""01.2: retry with backoff, over nothing but Ok and Err."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from alembic_sim.models.retry import RetryingModel
from alembic_sim.ports.model import ModelError, ModelIdentity, ModelReply, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.exercises.exercise import (
    Case,
    Exercise,
    Function,
    Pick,
    WrongAnswer,
)
from alembic_sim.teaching.exercises.telling import tell

Ask = Callable[[], Result[ModelReply, ModelError]]
Wait = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Script:
    """How many attempts are allowed, and what the model says at each call."""

    attempts: int
    says: tuple[str, ...]

    def told(self) -> str:
        """The script as the failing case shows it."""
        return f"attempts={self.attempts}; the model says {', '.join(self.says)}"


@dataclass(slots=True)
class Ports:
    """A model that plays a script, and a wait that takes no time; both write down what was done."""

    script: Script
    done: list[str] = field(default_factory=list)
    asked: int = 0

    def ask(self) -> Result[ModelReply, ModelError]:
        """The next answer; a model that is asked more often than its script goes on being busy."""
        says = self.script.says[self.asked] if self.asked < len(self.script.says) else "busy"
        self.asked += 1
        self.done.append("asked")
        call = f"call {self.asked}"
        if says == "ok":
            return Ok(ModelReply(call))
        return Err(ModelError(says, call, retryable=says == "busy"))

    def wait(self, ms: object) -> None:
        self.done.append(f"waited {tell(ms)}")


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be seen of one run: the answer, and what was done in which order."""

    answer: str
    done: tuple[str, ...]

    def told(self) -> str:
        """For the lines `expected` and `got`."""
        return f"{self.answer}: {', '.join(self.done) or 'nothing was done'}"


def observe(function: Function, case: Case) -> object:
    """The answer of a run of the script, and its calls and waits."""
    (script,) = case
    ports = Ports(script)
    answer = function(ports.ask, script.attempts, ports.wait)
    return Seen(_answer(answer), tuple(ports.done))


def _answer(answer: object) -> str:
    match answer:
        case Ok(ModelReply(text)):
            return f"Ok of {text}"
        case Err(ModelError(code=code, message=message)):
            return f"Err {code} of {message}"
    return tell(answer)


@dataclass(frozen=True, slots=True)
class _Asking:
    """The learner's `ask` as a model, for the engine."""

    ask: Ask

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("exercise", "ask")

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]:
        return self.ask()


def reference(ask: Ask, attempts: int, wait: Wait) -> object:
    """The real retry."""
    return RetryingModel(_Asking(ask), sleep=wait, attempts=attempts).run(ModelRequest("", ""))


def generate(pick: Pick) -> Case:
    """One to four attempts at a model in some mood."""
    attempts = pick((3, 1, 2, 4))
    says = pick.some(lambda: pick(("busy", "busy", "ok", "refused")), at_most=3)
    return (Script(attempts, (*says, pick(("ok", "busy", "refused")))),)


_RETRY = """
def my_retry(ask, attempts, wait):
    wait_ms = 500
    for attempt in range(1, attempts + 1):
        answer = ask()
        if answer.ok or not answer.error.retryable or attempt == attempts:
            return answer
        wait(wait_ms)
        wait_ms *= 2
"""

EXERCISE = Exercise(
    id="01.2",
    title="Ask again, or not",
    signature="my_retry(ask, attempts, wait)",
    task="""
ask() asks the model once and answers Ok or Err; the error of an Err has .retryable. Ask up to
attempts times, the first one included, as long as asking again can help. Between two attempts call
wait(ms): 500 first, then twice as long each time. wait is a function that you are given, so that
nobody has to wait while you try.
""",
    todo="It gives back the first Ok, or else the last Err that it got.",
    stub="""
def my_retry(ask, attempts, wait):
    wait_ms = 500
    for attempt in range(1, attempts + 1):
        answer = ask()
        ...  # give it back, or wait and go round again
    return ...
""",
    hints=(
        "When is the waiting of no use? Think of the last attempt, and of who says so.",
        "Three things end it: an Ok, an error that is not retryable, and the last attempt. In all "
        "three the answer that you hold is the one to give back.",
        "if answer.ok or not answer.error.retryable or attempt == attempts: return answer. "
        "Otherwise wait(wait_ms), then double wait_ms.",
    ),
    solution=_RETRY,
    wrong_answers=(
        WrongAnswer(
            "it asks again whatever the error says",
            _RETRY.replace(" or not answer.error.retryable", ""),
            "attempts=3; the model says refused, ok",
        ),
        WrongAnswer(
            "the first attempt is not counted",
            _RETRY.replace("attempts + 1", "attempts + 2").replace(
                "attempt == attempts", "attempt > attempts"
            ),
            "attempts=1; the model says busy, ok",
        ),
        WrongAnswer(
            "it waits after the last attempt, too",
            _RETRY.replace(" or attempt == attempts", "") + "    return answer\n",
            "attempts=1; the model says busy, ok",
        ),
        WrongAnswer(
            "every wait is equally long",
            _RETRY.replace("        wait_ms *= 2\n", ""),
            "attempts=3; the model says busy, busy, ok",
        ),
        WrongAnswer(
            "the first error is given back",
            """
def my_retry(ask, attempts, wait):
    first, wait_ms = ask(), 500
    answer = first
    for _ in range(attempts - 1):
        if answer.ok or not answer.error.retryable:
            return answer
        wait(wait_ms)
        wait_ms *= 2
        answer = ask()
    return answer if answer.ok else first
""",
            "attempts=2; the model says busy, busy",
        ),
        WrongAnswer(
            "nothing comes back once the attempts are used up",
            _RETRY.replace(" or attempt == attempts", "").replace(
                "        wait(wait_ms)", "        if attempt < attempts:\n            wait(wait_ms)"
            ),
            "attempts=1; the model says busy, ok",
        ),
    ),
    reference=reference,
    example=(Script(4, ("busy", "ok")),),
    examples=(
        (Script(3, ("ok",)),),
        (Script(3, ("busy", "ok")),),
        (Script(3, ("refused", "ok")),),
        (Script(1, ("busy", "ok")),),
        (Script(2, ("busy", "busy")),),
        (Script(3, ("busy", "busy", "ok")),),
        (Script(3, ("busy", "refused", "ok")),),
        (Script(4, ("busy", "busy", "busy", "busy")),),
    ),
    generate=generate,
    learnt="The error says whether asking again can help; nobody had to know which model it was.",
    engine="alembic_sim/models/retry.py::RetryingModel.run",
    observe=observe,
    show_case=lambda case: case[0].told(),
    show_answer=lambda seen: seen.told() if isinstance(seen, Seen) else tell(seen),
)
