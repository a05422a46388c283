"""The reference engine: the real stores, event by event, over one file tree and one clock.

It can be stopped after any step, taken back to an earlier one, and branched: what was done before
is the same bytes each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from alembic_sim.result import Coded, Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.host import Host
from alembic_sim.sim.population import DAYS_PER_MONTH, draw_population
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import CuratorPlan, Scenario
from alembic_sim.sim.schedule import Step, schedule
from alembic_sim.sim.trace import EventTrace, draw_trace, expected_uses

MAX_SKILLS = 10_000
MAX_USES = 1_000_000
MAX_PROPOSALS = 250_000
"""More than this the reference engine does not take: it rewrites the sidecar for every use, and
keeps every use and every proposal in its log (about half a gigabyte at each of the two limits)."""


@dataclass(frozen=True, slots=True)
class SimError:
    """Why there is no run."""

    code: str
    message: str


def simulate(scenario: Scenario, trace: EventTrace | None = None) -> Result[Run, SimError]:
    """The run of a scenario from its first day to its last, on its own trace or on the given one.

    The loop is closed and everything in it is real but the agent and the world. Needs no numpy.

    >>> run = simulate(Scenario(days=40)).expect("a small one")
    >>> run.counts[-1].active + run.counts[-1].stale
    100
    """
    usable = _trace_for(scenario, trace)
    return Simulation(scenario, usable.value).run() if usable.ok else usable


class Simulation:
    """A run that is under way: after `position` of its `steps`.

    Raises `ValueError` for what is no scenario or no trace, or is too large for this engine.
    """

    def __init__(self, scenario: Scenario, trace: EventTrace | None = None) -> None:
        usable = _trace_for(scenario, trace)
        if not usable.ok:
            raise ValueError(usable.error.message)
        self._scenario = scenario
        self._trace = usable.value
        self._steps = schedule(scenario, usable.value)
        self._plans: tuple[tuple[int, CuratorPlan], ...] = ((0, scenario.curator),)
        self._host = Host(scenario)
        self._position = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything that happens, in its order."""
        return self._steps

    @property
    def position(self) -> int:
        """How many of the steps are done."""
        return self._position

    @property
    def digest(self) -> str:
        """The SHA-256 of all that has been left behind so far."""
        return self._host.digest()

    def run_until(self, position: int) -> Result[None, SimError]:
        """Goes on, or back, until this many steps are done.

        Going back is doing the first ones again: they give the same bytes.
        """
        whole = isinstance(position, int) and not isinstance(position, bool)
        if not (whole and 0 <= position <= len(self._steps)):
            why = f"{shorten(position)} is not a number of steps, 0 to {len(self._steps)}"
            return _bad_argument(why)
        if position < self._position:
            self._host = Host(self._scenario)
            self._position = 0
        while self._position < position:
            step = self._steps[self._position]
            for since, plan in self._plans[1:]:
                if since == self._position:
                    self._host.note_plan(step.at_ms, plan)
            done = self._host.do(step, self._plan_now())
            if not done.ok:
                return _stopped(step, done.error)
            self._position += 1
        return Ok(None)

    def branch(self, curator: CuratorPlan | None = None) -> Result[Simulation, SimError]:
        """A second simulation from here on; with another plan it goes another way.

        The passes stay where the trace has them: a plan with another interval is `unsupported`.
        Neither of the two notices what the other one does.
        """
        plan = self._plan_now() if curator is None else curator
        if plan.interval_days != self._scenario.curator.interval_days:
            days = self._scenario.curator.interval_days
            why = f"curator.interval_days: {plan.interval_days} is not the run's own, {days}"
            return Err(SimError("unsupported", why))
        other = Simulation(self._scenario, self._trace)
        other._plans = self._plans
        if curator is not None:
            other._plans = (*self._plans, (self._position, plan))
        other._host = self._host.copy()
        other._position = self._position
        return Ok(other)

    def run(self) -> Result[Run, SimError]:
        """Goes on to the end; the run as a value, its scenario with the plan that holds there."""
        done = self.run_until(len(self._steps))
        if not done.ok:
            return done
        scenario = self._scenario.model_copy(update={"curator": self._plan_now()})
        return Ok(self._host.as_run(scenario, self._trace))

    def _plan_now(self) -> CuratorPlan:
        return [plan for since, plan in self._plans if since <= self._position][-1]


def _trace_for(scenario: Scenario, trace: EventTrace | None) -> Result[EventTrace, SimError]:
    """The trace that a run is to follow: the given one, else the scenario's own."""
    if not isinstance(scenario, Scenario):
        return _bad_argument(f"{shorten(scenario)} is not a Scenario, such as load_scenario gives")
    if not isinstance(trace, EventTrace | None):
        return _bad_argument(f"{shorten(trace)} is not an EventTrace")
    too_large = oversize(scenario) if trace is None else _oversize_of(trace)
    if too_large is not None:
        return Err(SimError("too-large", too_large))
    return Ok(draw_trace(scenario) if trace is None else trace)


def oversize(scenario: Scenario) -> str | None:
    """Why a scenario is too large for this engine, found before anything large is drawn."""
    settlers = sum(archetype.count for archetype in scenario.population)
    arrivals = scenario.arrivals_per_month * scenario.days / DAYS_PER_MONTH
    if settlers + arrivals > MAX_SKILLS:
        return _too_many("population, arrivals_per_month", settlers + arrivals, "skills")
    learning = scenario.learning
    sessions = int(learning.sessions_per_day * scenario.days)
    proposals = sessions * learning.proposals_per_session
    if proposals > MAX_PROPOSALS:
        return _too_many("learning", proposals, "proposals")
    uses = 0.0
    for skill in draw_population(scenario):
        uses += expected_uses(scenario, skill)
        if uses > MAX_USES:
            return f"population: more than {MAX_USES} uses expected; this engine takes so many"
    return None


def _oversize_of(trace: EventTrace) -> str | None:
    if len(trace.skills) > MAX_SKILLS:
        return _too_many("trace", len(trace.skills), "skills")
    return _too_many("trace", len(trace.events), "uses") if len(trace.events) > MAX_USES else None


def _too_many(field: str, number: float, what: Literal["skills", "uses", "proposals"]) -> str:
    most = {"skills": MAX_SKILLS, "uses": MAX_USES, "proposals": MAX_PROPOSALS}[what]
    advice = ", a sweep takes more" if what == "skills" else ""
    return f"{field}: {number:.0f} {what}; this engine takes {most}{advice}"


def _stopped(step: Step, error: Coded) -> Err[SimError]:
    what = type(step.what).__name__
    return Err(SimError(error.code, f"{what} at {step.at_ms} ms: {error.message}"))


def _bad_argument(why: str) -> Err[SimError]:
    return Err(SimError("bad-argument", why))
