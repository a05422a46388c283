"""09.2: two policies on the same libraries; the difference is taken replica by replica."""

from __future__ import annotations

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.sim.fast.fast_run import FastRun, Moves, Uses
from alembic_sim.sim.figures import LibraryFigures
from alembic_sim.sim.scenario import Scenario
from alembic_sim.sim.sweep.replica import SweepRow
from alembic_sim.sim.sweep.table import Sweep
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer

ONE, OTHER = CuratorPolicy(30, 60), CuratorPolicy(30, 90)


def _row(replica: int, policy: CuratorPolicy, archived: int) -> SweepRow:
    """A row of which nothing but the archived skills is asked."""
    figures = LibraryFigures(100, archived, 0, archived, 0, 0, (0, 0, 0))
    run = FastRun(policy, 0, 7, figures, Moves((), (), (), ()), Uses(0, 0, 0, 0), (), (), ())
    return SweepRow(replica, run)


def reference(one: list[int], other: list[int]) -> object:
    """What a sweep with these rows says of the difference."""
    rows = [
        _row(replica, policy, archived)
        for policy, column in ((ONE, one), (OTHER, other))
        for replica, archived in enumerate(column)
    ]
    table = Sweep(Scenario(), (ONE, OTHER), len(one), tuple(rows))
    found = table.difference(ONE, OTHER, "archived")
    return round(found.mean, 1), round(found.deviation, 1)


def generate(pick: Pick) -> Case:
    """Two to four replicas, in no order."""
    pairs = [(pick((10, 12, 13, 17)), pick((5, 9, 10, 14))) for _ in range(pick((2, 3, 4)))]
    return [one for one, _other in pairs], [other for _one, other in pairs]


_START = """
from math import sqrt
from statistics import mean, pstdev, stdev

def my_difference(one, other):
    differences = [a - b for a, b in zip(one, other)]
"""
_END = """\
    return round(mean(differences), 1), round(stdev(differences), 1)
"""

EXERCISE = Exercise(
    id="09.2",
    title="The same libraries",
    signature="my_difference(one, other)",
    task="""
Two policies were tried on the same libraries. one[i] is how many skills the first one archived in
replica i, other[i] how many the second one did, in that very replica. There are at least two. Say
how many more the first one archives: the mean of the differences, and their standard deviation
(statistics.stdev), each rounded to one decimal.
""",
    todo="It gives back a pair of numbers: (mean, deviation) of the differences.",
    stub="""
from statistics import mean, stdev


def my_difference(one, other):
    differences = ...  # one number a replica
    return ...  # their mean and their deviation, each round(…, 1)
""",
    hints=(
        "Both lists tell of the same replicas, in the same order. Pair them first.",
        "zip(one, other) gives the pairs. Subtract in each pair, and only then average.",
        "differences = [a - b for a, b in zip(one, other)]; then round(mean(differences), 1) and "
        "round(stdev(differences), 1).",
    ),
    solution="""
from statistics import mean, stdev


def my_difference(one, other):
    differences = [a - b for a, b in zip(one, other)]
    return round(mean(differences), 1), round(stdev(differences), 1)
""",
    wrong_answers=(
        WrongAnswer(
            "as if the libraries were not the same",
            _START
            + _END.replace("stdev(differences)", "sqrt(stdev(one) ** 2 + stdev(other) ** 2)"),
            "my_difference([12, 14], [6, 8])",
        ),
        WrongAnswer(
            "the deviations are subtracted",
            _START + _END.replace("stdev(differences)", "stdev(one) - stdev(other)"),
            "my_difference([12, 12], [6, 8])",
        ),
        WrongAnswer(
            "the other way round",
            _START.replace("a - b", "b - a") + _END,
            "my_difference([12, 14], [6, 8])",
        ),
        WrongAnswer(
            "sorted before they are paired",
            _START.replace("zip(one, other)", "zip(sorted(one), sorted(other))") + _END,
            "my_difference([12, 14], [8, 6])",
        ),
        WrongAnswer(
            "the deviation of a whole population",
            _START + _END.replace("stdev(", "pstdev("),
            "my_difference([12, 12], [6, 8])",
        ),
    ),
    reference=reference,
    example=([12, 9, 14], [7, 5, 8]),
    examples=(
        ([12, 14], [6, 8]),
        ([12, 12], [6, 8]),
        ([12, 14], [8, 6]),
        ([5, 5], [5, 5]),
        ([12, 9, 14, 10], [7, 5, 8, 7]),
    ),
    generate=generate,
    learnt="What both policies meet alike cancels out: a difference is surer than its two parts.",
    engine="alembic_sim/sim/sweep/table.py::Sweep.difference",
)
