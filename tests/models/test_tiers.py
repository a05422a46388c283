"""pick_cheapest_for_tier: the cheapest above the floor, never one below it, ties settled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import FakeModel, pick_cheapest_for_tier
from alembic_sim.models import TIERS, ModelOffer
from tests.meddled_fs import Incomparable, Liar

FLOORS = {"T0": 1, "T1": 2, "T2": 3, "T3": 5, "T4": 8}


def offer(name: str, cost: float, depth: float) -> ModelOffer:
    return ModelOffer(FakeModel([], model_id=name), cost, depth)


SMALL, MIDDLE, LARGE = offer("small", 1, 2), offer("middle", 5, 5), offer("large", 20, 8)
OFFERS = [LARGE, SMALL, MIDDLE]


@pytest.mark.parametrize(
    ("tier", "picked"),
    [("T0", SMALL), ("T1", SMALL), ("T2", MIDDLE), ("T3", MIDDLE), ("T4", LARGE)],
)
def test_the_cheapest_that_is_deep_enough_is_picked(tier: str, picked: ModelOffer) -> None:
    assert pick_cheapest_for_tier(OFFERS, tier, FLOORS).value is picked


def test_a_depth_of_exactly_the_floor_is_deep_enough() -> None:
    assert pick_cheapest_for_tier([LARGE], "T4", {"T4": 8}).ok
    assert not pick_cheapest_for_tier([LARGE], "T4", {"T4": 8.001}).ok


def test_no_model_below_the_floor_is_picked_however_cheap() -> None:
    error = pick_cheapest_for_tier([SMALL, MIDDLE], "T4", FLOORS).error
    assert (error.code, error.retryable) == ("no-model", False)
    assert error.message == "T4 needs a depth of 8; the deepest has 5"


def test_no_models_at_all_is_said() -> None:
    assert "there are no models" in pick_cheapest_for_tier([], "T0", FLOORS).error.message


def test_of_equally_cheap_ones_the_deepest_then_the_first_by_name() -> None:
    deep, b, a = offer("z", 1, 9), offer("b", 1, 9), offer("a", 1, 8)
    for offers in ([deep, b, a], [a, b, deep], [b, deep, a]):
        assert pick_cheapest_for_tier(offers, "T0", FLOORS).value is b


@pytest.mark.parametrize("tier", ["T5", "", "t0", None, 0, Liar()])
def test_an_unknown_tier_is_refused(tier: object) -> None:
    assert pick_cheapest_for_tier(OFFERS, tier, FLOORS).error.code == "unknown-tier"


@pytest.mark.parametrize("floor", [None, -1, float("nan"), float("inf"), "1", True])
def test_a_tier_without_a_usable_floor_gets_no_model(floor: object) -> None:
    assert pick_cheapest_for_tier(OFFERS, "T0", {"T0": floor}).error.code == "no-floor"
    assert pick_cheapest_for_tier(OFFERS, "T0", {}).error.code == "no-floor"


@pytest.mark.parametrize("models", [[SMALL, None], [FakeModel([])], 5, None])
def test_what_is_no_offer_is_refused(models: object) -> None:
    assert pick_cheapest_for_tier(models, "T0", FLOORS).error.code == "bad-offer"


def test_floors_that_are_no_table_are_refused() -> None:
    assert pick_cheapest_for_tier(OFFERS, "T0", None).error.code == "bad-offer"


@pytest.mark.parametrize("amount", [-1, float("nan"), float("inf"), "1", None, True])
def test_an_offer_with_an_impossible_amount_cannot_be_made(amount: object) -> None:
    with pytest.raises(ValueError, match="cost"):
        ModelOffer(FakeModel([]), amount, 1)
    with pytest.raises(ValueError, match="depth"):
        ModelOffer(FakeModel([]), 1, amount)


def test_an_offer_of_no_model_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="not a model adapter"):
        ModelOffer("gpt", 1, 1)


AMOUNT = st.integers(0, 4)


@given(st.lists(st.tuples(AMOUNT, AMOUNT), max_size=6), st.sampled_from(TIERS), AMOUNT, st.data())
def test_the_pick_is_the_same_in_any_order_and_nothing_cheaper_is_deep_enough(
    amounts: list[tuple[int, int]], tier: str, floor: int, data: st.DataObject
) -> None:
    offers = [offer(str(i), cost, depth) for i, (cost, depth) in enumerate(amounts)]
    shuffled = data.draw(st.permutations(offers))
    picked = pick_cheapest_for_tier(offers, tier, {tier: floor})
    other = pick_cheapest_for_tier(shuffled, tier, {tier: floor})
    deep_enough = [one.cost for one in offers if one.depth >= floor]
    assert picked.ok == other.ok == bool(deep_enough)
    if picked.ok and other.ok:
        assert picked.value is other.value
        assert picked.value.depth >= floor
        assert picked.value.cost == min(deep_enough)


@given(
    st.sampled_from([None, "T0", 5, Liar(), Incomparable(), [], {}, {"T0": Liar()}]).flatmap(
        lambda x: st.tuples(
            st.just(x), st.sampled_from([None, "T0", Liar(), [], {"T0": Incomparable()}])
        )
    )
)
def test_nothing_that_is_handed_over_makes_it_raise(pair: tuple[object, object]) -> None:
    one, other = pair
    assert not pick_cheapest_for_tier(one, "T0", other).ok
    assert not pick_cheapest_for_tier(OFFERS, one, other).ok
