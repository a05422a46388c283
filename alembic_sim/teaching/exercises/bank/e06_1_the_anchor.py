"""06.1: what a skill is compared by, used or never used."""

from __future__ import annotations

import math
import sys

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell, tell_ms


def reference(record: UsageRecord) -> object:
    """The anchor that the real `next_state` uses, found by trying cut-offs on it."""
    active = record.model_copy(update={"state": "active"})

    def reached_by(cutoff: float) -> bool:
        return next_state(active, cutoff, cutoff) == "archived"

    if not reached_by(sys.float_info.max):
        return math.inf
    below, reached = -1, 2**53
    while reached - below > 1:
        middle = (below + reached) // 2
        below, reached = (below, middle) if reached_by(middle) else (middle, reached)
    return reached


def generate(pick: Pick) -> Case:
    """A skill made at some time, and used later or never."""
    created_at = pick((0, 10 * DAY_MS, 1, 5 * DAY_MS + 7))
    last_activity_at = pick((0, 1, 30 * DAY_MS, 30 * DAY_MS + 1, 20_000 * DAY_MS, 2))
    created_by = pick((None, "agent"))
    return (
        UsageRecord(
            created_at=created_at, created_by=created_by, last_activity_at=last_activity_at
        ),
    )


EXERCISE = Exercise(
    id="06.1",
    title="The anchor",
    signature="my_anchor(record)",
    task="""
The curator compares one instant of each skill with its cut-offs: the anchor. It is
record.last_activity_at, in milliseconds, where 0 means never. A skill that was never used must be
newer than any cut-off there can be.
""",
    todo="It gives back the anchor of the record.",
    stub="""
import math


def my_anchor(record):
    ...  # return the instant that is compared with the cut-offs
""",
    hints=(
        "Which number is larger than every instant, however far in the future?",
        "Only 0 means never: an activity at 1 ms is an activity. When the skill was made "
        "(created_at) plays no part.",
        "record.last_activity_at if it is larger than 0, else math.inf.",
    ),
    solution="""
import math


def my_anchor(record):
    return record.last_activity_at if record.last_activity_at > 0 else math.inf
""",
    wrong_answers=(
        WrongAnswer(
            "0 is taken literally",
            """
def my_anchor(record):
    return record.last_activity_at
""",
            "my_anchor(UsageRecord(last_activity_at=0))",
        ),
        WrongAnswer(
            "the infinity has the wrong sign",
            """
import math

def my_anchor(record):
    return record.last_activity_at if record.last_activity_at > 0 else -math.inf
""",
            "my_anchor(UsageRecord(last_activity_at=0))",
        ),
        WrongAnswer(
            "a never-used skill ages from its creation, as the ancestor has it",
            """
import math

def my_anchor(record):
    return record.last_activity_at or record.created_at or math.inf
""",
            "my_anchor(UsageRecord(created_at=10*DAY_MS, last_activity_at=0))",
        ),
        WrongAnswer(
            "some large number stands for infinity",
            """
def my_anchor(record):
    return record.last_activity_at if record.last_activity_at > 0 else 10**15
""",
            "my_anchor(UsageRecord(last_activity_at=0))",
        ),
        WrongAnswer(
            "off by one: the first millisecond counts as never",
            """
import math

def my_anchor(record):
    return record.last_activity_at if record.last_activity_at > 1 else math.inf
""",
            "my_anchor(UsageRecord(last_activity_at=1))",
        ),
    ),
    reference=reference,
    example=(UsageRecord(last_activity_at=40 * DAY_MS),),
    examples=(
        (UsageRecord(last_activity_at=0),),
        (UsageRecord(last_activity_at=30 * DAY_MS),),
        (UsageRecord(created_at=10 * DAY_MS, last_activity_at=0),),
        (UsageRecord(created_at=10 * DAY_MS, last_activity_at=30 * DAY_MS),),
        (UsageRecord(last_activity_at=1),),
    ),
    generate=generate,
    learnt="One line keeps a newborn skill from being archived: never used is never old.",
    engine="alembic_sim/hermes/curator/curator.py::next_state",
    show_answer=lambda anchor: tell_ms(anchor) if type(anchor) is int else tell(anchor),
)
