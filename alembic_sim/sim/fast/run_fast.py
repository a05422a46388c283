"""run_fast: one sampled library under many policies, without an object per skill or work per day.

The draws belong to the library: another policy at the same interval costs only comparisons, and
meets the very same uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Ok, Result
from alembic_sim.sim.fast.activity import Activity, draw_activity
from alembic_sim.sim.fast.calendar import Calendar, calendar_of
from alembic_sim.sim.fast.fast_run import FastRun
from alembic_sim.sim.fast.lives import (
    COUNTED,
    KINDS,
    MISSED,
    Lives,
    draw_blocks,
    stream,
)
from alembic_sim.sim.fast.rhythm import Floats
from alembic_sim.sim.fast.support import FastError, check_request
from alembic_sim.sim.fast.tally import Archive, LibraryTally, PolicyTally, World, archive_of
from alembic_sim.sim.fast.verdicts import Flags, archived_after, over_window, stale_after
from alembic_sim.sim.scenario import Scenario


def run_fast(
    scenario: Scenario, policies: Sequence[CuratorPolicy]
) -> Result[tuple[FastRun, ...], FastError]:
    """What each policy makes of the scenario's library, drawn once from the scenario's seed.

    The windows of the scenario's own curator are left aside, its interval and anchor hold. As
    likely as the reference engine's run, not equal to it. `unsupported` names the field of a
    scenario that this engine cannot do exactly.
    """
    checked = check_request(scenario, policies)
    if not checked.ok:
        return checked
    return Ok(run_blocks(scenario, draw_blocks(scenario), policies))


def run_blocks(
    scenario: Scenario, blocks: Iterable[Lives], policies: Sequence[CuratorPolicy]
) -> tuple[FastRun, ...]:
    """As `run_fast`, over skills that are given; of the scenario its population is left aside."""
    calendar = calendar_of(scenario)
    tallies = {policy: PolicyTally(calendar) for policy in policies}
    library = LibraryTally(calendar)
    for number, lives in enumerate(blocks):
        world = _draw_world(scenario, lives, calendar, number)
        library.add(world)
        for policy, archive, stale in _verdicts(scenario, world, policies):
            tallies[policy].add(world, archive, stale)
    uses = library.uses(stream(scenario.seed, KINDS))
    existing = library.existing()
    return tuple(
        FastRun(
            policy,
            scenario.seed,
            calendar.interval_days,
            tally.figures(existing[-1]),
            tally.moves(),
            uses,
            existing,
            tuple(tally.stale.tolist()),
            tuple(tally.archived.tolist()),
        )
        for policy, tally in tallies.items()
    )


def _draw_world(scenario: Scenario, lives: Lives, calendar: Calendar, block: int) -> World:
    """Counted and missed uses are independent of each other: a Poisson process, thinned."""
    interval, probability = calendar.interval_days, scenario.faults.missed_probability

    def drawn(purpose: int, share: float) -> Activity:
        chance = stream(scenario.seed, purpose, block, interval)
        return draw_activity(lives, calendar, share, chance)

    missed = drawn(MISSED, probability) if probability else None
    return World(calendar, lives, drawn(COUNTED, 1 - probability), missed)


def _verdicts(
    scenario: Scenario, world: World, policies: Sequence[CuratorPolicy]
) -> Iterator[tuple[CuratorPolicy, Archive, Flags]]:
    """What each policy archives and calls stale; each window is looked at once."""
    anchor, judged = _anchor(scenario.curator.anchor, world)
    over: dict[float, Flags] = {}
    archives: dict[float, Archive] = {}
    for policy in policies:
        stale, archive = policy.stale_after_days, policy.archive_after_days
        for window, below in zip((stale, archive), world.calendar.bounds(policy), strict=True):
            if window not in over:
                over[window] = over_window(anchor, judged, below)
        if archive not in archives:
            archives[archive] = archive_of(world, archived_after(over[archive]))
        yield policy, archives[archive], stale_after(over[stale], archives[archive].archived)


def _anchor(kind: str, world: World) -> tuple[Floats, Flags]:
    """For each pass and skill the anchor, and whether the curator has anything to judge there."""
    calendar, lives = world.calendar, world.lives
    last = world.counted.last_ms[: calendar.passes]
    if kind == "infinity":  # never used: as new as can be, at every pass
        return last, (last > 0) & lives.managed
    born = lives.birth_ms <= calendar.ends[: calendar.passes, None]
    if kind == "created-at":
        return np.maximum(last, lives.birth_ms), born & lives.managed
    return np.where(last > 0, last, -calendar.start_ms), born & lives.managed
