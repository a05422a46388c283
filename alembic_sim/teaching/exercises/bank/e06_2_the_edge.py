"""06.2: how old is old enough, to the millisecond."""

from __future__ import annotations

import math

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell_ms
from alembic_sim.teaching.probing import EXAMPLE_NOW


def reference(idle_ms: int, window_days: int) -> object:
    """Whether the real curator's rule takes an active skill over the stale cut-off."""
    stale_cutoff, _ = CuratorPolicy(stale_after_days=window_days).cutoffs(EXAMPLE_NOW)
    record = UsageRecord(created_by="agent", last_activity_at=EXAMPLE_NOW - idle_ms)
    return next_state(record, stale_cutoff, archive_cutoff=-math.inf) == "stale"


def generate(pick: Pick) -> Case:
    """An idle time on, next to, or far from the window."""
    window_days = pick((30, 14, 90, 1, 7, 45))
    days = pick((window_days, window_days - 1, window_days + 1, 0, 200))
    jitter = pick((0, -1, 1, -DAY_MS // 2, DAY_MS // 2, -1000, 1000))
    return max(0, days * DAY_MS + jitter), window_days


EXERCISE = Exercise(
    id="06.2",
    title="The edge, to the millisecond",
    signature="my_is_stale(idle_ms, window_days)",
    task="""
An active skill has been idle for idle_ms milliseconds. The window is window_days days of 24 hours
(DAY_MS milliseconds each). The engine asks whether the anchor is at or before the cut-off, the
instant window_days before now.
""",
    todo="It gives back True if the skill is old enough to become stale, else False.",
    stub="""
from alembic_sim import DAY_MS


def my_is_stale(idle_ms, window_days):
    ...  # return True or False
""",
    hints=(
        "At or before: what does that say of a skill that is idle for exactly the window?",
        "Bring both to the same unit, milliseconds, without rounding either. "
        "Whole days hide what happens one millisecond before the edge.",
        "Compare idle_ms with window_days * DAY_MS. Equal counts as old enough.",
    ),
    solution="""
from alembic_sim import DAY_MS


def my_is_stale(idle_ms, window_days):
    return idle_ms >= window_days * DAY_MS
""",
    wrong_answers=(
        WrongAnswer(
            "the edge is left out",
            """
from alembic_sim import DAY_MS

def my_is_stale(idle_ms, window_days):
    return idle_ms > window_days * DAY_MS
""",
            "my_is_stale(30*DAY_MS, 30)",
        ),
        WrongAnswer(
            "days are rounded",
            """
from alembic_sim import DAY_MS

def my_is_stale(idle_ms, window_days):
    return round(idle_ms / DAY_MS) >= window_days
""",
            "my_is_stale(30*DAY_MS - 1, 30)",
        ),
        WrongAnswer(
            "only a whole day more counts",
            """
from alembic_sim import DAY_MS

def my_is_stale(idle_ms, window_days):
    return idle_ms // DAY_MS > window_days
""",
            "my_is_stale(30*DAY_MS, 30)",
        ),
        WrongAnswer(
            "the window is always 30 days",
            """
from alembic_sim import DAY_MS

def my_is_stale(idle_ms, window_days):
    return idle_ms >= 30 * DAY_MS
""",
            "my_is_stale(14*DAY_MS, 14)",
        ),
        WrongAnswer(
            "milliseconds are taken for seconds",
            """
def my_is_stale(idle_ms, window_days):
    return idle_ms >= window_days * 86_400
""",
            "my_is_stale(30*DAY_MS - 1, 30)",
        ),
    ),
    reference=reference,
    example=(45 * DAY_MS, 30),
    examples=(
        (30 * DAY_MS, 30),
        (30 * DAY_MS - 1, 30),
        (30 * DAY_MS + 1, 30),
        (0, 30),
        (14 * DAY_MS, 14),
        (14 * DAY_MS - 1, 14),
    ),
    generate=generate,
    learnt="Exactly 30 days idle is stale, one millisecond less is not: the code's edge rules.",
    engine="alembic_sim/hermes/curator/policy.py::CuratorPolicy.cutoffs",
    show_case=lambda case: f"my_is_stale({tell_ms(case[0])}, {case[1]})",
)
