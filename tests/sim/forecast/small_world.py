"""A library whose truth is known: skills with rates and ends of their own, and a weekly curator.

Written apart from the package's own population and engines, to be an oracle for the forecast.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from random import Random
from typing import Literal

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.scenario_file import load_scenario
from alembic_sim.sim.trace import draw_trace

NOW_MS = 20_000 * DAY_MS
POLICY = CuratorPolicy(30, 90)


@dataclass(frozen=True)
class World:
    """How the skills of a library live; `given_up_days` is the mean time, None for never."""

    rates: Literal["gamma", "lognormal"]
    given_up_days: float | None
    weekdays_only: bool = False


@dataclass(frozen=True)
class LivedSkill:
    """One skill: what its sidecar says now, and what it will be needed for from now on."""

    record: UsageRecord
    rate: float
    is_given_up: bool
    future_ms: tuple[int, ...]


def live(world: World, count: int, seed: int, horizon_days: int = 220) -> list[LivedSkill]:
    """Skills born in the last 300 days, curated once a week until now."""
    chance = Random(f"{seed}")
    return [_live_one(world, chance, horizon_days) for _ in range(count)]


def live_scenario(name: str, seed: int) -> dict[str, LivedSkill]:
    """The skills of a shipped scenario that a curator may move, on its day 180."""
    start = iso_from_ms(NOW_MS - 180 * DAY_MS)
    shipped = load_scenario(name).expect("a shipped scenario")
    update = {"seed": seed, "start": start, "days": 400}
    trace = draw_trace(shipped.model_copy(update=update))
    needed: dict[str, list[int]] = {skill.name: [] for skill in trace.skills}
    for event in trace.events:
        needed[event.name].append(event.at_ms)
    return {
        skill.name: LivedSkill(
            _curated(UsageRecord(created_at=skill.birth_ms, created_by="agent"), times),
            skill.rate_per_day,
            skill.abandon_ms is not None and skill.abandon_ms <= NOW_MS,
            tuple(at for at in times if at > NOW_MS),
        )
        for skill in trace.skills
        for times in [needed[skill.name]]
        if skill.managed and skill.birth_ms < NOW_MS
    }


def _live_one(world: World, chance: Random, horizon_days: int) -> LivedSkill:
    if world.rates == "gamma":
        rate = chance.gammavariate(0.6, 0.15)
    else:
        rate = chance.lognormvariate(-3.2, 1.3)
    birth = NOW_MS - chance.randrange(1, 300 * DAY_MS)
    gone = NOW_MS * 2.0
    if world.given_up_days is not None:
        gone = birth + chance.expovariate(1 / world.given_up_days) * DAY_MS
    needed, at = [], float(birth)
    while True:
        at += chance.expovariate(rate) * DAY_MS if rate > 1e-9 else 1e18
        if at >= min(gone, NOW_MS + horizon_days * DAY_MS):
            break
        if not world.weekdays_only or (at // DAY_MS) % 7 < 5:
            needed.append(int(at))
    record = _curated(UsageRecord(created_at=birth, created_by="agent"), needed)
    future = tuple(at for at in needed if at > NOW_MS)
    return LivedSkill(record, rate, gone <= NOW_MS, future)


def _curated(record: UsageRecord, needed: list[int]) -> UsageRecord:
    """The record now, after every week's pass; what is archived cannot be used any more."""
    for passed in [*range(NOW_MS - 42 * 7 * DAY_MS, NOW_MS, 7 * DAY_MS), NOW_MS]:
        if record.state != "archived":
            done = bisect_right(needed, passed)
            record = record.model_copy(
                update={"use_count": done, "last_activity_at": needed[done - 1] if done else 0}
            )
        if passed < NOW_MS:
            state = next_state(record, *POLICY.cutoffs(passed))
            record = record.model_copy(update={"state": state})
    return record


def archived_within(skill: LivedSkill, policy: CuratorPolicy, days: int) -> int | None:
    """The day of the daily pass that archives the skill, None if none does."""
    record = skill.record
    for day in range(days + 1):
        now = NOW_MS + day * DAY_MS
        done = bisect_right(skill.future_ms, now)
        if done:
            record = record.model_copy(update={"last_activity_at": skill.future_ms[done - 1]})
        record = record.model_copy(update={"state": next_state(record, *policy.cutoffs(now))})
        if record.state == "archived":
            return day
    return None
