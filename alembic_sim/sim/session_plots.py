"""What the sessions of a run show, on an Axes that the caller made: success, and the memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from alembic_sim.sim.arms import ARMS, Arm
from alembic_sim.sim.learning_figures import SessionResult

if TYPE_CHECKING:  # matplotlib is loaded by whoever draws
    from matplotlib.axes import Axes

ARM_LOOKS = {"gated": ("#009E73", "-"), "ungated": ("#D55E00", "--"), "none": ("#222222", ":")}
"""Each arm's colour, and a line that is told apart in grey as well."""


def plot_success(ax: Axes, success: Mapping[str, Sequence[float]], window: int = 20) -> Axes:
    """The Axes with a line an arm: the mean success of the last `window` sessions, in percent."""
    _lines(ax, {arm: [100 * one for one in trailing_mean(success[arm], window)] for arm in ARMS})
    ax.set_ylim(0, 100)
    ax.set_ylabel(f"tasks that succeed (%)\nmean of the last {window} sessions")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
    return ax


def plot_memory_fill(ax: Axes, sessions: Sequence[SessionResult], limit_chars: int) -> Axes:
    """The Axes with a line for each arm that learns: the characters in MEMORY.md, and its limit."""
    _lines(
        ax,
        {arm: [one.memory_chars for one in sessions if one.arm == arm] for arm in ARMS[:2]},
    )
    ax.axhline(limit_chars, color="#8A8A8A", linewidth=1, label=f"limit: {limit_chars}")
    ax.set_ylim(bottom=0)
    ax.set_ylabel("characters in MEMORY.md")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False)
    return ax


def trailing_mean(numbers: Sequence[float], window: int) -> list[float]:
    """The mean of each number and up to `window - 1` before it.

    >>> trailing_mean([0, 1, 1, 0], window=2)
    [0.0, 0.5, 1.0, 0.5]
    """
    sums = [0.0, *accumulate(numbers)]
    starts = [max(0, end - window) for end in range(1, len(sums))]
    return [(sums[end] - sums[start]) / (end - start) for end, start in enumerate(starts, start=1)]


def _lines(ax: Axes, by_arm: Mapping[Arm, Sequence[float]]) -> None:
    """A line an arm, session by session; a word if there is no session."""
    for arm, numbers in by_arm.items():
        colour, line = ARM_LOOKS[arm]
        dot = "o" if len(numbers) == 1 else ""  # a line of one point is no line
        ax.plot(numbers, color=colour, linestyle=line, marker=dot, label=arm)
    ax.set_xlabel("session (0 is the first)")
    ax.margins(x=0)
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    if not any(by_arm.values()):
        ax.set_xticks([])
        ax.text(0.5, 0.5, "no sessions", transform=ax.transAxes, ha="center", va="center")
