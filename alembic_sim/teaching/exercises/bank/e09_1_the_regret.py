"""09.1: regret, the skills that were archived and needed again soon afterwards."""

from __future__ import annotations

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.figures import StateChange, library_figures
from alembic_sim.sim.population import SkillLife
from alembic_sim.sim.trace import EventTrace, UseEvent
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

Moment = tuple[str, int]
"""A skill, and the day."""


def reference(archived: list[Moment], needed: list[Moment]) -> object:
    """What the simulator's own figures say of a run with these moves and these uses."""
    names = sorted({name for name, _day in archived + needed})
    trace = EventTrace(
        tuple(SkillLife(name, 0.0, 0) for name in names),
        tuple(
            UseEvent(day * DAY_MS, sequence, name)
            for sequence, (name, day) in enumerate(sorted(needed, key=lambda one: one[1]))
        ),
        (),
    )
    moves = [StateChange(day * DAY_MS, name, "stale", "archived") for name, day in archived]
    return library_figures(trace, moves, {}, 365 * DAY_MS).regretted


def generate(pick: Pick) -> Case:
    """A few skills archived after 90 days or so, and uses around that time."""
    names = ("a", "b", "c")[: pick((1, 2, 3))]
    archived = [(name, pick((90, 100))) for name in names]

    def use() -> Moment:
        return pick(("a", "b", "c")), pick((95, 60, 90, 100, 120, 121, 130, 131))

    return archived, pick.some(use, 4)


_START = """
def my_regret(archived, needed):
    regretted = 0
    for name, day in archived:
"""
_NEEDED = """\
        later = [d for n, d in needed if n == name and day < d <= day + 30]
"""
_END = """\
        if later:
            regretted += 1
    return regretted
"""

EXERCISE = Exercise(
    id="09.1",
    title="The regret",
    signature="my_regret(archived, needed)",
    task="""
Count the regret of a run. archived is a list of (name, day): the skill was put away on that day,
each skill at most once. needed is a list of (name, day) too: on that day somebody reached for the
skill, in any order. A skill is regretted if it was needed later than it was archived, and at most
30 days later. It counts once, however often it was needed.
""",
    todo="It gives back a number: how many of the archived skills were regretted.",
    stub="""
def my_regret(archived, needed):
    regretted = 0
    for name, day in archived:
        ...  # was this skill needed within the 30 days after this day?
    return ...  # how many were
""",
    hints=(
        "Take one archived skill at a time. Which days in needed are its own, and late enough?",
        "Its own are those with the same name. Late enough is after the day; in time, within 30.",
        "later = [d for n, d in needed if n == name and day < d <= day + 30]. If that list is not "
        "empty, count one.",
    ),
    solution=_START + _NEEDED + _END,
    wrong_answers=(
        WrongAnswer(
            "day 30 is too late",
            _START + _NEEDED.replace("<= day + 30", "< day + 30") + _END,
            "my_regret([('a', 90)], [('a', 120)])",
        ),
        WrongAnswer(
            "a use before the archive counts",
            _START + _NEEDED.replace("day < d <= day + 30", "abs(d - day) <= 30") + _END,
            "my_regret([('a', 90)], [('a', 60)])",
        ),
        WrongAnswer(
            "a use on the same day counts",
            _START + _NEEDED.replace("day < d", "day <= d") + _END,
            "my_regret([('a', 90)], [('a', 90)])",
        ),
        WrongAnswer(
            "uses are counted, not skills",
            _START + _NEEDED + "        regretted += len(later)\n    return regretted\n",
            "my_regret([('a', 90)], [('a', 100), ('a', 95)])",
        ),
        WrongAnswer(
            "any skill's use counts",
            _START + _NEEDED.replace("n == name and ", "") + _END,
            "my_regret([('a', 90)], [('b', 95)])",
        ),
        WrongAnswer(
            "however late it is needed",
            _START + _NEEDED.replace(" <= day + 30", "") + _END,
            "my_regret([('a', 90)], [('a', 121)])",
        ),
    ),
    reference=reference,
    example=([("a", 90), ("b", 90)], [("a", 97)]),
    examples=(
        ([("a", 90)], []),
        ([("a", 90)], [("a", 95)]),
        ([("a", 90)], [("a", 60)]),
        ([("a", 90)], [("a", 90)]),
        ([("a", 90)], [("a", 120)]),
        ([("a", 90)], [("a", 121)]),
        ([("a", 90)], [("b", 95)]),
        ([("a", 90)], [("a", 100), ("a", 95)]),
        ([("a", 90), ("b", 100)], [("b", 130), ("a", 91)]),
    ),
    generate=generate,
    learnt="Regret is a number of skills: each was put away just before it was needed.",
    engine="alembic_sim/sim/figures.py::library_figures",
)
