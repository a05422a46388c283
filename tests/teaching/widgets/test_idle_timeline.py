"""IdleTimeline says what the real engine answers, and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import DAY_MS, CuratorPolicy, UsageRecord, next_state
from alembic_sim.teaching import IdleTimeline
from alembic_sim.teaching.probing import EXAMPLE_NOW
from alembic_sim.teaching.widgets.idle_timeline import IdleTimelineState, render_idle_timeline
from tests.teaching.svg_reading import all_words

days = st.integers(0, 150)
states = st.builds(
    IdleTimelineState, days, st.booleans(), days, days, st.sampled_from(["archive-first"])
)


@given(states)
def test_the_words_and_the_picture_name_the_engines_answer(state: IdleTimelineState) -> None:
    anchor = 0 if state.never_used else EXAMPLE_NOW - state.idle_days * DAY_MS
    record = UsageRecord(created_by="agent", last_activity_at=anchor)
    policy = CuratorPolicy(state.stale_after_days, state.archive_after_days)
    answer = next_state(record, *policy.cutoffs(EXAMPLE_NOW))
    drawn = render_idle_timeline(state)
    told = "stays active" if answer == "active" else f"active → {answer}"
    assert told in drawn.summary
    assert ("One pass leaves it" in all_words(drawn)) is (answer == "active")


@given(days, days, days)
def test_the_reason_is_true(idle: int, stale: int, archive: int) -> None:
    text = IdleTimeline(idle, False, stale, archive).summary
    reason = text.rsplit(": ", 1)[1]
    left, sign, right, _days = reason.split(" ")
    assert int(left) == idle
    assert (int(left) >= int(right)) if sign == "≥" else (int(left) < int(right))


def test_exactly_30_days_is_stale_and_the_branch_is_named() -> None:
    text = "idle 30 d: active → stale, test 2 says yes: 30 ≥ 30 days."
    assert IdleTimeline(idle_days=30).summary == text


def test_one_day_less_stays_active_and_no_branch_says_yes() -> None:
    text = "idle 29 d: stays active, no test says yes: 29 < 30 days."
    assert IdleTimeline(idle_days=29).summary == text


def test_the_reason_names_the_nearest_cut_off_also_where_archive_comes_before_stale() -> None:
    assert IdleTimeline(20, False, 90, 30).summary.endswith("no test says yes: 20 < 30 days.")


def test_a_never_used_skill_lies_at_infinity_whatever_the_cut_offs() -> None:
    widget = IdleTimeline(never_used=True, stale_after_days=0, archive_after_days=0)
    assert widget.summary.startswith("never used: stays active, no test says yes: its anchor is +∞")


def test_the_tempting_order_takes_the_small_step() -> None:
    widget = IdleTimeline(idle_days=120)
    assert "active → archived, test 1" in widget.summary
    widget.change(order="stale-first")
    assert widget.summary == "idle 120 d: active → stale, test 1 says yes: 120 ≥ 30 days."


def test_the_picture_shows_which_test_was_not_asked() -> None:
    shown = all_words(render_idle_timeline(IdleTimelineState(120)))
    assert shown.count("not asked") == 2
    assert "45 ≥ 30 days" in all_words(render_idle_timeline(IdleTimelineState(45)))


@pytest.mark.parametrize(
    ("given_", "why"),
    [
        ({"idle_days": 151}, "idle_days: 151 is not a whole number from 0 to 150"),
        ({"idle_days": 1.5}, "idle_days: 1.5 is not a whole number"),
        ({"stale_after_days": True}, "stale_after_days: True is not a whole number"),
        ({"archive_after_days": -1}, "archive_after_days: -1 is not"),
        ({"never_used": 1}, "never_used: 1 is not True or False"),
        ({"order": "reversed"}, "order: 'reversed' is not one of 'archive-first', 'stale-first'"),
    ],
)
def test_an_impossible_setting_is_refused_by_name(given_: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        IdleTimeline(**given_)
    with pytest.raises(ValueError, match=why):
        IdleTimeline().change(**given_)


def test_picture_and_words_call_a_test_a_test() -> None:
    drawn = render_idle_timeline(IdleTimelineState(idle_days=45))
    assert "The tests, in order" in all_words(drawn)
    assert "test 2" in drawn.summary
    assert "branch" not in drawn.summary + all_words(drawn)


def test_no_line_runs_through_the_words_at_infinity() -> None:
    with_stem, without = (
        render_idle_timeline(IdleTimelineState(idle_days=45, never_used=never)).markup
        for never in (False, True)
    )
    assert with_stem.count("<polyline") == without.count("<polyline") + 1 + 1  # and the arrow
