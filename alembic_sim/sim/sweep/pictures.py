"""Pictures of a sweep, each on an Axes that the caller made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.sim.figures import REGRET_DAYS
from alembic_sim.sim.library_plot import STATE_LOOKS
from alembic_sim.sim.run import policy_name
from alembic_sim.sim.sweep.spread import Spread
from alembic_sim.sim.sweep.table import Sweep

if TYPE_CHECKING:  # matplotlib is loaded by whoever draws
    from matplotlib.axes import Axes

_LINES: dict[SkillState, str] = {"active": "-", "stale": "--", "archived": ":"}
_MARKERS = "osD^vP*X"


def plot_policies(ax: Axes, sweep: Sweep) -> Axes:
    """The Axes with each policy where its library size and its regret are: low and left is better.

    The bars are a standard deviation over the replicas to either side.
    """
    points: dict[tuple[Spread, Spread], list[str]] = {}
    for summary in sweep.summaries:  # stale windows alone change neither of the two
        points.setdefault((summary.kept, summary.regretted), []).append(summary.name)
    for number, ((kept, regretted), names) in enumerate(points.items()):
        ax.errorbar(
            kept.mean,
            regretted.mean,
            xerr=kept.deviation,
            yerr=regretted.deviation,
            fmt=_MARKERS[number % len(_MARKERS)],
            color="#0072B2",
            ecolor="#BBBBBB",
            capsize=2,
            label=", ".join(names),
        )
    ax.set_title(_title(sweep))
    ax.legend(title="stale/archive (bars: ± 1 standard deviation)", frameon=False)
    ax.set_xlabel("skills that are not archived at the end")
    ax.set_ylabel(f"archived, then needed within {REGRET_DAYS} days")
    return ax


def plot_bands(ax: Axes, sweep: Sweep, policy: CuratorPolicy) -> Axes:
    """The Axes with the library by state under one policy: the median and the band, day by day."""
    for state, line in _LINES.items():
        bands = sweep.bands(policy, state)
        days = [band.day for band in bands]
        colour = STATE_LOOKS[state][0]
        ax.plot(days, [band.median for band in bands], line, color=colour, label=state)
        lows, highs = [band.low for band in bands], [band.high for band in bands]
        ax.fill_between(days, lows, highs, color=colour, alpha=0.25, linewidth=0)
    name = policy_name(policy.stale_after_days, policy.archive_after_days)
    ax.set_title(f"{name}, {_title(sweep)}; bands hold 8 of 10")
    ax.set_xlabel("day")
    ax.set_ylabel("skills")
    ax.legend(frameon=False)
    return ax


def _title(sweep: Sweep) -> str:
    many = "s" if sweep.finished > 1 else ""
    return f"{sweep.scenario.name}, {sweep.scenario.days} days, {sweep.finished} replica{many}"
