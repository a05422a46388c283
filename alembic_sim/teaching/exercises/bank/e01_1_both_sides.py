"""01.1: every answer is read, successes and failures alike, without an exception."""

from __future__ import annotations

from alembic_sim.ports.model import ModelError
from alembic_sim.result import Err, Ok, Result, describe
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

BUSY = Err(ModelError("busy", "try later", retryable=True))
REFUSED = Err(ModelError("refused", "not for you"))
ANSWERS: tuple[Result[object, ModelError], ...] = (Ok("tea"), BUSY, Ok(""), REFUSED, Ok(0))


def reference(answers: list[Result[object, ModelError]]) -> object:
    """The values, and the failures as the engine describes them."""
    values, reasons = [], []
    for answer in answers:
        if answer.ok:
            values.append(answer.value)
        else:
            reasons.append(describe(answer.error))
    return values, reasons


def generate(pick: Pick) -> Case:
    """A few answers; some successes look like nothing."""
    return (pick.some(lambda: pick(ANSWERS), at_most=4),)


_SORT = """
def my_sort_out(answers):
    values, reasons = [], []
    for answer in answers:
        if answer.ok:
            values.append(answer.value)
        else:
            reasons.append(f"{answer.error.code}: {answer.error.message}")
    return values, reasons
"""

EXERCISE = Exercise(
    id="01.1",
    title="Both sides of an answer",
    signature="my_sort_out(answers)",
    task="""
answers is a list in which each one is an Ok or an Err. An Ok has .value. An Err has .error, with a
.code and a .message; both have .ok. Nothing may get lost: a success whose value is empty is still
a success, and each failure is told, in the form "code: message".
""",
    todo="It gives back a pair (values, reasons): two lists, each in the order of the answers.",
    stub="""
def my_sort_out(answers):
    values, reasons = [], []
    for answer in answers:
        ...  # put something into one of the two
    return ...  # values, reasons
""",
    hints=(
        "For each answer ask one thing first: is it .ok? Look at nothing else before.",
        "Only an Ok has a .value, only an Err has an .error. The value itself does not say which "
        "of the two it came from: an empty text may be a fine reply.",
        "if answer.ok: values.append(answer.value). Otherwise append "
        'f"{answer.error.code}: {answer.error.message}" to reasons, and go on.',
    ),
    solution=_SORT,
    wrong_answers=(
        WrongAnswer(
            "the failures are left out",
            """
def my_sort_out(answers):
    return [answer.value for answer in answers if answer.ok], []
""",
            "my_sort_out([Err(busy: try later)])",
        ),
        WrongAnswer(
            "the first failure ends it",
            _SORT.replace('message}")\n', 'message}")\n            break\n'),
            "my_sort_out([Err(busy: try later), Ok('tea')])",
        ),
        WrongAnswer(
            "an empty value is taken for none",
            _SORT.replace(
                "values.append(answer.value)", "values += [answer.value] if answer.value else []"
            ),
            "my_sort_out([Ok('')])",
        ),
        WrongAnswer(
            "only the code is told",
            _SORT.replace(": {answer.error.message}", ""),
            "my_sort_out([Err(busy: try later)])",
        ),
        WrongAnswer(
            "a failure that came before is not told again",
            _SORT.replace("return values, reasons", "return values, list(dict.fromkeys(reasons))"),
            "my_sort_out([Err(busy: try later), Err(busy: try later)])",
        ),
    ),
    reference=reference,
    example=([Ok("tea"), REFUSED, Ok("milk")],),
    examples=(
        ([],),
        ([Ok("tea")],),
        ([BUSY],),
        ([Ok("")],),
        ([BUSY, Ok("tea")],),
        ([BUSY, BUSY],),
        ([Ok(0), REFUSED, Ok("tea"), BUSY],),
    ),
    generate=generate,
    learnt="No try, and nothing got lost: each answer says by itself which of the two it is.",
    engine="alembic_sim/result.py::describe",
)
