"""04.1: what is a score, and what only looks like one (seed 1)."""

from __future__ import annotations

import math

from alembic_sim.hermes.learning.types import parse_proposal
from alembic_sim.teaching.exercises.exercise import (
    Case,
    Exercise,
    Function,
    Pick,
    WrongAnswer,
)

SIMPLE: tuple[object, ...] = (0.5, 0, 1, 0.7, 1.5, -1, 90, "0.9", True, False, None, [], "high", "")
EDGES: tuple[object, ...] = (
    0.0,
    1.0,
    math.nan,
    math.inf,
    -math.inf,
    -0.01,
    1.01,
    math.nextafter(1, 2),
    "1",
    (0.5,),
)


def reference(value: object) -> object:
    """Whether the engine takes a proposal with this value as its score."""
    op = {"action": "add", "content": "a note"}
    raw = {"target": "memory", "op": op, "rationale": "seen at work", "score": value}
    return parse_proposal(raw).ok


def observe(function: Function, case: Case) -> object:
    """What the function gives back; NaN, equal to nothing, must not look as if it was changed."""
    return function(*case)


def generate(pick: Pick) -> Case:
    """Something that a model may send: numbers, and all that is none."""
    value = pick((*SIMPLE, *EDGES, None))
    return (pick(range(101)) / pick((100, 50)) if value is None else value,)


EXERCISE = Exercise(
    id="04.1",
    title="What is a score?",
    signature="my_is_score(value)",
    task="""
A model may send anything under "score". A score is a number, whole or not, from 0 to 1, both
included. Nothing is guessed: a text is no number, and neither is True.
""",
    todo="It gives back True for a score, else False.",
    stub="""
def my_is_score(value):
    ...  # return True or False
""",
    hints=(
        "Ask two questions, one after the other: is it a number? Which one?",
        "isinstance(value, (int, float)) asks for numbers, but to Python True is a whole number: "
        "ask for bool first. And what does NaN say to <= and to >=?",
        "if isinstance(value, bool) or not isinstance(value, (int, float)): return False. Then "
        "return 0 <= value <= 1, which NaN does not pass: it is not equal, above or below.",
    ),
    solution="""
def my_is_score(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= 1
""",
    wrong_answers=(
        WrongAnswer(
            "True counts as 1",
            """
def my_is_score(value):
    return isinstance(value, (int, float)) and 0 <= value <= 1
""",
            "my_is_score(True)",
        ),
        WrongAnswer(
            "a text is turned into a number",
            """
def my_is_score(value):
    try:
        return not isinstance(value, bool) and 0 <= float(value) <= 1
    except (TypeError, ValueError):
        return False
""",
            "my_is_score('0.9')",
        ),
        WrongAnswer(
            "90 is taken for 90 %",
            """
def my_is_score(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= 100
""",
            "my_is_score(1.5)",
        ),
        WrongAnswer(
            "the ends are shut out",
            """
def my_is_score(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 < value < 1
""",
            "my_is_score(0)",
        ),
        WrongAnswer(
            "whole numbers are refused",
            """
def my_is_score(value):
    return isinstance(value, float) and 0 <= value <= 1
""",
            "my_is_score(0)",
        ),
        WrongAnswer(
            "NaN slips between two tests",
            """
def my_is_score(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return not (value < 0 or value > 1)
""",
            "my_is_score(math.nan)",
        ),
        WrongAnswer(
            "every number will do",
            """
def my_is_score(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
""",
            "my_is_score(1.5)",
        ),
    ),
    reference=reference,
    example=(0.5,),
    examples=(
        (0.7,),
        (0,),
        (1,),
        (1.5,),
        (-0.01,),
        (True,),
        ("0.9",),
        (90,),
        (math.nan,),
        (None,),
    ),
    generate=generate,
    learnt="A number from 0 to 1, and nothing that may be read as one: whoever guesses, approves.",
    engine="alembic_sim/hermes/learning/types.py::parse_proposal",
    observe=observe,
)
