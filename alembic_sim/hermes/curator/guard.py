"""guard_pass: a plan that would archive too much of a library at once is refused [ours].

One bad reading of the clock makes every skill look idle for years. The rules of a pass cannot know
that; whoever starts one for real can look at its dry run first.
"""

from __future__ import annotations

from dataclasses import dataclass

from alembic_sim.hermes.curator.report import CuratorReport
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten

DEFAULT_MAX_ARCHIVED_FRACTION = 0.5


@dataclass(frozen=True, slots=True)
class GuardError:
    """Why the pass should not run as it is: `too-many-archived`, or `bad-argument`."""

    code: str
    message: str


def guard_pass(
    plan: CuratorReport, max_archived_fraction: float = DEFAULT_MAX_ARCHIVED_FRACTION
) -> Result[float, GuardError]:
    """The share that the plan archives of what it could archive; above the fraction, an error.

    What it could archive: the agent's skills that are unpinned, not archived yet, and were ever
    active. Exactly the fraction is allowed; a library without any such skill has the share 0.
    """
    if not isinstance(plan, CuratorReport):
        return Err(GuardError("bad-argument", f"plan: {shorten(plan)} is not a CuratorReport"))
    is_number = isinstance(max_archived_fraction, int | float)
    if not is_number or isinstance(max_archived_fraction, bool):
        return _bad_fraction(max_archived_fraction)
    if not 0 <= max_archived_fraction <= 1:  # NaN is not
        return _bad_fraction(max_archived_fraction)
    archived = sum(moved.to_state == "archived" for moved in plan.transitioned)
    share = archived / max(plan.archivable, 1)
    if share <= max_archived_fraction:
        return Ok(share)
    why = (
        f"{archived} of {plan.archivable} skills that could be archived would be "
        f"({share:.0%}; allowed: {max_archived_fraction:.0%}): is the clock right?"
    )
    return Err(GuardError("too-many-archived", why))


def _bad_fraction(value: object) -> Err[GuardError]:
    why = f"max_archived_fraction: {shorten(value)} is not a number from 0 to 1"
    return Err(GuardError("bad-argument", why))
