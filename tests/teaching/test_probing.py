"""The questions put to the deciding function find its edges exactly, whatever function it is."""

from __future__ import annotations

import math

import pytest

from alembic_sim import DAY_MS, CuratorPolicy, UsageRecord, next_state
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.teaching.probing import (
    Change,
    Timeline,
    idle_skill,
    idle_words,
    never_used_skill,
)


def test_an_active_skill_changes_at_exactly_30_and_90_days() -> None:
    assert Timeline().changes(150) == (
        Change(0, "active"),
        Change(30 * DAY_MS, "stale"),
        Change(90 * DAY_MS, "archived"),
    )


def test_a_stale_skill_comes_back_below_30_days_and_an_archived_one_never() -> None:
    assert Timeline().changes(150, "stale") == (
        Change(0, "active"),
        Change(30 * DAY_MS, "stale"),
        Change(90 * DAY_MS, "archived"),
    )
    assert Timeline().changes(150, "archived") == (Change(0, "archived"),)


def test_two_edges_within_one_day_are_both_found() -> None:
    policy = CuratorPolicy(stale_after_days=1.25, archive_after_days=1.5)
    edges = [change.idle_ms for change in Timeline(policy=policy).changes(2)]
    assert edges == [0, 5 * DAY_MS // 4, 3 * DAY_MS // 2]


def test_a_never_used_skill_is_never_old_unless_the_rule_is_absurd() -> None:
    def zero_anchor(record: UsageRecord, stale: float, archive: float) -> SkillState:
        return "archived" if record.last_activity_at <= archive else record.state

    assert Timeline().is_never_old(never_used_skill())
    assert not Timeline().is_never_old(idle_skill(0))
    assert not Timeline(decide=zero_anchor).is_never_old(never_used_skill())


def test_a_skill_idle_since_before_1970_is_not_mistaken_for_a_never_used_one() -> None:
    ancient = idle_skill(1_000_000)
    assert ancient.last_activity_at > 0
    assert next_state(ancient, *CuratorPolicy().cutoffs(Timeline().now)) == "archived"


@pytest.mark.parametrize(
    ("idle_ms", "words"),
    [
        (0, "0 d"),
        (30 * DAY_MS, "30 d"),
        (30 * DAY_MS + 1, "30 d + 1 ms"),
        (30 * DAY_MS - 1, "30 d − 1 ms"),
        (30 * DAY_MS + 5_000, "30 d + 5 s"),
        (math.floor(12.5 * DAY_MS), "12.5 d"),
        (90 * DAY_MS - 60_000, "89.99 d"),
        (-2 * DAY_MS, "−2 d"),
    ],
)
def test_no_label_claims_an_edge_that_is_not_reached(idle_ms: int, words: str) -> None:
    assert idle_words(idle_ms) == words
