"""fit_scenario: a scenario whose population is like a real library, and what the fit cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.forecast.evidence import evidence_of
from alembic_sim.sim.forecast.forecast import ForecastError
from alembic_sim.sim.forecast.library import SkillLibrary
from alembic_sim.sim.forecast.prior_fit import FEWEST_SKILLS, LOGNORMALS, most_likely
from alembic_sim.sim.forecast.usage_model import Evidence, believe
from alembic_sim.sim.forecast.usage_prior import LognormalRates, UsagePrior
from alembic_sim.sim.scenario import Archetype, Rate, Scenario

ARRIVALS_OVER_DAYS = 180
"""New skills are counted over so many days, or over the library's age if it is younger."""

_LIMITS = (
    "weekdays, bursts and seasons are not in a sidecar: every day is alike",
    "the curator is the default one (a pass a week, 30/90): the library does not say which it had",
    "every skill starts new on day 0: the idle time it has now is not carried over",
    "what an archived skill would have been used for is not seen; its silence ends at 90 days",
)


@dataclass(frozen=True, slots=True)
class FittedScenario:
    """The scenario, and what the fit leaves out or takes for granted (a line each)."""

    scenario: Scenario
    limits: tuple[str, ...]


_UNKNOWN = (LognormalRates(Rate().median, Rate().sigma), 0.0)


def fit_scenario(
    library: SkillLibrary | UsageSidecar, now_ms: int
) -> Result[FittedScenario, ForecastError]:
    """The scenario that goes on from now with skills like those of the library, half a year long.

    Two kinds of skills: the agent's, and those of others. `bad-argument` for a time outside the
    years 2000 to 2199, where no scenario starts.
    """
    sidecar = library.sidecar if isinstance(library, SkillLibrary) else library
    if not isinstance(sidecar, UsageSidecar):
        what = f"library: {shorten(library)} is not a SkillLibrary or a UsageSidecar"
        return Err(ForecastError("bad-argument", what))
    if isinstance(now_ms, bool) or not isinstance(now_ms, int):
        return Err(ForecastError("bad-argument", f"now_ms: {shorten(now_ms)} is no whole number"))
    records = list(sidecar.records.values())
    limits = [*_LIMITS]
    if sidecar.invalid:
        damaged = len(sidecar.invalid)
        what = "1 damaged record is" if damaged == 1 else f"{damaged} damaged records are"
        limits.append(f"{what} left out")
    archived = sum(record.state == "archived" for record in records)
    if archived:
        limits.append(f"{archived} archived: they say how skills are used, and are not begun with")
    groups = {
        "agent": [record for record in records if record.created_by == "agent"],
        "other": [record for record in records if record.created_by != "agent"],
    }
    population = [
        _archetype(name, group, now_ms, limits) for name, group in groups.items() if group
    ]
    try:
        scenario = Scenario(
            name="fitted",
            shows=f"A library as of {iso_from_ms(now_ms)}, gone on from: skills like its"
            f" {len(records) - archived} that are not archived.",
            start=iso_from_ms(now_ms),
            population=tuple(population) or (Archetype(name="agent", count=0),),
            arrivals_per_month=_arrivals(records, now_ms),
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        return Err(
            ForecastError("bad-argument", f"{field}: {shorten(first['input'])} does not fit")
        )
    return Ok(FittedScenario(scenario, tuple(limits)))


def _archetype(
    name: str, group: Sequence[UsageRecord], now_ms: int, limits: list[str]
) -> Archetype:
    """The group as one kind of skill; what it cannot say is added to the limits."""
    past = [evidence_of(record, now_ms) for record in group]
    rates, hazard = _fit_usage(past)
    if len(group) < FEWEST_SKILLS:
        few = f"{len(group)} of {name}: fewer than {FEWEST_SKILLS} skills say no rate"
        limits.append(f"{few}, the default one stands")
    present = [
        (record, evidence)
        for record, evidence in zip(group, past, strict=True)
        if record.state != "archived"
    ]
    prior = UsagePrior(rates, hazard)
    gone = round(sum(believe(evidence, prior).given_up for _record, evidence in present))
    if gone:
        limits.append(
            f"{name}: {gone} of {len(present)} skills seem given up already; here they begin anew"
        )
    return Archetype(
        name=name,
        count=len(present),
        rate_per_day=Rate(kind="lognormal", median=rates.median, sigma=rates.sigma),
        abandon_after_days=round(1 / hazard) if hazard else None,
        agent_share=1.0 if name == "agent" else 0.0,
        pinned_share=sum(record.pinned for record in group) / len(group),
    )


def _fit_usage(past: Sequence[Evidence]) -> tuple[LognormalRates, float]:
    """The rates and the hazard a day under which these counts are most likely."""
    if len(past) < FEWEST_SKILLS:
        return _UNKNOWN
    return most_likely(past, LOGNORMALS)


def _arrivals(records: Sequence[UsageRecord], now_ms: int) -> float:
    """New skills in 30 days, by the births of the last `ARRIVALS_OVER_DAYS`."""
    births = [record.created_at for record in records if 0 < record.created_at <= now_ms]
    if not births:
        return 0.0
    window_ms = min(ARRIVALS_OVER_DAYS * DAY_MS, max(now_ms - min(births), 30 * DAY_MS))
    recent = sum(birth > now_ms - window_ms for birth in births)
    return round(recent * 30 * DAY_MS / window_ms, 2)
