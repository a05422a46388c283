"""Success and memory, session by session: a line an arm, told apart without colour too."""

from __future__ import annotations

import io

import pytest
from matplotlib.figure import Figure

from alembic_sim.sim.reference import simulate
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import LearningPlan, Scenario
from alembic_sim.sim.session_plots import ARM_LOOKS, plot_memory_fill, plot_success, trailing_mean


@pytest.fixture(scope="module")
def run() -> Run:
    learning = LearningPlan(sessions_per_day=1, memory_char_limit=600)
    return simulate(Scenario(days=30, learning=learning)).expect("a run")


def test_arms_are_told_apart_by_their_lines() -> None:
    assert len({line for _colour, line in ARM_LOOKS.values()}) == 3


def test_success_is_a_line_an_arm_in_percent_of_the_last_sessions(run: Run) -> None:
    ax = Figure().subplots()
    assert plot_success(ax, run.success, window=5) is ax
    assert [line.get_label() for line in ax.lines] == ["gated", "ungated", "none"]
    for line in ax.lines:
        shares = run.success[str(line.get_label())]
        assert line.get_ydata()[-1] == pytest.approx(100 * sum(shares[-5:]) / 5)
    assert ax.get_ylim() == (0, 100)
    assert ax.get_ylabel() == "tasks that succeed (%)\nmean of the last 5 sessions"


def test_one_session_is_a_dot_and_none_is_said(run: Run) -> None:
    one, none = Figure().subplots(2)
    plot_success(one, {arm: shares[:1] for arm, shares in run.success.items()})
    assert {line.get_marker() for line in one.lines} == {"o"}
    assert not one.texts
    plot_memory_fill(none, [], 600)
    assert [text.get_text() for text in none.texts] == ["no sessions"]
    assert [*none.get_xticks()] == []


def test_sessions_are_whole_numbers(run: Run) -> None:
    ax = Figure().subplots()
    plot_memory_fill(ax, run.sessions[:9], 600)
    assert {line.get_marker() for line in ax.lines[:2]} == {""}
    assert all(tick == int(tick) for tick in ax.get_xticks())


def test_the_memory_s_fill_stays_below_the_line_of_its_limit(run: Run) -> None:
    ax = Figure().subplots()
    assert plot_memory_fill(ax, run.sessions, 600) is ax
    gated, ungated, limit = ax.lines
    assert (gated.get_label(), ungated.get_label()) == ("gated", "ungated")
    assert set(limit.get_ydata()) == {600}
    for line, figures in zip((gated, ungated), run.arms, strict=False):
        assert line.get_ydata()[-1] == figures.memory_chars
        assert max(line.get_ydata()) <= 600


@pytest.mark.parametrize("drawn", ["success", "memory"])
def test_both_can_be_saved(run: Run, drawn: str) -> None:
    figure = Figure()
    ax = figure.subplots()
    if drawn == "success":
        plot_success(ax, run.success)
    else:
        plot_memory_fill(ax, run.sessions, 600)
    saved = io.BytesIO()
    figure.savefig(saved, format="png")
    assert saved.getvalue().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("numbers", "window", "means"),
    [([], 3, []), ([1, 2, 6], 1, [1, 2, 6]), ([1, 2, 6], 9, [1, 1.5, 3])],
)
def test_a_trailing_mean_begins_with_what_there_is(
    numbers: list[float], window: int, means: list[float]
) -> None:
    assert trailing_mean(numbers, window) == means
