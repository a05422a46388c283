"""The transitions of a run, week by week, on an Axes that the caller made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alembic_sim.sim.figures import WeekCount
from alembic_sim.sim.library_plot import STATE_LOOKS

if TYPE_CHECKING:  # matplotlib is loaded by whoever draws
    from matplotlib.axes import Axes

_LABELS = {"stale": "to stale", "archived": "to archived", "active": "back to active"}
_WEEKS_WITH_GAPS = 105
"""Two years: between more bars than that a gap is less than a dot, and flickers."""


def plot_transitions(ax: Axes, weeks: Sequence[WeekCount]) -> Axes:
    """The Axes with a bar a week: how many skills moved to each state, stacked."""
    numbers = [week.week for week in weeks]
    width = 0.9 if len(weeks) <= _WEEKS_WITH_GAPS else 1
    tops = [0] * len(weeks)
    for state, label in _LABELS.items():
        moved = [getattr(week, f"to_{state}") for week in weeks]
        colour, hatch = STATE_LOOKS[state]
        bars = ax.bar(numbers, moved, width, tops, color=colour, label=label)
        for bar in bars:
            bar.set(hatch=hatch, edgecolor="white", linewidth=0)
        tops = [top + more for top, more in zip(tops, moved, strict=True)]
    ax.set_xlabel("week (0 is the first)")
    ax.set_ylabel("skills that moved")
    ax.set_xlim(-0.5, max(len(weeks), 1) - 0.5)
    ax.set_ylim(0, max(1, 1.05 * max(tops, default=0)))
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_LABELS), frameon=False)
    return ax
