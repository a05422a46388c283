"""forecast: what a policy will do to a real library: moves, dates, probabilities, both rule sets.

Nothing is written and nothing is sampled: the same library gives the same forecast. Dates come from
the rules themselves (`moves.py`), probabilities from a Gamma-Poisson model of each skill's own
counts and age (`usage_model.py`, `horizon.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.forecast.ancestor import AncestorRecord
from alembic_sim.sim.forecast.chances import Chance, Count, PolicyTables, count_of, policy_tables
from alembic_sim.sim.forecast.differences import CAUSES, cause_of_difference
from alembic_sim.sim.forecast.evidence import count_events, evidence_of
from alembic_sim.sim.forecast.horizon import REGRET_DAYS
from alembic_sim.sim.forecast.library import SkillLibrary, library_of
from alembic_sim.sim.forecast.moves import LAST_MS, Step, days_until, moves_if_unused
from alembic_sim.sim.forecast.skill_forecast import (
    Course,
    OutOfPlay,
    PolicyForecast,
    SkillForecast,
    alembic_step,
    ancestor_step,
)
from alembic_sim.sim.forecast.usage_model import (
    Belief,
    Evidence,
    UsagePrior,
    believe,
    fit_prior,
)

DEFAULT_HORIZON_DAYS = 180
MAX_HORIZON_DAYS = 3650
MAX_POLICIES = 10
DEFAULT_POLICIES = (CuratorPolicy(30, 90), CuratorPolicy(14, 30))

_UNKNOWN = Evidence(0, 0.0, 0.0)
"""Of a damaged record nothing is known but that it is a skill of this library."""


@dataclass(frozen=True, slots=True)
class ForecastError:
    """Why there is no forecast: `bad-argument`."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Totals:
    """One rule over the whole library within the horizon.

    `in_play` skills can be moved at all; a pass now archives `at_once` of them, and by the end of
    the horizon, if nothing is used again, `if_unused` are archived;
    `archived`, `stale` (stale or archived at any pass) and `regrets` (archived and needed again
    within 30 days after that) are what to expect.
    """

    in_play: int
    at_once: int
    if_unused: int
    archived: Count
    stale: Count
    regrets: Count

    @property
    def rightly_archived(self) -> float:
        """How many skills are archived, and not needed again within 30 days after that."""
        return self.archived.mean - self.regrets.mean

    def to_json(self) -> dict[str, object]:
        return {
            "in_play": self.in_play,
            "archived_at_once": self.at_once,
            "archived_if_unused": self.if_unused,
            "archived": self.archived.to_json(),
            "stale_or_archived": self.stale.to_json(),
            "archived_then_needed": self.regrets.to_json(),
        }


@dataclass(frozen=True, slots=True)
class PolicyOutlook:
    """A policy's totals under Alembic's rules and under the ancestor's."""

    policy: CuratorPolicy
    alembic: Totals
    ancestor: Totals


@dataclass(frozen=True, slots=True)
class Forecast:
    """The whole forecast. `outlooks` and every skill's `by_policy` are in the policies' order."""

    now_ms: int
    horizon_days: int
    policies: tuple[CuratorPolicy, ...]
    prior: UsagePrior
    skills: tuple[SkillForecast, ...]
    outlooks: tuple[PolicyOutlook, ...]
    notes: tuple[str, ...]

    @property
    def end_ms(self) -> int:
        """The last pass of the horizon, ms."""
        return self.now_ms + self.horizon_days * DAY_MS

    @property
    def sentence(self) -> str:
        """The answer in one sentence: what each policy archives, and how much of it is missed."""
        told = [_outlook_words(outlook.policy, outlook.alembic) for outlook in self.outlooks]
        count = self.outlooks[0].alembic.in_play
        skills = "1 skill" if count == 1 else f"{count} skills"
        return f"Of {skills} in play, within {self.horizon_days} days: {'; '.join(told)}."

    @property
    def verdict(self) -> str:
        """Which policy to take, and why: the one that archives most that is not needed again.

        Of equals the one with fewer regrets. Empty for a single policy.
        """
        if len(self.outlooks) == 1:
            return ""
        ranked = sorted(
            self.outlooks,
            key=lambda o: (-round(o.alembic.rightly_archived, 1), o.alembic.regrets.mean),
        )
        best, *others = ranked
        rest = ", ".join(
            f"{policy_name(other.policy)}: {other.alembic.rightly_archived:.1f}" for other in others
        )
        return (
            f"Take {policy_name(best.policy)}: of what it archives,"
            f" {best.alembic.rightly_archived:.1f} are not needed again within {REGRET_DAYS} days"
            f" ({rest})."
        )

    def states_after_one_pass(self, policy_index: int) -> dict[str, dict[str, str]]:
        """Every skill's state after a pass now, by rule set and name."""
        courses = {skill.name: skill.by_policy[policy_index] for skill in self.skills}
        return {
            "alembic": {name: both.alembic.state_at(self.now_ms) for name, both in courses.items()},
            "ancestor": {
                name: both.ancestor.state_at(self.now_ms) for name, both in courses.items()
            },
        }

    def to_json(self) -> dict[str, object]:
        """The forecast as strict JSON values; probabilities are rounded to six places."""
        return {
            "now": iso_from_ms(self.now_ms),
            "horizon_days": self.horizon_days,
            "until": iso_from_ms(self.end_ms),
            "sentence": self.sentence,
            "verdict": self.verdict,
            "prior": self.prior.to_json(),
            "policies": [
                {
                    "policy": outlook.policy.to_json(),
                    "alembic": outlook.alembic.to_json(),
                    "ancestor": outlook.ancestor.to_json(),
                    "states_after_one_pass": self.states_after_one_pass(index),
                }
                for index, outlook in enumerate(self.outlooks)
            ],
            "skills": [skill.to_json() for skill in self.skills],
            "causes": {
                cause: CAUSES[cause]
                for cause in CAUSES
                if any(cause == one.cause for skill in self.skills for one in skill.by_policy)
            },
            "notes": list(self.notes),
        }


