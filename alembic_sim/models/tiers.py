"""pick_cheapest_for_tier: the cheapest model above the floor of depth (seed 4, ADR-0006)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from alembic_sim.models.checks import identity_of
from alembic_sim.ports.model import ModelAdapter, ModelError
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten

TIERS = ("T0", "T1", "T2", "T3", "T4")
"""From what can be undone at no cost (T0) to what cannot be undone (T4); ADR-0005."""


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """A model with what a call costs and how deep it thinks, on the scales of its owner.

    Raises `ValueError` unless both are finite numbers ≥ 0 and `model` is a model adapter.
    """

    model: ModelAdapter
    cost: float
    depth: float

    def __post_init__(self) -> None:
        identity_of(self.model)
        for name, value in (("cost", self.cost), ("depth", self.depth)):
            if not _is_amount(value):
                raise ValueError(f"{name}: {shorten(value)} is not a finite number ≥ 0")


def pick_cheapest_for_tier(
    models: Iterable[ModelOffer], tier: str, floors: Mapping[str, float]
) -> Result[ModelOffer, ModelError]:
    """The cheapest offer whose depth is at least `floors[tier]`; nothing below it, ever.

    Of equally cheap ones the deepest, then the first by adapter and model id. Errors:
    `unknown-tier`, `no-floor` (a tier without a usable floor gets no model), `bad-offer`,
    `no-model` (names the deepest there is).
    """
    if not (isinstance(tier, str) and tier in TIERS):
        return _err("unknown-tier", f"{shorten(tier)} is not one of {', '.join(TIERS)}")
    try:
        floor, offers = floors.get(tier), list(models)
    except Exception as error:  # whatever was handed over instead of offers and floors
        return _err("bad-offer", f"the offers or floors cannot be read: {raised(error)}")
    if floor is None or not _is_amount(floor):
        return _err("no-floor", f"the floor of {tier} is {shorten(floor)}, not a number ≥ 0")
    for offer in offers:
        if not isinstance(offer, ModelOffer):
            return _err("bad-offer", f"{shorten(offer)} is not a ModelOffer")
    deep_enough = [offer for offer in offers if offer.depth >= floor]
    if not deep_enough:
        deepest = max((offer.depth for offer in offers), default=None)
        there = "there are no models" if deepest is None else f"the deepest has {deepest}"
        return _err("no-model", f"{tier} needs a depth of {floor}; {there}")
    return Ok(min(deep_enough, key=_cheapest_first))


def _cheapest_first(offer: ModelOffer) -> tuple[float, float, str, str]:
    who = identity_of(offer.model)
    return (offer.cost, -offer.depth, who.adapter_id, who.model_id)


def _is_amount(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return 0 <= value < math.inf  # false for NaN, too


def _err(code: str, why: str) -> Err[ModelError]:
    return Err(ModelError(code, why))
