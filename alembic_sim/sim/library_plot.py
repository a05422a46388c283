"""The library by state, day by day, on an Axes that the caller made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alembic_sim.sim.figures import DayCount

if TYPE_CHECKING:  # matplotlib is loaded by whoever draws
    from matplotlib.axes import Axes

STATE_LOOKS = {
    "active": ("#009E73", ""),
    "stale": ("#E69F00", "//"),
    "archived": ("#0072B2", ".."),
    "unknown": ("#CC79A7", "xx"),
}
"""Each state's colour, as in every picture of the lessons, and a hatching beside it."""


def plot_library(ax: Axes, counts: Sequence[DayCount]) -> Axes:
    """The Axes with the skills in each state stacked, by how many days have passed.

    A pass at the end of day 6 shows at 7. The first day is drawn as it ended.
    """
    drawn = [*counts[:1], *counts]
    states = [s for s in STATE_LOOKS if s != "unknown" or any(c.unknown for c in counts)]
    stacks = ax.stackplot(
        range(len(drawn)),
        *([getattr(count, state) for count in drawn] for state in states),
        labels=states,
        colors=[STATE_LOOKS[state][0] for state in states],
        step="post",
    )
    for state, stack in zip(states, stacks, strict=True):
        stack.set_hatch(STATE_LOOKS[state][1])
        stack.set_edgecolor("white")
    ax.set_xlabel("days that have passed")
    ax.set_ylabel("skills")
    ax.locator_params(integer=True, min_n_ticks=1)
    ax.margins(x=0)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(states), frameon=False)
    return ax
