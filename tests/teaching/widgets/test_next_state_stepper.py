"""NextStateStepper asks one test a step, and gives the engine's answer at the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import next_state
from alembic_sim.sim.variants import stale_first
from alembic_sim.teaching import NextStateStepper
from alembic_sim.teaching.probing import EXAMPLE_NOW, STATES
from alembic_sim.teaching.widgets.next_state_stepper import (
    NextStateStepperState,
    render_next_state_stepper,
)

RULES = {"archive-first": next_state, "stale-first": stale_first}

days = st.integers(0, 150)
cases = st.builds(
    NextStateStepperState,
    idle_days=days,
    never_used=st.booleans(),
    state=st.sampled_from(STATES),
    order=st.sampled_from(sorted(RULES)),
    stale_after_days=days,
    archive_after_days=days,
    steps=st.integers(0, 3),
)


def answer_of(state: NextStateStepperState) -> str:
    return RULES[state.order](state.record(), *state.policy().cutoffs(EXAMPLE_NOW))


@given(cases)
def test_stepped_to_the_end_it_gives_the_rules_answer(state: NextStateStepperState) -> None:
    widget = NextStateStepper()
    widget.show(state)
    for _ in STATES:
        widget.press("step")
    unchanged = "unchanged, " if answer_of(state) == state.state else ""
    assert f"Answer: {unchanged}{answer_of(state)}." in widget.summary


@given(cases)
def test_before_the_last_step_the_answer_is_not_given_away(state: NextStateStepperState) -> None:
    widget = NextStateStepper()
    widget.show(state)
    widget.press("step")
    widget.press("back")
    assert "Answer" not in widget.summary
    assert widget.state.steps == widget.state.asked()


def test_one_step_asks_one_test() -> None:
    widget = NextStateStepper(idle_days=45)
    widget.press("step")
    assert "1. archived? no." in widget.summary
    widget.press("step")
    assert "1. archived? no; 2. stale? yes. Answer: stale." in widget.summary


def test_stepping_past_the_end_and_back_past_the_start_does_nothing() -> None:
    widget = NextStateStepper(idle_days=120)
    widget.press("back")
    assert widget.state.steps == 0
    for _ in range(5):
        widget.press("step")
    assert widget.state.steps == 1
    widget.press("back")
    assert widget.state.steps == 0


def test_back_undoes_exactly_one_step() -> None:
    widget = NextStateStepper(idle_days=3)
    seen = [widget.summary]
    for _ in range(3):
        widget.press("step")
        seen.append(widget.summary)
    for told in reversed(seen):
        assert widget.summary == told
        widget.press("back")


def test_the_prediction_is_kept_back_until_the_answer_is_known() -> None:
    widget = NextStateStepper(idle_days=45)
    assert "prediction" not in widget.summary
    widget.change(prediction="archived")
    widget.press("step")
    assert widget.summary.endswith("Your prediction: archived.")
    widget.press("step")
    assert widget.summary.endswith("You predicted archived: look at the test that decided.")


def test_a_right_prediction_is_said_to_be_right() -> None:
    widget = NextStateStepper(idle_days=120)
    widget.change(prediction="archived")
    widget.press("step")
    assert widget.summary.endswith("You predicted archived: so it is.")


def test_reset_starts_again_with_the_same_case() -> None:
    widget = NextStateStepper(idle_days=120, order="stale-first")
    start = widget.state
    widget.change(prediction="stale")
    widget.press("step")
    widget.press("reset")
    assert widget.state == start


def test_another_order_starts_again_without_a_prediction() -> None:
    widget = NextStateStepper()
    widget.change(prediction="stale")
    widget.press("step")
    widget.change(order="stale-first")
    assert (widget.state.steps, widget.state.prediction) == (0, None)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"state": "gone"}, "state: 'gone' is not one of 'active', 'stale', 'archived'"),
        ({"idle_days": "45"}, "idle_days: '45' is not a whole number from 0 to 150"),
        ({"order": 1}, "order: 1 is not one of"),
    ],
)
def test_an_impossible_setting_is_refused_by_name(values: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        NextStateStepper(**values)


def test_an_impossible_prediction_is_refused() -> None:
    with pytest.raises(ValueError, match="prediction: 'deleted' is not one of None, 'active'"):
        NextStateStepper().change(prediction="deleted")


def test_the_prediction_is_in_the_picture_too() -> None:
    drawn = render_next_state_stepper(NextStateStepperState(prediction="stale"))
    assert "Your prediction: stale</text>" in drawn.markup


def test_after_the_last_step_it_says_that_all_are_done() -> None:
    widget = NextStateStepper(idle_days=45)
    widget.change(prediction="stale")
    widget.press("step")
    assert "All steps done" not in render_next_state_stepper(widget.state).markup
    widget.press("step")
    assert ">All steps done</text>" in render_next_state_stepper(widget.state).markup
    assert widget.summary.endswith("Answer: stale. All steps done. You predicted stale: so it is.")
