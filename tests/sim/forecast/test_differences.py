"""Each difference between the two curators has a cause with a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import CuratorPolicy
from alembic_sim.sim.forecast.differences import CAUSES
from alembic_sim.sim.forecast.forecast import Forecast, forecast
from alembic_sim.sim.forecast.library import library_of_hermes
from tests.sim.forecast.homes import at

NOW = "2026-06-16T09:00:00Z"
USED = {
    "created_by": "agent",
    "created_at": "2026-01-01T00:00:00Z",
    "last_used_at": "2026-05-01T00:00:00Z",
    "use_count": 2,
}


def forecast_of(policy: CuratorPolicy, **records: object) -> Forecast:
    return forecast(library_of_hermes(records), at(NOW), [policy]).expect("a forecast")


def causes(made: Forecast) -> dict[str, str | None]:
    return {skill.name: skill.by_policy[0].cause for skill in made.skills}


@pytest.mark.parametrize(
    ("record", "policy", "cause"),
    [
        (USED, CuratorPolicy(), None),
        ({**USED, "last_used_at": None, "use_count": 0}, CuratorPolicy(), "never-active"),
        ({**USED, "last_used_at": None, "created_at": None}, CuratorPolicy(), None),
        ({**USED, "use_count": "3"}, CuratorPolicy(), "damaged-record"),
        ({**USED, "state": "bogus"}, CuratorPolicy(), "damaged-record"),
        ({**USED, "pinned": "no"}, CuratorPolicy(), None),  # both leave it alone
        ("no object", CuratorPolicy(), None),
        ({**USED, "use_count": 0, "last_viewed_at": NOW}, CuratorPolicy(30, 10), "grace-floor"),
        (
            {**USED, "last_used_at": "2026-05-17T09:00:00.000999Z"},
            CuratorPolicy(),
            "microseconds",
        ),
        ({**USED, "last_used_at": "1969-01-01T00:00:00Z"}, CuratorPolicy(), "old-timestamp"),
    ],
)
def test_the_cause_of(record: object, policy: CuratorPolicy, cause: str | None) -> None:
    assert causes(forecast_of(policy, it=record)) == {"it": cause}


def test_the_ancestors_pass_stops_at_a_count_that_is_no_number_and_what_follows_stays() -> None:
    made = forecast_of(
        CuratorPolicy(),
        a_before=USED,
        broken={**USED, "use_count": "abc"},
        c_pinned={**USED, "pinned": True},
        d_after=USED,
    )
    assert causes(made) == {
        "a_before": None,
        "broken": None,  # a damaged record: neither moves it
        "c_pinned": None,
        "d_after": "ancestor-stops",
    }
    after = {skill.name: skill.by_policy[0].ancestor for skill in made.skills}["d_after"]
    assert (after.moves, after.out_of_play) == ((), "pass-stops")
    assert made.skills[1].by_policy[0].ancestor.out_of_play == "pass-stops"
    assert "broken: the ancestor's pass ends here with an exception, every time" in made.notes


times = st.none() | st.sampled_from(
    [
        NOW,
        "2026-06-01T09:00:00",
        "2026-05-17T09:00:00.000500Z",
        "2026-04-01T12:00:00+02:00",
        "2027-01-01",
        "1960-01-01",
        "yesterday",
        7,
    ]
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "created_by": st.sampled_from(["agent", "agent", "Agent", None]),
            "agent_created": st.sampled_from([True, "true"]),
            "created_at": times,
            "last_used_at": times,
            "last_viewed_at": times,
            "use_count": st.sampled_from([0, 1, "1", "x", None, -1]),
            "state": st.sampled_from(["active", "stale", "archived", "bogus", None]),
            "pinned": st.sampled_from([False, True, "no", None]),
        },
    ),
    st.sampled_from([(30, 90), (14, 30), (30, 10), (0, 0)]),
)
def test_what_differs_has_a_cause_that_is_true_of_it(
    record: dict, windows: tuple[int, int]
) -> None:
    made = forecast_of(CuratorPolicy(*windows), it=record)
    both = made.skills[0].by_policy[0]
    assert (both.cause is None) == (both.alembic.moves == both.ancestor.moves)
    assert both.cause is None or both.cause in CAUSES
    if both.cause == "microseconds":
        assert any("000500" in str(value) for value in record.values())
    if both.cause == "grace-floor":
        assert windows == (30, 10)