def forecast(
    library: SkillLibrary | UsageSidecar,
    now_ms: int,
    policies: Sequence[CuratorPolicy] = DEFAULT_POLICIES,
    horizon_days: int = DEFAULT_HORIZON_DAYS,
) -> Result[Forecast, ForecastError]:
    """The forecast of every skill under every policy, passes once a day, the first one now.

    `horizon_days` is a whole number from 1 to 3650.
    """
    wrong = _wrong_argument(library, now_ms, policies, horizon_days)
    if wrong is not None:
        return Err(ForecastError("bad-argument", wrong))
    seen = library if isinstance(library, SkillLibrary) else library_of(library)
    records = seen.sidecar.records
    past = {name: evidence_of(record, now_ms) for name, record in records.items()}
    prior = fit_prior([past[name] for name in past if records[name].created_by == "agent"])
    tables = [policy_tables(p, prior.given_up_per_day, horizon_days) for p in policies]
    by_policy = tuple(zip(policies, tables, strict=True))
    stop = _stops_at(seen)
    skills = tuple(
        _skill(seen, name, stop, believe(past.get(name, _UNKNOWN), prior), now_ms, by_policy)
        for name in _names(seen)
    )
    outlooks = tuple(
        _outlook(skills, index, policy, now_ms, now_ms + horizon_days * DAY_MS)
        for index, policy in enumerate(policies)
    )
    notes = (*seen.warnings, *_notes(seen, now_ms, stop))
    return Ok(Forecast(now_ms, horizon_days, tuple(policies), prior, skills, outlooks, notes))


def policy_name(policy: CuratorPolicy) -> str:
    """The policy as it is spoken of.

    >>> policy_name(CuratorPolicy(30, 90))
    '30/90'
    """
    return f"{policy.stale_after_days:.15g}/{policy.archive_after_days:.15g}"


def _wrong_argument(
    library: object, now_ms: object, policies: object, horizon_days: object
) -> str | None:
    """What is wrong with the arguments: the field, its value, what is allowed."""
    if not isinstance(library, SkillLibrary | UsageSidecar):
        return f"library: {shorten(library)} is not a SkillLibrary or a UsageSidecar"
    if not _is_whole(now_ms, 0, LAST_MS):
        return f"now_ms: {shorten(now_ms)} is not a whole number from 0 to {LAST_MS}"
    if not _is_whole(horizon_days, 1, MAX_HORIZON_DAYS):
        days = f"a whole number from 1 to {MAX_HORIZON_DAYS}"
        return f"horizon_days: {shorten(horizon_days)} is not {days}"
    if not isinstance(policies, Sequence) or not 1 <= len(policies) <= MAX_POLICIES:
        return f"policies: {shorten(policies)} is not 1 to {MAX_POLICIES} policies"
    odd = [policy for policy in policies if not isinstance(policy, CuratorPolicy)]
    return f"policies: {shorten(odd[0])} is not a CuratorPolicy(30, 90)" if odd else None


