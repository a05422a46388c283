"""09.3: which policy to take, by what it puts away rightly."""

from __future__ import annotations

from alembic_sim.sim.forecast.answer import Score, best_of
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

Row = tuple[str, int, int]
"""A policy's name, how many skills it archives, and how many of them are needed again."""


def reference(rows: list[Row]) -> object:
    """The policy that a forecast with these numbers has for its best."""
    return best_of(
        [Score(name, (archived - regretted,), regretted) for name, archived, regretted in rows]
    ).name


def generate(pick: Pick) -> Case:
    """Two or three policies with numbers that often tie."""
    names = ("30/90", "30/60", "14/30")[: pick((2, 3))]
    rows = []
    for name in names:
        archived = pick((4, 8, 9, 13, 20))
        rows.append((name, archived, min(archived, pick((0, 1, 4, 5, 12)))))
    return (rows,)


def _by(key: str) -> str:
    return f"""
def my_choice(rows):
    best = max(rows, key=lambda row: {key})
    return best[0]
"""


EXERCISE = Exercise(
    id="09.3",
    title="The choice",
    signature="my_choice(rows)",
    task="""
Choose a policy. rows is a list of (name, archived, regretted), one for each policy, at least two;
the regretted ones are among the archived. Take the policy that puts most skills away rightly:
archived and not regretted. Of two that are equal in this, take the one with less regret; of two
that are equal in that as well, the first one in the list.
""",
    todo="It gives back a text: the name of the policy to take.",
    stub="""
def my_choice(rows):
    ...  # what is rightly put away? what breaks a tie?
    return ...  # a name
""",
    hints=(
        "Two wishes pull apart: an empty bench, and nothing missed. Which number holds both?",
        "archived - regretted was rightly put away. max takes a key, and a key may be a pair.",
        "max(rows, key=lambda row: (row[1] - row[2], -row[2])) is the row; its name is row[0]. Of "
        "equals, max takes the first.",
    ),
    solution=_by("(row[1] - row[2], -row[2])"),
    wrong_answers=(
        WrongAnswer(
            "whatever archives most",
            _by("row[1]"),
            "my_choice([('14/30', 20, 12), ('30/90', 9, 0)])",
        ),
        WrongAnswer(
            "whatever is regretted least",
            _by("-row[2]"),
            "my_choice([('30/60', 13, 4), ('30/90', 8, 1)])",
        ),
        WrongAnswer(
            "the smallest share of regret",
            _by("-row[2] / row[1]"),
            "my_choice([('30/60', 13, 4), ('30/90', 8, 1)])",
        ),
        WrongAnswer(
            "a tie goes to the first",
            _by("row[1] - row[2]"),
            "my_choice([('30/60', 13, 5), ('30/90', 8, 0)])",
        ),
        WrongAnswer(
            "a tie goes to who archives more",
            _by("(row[1] - row[2], row[1])"),
            "my_choice([('30/60', 13, 5), ('30/90', 8, 0)])",
        ),
    ),
    reference=reference,
    example=([("30/60", 12, 3), ("30/90", 7, 1)],),
    examples=(
        ([("14/30", 20, 12), ("30/90", 9, 0)],),
        ([("30/60", 13, 4), ("30/90", 8, 1)],),
        ([("30/60", 13, 5), ("30/90", 8, 0)],),
        ([("30/60", 8, 0), ("30/90", 8, 0)],),
        ([("30/90", 8, 1), ("30/60", 13, 4), ("14/30", 20, 12)],),
    ),
    generate=generate,
    learnt="A rule that was there before the numbers is not bent by them.",
    engine="alembic_sim/sim/forecast/answer.py::best_of",
)
