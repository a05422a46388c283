"""GateChoice: the gates of a sweep, read from what people write."""

from __future__ import annotations

import pytest

from alembic_sim.sim.gates.gate_choice import NO_GATE, NO_LEARNING, GateChoice, gate_choice
from alembic_sim.sim.scenario import LearningPlan


@pytest.mark.parametrize(
    ("raw", "gate", "name"),
    [
        ("0.7", GateChoice("threshold", 0.7), "0.7"),
        (0.7, GateChoice("threshold", 0.7), "0.7"),
        (1, GateChoice("threshold", 1.0), "1"),
        ("0", GateChoice("threshold", 0.0), "0"),
        ("-0", GateChoice("threshold", 0.0), "0"),
        ("0.7000000000000001", GateChoice("threshold", 0.7000000000000001), "0.7000000000000001"),
        ("board", GateChoice("board"), "board"),
        ("none", NO_GATE, "none"),
        (GateChoice("board"), GateChoice("board"), "board"),
    ],
)
def test_a_gate_is_read_from_its_name_or_its_number(
    raw: object, gate: GateChoice, name: str
) -> None:
    read = gate_choice(raw).expect("a gate")
    assert read == gate
    assert read.name == name
    assert gate_choice(read.name).expect("its name is a gate") == gate


@pytest.mark.parametrize(
    "raw",
    ["", "1.01", "-0.1", "nan", "inf", "Board", "no-learning", 2, True, None, [0.7], 10**400],
)
def test_anything_else_is_named_with_what_is_allowed(raw: object) -> None:
    refused = gate_choice(raw)
    assert refused.error.code == "bad-argument"
    assert refused.error.message.endswith("is not a threshold from 0 to 1, 'board' or 'none'")


def test_a_raw_value_is_shown_as_it_was_written() -> None:
    assert gate_choice("0,7").error.message.startswith("'0,7' is not")


def test_no_learning_has_a_name_that_no_gate_has() -> None:
    assert NO_LEARNING.name == "no learning"
    assert not gate_choice(NO_LEARNING.name).ok


@pytest.mark.parametrize(
    ("gate", "plan"),
    [
        (GateChoice("threshold", 0.9), LearningPlan(gate="threshold", gate_threshold=0.9)),
        (GateChoice("board"), LearningPlan(gate="board", gate_threshold=0.0)),
        (NO_GATE, LearningPlan(gate="none", gate_threshold=0.0)),
    ],
)
def test_a_plan_with_a_gate_is_what_the_reference_engine_reads(
    gate: GateChoice, plan: LearningPlan
) -> None:
    assert gate.plan(LearningPlan()) == plan
