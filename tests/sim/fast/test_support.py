"""What the fast engine cannot do exactly it names, field by field."""

from __future__ import annotations

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.sim.fast.run_fast import run_fast
from alembic_sim.sim.fast.support import unsupported
from alembic_sim.sim.scenario import CuratorPlan, LearningPlan, Scenario, SimFaults

BEYOND = {
    "curator.order": "stale-first",
    "learning.sessions_per_day": 0.5,
    "learning.proposals_per_session": 1,
    "learning.true_share": 0.5,
    "learning.reviewer_noise": 0,
    "learning.gate": "board",
    "learning.gate_threshold": 0.5,
    "learning.memory_char_limit": 10,
    "learning.user_char_limit": 10,
    "faults.clock_jump_day": 3,
    "faults.clock_jump_days": -1.0,
    "faults.corrupt_sidecar_day": 3,
}


@pytest.mark.parametrize("field", BEYOND)
def test_each_field_of_the_reference_engine_alone_is_refused_by_its_name(field: str) -> None:
    part, name = field.split(".")
    scenario = Scenario.model_validate({part: {name: BEYOND[field]}})
    assert list(unsupported(scenario)) == [(field, BEYOND[field])]
    refused = run_fast(scenario, [CuratorPolicy()])
    assert (refused.error.code, refused.error.field) == ("unsupported", field)
    assert refused.error.message.startswith(f"{field}: {BEYOND[field]!r}")


def test_the_list_above_is_every_field_that_says_so() -> None:
    """A new field of the reference engine must be refused too: this list must grow with it."""
    said = {
        f"{part}.{name}"
        for part, model in (
            ("curator", CuratorPlan),
            ("learning", LearningPlan),
            ("faults", SimFaults),
        )
        for name, about in model.model_fields.items()
        if about.json_schema_extra["engines"] == ["reference"]
    }
    assert said == set(BEYOND)
    here = {n: f.json_schema_extra["engines"] for n, f in Scenario.model_fields.items()}
    assert all("fast" in engines for engines in here.values())


def test_a_default_scenario_is_supported() -> None:
    assert list(unsupported(Scenario())) == []


@pytest.mark.parametrize(
    ("scenario", "policies", "named"),
    [
        ("quiet-team", [CuratorPolicy()], "'quiet-team'"),
        (Scenario(), [], "[]"),
        (Scenario(), CuratorPolicy(), "CuratorPolicy"),
        (Scenario(), [CuratorPolicy(), 30], "30"),
        (Scenario(), [CuratorPolicy(7, 14), CuratorPolicy(7, 14)], "twice"),
    ],
)
def test_bad_arguments_are_named(scenario: object, policies: object, named: str) -> None:
    refused = run_fast(scenario, policies)
    assert refused.error.code == "bad-argument"
    assert named in refused.error.message
