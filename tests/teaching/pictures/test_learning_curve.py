"""The opening curve of lesson 00 shows what its runs hold: means, bands, and one look an arm."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from statistics import fmean

import pytest

from alembic_sim import Scenario, simulate
from alembic_sim.sim.arms import ARMS
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Archetype
from alembic_sim.sim.scenario_file import load_scenario
from alembic_sim.sim.session_plots import ARM_LOOKS
from alembic_sim.teaching.learning_worlds import learning_worlds
from alembic_sim.teaching.pictures.learning_curve import (
    WINDOW,
    arm_curves,
    draw_learning_curve,
)
from alembic_sim.teaching.svg import Svg
from tests.teaching.svg_reading import NAMESPACE, all_words, outside, overlapping, parse


@cache
def worlds() -> tuple[Run, ...]:
    """The twelve worlds of the lessons."""
    return learning_worlds(range(12))


@cache
def small(days: int, gate: float = 0.7) -> tuple[Run, ...]:
    """Two worlds with a session a day."""
    plan = load_scenario("quiet-team").expect("shipped").learning
    given = {"sessions_per_day": 1.0, "gate_threshold": gate}
    none = (Archetype(count=0),)
    return tuple(
        simulate(
            Scenario(seed=seed, days=days, population=none, learning=plan.model_copy(update=given))
        ).expect("it is small")
        for seed in (0, 1)
    )


PICTURES: dict[str, Callable[[], Svg]] = {
    "as in the lessons": lambda: draw_learning_curve(worlds()),
    "two sessions": lambda: draw_learning_curve(small(2)),
    "one session": lambda: draw_learning_curve(small(1)),
    "all three alike, no gate opens": lambda: draw_learning_curve(small(40, 1.0)),
    "a hundred and fifty sessions": lambda: draw_learning_curve(small(150)),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_nothing_overlaps_or_leaves_the_sheet(draw: Callable[[], Svg]) -> None:
    assert overlapping(draw()) == []
    assert outside(draw()) == []
    root = parse(draw())
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{NAMESPACE}title", f"{NAMESPACE}desc"]
    assert draw().markup == draw().markup


def test_each_line_is_the_mean_of_the_worlds_over_the_last_sessions() -> None:
    for curve in arm_curves(worlds()):
        assert len(curve.mean) == 90
        for session in (1, 5, WINDOW, WINDOW + 1, 90):
            first = max(0, session - WINDOW)
            shares = [100 * fmean(run.success[curve.arm][first:session]) for run in worlds()]
            assert curve.mean[session - 1] == pytest.approx(fmean(shares))


def test_of_twelve_worlds_the_highest_and_the_lowest_lie_outside_of_a_band() -> None:
    for curve in arm_curves(worlds()):
        shares = [100 * fmean(run.success[curve.arm][-WINDOW:]) for run in worlds()]
        inside = sorted(shares)[1:-1]
        assert (curve.low[-1], curve.high[-1]) == pytest.approx((inside[0], inside[-1]))
        assert len(inside) >= 0.8 * len(shares)


def test_all_three_agents_have_the_same_first_session() -> None:
    gated, ungated, none = arm_curves(worlds())
    assert gated.mean[0] == ungated.mean[0] == none.mean[0]


def test_what_lesson_00_says_of_its_curve_is_so() -> None:
    gated, ungated, none = (curve.mean for curve in arm_curves(worlds()))
    assert all(40 <= share <= 60 for share in none[4:]), "about half, early and late"
    assert all(share > 75 for share in gated[30:]), "four in five, and it stays so"
    assert max(ungated[10:30]) > none[20] > ungated[-1] - 5, "a little better, then no more"
    assert all(share > other for share, other in zip(gated[12:], ungated[12:], strict=True))


def test_the_words_and_the_labels_give_the_numbers_at_the_end() -> None:
    picture = draw_learning_curve(worlds())
    ends = [f"{curve.arm} {curve.mean[-1]:.0f} %" for curve in arm_curves(worlds())]
    assert picture.summary.endswith(f"At the end: {', '.join(ends)}.")
    assert set(ends) <= set(all_words(picture).splitlines())
    assert "mean of 12 simulated worlds" in picture.summary


def test_axes_have_units_and_the_bands_are_explained() -> None:
    said = all_words(draw_learning_curve(worlds())).splitlines()
    assert "tasks that succeed, in %" in said
    assert "session" in said
    assert {"0", "25", "50", "75", "100", "1", "90"} <= set(said)
    assert any("Each point: the last 10 sessions." in line for line in said)
    assert any("Band: 10 of the 12, session by session." in line for line in said)


def test_lines_are_told_apart_by_colour_by_dash_and_by_name() -> None:
    root = parse(draw_learning_curve(worlds()))
    lines = [one for one in root.iter(f"{NAMESPACE}polyline") if one.get("stroke-width") == "3"]
    looks = {(one.get("stroke"), one.get("stroke-dasharray")) for one in lines}
    assert {colour for colour, _dash in looks} == {colour for colour, _line in ARM_LOOKS.values()}
    assert len({dash for _colour, dash in looks}) == len(ARMS)
    bands = list(root.iter(f"{NAMESPACE}polygon"))
    assert {one.get("fill") for one in bands} == {colour for colour, _dash in looks}


@pytest.mark.parametrize(
    "runs",
    [lambda: (), lambda: small(5)[:1], lambda: (small(5)[0], small(6)[0])],
    ids=["none", "one", "of two lengths"],
)
def test_runs_that_give_no_curve_are_refused(runs: Callable[[], tuple[Run, ...]]) -> None:
    with pytest.raises(ValueError, match=r"runs: .* are not two or more runs of equally many"):
        draw_learning_curve(runs())
    still = tuple(run.scenario for run in small(5))
    quiet = tuple(
        simulate(one.model_copy(update={"learning": Scenario().learning})) for one in still
    )
    with pytest.raises(ValueError, match=r"runs: "):
        arm_curves([run.expect("it is small") for run in quiet])


def test_leaving_out_the_skills_changes_no_session() -> None:
    """Lesson 09 looks at the very same sessions with a library beside them."""
    quiet = load_scenario("quiet-team").expect("it is shipped")
    with_skills = simulate(quiet).expect("it is shipped")
    [alone] = learning_worlds([quiet.seed])
    assert alone.success == with_skills.success
    assert alone.arms == with_skills.arms
    assert alone.trace.skills == ()


def test_the_opening_curve_needs_neither_numpy_nor_matplotlib() -> None:
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['matplotlib'] = None\n"
        "from alembic_sim.teaching.learning_worlds import learning_worlds\n"
        "from alembic_sim.teaching.pictures.learning_curve import draw_learning_curve\n"
        "print(draw_learning_curve(learning_worlds(range(2))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.startswith("Tasks that succeed, over 90 sessions, mean of 2 simulated")
