"""04.3: a panel of gates, which fails closed as a whole [ours]."""

from __future__ import annotations

from alembic_sim.hermes.learning.composition import quorum
from alembic_sim.hermes.learning.types import GateVerdict, ReviewGate, ReviewProposal
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.result import Coded, Err, Fault, Ok, Result
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

VOTES = ("yes", "no", "error")


def reference(votes: list[str], needed: int) -> object:
    """What the real panel answers when its gates vote as listed."""
    proposal = ReviewProposal(target="memory", op=Add("a note"), rationale="seen", score=0.5)
    answer = quorum(needed, *map(_gate, votes))(proposal)
    if not answer.ok:
        return "error"
    return "approved" if answer.value.approved else "not approved"


def _gate(vote: str) -> ReviewGate:
    def gate(proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        if vote == "error":
            return Err(Fault("sick", "the gate is sick"))
        return Ok(GateVerdict(vote == "yes", "so it votes"))

    return gate


def generate(pick: Pick) -> Case:
    """One to four gates, and how many of them must approve."""
    votes = [pick(VOTES), *pick.some(lambda: pick(VOTES), at_most=3)]
    return votes, pick(range(1, len(votes) + 1))


EXERCISE = Exercise(
    id="04.3",
    title="A panel of gates",
    signature="my_panel(votes, needed)",
    task="""
Several gates have looked at one proposal. votes is the list of what they said: "yes", "no", or
"error" from one that could not judge. needed is how many must approve. The panel fails closed.
""",
    todo='It gives back "approved", "not approved" or "error".',
    stub="""
def my_panel(votes, needed):
    ...  # return "approved", "not approved" or "error"
""",
    hints=(
        "What does a panel know when one of its members could not judge?",
        "An error is neither a yes nor a no. Look for one before you count, also where enough "
        "others have approved.",
        'if "error" in votes, that is the answer. Otherwise compare votes.count("yes") with '
        "needed: that many are enough.",
    ),
    solution="""
def my_panel(votes, needed):
    if "error" in votes:
        return "error"
    return "approved" if votes.count("yes") >= needed else "not approved"
""",
    wrong_answers=(
        WrongAnswer(
            "an error counts as a no",
            """
def my_panel(votes, needed):
    return "approved" if votes.count("yes") >= needed else "not approved"
""",
            "my_panel(['error'], 1)",
        ),
        WrongAnswer(
            "an error counts as a yes",
            """
def my_panel(votes, needed):
    in_favour = len(votes) - votes.count("no")
    return "approved" if in_favour >= needed else "not approved"
""",
            "my_panel(['error'], 1)",
        ),
        WrongAnswer(
            "once enough approve nobody else is asked",
            """
def my_panel(votes, needed):
    if votes.count("yes") >= needed:
        return "approved"
    return "error" if "error" in votes else "not approved"
""",
            "my_panel(['yes', 'error'], 1)",
        ),
        WrongAnswer(
            "one more than needed must approve",
            """
def my_panel(votes, needed):
    if "error" in votes:
        return "error"
    return "approved" if votes.count("yes") > needed else "not approved"
""",
            "my_panel(['yes'], 1)",
        ),
        WrongAnswer(
            "the majority decides",
            """
def my_panel(votes, needed):
    if "error" in votes:
        return "error"
    return "approved" if 2 * votes.count("yes") > len(votes) else "not approved"
""",
            "my_panel(['yes', 'no'], 1)",
        ),
        WrongAnswer(
            "every no is a veto",
            """
def my_panel(votes, needed):
    if "error" in votes:
        return "error"
    return "not approved" if "no" in votes else "approved"
""",
            "my_panel(['yes', 'no'], 1)",
        ),
        WrongAnswer(
            "an error is left out of the count",
            """
def my_panel(votes, needed):
    heard = [vote for vote in votes if vote != "error"]
    needed = min(needed, len(heard))
    return "approved" if heard and heard.count("yes") >= needed else "not approved"
""",
            "my_panel(['error'], 1)",
        ),
    ),
    reference=reference,
    example=(["yes", "no", "yes"], 3),
    examples=(
        (["yes"], 1),
        (["no"], 1),
        (["error"], 1),
        (["yes", "no"], 1),
        (["yes", "no"], 2),
        (["yes", "error"], 1),
        (["yes", "yes", "no"], 2),
    ),
    generate=generate,
    learnt="A panel that could not ask everybody has no verdict: it fails closed, like one gate.",
    engine="alembic_sim/hermes/learning/composition.py::quorum",
)
