"""01.3: the circuit breaker as a step from one state to the next."""

from __future__ import annotations

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.models.breaker import BreakerModel
from alembic_sim.models.fake_model import FakeModel
from alembic_sim.ports.model import ModelError, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell

FAILURES, COOL_DOWN_MS = 3, 30_000
SINCE = 100_000
"""When the breaker of the cases opened."""

_BUSY = ModelError("busy", "try later", retryable=True)
YES: Result[str, ModelError] = Ok("yes")
BUSY: Result[str, ModelError] = Err(_BUSY)
REFUSED: Result[str, ModelError] = Err(ModelError("refused", "not for you"))

State = tuple[str, int]
_REQUEST = ModelRequest("", "")


def reference(state: State, answer: Result[str, ModelError], now: int) -> object:
    """The real breaker, brought into the state, asked once, and asked where it is."""
    name, number = state
    clock = FakeClock(number if name == "open" else now)
    before = FAILURES if name == "open" else number
    said = answer.value if answer.ok else answer.error
    script = iter([*[_BUSY] * before, said])
    model = FakeModel(lambda _request: next(script, _BUSY))
    breaker = BreakerModel(model, clock=clock, failures=FAILURES, cool_down_ms=COOL_DOWN_MS)
    for _ in range(before):
        breaker.run(_REQUEST)
    clock.set(now)
    breaker.run(_REQUEST)
    return _state_of(breaker, now)


def _state_of(breaker: BreakerModel, now: int) -> State:
    """The state, found from outside: how long it stays open, or how many failures it can bear."""
    if breaker.state == "open":
        refused = breaker.run(_REQUEST)
        left_ms = 0 if refused.ok else refused.error.retry_after_ms or 0
        return "open", now + left_ms - COOL_DOWN_MS
    bears = 0
    while breaker.state == "closed" and bears <= FAILURES:
        breaker.run(_REQUEST)
        bears += 1
    return "closed", FAILURES - bears


def generate(pick: Pick) -> Case:
    """A breaker in any state, asked at any time around the end of its cool-down."""
    state = pick((("closed", 0), ("closed", 1), ("closed", 2), ("open", SINCE), ("open", SINCE)))
    answer = pick((YES, BUSY, REFUSED))
    return state, answer, SINCE + pick((COOL_DOWN_MS, COOL_DOWN_MS - 1, 1, 45_000))


def show(case: Case) -> str:
    """The call, with the answers by their names in the lesson."""
    state, answer, now = case
    said = tell(answer) if answer.ok else f"Err({answer.error.code})"
    return f"my_breaker({tell(state)}, {said}, {now})"


_NOT_ASKED = """\
    if name == "open" and now < number + 30_000:
        return state
"""
_BREAKER = f"""
def my_breaker(state, answer, now):
    name, number = state
{_NOT_ASKED}\
    if answer.ok or not answer.error.retryable:
        return "closed", 0
    if name == "open" or number + 1 >= 3:
        return "open", now
    return "closed", number + 1
"""

EXERCISE = Exercise(
    id="01.3",
    title="The breaker's next state",
    signature="my_breaker(state, answer, now)",
    task="""
A breaker's state is a pair: ("closed", n) after n failures in a row, or ("open", t) since the
instant t. A request comes at the instant now (in ms), and answer is what the model says if it is
asked: an Ok, or an Err whose error has .retryable.

Open, and less than 30_000 ms since t: the model is not asked, and nothing changes. Otherwise it is
asked. A retryable error is a failure: the third in a row opens the breaker, and after a cool-down
the first one opens it anew, from now on. Any other answer closes it.
""",
    todo='It gives back the next state: ("closed", n) or ("open", t).',
    stub="""
def my_breaker(state, answer, now):
    name, number = state
    ...  # not asked? asked, and no failure? one failure too many? one more?
    return ...  # "closed" or "open", and its number
""",
    hints=(
        "Was the model asked at all? Only then does its answer mean anything.",
        "After exactly 30_000 ms it is asked again. Then one failure is enough: the service had "
        "its chance. An error that is not retryable says nothing bad about the service.",
        'Four returns: state, while it cools down; ("closed", 0) for an Ok or a final error; '
        '("open", now) if it was open or number + 1 >= 3; else ("closed", number + 1).',
    ),
    solution=_BREAKER,
    wrong_answers=(
        WrongAnswer(
            "the fourth failure opens it",
            _BREAKER.replace(">= 3", "> 3"),
            "my_breaker(('closed', 2), Err(busy), 100001)",
        ),
        WrongAnswer(
            "every error is a failure of the service",
            _BREAKER.replace("answer.ok or not answer.error.retryable", "answer.ok"),
            "my_breaker(('closed', 2), Err(refused), 100001)",
        ),
        WrongAnswer(
            "failures are added up, not counted in a row",
            _BREAKER.replace('return "closed", 0', 'return "closed", number % 3'),
            "my_breaker(('closed', 2), Ok('yes'), 100001)",
        ),
        WrongAnswer(
            "the end of the cool-down is left out",
            _BREAKER.replace("now < number", "now <= number"),
            "my_breaker(('open', 100000), Ok('yes'), 130000)",
        ),
        WrongAnswer(
            "it is asked while it cools down",
            _BREAKER.replace(
                '    if name == "open" and now < number + 30_000:\n        return state\n', ""
            ),
            "my_breaker(('open', 100000), Ok('yes'), 100001)",
        ),
        WrongAnswer(
            "after the cool-down it takes three failures again",
            _BREAKER.replace(
                '    if name == "open" or number',
                '    if name == "open":\n        return "closed", 1\n    if number',
            ),
            "my_breaker(('open', 100000), Err(busy), 130000)",
        ),
        WrongAnswer(
            "it opens anew, but from the old instant on",
            _BREAKER.replace(
                '    if name == "open" or number',
                '    if name == "open":\n        return state\n    if number',
            ),
            "my_breaker(('open', 100000), Err(busy), 130000)",
        ),
    ),
    reference=reference,
    example=(("closed", 1), BUSY, SINCE),
    examples=(
        (("closed", 0), YES, SINCE + 1),
        (("closed", 0), BUSY, SINCE + 1),
        (("closed", 2), BUSY, SINCE + 1),
        (("closed", 2), YES, SINCE + 1),
        (("closed", 2), REFUSED, SINCE + 1),
        (("open", SINCE), YES, SINCE + 1),
        (("open", SINCE), YES, SINCE + COOL_DOWN_MS - 1),
        (("open", SINCE), YES, SINCE + COOL_DOWN_MS),
        (("open", SINCE), BUSY, SINCE + COOL_DOWN_MS),
        (("open", SINCE), REFUSED, SINCE + COOL_DOWN_MS),
    ),
    generate=generate,
    learnt="Half-open is no third thing to store: it is open, once the cool-down is over.",
    engine="alembic_sim/models/breaker.py::BreakerModel.run",
    show_case=show,
)
