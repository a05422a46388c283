"""03.2: which of the three buckets a proposal ends in."""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.hermes.learning.review import review_and_learn
from alembic_sim.hermes.learning.types import GateVerdict, ReviewDeps, ReviewProposal
from alembic_sim.hermes.memory.operations import Add, MemoryOp, MemoryTarget
from alembic_sim.result import Coded, Err, Fault, Ok, Result
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

Step = tuple[str, bool, bool | None]
"""A note, whether the gate approved it, whether the store wrote it (None: it was not asked)."""


@dataclass
class _Played:
    """Gate and memory in one, who answer as the steps say they did."""

    steps: list[Step]
    asked: int = 0

    def gate(self, proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        self.asked += 1
        return Ok(GateVerdict(self.steps[self.asked - 1][1], "as it was"))

    def apply(self, target: MemoryTarget, op: MemoryOp) -> Result[object, Coded]:
        written = self.steps[self.asked - 1][2]
        return Ok("written") if written else Err(Fault("full", "as it was"))


def reference(steps: list[Step]) -> object:
    """The buckets that the real kernel fills when gate and store answer as the steps say."""
    played = _Played(steps)
    proposals: list[object] = [
        ReviewProposal(target="memory", op=Add(note), rationale="seen", score=0.5)
        for note, _, _ in steps
    ]
    deps = ReviewDeps(proposer=lambda _: Ok(proposals), gate=played.gate, memory=played)
    outcome = review_and_learn("a day's work", deps).expect("nobody fails here")
    return {
        "applied": [_note(proposal) for proposal in outcome.applied],
        "rejected": [_note(rejected.proposal) for rejected in outcome.rejected],
        "failed": [_note(failed.proposal) for failed in outcome.failed],
    }


def _note(proposal: ReviewProposal) -> str:
    assert isinstance(proposal.op, Add)
    return proposal.op.content


def generate(pick: Pick) -> Case:
    """Up to five steps; a note may come twice."""
    fates = ((True, True), (False, None), (True, False), (True, True))
    return (pick.some(lambda: (pick(("tea", "milk")), *pick(fates)), at_most=5),)


EXERCISE = Exercise(
    id="03.2",
    title="Three buckets",
    signature="my_buckets(steps)",
    task="""
A learning step is over; its log is a list of triples (note, approved, written). approved is the
gate's answer. written is the store's: True, False, or None where the store was not asked.
""",
    todo='It gives back a dict of lists, "applied", "rejected" and "failed": the notes in order.',
    stub="""
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        ...  # put the note into one of the three
    return ...  # buckets
""",
    hints=(
        "Whose no was it, the gate's or the store's? Each has a bucket of its own.",
        "Ask the gate's answer first. Only where it said yes does the store's answer count. "
        "Every note lands in a bucket, one that comes twice as well.",
        'not approved: "rejected". approved and written: "applied". approved and not written: '
        '"failed". Append the note there, and return the buckets after the loop.',
    ),
    solution="""
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        if not approved:
            buckets["rejected"].append(note)
        elif written:
            buckets["applied"].append(note)
        else:
            buckets["failed"].append(note)
    return buckets
""",
    wrong_answers=(
        WrongAnswer(
            "failed is taken for rejected",
            """
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        buckets["applied" if approved and written else "rejected"].append(note)
    return buckets
""",
            "my_buckets([('tea', True, False)])",
        ),
        WrongAnswer(
            "the store alone is asked",
            """
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        buckets["applied" if written else "failed"].append(note)
    return buckets
""",
            "my_buckets([('tea', False, None)])",
        ),
        WrongAnswer(
            "a failed write ends the step",
            """
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        if not approved:
            buckets["rejected"].append(note)
        elif written:
            buckets["applied"].append(note)
        else:
            buckets["failed"].append(note)
            break
    return buckets
""",
            "my_buckets([('tea', True, False), ('milk', True, True)])",
        ),
        WrongAnswer(
            "duplicates are dropped",
            """
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        bucket = "rejected" if not approved else "applied" if written else "failed"
        if note not in buckets[bucket]:
            buckets[bucket].append(note)
    return buckets
""",
            "my_buckets([('tea', True, True), ('tea', True, True)])",
        ),
        WrongAnswer(
            "the newest comes first",
            """
def my_buckets(steps):
    buckets = {"applied": [], "rejected": [], "failed": []}
    for note, approved, written in steps:
        bucket = "rejected" if not approved else "applied" if written else "failed"
        buckets[bucket].insert(0, note)
    return buckets
""",
            "my_buckets([('tea', True, True), ('milk', True, True)])",
        ),
        WrongAnswer(
            "empty buckets are missing",
            """
def my_buckets(steps):
    buckets = {}
    for note, approved, written in steps:
        bucket = "rejected" if not approved else "applied" if written else "failed"
        buckets.setdefault(bucket, []).append(note)
    return buckets
""",
            "my_buckets([])",
        ),
    ),
    reference=reference,
    example=([("tea", True, True), ("milk", False, None)],),
    examples=(
        ([],),
        ([("tea", True, True)],),
        ([("tea", False, None)],),
        ([("tea", True, False)],),
        ([("tea", True, True), ("milk", True, True)],),
        ([("tea", True, False), ("milk", True, True)],),
        ([("tea", True, True), ("tea", True, True)],),
    ),
    generate=generate,
    learnt="Rejected: the gate said no. Failed: the gate said yes, and the store could not.",
    engine="alembic_sim/hermes/learning/review.py::process_one",
)
