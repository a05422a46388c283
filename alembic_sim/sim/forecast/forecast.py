"""forecast: what a policy will do to a real library: moves, dates, probabilities, both rule sets.

Nothing is written and nothing is sampled: the same library gives the same forecast. Dates come from
the rules themselves (`moves.py`), probabilities from each skill's own counts and age under a prior
that the library speaks for (`usage_model.py`, `prior_fit.py`, `horizon.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.iso import iso_from_ms
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.forecast.answer import Score, answer_sentence, best_of, scores_of, verdict_of
from alembic_sim.sim.forecast.chances import policy_tables
from alembic_sim.sim.forecast.courses import forecast_skill
from alembic_sim.sim.forecast.differences import CAUSES
from alembic_sim.sim.forecast.evidence import evidence_of
from alembic_sim.sim.forecast.library import Rules, SkillLibrary, library_of
from alembic_sim.sim.forecast.moves import LAST_MS
from alembic_sim.sim.forecast.notes import notes_of
from alembic_sim.sim.forecast.outlook import PolicyOutlook as PolicyOutlook
from alembic_sim.sim.forecast.outlook import Totals as Totals
from alembic_sim.sim.forecast.outlook import outlook_of
from alembic_sim.sim.forecast.prior_fit import fit_prior
from alembic_sim.sim.forecast.skill_forecast import SkillForecast
from alembic_sim.sim.forecast.tables import Cell, flat_records, forecast_html
from alembic_sim.sim.forecast.usage_model import Evidence, believe
from alembic_sim.sim.forecast.usage_prior import UsagePrior

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
class Forecast:
    """The whole forecast. `outlooks` and every skill's `by_policy` are in the policies' order.

    `rules` are those in force, under which the answer is given; both sets are in the numbers.
    """

    now_ms: int
    horizon_days: int
    policies: tuple[CuratorPolicy, ...]
    prior: UsagePrior
    skills: tuple[SkillForecast, ...]
    outlooks: tuple[PolicyOutlook, ...]
    notes: tuple[str, ...]
    rules: Rules = "alembic"

    @property
    def end_ms(self) -> int:
        """The last pass of the horizon, ms."""
        return self.now_ms + self.horizon_days * DAY_MS

    @property
    def sentence(self) -> str:
        """The answer in one sentence: what each policy archives, and how much of it is missed."""
        return answer_sentence(self.outlooks, self.rules, self.horizon_days)

    @property
    def scores(self) -> tuple[Score, ...]:
        """What the policies are judged by, in their order."""
        return scores_of(self.outlooks, self.skills, self.rules)

    @property
    def best(self) -> str:
        """The name of the policy that archives most that is not needed again within 30 days."""
        return best_of(self.scores).name

    @property
    def verdict(self) -> str:
        """Which policy to take, and why: the one that archives most that is not needed again.

        A lead of less than its own deviation is too close to call. A second sentence says what
        would speak for another policy. Empty for a single one.
        """
        in_play = self.outlooks[0].under(self.rules).in_play
        return verdict_of(self.scores, in_play, self.horizon_days)

    def states_after_one_pass(self, policy_index: int) -> dict[str, dict[str, str]]:
        """Every skill's state after a pass now, by rule set and name."""
        courses = {skill.name: skill.by_policy[policy_index] for skill in self.skills}
        return {
            "alembic": {name: both.alembic.state_at(self.now_ms) for name, both in courses.items()},
            "ancestor": {
                name: both.ancestor.state_at(self.now_ms) for name, both in courses.items()
            },
        }

    def records(self) -> tuple[dict[str, Cell], ...]:
        """A flat row for each skill and policy: what a table library takes."""
        return flat_records(self.skills)

    def to_frame(self) -> Any:
        """The rows of `records()` as a pandas table.

        pandas is optional: without it this raises `ImportError`, and `records()` has the same.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install pandas") from error
        return pandas.DataFrame.from_records(list(self.records()))

    def _repr_html_(self) -> str:
        """The policies, the answer and the next skills to go, for a notebook; data is escaped."""
        return forecast_html(self)

    def to_json(self) -> dict[str, object]:
        """The forecast as strict JSON values; probabilities are rounded to six places."""
        return {
            "now": iso_from_ms(self.now_ms),
            "horizon_days": self.horizon_days,
            "until": iso_from_ms(self.end_ms),
            "sentence": self.sentence,
            "verdict": self.verdict,
            "rules": self.rules,
            "best": self.best,
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

    `read_library` finds the library on disk. `now_ms` is in milliseconds since 1970, `horizon_days`
    a whole number from 1 to 3650.
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
    stop = seen.ancestor_stops_at
    skills = tuple(
        forecast_skill(
            seen,
            name,
            stop is not None and name >= stop,
            believe(past.get(name, _UNKNOWN), prior),
            now_ms,
            by_policy,
        )
        for name in seen.names
    )
    end_ms = now_ms + horizon_days * DAY_MS
    outlooks = tuple(
        outlook_of(skills, index, policy, now_ms, end_ms) for index, policy in enumerate(policies)
    )
    notes = notes_of(seen, now_ms)
    made = Forecast(
        now_ms, horizon_days, tuple(policies), prior, skills, outlooks, notes, seen.rules
    )
    return Ok(made)


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
    if odd:
        return f"policies: {shorten(odd[0])} is not a CuratorPolicy(30, 90)"
    return "policies: one is there twice" if len(set(policies)) < len(policies) else None


def _is_whole(value: object, lowest: int, highest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
