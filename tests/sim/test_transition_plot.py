"""The transitions week by week: every state with its colour, its hatching and its name."""

from __future__ import annotations

import io

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from alembic_sim.sim.figures import WeekCount
from alembic_sim.sim.library_plot import STATE_LOOKS
from alembic_sim.sim.transition_plot import plot_transitions

WEEKS = [WeekCount(0, 0, 2, 0), WeekCount(1, 1, 3, 4), WeekCount(2, 5, 0, 0)]


@pytest.fixture
def ax() -> Axes:
    ax = Figure().subplots()
    assert plot_transitions(ax, WEEKS) is ax
    return ax


def bars(ax: Axes) -> dict[str, BarContainer]:
    return {str(one.get_label()): one for one in ax.containers if isinstance(one, BarContainer)}


def test_each_week_s_bar_has_its_numbers_stacked(ax: Axes) -> None:
    drawn = {
        label: [(bar.get_y(), bar.get_height()) for bar in container]
        for label, container in bars(ax).items()
    }
    assert drawn == {
        "to stale": [(0, 2), (0, 3), (0, 0)],
        "to archived": [(2, 0), (3, 4), (0, 0)],
        "back to active": [(2, 0), (7, 1), (0, 5)],
    }
    for container in bars(ax).values():
        centres = [bar.get_x() + bar.get_width() / 2 for bar in container]
        assert centres == pytest.approx([0, 1, 2])
    assert ax.get_ylim()[1] > 8


def test_states_look_as_they_do_in_every_picture(ax: Axes) -> None:
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [*bars(ax)]
    for state, label in (
        ("stale", "to stale"),
        ("archived", "to archived"),
        ("active", "back to active"),
    ):
        for bar in bars(ax)[label]:
            assert (to_hex(bar.get_facecolor()).upper(), bar.get_hatch() or "") == STATE_LOOKS[
                state
            ]
    assert "week" in ax.get_xlabel()
    assert ax.get_ylabel() == "skills that moved"


def test_weeks_and_skills_are_whole_numbers() -> None:
    ax = Figure().subplots()
    plot_transitions(ax, [WeekCount(0, 0, 1, 0)])
    for ticks in (ax.get_xticks(), ax.get_yticks()):
        assert all(tick == int(tick) for tick in ticks)


def test_between_the_bars_of_a_decade_there_is_no_gap() -> None:
    ax = Figure().subplots()
    plot_transitions(ax, [WeekCount(week, 0, 1, 0) for week in range(522)])
    first, second = bars(ax)["to stale"][:2]
    assert first.get_x() + first.get_width() == second.get_x()


def test_it_can_be_saved(ax: Axes) -> None:
    drawn = io.BytesIO()
    ax.figure.savefig(drawn, format="png")
    assert drawn.getvalue().startswith(b"\x89PNG")


def test_a_run_in_which_nothing_moved_can_be_drawn() -> None:
    figure = Figure()
    plot_transitions(figure.subplots(), [WeekCount(0, 0, 0, 0)])
    figure.savefig(io.BytesIO(), format="png")
