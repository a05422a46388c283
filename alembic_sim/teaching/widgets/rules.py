"""The orders in which `next_state` may ask its tests: the seed's, and the tempting wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.sim.variants import stale_first
from alembic_sim.teaching.pictures.next_state_flow import ARCHIVE_FIRST, STALE_FIRST
from alembic_sim.teaching.probing import Decide


@dataclass(frozen=True, slots=True)
class Order:
    """A deciding function, and the order of its tests, each named by the state it answers."""

    decide: Decide
    tests: Sequence[SkillState]
    label: str


ORDERS: dict[str, Order] = {
    "archive-first": Order(next_state, ARCHIVE_FIRST, "archive first (real)"),
    "stale-first": Order(stale_first, STALE_FIRST, "stale first (variant)"),
}


def order_choices() -> list[tuple[str, object]]:
    """The orders for a control: the text that the learner reads, and the name."""
    return [(order.label, name) for name, order in ORDERS.items()]
