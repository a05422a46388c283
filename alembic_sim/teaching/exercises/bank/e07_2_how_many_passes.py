"""07.2: how many passes a skill takes to the archive, under either order of the tests."""

from __future__ import annotations

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.variants import stale_first
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.probing import EXAMPLE_NOW, Decide, idle_skill

ORDERS: dict[str, Decide] = {"archive-first": next_state, "stale-first": stale_first}


def reference(idle_days: int, every_days: int, order: str) -> object:
    """The passes of the real rule, or of its variant, counted one by one."""
    record, now, passes = idle_skill(idle_days), EXAMPLE_NOW, 0
    while record.state != "archived":
        state = ORDERS[order](record, *CuratorPolicy().cutoffs(now))
        record = record.model_copy(update={"state": state})
        passes += 1
        now += every_days * DAY_MS
    return passes


def generate(pick: Pick) -> Case:
    """A skill seen early or late, by a curator that comes often or seldom."""
    idle_days = pick((90, 89, 120, 30, 29, 0, 60, 91))
    every_days = pick((1, 7, 30, 60, 61, 100, 14, 59))
    return idle_days, every_days, pick(tuple(ORDERS))


_WRONG = """
def my_passes(idle_days, every_days, order):
    state, passes = "active", 0
    while state != "archived":
        passes += 1
        if order == "stale-first" and state == "active" and idle_days >= 30:
            state = "stale"
        elif idle_days >= 90:
            state = "archived"
        elif idle_days >= 30:
            state = "stale"
        idle_days += every_days
    return passes
"""

EXERCISE = Exercise(
    id="07.2",
    title="How many passes until archived?",
    signature="my_passes(idle_days, every_days, order)",
    task="""
An active skill has been idle for idle_days and is never used again. The curator passes today, again
after every_days more, and so on. The windows are 30 and 90 days, both edges inclusive. order is
"archive-first" or "stale-first": which test comes first. A pass changes the state once at most.
""",
    todo="It gives back how many passes there are until the skill is archived, that one included.",
    stub="""
def my_passes(idle_days, every_days, order):
    state, passes = "active", 0
    ...  # pass after pass, until state is "archived"
    return ...  # passes
""",
    hints=(
        "Play it by hand: write down idle days and state at each pass, today's first.",
        "The order matters only for a skill that is over both cut-offs while it is still active. "
        "One that became stale on the way meets the archive test either way.",
        'Loop: count the pass; with "stale-first", active and at least 30 days: stale; else at '
        "least 90: archived; else at least 30: stale. Then idle_days += every_days.",
    ),
    solution=_WRONG,
    wrong_answers=(
        WrongAnswer(
            "the order makes no difference",
            _WRONG.replace('order == "stale-first" and state == "active"', "False"),
            "my_passes(120, 1, 'stale-first')",
        ),
        WrongAnswer(
            "stale-first always takes one more",
            _WRONG.replace('order == "stale-first" and state == "active"', "False").replace(
                "return passes", 'return passes + (order == "stale-first")'
            ),
            "my_passes(89, 1, 'stale-first')",
        ),
        WrongAnswer(
            "the waits are counted, not the passes",
            _WRONG.replace("return passes", "return passes - 1"),
            "my_passes(120, 1, 'archive-first')",
        ),
        WrongAnswer(
            "the edge of 90 days is left out",
            _WRONG.replace(">= 90", "> 90"),
            "my_passes(90, 1, 'archive-first')",
        ),
        WrongAnswer(
            "the curator is thought to pass every day",
            _WRONG.replace("idle_days += every_days", "idle_days += 1"),
            "my_passes(0, 30, 'archive-first')",
        ),
    ),
    reference=reference,
    example=(45, 7, "archive-first"),
    examples=(
        (120, 1, "archive-first"),
        (120, 1, "stale-first"),
        (90, 1, "archive-first"),
        (89, 1, "archive-first"),
        (89, 1, "stale-first"),
        (0, 30, "archive-first"),
        (0, 100, "archive-first"),
        (0, 100, "stale-first"),
    ),
    generate=generate,
    learnt="The order shows only on a skill that crossed both cut-offs between two passes.",
    engine="alembic_sim/sim/variants.py::stale_first",
)
