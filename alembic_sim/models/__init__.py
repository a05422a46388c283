"""Models: the fake ones and their personas, combinators, one real adapter, record and replay.

The names load lazily, as the package's own do: no one needs httpx who asks for a fake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic_sim.lazy import lazy_names

if TYPE_CHECKING:  # the same names as in the table below, for type checkers
    from alembic_sim.models.breaker import BreakerModel as BreakerModel
    from alembic_sim.models.budget import MeteredModel as MeteredModel
    from alembic_sim.models.budget import Spent as Spent
    from alembic_sim.models.cassette import RecordingModel as RecordingModel
    from alembic_sim.models.cassette import ReplayModel as ReplayModel
    from alembic_sim.models.fake_model import FakeModel as FakeModel
    from alembic_sim.models.misbehaviours import GOOD_BODY as GOOD_BODY
    from alembic_sim.models.misbehaviours import MISBEHAVIOURS as MISBEHAVIOURS
    from alembic_sim.models.misbehaviours import MisbehavingModel as MisbehavingModel
    from alembic_sim.models.openai_compatible import EnvironmentKey as EnvironmentKey
    from alembic_sim.models.openai_compatible import OpenAICompatibleModel as OpenAICompatibleModel
    from alembic_sim.models.personas import APPROVE as APPROVE
    from alembic_sim.models.personas import REJECT as REJECT
    from alembic_sim.models.personas import VALIDATORS as VALIDATORS
    from alembic_sim.models.personas import Candidate as Candidate
    from alembic_sim.models.personas import ErrorRates as ErrorRates
    from alembic_sim.models.personas import quality_reviewer as quality_reviewer
    from alembic_sim.models.personas import quality_score as quality_score
    from alembic_sim.models.personas import validator as validator
    from alembic_sim.models.quorum import QuorumModel as QuorumModel
    from alembic_sim.models.retry import RetryingModel as RetryingModel
    from alembic_sim.models.tiers import TIERS as TIERS
    from alembic_sim.models.tiers import ModelOffer as ModelOffer
    from alembic_sim.models.tiers import pick_cheapest_for_tier as pick_cheapest_for_tier

_WHERE = {
    "fake_model": "FakeModel",
    "personas": (
        "APPROVE REJECT VALIDATORS Candidate ErrorRates quality_reviewer quality_score validator"
    ),
    "misbehaviours": "GOOD_BODY MISBEHAVIOURS MisbehavingModel",
    "retry": "RetryingModel",
    "breaker": "BreakerModel",
    "budget": "MeteredModel Spent",
    "quorum": "QuorumModel",
    "tiers": "TIERS ModelOffer pick_cheapest_for_tier",
    "cassette": "RecordingModel ReplayModel",
    "openai_compatible": "EnvironmentKey OpenAICompatibleModel",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _WHERE)
