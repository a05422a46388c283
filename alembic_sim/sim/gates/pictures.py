"""Pictures of a learning sweep, each on an Axes that the caller made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice
from alembic_sim.sim.gates.gate_summary import GateSummary
from alembic_sim.sim.gates.gate_sweep import GateSweep
from alembic_sim.sim.learning_figures import LAST_SESSIONS
from alembic_sim.sim.session_plots import ARM_LOOKS
from alembic_sim.sim.sweep.spread import Spread

if TYPE_CHECKING:  # matplotlib is loaded by whoever draws
    from matplotlib.axes import Axes

_REJECTED, _APPROVED, _SUCCESS = "#0072B2", "#D55E00", "#009E73"
_ALWAYS = {NO_GATE: ARM_LOOKS["ungated"], NO_LEARNING: ARM_LOOKS["none"]}
_OTHERS = (
    ARM_LOOKS["gated"],
    ("#0072B2", "-."),
    ("#CC79A7", (0, (7, 2))),
    ("#56B4E9", (0, (3, 1, 1, 1, 1, 1))),
    ("#E69F00", (0, (1, 1))),
)
"""Colours that colour-blind readers tell apart, and lines that are told apart in grey as well."""


def plot_gate_errors(ax: Axes, sweep: GateSweep) -> Axes:
    """The Axes with the gate's two errors over the thresholds, the board and no gate beside them.

    A band, or a bar, is a standard deviation over the replicas to either side.
    """
    _over_gates(ax, sweep, "true ones rejected", lambda one: one.true_rejected, _REJECTED, "o-")
    _over_gates(ax, sweep, "false ones approved", lambda one: one.false_approved, _APPROVED, "s--")
    ax.set_ylabel("share of the true / of the false ones (%)")
    return _finished(ax, sweep)


def plot_gate_success(ax: Axes, sweep: GateSweep) -> Axes:
    """The Axes with the share of tasks that succeed at the end, gate by gate, and no learning's.

    A band, or a bar, is a standard deviation over the replicas to either side.
    """
    _over_gates(ax, sweep, "with the gate", lambda one: one.success_at_end, _SUCCESS, "o-")
    for summary in sweep.summaries[-1:]:
        mean = 100 * summary.success_at_end.mean
        colour, dots = _ALWAYS[NO_LEARNING]
        ax.axhline(mean, color=colour, linestyle=dots, label=summary.name)
    ax.set_ylabel(f"tasks that succeed in the last {LAST_SESSIONS} sessions (%)")
    return _finished(ax, sweep)


def plot_success_curves(
    ax: Axes, sweep: GateSweep, gates: Sequence[GateChoice] | None = None
) -> Axes:
    """The Axes with the success by session: a median and a band of eight of ten replicas a gate.

    Each is the mean of the last 20 sessions. Without `gates`: the best one, no gate if it was
    tried, and no learning.
    """
    chosen = _telling(sweep) if gates is None else gates
    others = cycle(_OTHERS)
    for gate in chosen:
        colour, line = _ALWAYS[gate] if gate in _ALWAYS else next(others)
        bands = sweep.bands(gate)
        sessions = [band.session for band in bands]
        lows, highs = [100 * band.low for band in bands], [100 * band.high for band in bands]
        medians = [100 * band.median for band in bands]
        ax.plot(sessions, medians, color=colour, linestyle=line, label=_label(gate))
        ax.fill_between(sessions, lows, highs, color=colour, alpha=0.2, linewidth=0)
    ax.set_ylim(0, 100)
    ax.set_xlabel("session")
    ax.set_ylabel("tasks that succeed (%)")
    ax.margins(x=0)
    return _legend(ax)


def _telling(sweep: GateSweep) -> list[GateChoice]:
    best = [one.gate for one in sweep.ranked[:1]]
    ungated = [NO_GATE] if NO_GATE in sweep.gates and NO_GATE not in best else []
    return [*best, *ungated, NO_LEARNING]


def _over_gates(
    ax: Axes,
    sweep: GateSweep,
    label: str,
    share: Callable[[GateSummary], Spread | None],
    colour: str,
    look: str,
) -> None:
    """A line over the thresholds with its band; what is no threshold is a mark of its own."""
    places = _places(sweep)
    points = sorted(
        (places[one.gate], one.gate.kind, 100 * found.mean, 100 * found.deviation)
        for one in sweep.summaries[:-1]
        for found in [share(one)]
        if found is not None
    )
    line = [(x, mean, deviation) for x, kind, mean, deviation in points if kind == "threshold"]
    xs, means = [x for x, _, _ in line], [mean for _, mean, _ in line]
    ax.plot(xs, means, look, color=colour, label=label)
    lows = [mean - deviation for _, mean, deviation in line]
    highs = [mean + deviation for _, mean, deviation in line]
    ax.fill_between(xs, lows, highs, color=colour, alpha=0.2, linewidth=0)
    for x, kind, mean, deviation in points:
        if kind != "threshold":
            ax.errorbar(x, mean, deviation, fmt=look[0], color=colour, mfc="white", capsize=3)


def _places(sweep: GateSweep) -> dict[GateChoice, float]:
    """Where each gate is drawn: thresholds at their number, no gate before, the board after."""
    thresholds = [gate.threshold for gate in sweep.gates if gate.kind == "threshold"] or [0.5]
    low, high = min(thresholds), max(thresholds)
    gap = max(0.15 * (high - low), 0.03)
    beside = {"none": low - gap, "board": high + gap}
    return {gate: beside.get(gate.kind, gate.threshold) for gate in sweep.gates}


def _finished(ax: Axes, sweep: GateSweep) -> Axes:
    """The Axes with its gates named below, as many as fit."""
    places = sorted((x, gate.name) for gate, x in _places(sweep).items())
    least = (places[-1][0] - places[0][0]) / 12
    shown: list[tuple[float, str]] = []
    for x, name in places:
        if not shown or x - shown[-1][0] >= least or name == "board":
            shown.append((x, name))
    ax.set_xticks([x for x, _ in shown], [name for _, name in shown])
    ax.set_xlabel("lowest score that the gate approves")
    ax.set_ylim(-3, 103)
    return _legend(ax)


def _legend(ax: Axes) -> Axes:
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
    return ax


def _label(gate: GateChoice) -> str:
    return {"threshold": f"threshold {gate.name}", "none": "no gate"}.get(gate.kind, gate.name)