def _is_whole(value: object, lowest: int, highest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def _names(library: SkillLibrary) -> tuple[str, ...]:
    return tuple(sorted({*library.sidecar.names(), *library.ancestor}))


def _stops_at(library: SkillLibrary) -> str | None:
    """The skill at which every pass of the ancestor ends with an exception."""
    raising = [name for name, record in library.ancestor.items() if record.raises]
    return min(raising, default=None)


def _skill(
    library: SkillLibrary,
    name: str,
    stop: str | None,
    belief: Belief,
    now_ms: int,
    policies: Sequence[tuple[CuratorPolicy, PolicyTables]],
) -> SkillForecast:
    record, ancestor = library.sidecar.records.get(name), library.ancestor.get(name)
    stopped = stop is not None and name >= stop
    by_policy = []
    for policy, tables in policies:
        ours = _alembic_course(record, policy, tables, belief, now_ms)
        theirs = _ancestor_course(ancestor, stopped, policy, tables, belief, now_ms)
        differ = ours.moves != theirs.moves
        cause = cause_of_difference(record, ancestor, stopped, policy) if differ else None
        by_policy.append(PolicyForecast(policy, ours, theirs, cause))
    active_ms = 0 if record is None else record.last_activity_at
    birth_ms = 0 if record is None else record.created_at
    return SkillForecast(
        name=name,
        state=by_policy[0].alembic.start,
        idle_days=(now_ms - active_ms) / DAY_MS if active_ms else None,
        age_days=(now_ms - birth_ms) / DAY_MS if birth_ms else None,
        events=0 if record is None else count_events(record),
        events_per_day=None if record is None else belief.mean_rate(),
        by_policy=tuple(by_policy),
    )


def _alembic_course(
    record: UsageRecord | None,
    policy: CuratorPolicy,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if record is None:
        return Course("damaged", (), "invalid-record")
    why = judge(record, *policy.cutoffs(now_ms))[1]
    out: OutOfPlay | None = why if why in ("not-agent-created", "pinned") else None
    if out is None and record.state == "archived":
        out = "archived"
    return _course(record.state, alembic_step(record, policy), out, tables, belief, now_ms)


def _ancestor_course(
    record: AncestorRecord | None,
    stopped: bool,
    policy: CuratorPolicy,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if record is None:
        return Course("damaged", (), "invalid-record")
    if not record.curated:
        return Course(record.state, (), "not-agent-created")
    if record.pinned:
        return Course(record.state, (), "pinned")
    if stopped:
        return Course(record.state, (), "pass-stops")
    out: OutOfPlay | None = "archived" if record.state == "archived" else None
    return _course(record.state, ancestor_step(record, policy), out, tables, belief, now_ms)


def _course(
    state: str,
    step: Step,
    out: OutOfPlay | None,
    tables: PolicyTables,
    belief: Belief,
    now_ms: int,
) -> Course:
    if out is not None:
        return Course(state, (), out)
    moves = moves_if_unused(state, step, now_ms)
    to_stale = days_until(("stale", "archived"), state, moves, now_ms)
    to_archive = days_until(("archived",), state, moves, now_ms)
    return Course(
        start=state,
        moves=moves,
        stale=tables.chance_of_stale(belief, to_stale),
        archived=tables.chance_of_archived(belief, to_archive),
        regret=tables.chance_of_regret(belief, to_archive),
    )


def _outlook(
    skills: Sequence[SkillForecast], index: int, policy: CuratorPolicy, now_ms: int, end_ms: int
) -> PolicyOutlook:
    both = [skill.by_policy[index] for skill in skills]
    return PolicyOutlook(
        policy,
        _totals([one.alembic for one in both], now_ms, end_ms),
        _totals([one.ancestor for one in both], now_ms, end_ms),
    )


def _totals(courses: Iterable[Course], now_ms: int, end_ms: int) -> Totals:
    in_play = [course for course in courses if course.out_of_play is None]
    return Totals(
        in_play=len(in_play),
        at_once=sum(course.state_at(now_ms) == "archived" for course in in_play),
        if_unused=sum(course.state_at(end_ms) == "archived" for course in in_play),
        archived=count_of(_p(course.archived) for course in in_play),
        stale=count_of(_p(course.stale) for course in in_play),
        regrets=count_of(course.regret or 0.0 for course in in_play),
    )


def _p(chance: Chance | None) -> float:
    return 0.0 if chance is None else chance.p


def _outlook_words(policy: CuratorPolicy, totals: Totals) -> str:
    archived, regrets = totals.archived, totals.regrets
    archives = f"{archived.mean:.1f} ± {archived.deviation:.1f}"
    needed = f"{regrets.mean:.1f} ± {regrets.deviation:.1f}"
    return (
        f"{policy_name(policy)} archives {archives}, {needed} of them needed again"
        f" within {REGRET_DAYS} days"
    )


def _notes(library: SkillLibrary, now_ms: int, stop: str | None) -> list[str]:
    """What an engineer should know of odd records before trusting a number."""
    notes = [
        f"{name}: damaged record, Alembic leaves it alone ({why})"
        for name, why in sorted(library.sidecar.why_invalid.items())
    ]
    for name, record in sorted(library.sidecar.records.items()):
        if record.last_activity_at > now_ms:
            at = iso_from_ms(record.last_activity_at)
            notes.append(f"{name}: last active in the future, {at} (a clock was wrong)")
        if record.created_at > now_ms:
            at = iso_from_ms(record.created_at)
            notes.append(f"{name}: created in the future, {at} (a clock was wrong)")
        if record.created_at == 0:
            notes.append(f"{name}: no creation time, so its counts say nothing of how often")
    if stop is not None:
        notes.append(f"{stop}: the ancestor's pass ends here with an exception, every time")
    return notes
