"""The library by state: every state with its colour, its hatching and its name."""

from __future__ import annotations

import io

import pytest
from matplotlib.figure import Figure

from alembic_sim.sim.figures import DayCount
from alembic_sim.sim.library_plot import STATE_LOOKS, plot_library
from alembic_sim.teaching.palette import STATE_MARKS

COUNTS = [DayCount(0, 5, 0, 0), DayCount(1, 3, 2, 0), DayCount(2, 3, 1, 1)]


def test_states_look_as_they_do_in_the_lessons() -> None:
    for state, mark in STATE_MARKS.items():
        assert STATE_LOOKS[state][0] == mark.colour
    assert len({hatch for _colour, hatch in STATE_LOOKS.values()}) == len(STATE_LOOKS)


@pytest.mark.parametrize(
    ("counts", "states"),
    [
        (COUNTS, ["active", "stale", "archived"]),
        ([*COUNTS, DayCount(3, 1, 0, 0, 4)], ["active", "stale", "archived", "unknown"]),
    ],
)
def test_the_axes_come_back_with_a_layer_for_each_state_that_there_is(
    counts: list[DayCount], states: list[str]
) -> None:
    ax = Figure().subplots()
    assert plot_library(ax, counts) is ax
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == states
    assert [layer.get_hatch() or "" for layer in ax.collections] == [
        STATE_LOOKS[state][1] for state in states
    ]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("days that have passed", "skills")


def test_layers_stand_on_each_other() -> None:
    ax = Figure().subplots()
    plot_library(ax, COUNTS)
    tops = [layer.get_paths()[0].vertices[:, 1].max() for layer in ax.collections]
    assert tops == [5, 5, 5]


def test_what_a_pass_moves_at_the_end_of_day_1_shows_after_2_days() -> None:
    ax = Figure().subplots()
    plot_library(ax, COUNTS)
    archived = ax.collections[2].get_paths()[0].vertices
    widest = [x for x, y in archived if y == 4]  # the layer's lower edge, below the one archived
    assert (min(widest), max(widest)) == (3, 3)
    stale = ax.collections[1].get_paths()[0].vertices
    assert min(x for x, y in stale if y == 3) == 2
    assert ax.get_xlim() == (0, 3)
    active = {tuple(corner) for corner in ax.collections[0].get_paths()[0].vertices}
    assert {(2, 5), (2, 3)} <= active  # a step, not a slope


def test_a_run_of_a_day_is_drawn_and_ticks_are_whole() -> None:
    ax = Figure().subplots()
    plot_library(ax, COUNTS[:1])
    assert ax.get_xlim() == (0, 1)
    for ticks in (ax.get_xticks(), ax.get_yticks()):
        assert all(tick == int(tick) for tick in ticks)


def test_it_can_be_saved() -> None:
    figure = Figure()
    plot_library(figure.subplots(), COUNTS)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png")
    assert drawn.getvalue().startswith(b"\x89PNG")
