"""Scenario: what is simulated, as a value that a TOML or JSON file can hold.

Each field says its unit, its bounds and which engines support it; `scenario_file.py` reads files.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from alembic_sim.hermes.learning.gate import DEFAULT_REVIEW_SCORE_THRESHOLD
from alembic_sim.hermes.memory.memory_store import (
    DEFAULT_MEMORY_CHAR_LIMIT,
    DEFAULT_USER_CHAR_LIMIT,
)
from alembic_sim.iso import ms_from_iso
from alembic_sim.ports.clock import DAY_MS, MAX_SAFE_INTEGER

Engine = Literal["reference", "fast"]
"""Who can simulate a field when it is set to something else than its default."""

BOTH: tuple[Engine, ...] = ("reference", "fast")
REFERENCE: tuple[Engine, ...] = ("reference",)

NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
_NAME = "1 to 40 of a-z, 0-9 and '-', not beginning with '-'"
MAX_DAYS = 3650
EVERY_DAY = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)

_EARLIEST_MS, _LATEST_MS = 946_684_800_000, 7_258_118_400_000  # 2000 to 2200
_START = "an ISO instant from 2000 to 2199, such as 2025-01-01T00:00:00Z (no zone means UTC)"


def _setting(
    description: str,
    default: Any = ...,
    *,
    unit: str = "",
    engines: tuple[Engine, ...] = BOTH,
    allowed: str = "",
    **bounds: Any,
) -> Any:
    """A field that says its unit, the engines that support it and, if need be, what is allowed."""
    about: dict[str, Any] = {"unit": unit, "engines": list(engines)}
    if allowed:
        about["allowed"] = allowed
    return Field(default, description=description, json_schema_extra=about, **bounds)


class _Part(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True
    )


Factor = Annotated[float, Field(ge=0, le=100)]


class Rate(_Part):
    """How often a skill of an archetype is used, viewed or patched, counted together."""

    kind: Literal["fixed", "lognormal"] = _setting(
        "The same rate for every skill, or one drawn for each from a lognormal distribution.",
        "lognormal",
    )
    median: float = _setting("The rate, or its median.", 0.05, unit="events a day", ge=0, le=1000)
    sigma: float = _setting(
        "The spread of a lognormal rate: the standard deviation of its logarithm.",
        1.5,
        unit="natural logarithm",
        ge=0,
        le=5,
    )


class Bursts(_Part):
    """Days on which a skill is used much more (or less), again and again.

    Each skill has its own phase, so that a library does not burst all at once.
    """

    every_days: int = _setting("From one burst to the next.", unit="days", ge=1, le=MAX_DAYS)
    lasts_days: int = _setting("How long a burst lasts.", unit="days", ge=1, le=MAX_DAYS)
    factor: float = _setting("What a burst multiplies the rate by.", ge=0, le=1000)


class Archetype(_Part):
    """A kind of skill: how many there are on day 0, how they are used, who made them."""

    name: str = _setting(
        "What the names of its skills begin with.",
        "skill",
        pattern=NAME_PATTERN,
        allowed=_NAME,
    )
    count: int = _setting("How many exist on day 0.", 100, unit="skills", ge=0, le=1_000_000)
    rate_per_day: Rate = _setting("How often each one is used.", Rate())
    weekdays: Annotated[tuple[Factor, ...], Field(strict=False)] = _setting(
        "What the rate is multiplied by on each day of the week (UTC), Monday first.",
        EVERY_DAY,
        min_length=7,
        max_length=7,
        allowed="seven factors from 0 to 100, Monday first",
    )
    abandon_after_days: float | None = _setting(
        "The mean of the exponential time after which a skill is used no more; left out: never.",
        None,
        unit="days",
        gt=0,
        le=100_000,
    )
    bursts: Bursts | None = _setting("Recurring bursts; left out: none.", None)
    agent_share: float = _setting("The share made by the agent.", 0.8, unit="share", ge=0, le=1)
    pinned_share: float = _setting("The share that is pinned.", 0.05, unit="share", ge=0, le=1)


class CuratorPlan(_Part):
    """When the curator passes, and by which rule."""

    interval_days: int = _setting("From one pass to the next.", 7, unit="days", ge=1, le=MAX_DAYS)
    stale_after_days: float = _setting(
        "Idle days until a skill is stale.", 30, unit="days", ge=0, le=36_500
    )
    archive_after_days: float = _setting(
        "Idle days until a skill is archived.", 90, unit="days", ge=0, le=36_500
    )
    anchor: Literal["infinity", "created-at", "zero"] = _setting(
        "What a skill that was never used is taken to be: as new as can be (Alembic), as old as "
        "its creation (the ancestor), or older than anything.",
        "infinity",
    )
    order: Literal["archive-first", "stale-first"] = _setting(
        "Which of the two tests comes first.", "archive-first", engines=REFERENCE
    )


class LearningPlan(_Part):
    """The sessions, what they propose to remember, and what stands between them and the memory."""

    sessions_per_day: float = _setting(
        "Sessions, evenly spaced; 0: no learning.",
        0,
        unit="sessions a day",
        engines=REFERENCE,
        ge=0,
        le=24,
    )
    proposals_per_session: int = _setting(
        "What a session's reviewer proposes, spread over its turns.",
        2,
        unit="proposals",
        engines=REFERENCE,
        ge=0,
        le=50,
    )
    true_share: float = _setting(
        "The share of proposals that are true.",
        0.6,
        unit="share",
        engines=REFERENCE,
        ge=0,
        le=1,
    )
    reviewer_noise: int = _setting(
        "How far a reviewer's score may lie from what the proposal deserves "
        "(a true one 85, a false one 55).",
        20,
        unit="hundredths of a score",
        engines=REFERENCE,
        ge=0,
        le=100,
    )
    gate: Literal["threshold", "board", "none"] = _setting(
        "A threshold on the score, a board of three validators of whom two must agree, or nothing: "
        "every proposal is written at once.",
        "threshold",
        engines=REFERENCE,
    )
    gate_threshold: float = _setting(
        "The lowest score that is approved.",
        DEFAULT_REVIEW_SCORE_THRESHOLD,
        unit="score",
        engines=REFERENCE,
        ge=0,
        le=1,
    )
    memory_char_limit: int = _setting(
        "How much MEMORY.md may hold.",
        DEFAULT_MEMORY_CHAR_LIMIT,
        unit="characters",
        engines=REFERENCE,
        ge=0,
        le=100_000,
    )
    user_char_limit: int = _setting(
        "How much USER.md may hold.",
        DEFAULT_USER_CHAR_LIMIT,
        unit="characters",
        engines=REFERENCE,
        ge=0,
        le=100_000,
    )


class SimFaults(_Part):
    """What goes wrong: nothing, unless it is asked for."""

    clock_jump_day: int | None = _setting(
        "At the end of how many days the clock jumps; left out: never.",
        None,
        unit="days",
        engines=REFERENCE,
        ge=0,
        le=MAX_DAYS,
    )
    clock_jump_days: float = _setting(
        "How far it jumps, for good; below 0: back.",
        0,
        unit="days",
        engines=REFERENCE,
        ge=-MAX_DAYS,
        le=MAX_DAYS,
    )
    corrupt_sidecar_day: int | None = _setting(
        "At the end of how many days the sidecar is torn in half; left out: never.",
        None,
        unit="days",
        engines=REFERENCE,
        ge=0,
        le=MAX_DAYS,
    )
    missed_probability: float = _setting(
        "The probability that a use happens and is not counted.",
        0,
        unit="probability",
        ge=0,
        le=1,
    )


def _names_of_their_own(population: tuple[Archetype, ...]) -> tuple[Archetype, ...]:
    if len({archetype.name for archetype in population}) < len(population):
        raise ValueError("two archetypes have the same name")
    return population


def _instant(start: str) -> str:
    match ms_from_iso(start):
        case found if found.ok and _EARLIEST_MS <= found.value < _LATEST_MS:
            return start
    raise ValueError(_START)


class Scenario(_Part):
    """Everything that a run depends on: the same scenario gives the same bytes everywhere.

    Raises `ValidationError`, a `ValueError`, for a field out of its bounds or unknown.
    """

    name: str = _setting(
        "What the scenario is called.",
        "unnamed",
        pattern=NAME_PATTERN,
        allowed=_NAME,
    )
    shows: str = _setting("What it shows, in one line.", "", max_length=200)
    seed: int = _setting("The seed of all chance.", 0, ge=0, le=MAX_SAFE_INTEGER)
    start: Annotated[str, AfterValidator(_instant)] = _setting(
        "When day 0 begins.", "2025-01-01T00:00:00Z", allowed=_START
    )
    days: int = _setting("How long it runs.", 180, unit="days", ge=1, le=MAX_DAYS)
    population: Annotated[
        tuple[Archetype, ...], Field(strict=False), AfterValidator(_names_of_their_own)
    ] = _setting(
        "The kinds of skills.",
        (Archetype(),),
        min_length=1,
        max_length=50,
        allowed="1 to 50 archetypes, each a [[population]] with a name of its own",
    )
    arrivals_per_month: float = _setting(
        "How many skills are made later, at any time, in the proportions of the population.",
        0,
        unit="skills in 30 days",
        ge=0,
        le=100_000,
    )
    curator: CuratorPlan = _setting("The curator.", CuratorPlan())
    learning: LearningPlan = _setting("The learning loop.", LearningPlan())
    faults: SimFaults = _setting("What goes wrong.", SimFaults())

    @property
    def start_ms(self) -> int:
        """The instant at which day 0 begins, in ms."""
        return ms_from_iso(self.start).expect("checked when the scenario was made")

    @property
    def end_ms(self) -> int:
        """The instant at which the last day ends, in ms."""
        return self.start_ms + self.days * DAY_MS


def library_only(scenario: Scenario) -> Scenario:
    """The scenario without its learning loop, which touches no skill and no sidecar."""
    return scenario.model_copy(update={"learning": LearningPlan()})
