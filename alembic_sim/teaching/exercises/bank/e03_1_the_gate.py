"""03.1: the threshold gate, its edge included."""

from __future__ import annotations

import math

from alembic_sim.hermes.learning.gate import score_threshold_gate
from alembic_sim.hermes.learning.types import ReviewProposal
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.teaching.exercises.comparing import A_REASON
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer


def reference(score: float, minimum: float) -> object:
    """What the engine's gate decides; the reason may be in the learner's own words."""
    proposal = ReviewProposal(target="memory", op=Add("a note"), rationale="seen", score=score)
    verdict = score_threshold_gate(minimum)(proposal).expect("this gate is total")
    return verdict.approved, A_REASON


def generate(pick: Pick) -> Case:
    """A score on, next to, or far from a threshold."""
    minimum = pick((0.7, 0.9, 0.5, None))
    if minimum is None:
        minimum = pick(range(101)) / 100
    near = (minimum, math.nextafter(minimum, 0), math.nextafter(minimum, 1))
    score = pick((*near, None))
    return pick(range(101)) / 100 if score is None else score, minimum


EXERCISE = Exercise(
    id="03.1",
    title="The gate",
    signature="my_gate(score, minimum)",
    task="""
A gate looks at one proposal and says yes or no, with a reason. Ours looks at the score alone: it
approves if, and only if, the score is at least the minimum.
""",
    todo="It gives back a pair (approved, reason): True or False, and a text in your own words.",
    stub="""
def my_gate(score, minimum):
    ...  # return approved, reason
""",
    hints=(
        "Which score is the last one to be let in? Try that very score.",
        "Approved is one comparison of score and minimum, and its edge is inclusive. "
        "Round nothing, and take the minimum that you are given.",
        "approved = score >= minimum. Then return approved and a text, for a yes as for a no.",
    ),
    solution="""
def my_gate(score, minimum):
    approved = score >= minimum
    sign = "≥" if approved else "<"
    return approved, f"score {score} {sign} threshold {minimum}"
""",
    wrong_answers=(
        WrongAnswer(
            "the edge is shut",
            """
def my_gate(score, minimum):
    return score > minimum, f"{score} against {minimum}"
""",
            "my_gate(0.7, 0.7)",
        ),
        WrongAnswer(
            "the threshold is always 0.7",
            """
def my_gate(score, minimum):
    return score >= 0.7, f"{score} against 0.7"
""",
            "my_gate(0.8, 0.9)",
        ),
        WrongAnswer(
            "the score is rounded",
            """
def my_gate(score, minimum):
    return round(score, 1) >= minimum, f"{score} against {minimum}"
""",
            "my_gate(0.69, 0.7)",
        ),
        WrongAnswer(
            "almost is taken for enough",
            """
import math

def my_gate(score, minimum):
    return score > minimum or math.isclose(score, minimum), f"{score} against {minimum}"
""",
            "my_gate(0.6999999999999998, 0.7)",
        ),
        WrongAnswer(
            "only a no gets a reason",
            """
def my_gate(score, minimum):
    return (True, "") if score >= minimum else (False, "too low")
""",
            "my_gate(0.7, 0.7)",
        ),
        WrongAnswer(
            "the reason is left out",
            """
def my_gate(score, minimum):
    return score >= minimum
""",
            "my_gate(0.7, 0.7)",
        ),
    ),
    reference=reference,
    example=(0.9, 0.7),
    examples=(
        (0.7, 0.7),
        (0.9, 0.7),
        (0.5, 0.7),
        (0.69, 0.7),
        ((0.6 + 0.7 + 0.8) / 3, 0.7),
        (0.8, 0.9),
        (1.0, 1.0),
    ),
    generate=generate,
    learnt="The edge belongs to the rule: exactly the threshold is enough, the least below is not.",
    engine="alembic_sim/hermes/learning/gate.py::score_threshold_gate",
)
