"""The pictures of a sweep show its numbers, and leave no global state behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from alembic_sim.sim.sweep.pictures import plot_bands, plot_policies
from tests.sim.sweep.test_table import LONG, SHORT, TWO, row, table


def test_policies_stand_where_their_library_and_their_regret_are(tmp_path: Path) -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plot_policies(axes, TWO) is axes
    places = {
        one.get_label(): (one.lines[0].get_xdata()[0], one.lines[0].get_ydata()[0])
        for one in axes.containers
    }
    assert places == {"14/30": (9, 4), "30/90": (15.5, 1)}
    assert "30 days" in axes.get_ylabel()
    assert axes.get_title() == "by-hand, 14 days, 2 replicas"
    assert "standard deviation" in axes.get_legend().get_title().get_text()
    figure.savefig(tmp_path / "policies.png")


def test_policies_at_one_place_share_a_mark() -> None:
    """Stale windows alone move neither the library's size nor its regret."""
    axes = Figure().subplots()
    plot_policies(axes, table(row(SHORT, 0, 3), row(LONG, 0, 3), replicas=1))
    assert [one.get_label() for one in axes.containers] == ["14/30, 30/90"]


def test_bands_go_from_day_to_day_and_each_state_has_a_line_of_its_own(tmp_path: Path) -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plot_bands(axes, TWO, SHORT) is axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == ["active", "stale", "archived"]
    assert list(lines["archived"].get_xdata()) == [0, 6, 13]
    assert list(lines["archived"].get_ydata()) == pytest.approx([0, 0, 11])
    assert len({line.get_linestyle() for line in lines.values()}) == 3
    assert axes.get_title() == "14/30, by-hand, 14 days, 2 replicas; bands hold 8 of 10"
    figure.savefig(tmp_path / "bands.png")


def test_no_picture_needs_pyplot() -> None:
    assert "pyplot" not in Path(sys.modules[plot_bands.__module__].__file__).read_text("utf-8")
