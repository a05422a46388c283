"""The pictures of a learning sweep show its numbers, and leave no global state behind."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.gates.pictures import (
    plot_gate_errors,
    plot_gate_success,
    plot_success_curves,
)
from tests.sim.gates.gate_worlds import BOARD, threshold
from tests.sim.gates.test_gate_sweep import row, swept

GATES = (threshold(0.9), BOARD, threshold(0.5), NO_GATE, threshold(0.7))
WRONG = {0.5: (1, 6), 0.7: (3, 4), 0.9: (8, 0)}


def made(gates: tuple[GateChoice, ...] = GATES) -> GateSweep:
    """Ten true proposals and ten false ones in each of two replicas."""
    rows = []
    for replica in (0, 1):
        for gate in gates:
            wrong = {"none": (0, 10), "board": (2, 1)}.get(gate.kind) or WRONG[gate.threshold]
            rows.append(row(gate, replica, 1 + replica, wrong=wrong))
        rows.append(row(NO_LEARNING, replica, 2))
    return swept(*rows, gates=gates)


SWEPT = made()


def labelled(axes: Axes) -> dict[str, Line2D]:
    return {str(line.get_label()): line for line in axes.get_lines() if line.get_label()[0] != "_"}


def marks(axes: Axes) -> list[tuple[float, float]]:
    """What is drawn beside the thresholds."""
    return [
        (float(one.lines[0].get_xdata()[0]), float(one.lines[0].get_ydata()[0]))
        for one in axes.containers
    ]


def test_the_two_errors_go_over_the_thresholds_and_the_others_stand_beside(
    tmp_path: Path,
) -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plot_gate_errors(axes, SWEPT) is axes
    lines = labelled(axes)
    assert list(lines) == ["true ones rejected", "false ones approved"]
    rejected, approved = lines.values()
    assert list(rejected.get_xdata()) == list(approved.get_xdata()) == [0.5, 0.7, 0.9]
    assert list(rejected.get_ydata()) == [10, 30, 80]
    assert list(approved.get_ydata()) == [60, 40, 0]
    assert rejected.get_linestyle() != approved.get_linestyle()
    assert rejected.get_marker() != approved.get_marker()
    none, board = pytest.approx(0.44), pytest.approx(0.96)
    assert marks(axes) == [(none, 0), (board, 20), (none, 100), (board, 10)]
    ticks = [tick.get_text() for tick in axes.get_xticklabels()]
    assert ticks == ["none", "0.5", "0.7", "0.9", "board"]
    assert axes.get_xlabel() == "lowest score that the gate approves"
    figure.savefig(tmp_path / "errors.png")


def test_the_success_goes_over_the_thresholds_with_a_line_for_no_learning(tmp_path: Path) -> None:
    figure = Figure()
    axes = figure.subplots()
    assert plot_gate_success(axes, SWEPT) is axes
    lines = labelled(axes)
    assert list(lines) == ["with the gate", "no learning"]
    assert list(lines["with the gate"].get_ydata()) == [37.5] * 3
    assert list(lines["no learning"].get_ydata()) == [50, 50]
    assert [y for _, y in marks(axes)] == [37.5, 37.5]
    assert "last 20 sessions" in axes.get_ylabel()
    figure.savefig(tmp_path / "success.png")


def test_a_band_is_a_standard_deviation_to_either_side() -> None:
    axes = Figure().subplots()
    plot_gate_success(axes, SWEPT)
    [band] = axes.collections[:1]
    ys = [y for _, y in band.get_paths()[0].vertices]
    deviation = 100 * (2 * 0.125**2) ** 0.5
    assert (min(ys), max(ys)) == pytest.approx((37.5 - deviation, 37.5 + deviation))


def test_without_a_threshold_the_board_and_no_gate_are_drawn_alone(tmp_path: Path) -> None:
    figure = Figure()
    axes = figure.subplots()
    plot_gate_errors(axes, made((BOARD, NO_GATE)))
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["none", "board"]
    figure.savefig(tmp_path / "marks.png")


def test_of_many_thresholds_not_all_are_named_so_that_no_name_is_on_another() -> None:
    gates = (NO_GATE, *(threshold(n / 50) for n in range(51)), BOARD)
    rows = [row(gate, 0, 1) for gate in (*gates, NO_LEARNING)]
    axes = Figure().subplots()
    plot_gate_success(axes, swept(*rows, gates=gates, replicas=1))
    ticks = list(axes.get_xticks())
    names = [tick.get_text() for tick in axes.get_xticklabels()]
    assert (names[0], names[1], names[-1]) == ("none", "0", "board")
    assert len(names) < 13
    assert min(b - a for a, b in pairwise(ticks)) > 0.1


def test_a_share_that_there_is_not_is_not_drawn() -> None:
    """Nothing false was ever proposed."""
    rows = [row(gate, 0, 1, proposed=(10, 0)) for gate in (*GATES, NO_LEARNING)]
    axes = Figure().subplots()
    plot_gate_errors(axes, swept(*rows, gates=GATES, replicas=1))
    assert list(labelled(axes)["false ones approved"].get_xdata()) == []
    assert len(marks(axes)) == 2


def test_a_sweep_without_a_finished_replica_is_an_empty_picture(tmp_path: Path) -> None:
    figure = Figure()
    for axes, plot in zip(
        figure.subplots(1, 3),
        (plot_gate_errors, plot_gate_success, plot_success_curves),
        strict=True,
    ):
        plot(axes, swept(gates=GATES))
    figure.savefig(tmp_path / "empty.png")


def test_curves_are_the_best_gate_s_no_gate_s_and_no_learning_s(tmp_path: Path) -> None:
    rows = [
        row(gate, replica, succeeded)
        for gate, succeeded in (
            *((threshold(0.5), 2), (threshold(0.9), 3), (NO_GATE, 1), (NO_LEARNING, 2)),
        )
        for replica in (0, 1)
    ]
    table = swept(*rows, gates=(threshold(0.5), threshold(0.9), NO_GATE))
    figure = Figure()
    axes = figure.subplots()
    assert plot_success_curves(axes, table) is axes
    lines = labelled(axes)
    assert list(lines) == ["threshold 0.9", "no gate", "no learning"]
    assert list(lines["threshold 0.9"].get_xdata()) == list(range(20))
    assert list(lines["threshold 0.9"].get_ydata()) == pytest.approx([75] * 20)
    assert list(lines["no gate"].get_ydata()) == pytest.approx([25] * 20)
    assert len({line.get_linestyle() for line in lines.values()}) == 3
    figure.savefig(tmp_path / "curves.png")


def test_no_gate_that_is_the_best_is_one_curve() -> None:
    axes = Figure().subplots()
    rows = [row(NO_GATE, 0, 3), row(NO_LEARNING, 0, 1)]
    plot_success_curves(axes, swept(*rows, gates=(NO_GATE,), replicas=1))
    assert [line.get_label() for line in axes.get_lines()] == ["no gate", "no learning"]


def test_chosen_gates_have_lines_of_their_own_and_bands() -> None:
    gates = (*(threshold(n / 10) for n in range(5)), BOARD)
    rows = [row(gate, n, n) for n in (0, 1) for gate in (*gates, NO_LEARNING)]
    axes = Figure().subplots()
    plot_success_curves(axes, swept(*rows, gates=gates), gates[:5])
    lines = labelled(axes)
    assert list(lines) == [f"threshold {gate.name}" for gate in gates[:5]]
    assert len({str(line._dash_pattern) for line in lines.values()}) == 5
    assert len({line.get_color() for line in lines.values()}) == 5
    [band, *_] = axes.collections
    ys = [y for _, y in band.get_paths()[0].vertices]
    assert (min(ys), max(ys)) == pytest.approx((2.5, 22.5)), "eight of ten replicas"


def test_no_picture_needs_pyplot() -> None:
    source = Path(str(sys.modules[plot_gate_errors.__module__].__file__))
    assert "pyplot" not in source.read_text("utf-8")
