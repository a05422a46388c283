"""The right answers are the engine's: another engine would expect others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alembic_sim import CuratorReport, GateVerdict, LearnOutcome, Ok, UsageStore, write_atomic
from alembic_sim.hermes.curator.curator import judge as engine_judge
from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.usage_sidecar import UsageSidecar
from alembic_sim.sim.variants import stale_first, zero_anchor
from alembic_sim.teaching.exercises.bank import (
    e03_1_the_gate,
    e03_2_three_buckets,
    e03_3_the_kernel,
    e05_1_one_event,
    e05_2_best_effort,
    e05_3_the_atomic_write,
    e06_1_the_anchor,
    e06_2_the_edge,
    e06_3_the_price,
    e07_1_next_state,
    e07_2_how_many_passes,
    e07_3_two_guards,
    e08_1_two_lists,
    e08_2_state_alone,
    e08_3_the_next_move,
)
from alembic_sim.teaching.exercises.checking import NotPassed, judge
from tests.teaching.exercises.answers import written


def shut_gate(minimum):
    return lambda proposal: Ok(GateVerdict(proposal.score > minimum, "shut at the edge"))


def early_edge(record, stale_cutoff, archive_cutoff):
    return next_state(record, stale_cutoff - 1, archive_cutoff)


class CountsTwice(UsageStore):
    def record(self, name, event):
        super().record(name, event)
        return super().record(name, event)


class ReadsNothing(UsageStore):
    def load(self):
        return UsageSidecar()


def moves_nothing(deps, policy=None, dry_run=False):
    return Ok(CuratorReport())


def never_moves(record, stale_cutoff, archive_cutoff):
    return record.state, "no-change"


@pytest.mark.parametrize(
    ("module", "name", "broken"),
    [
        (e05_1_one_event, "UsageStore", CountsTwice),
        (e05_2_best_effort, "UsageStore", ReadsNothing),
        (e08_1_two_lists, "run_curator", moves_nothing),
        (e08_2_state_alone, "run_curator", moves_nothing),
        (e08_3_the_next_move, "judge", never_moves),
        (e03_1_the_gate, "score_threshold_gate", shut_gate),
        (e03_2_three_buckets, "review_and_learn", lambda summary, deps: Ok(LearnOutcome())),
        (e03_3_the_kernel, "review_and_learn", lambda summary, deps: Ok(LearnOutcome())),
        (e06_1_the_anchor, "next_state", zero_anchor),
        (e06_2_the_edge, "next_state", early_edge),
        (e06_3_the_price, "never_active", lambda sidecar, now_ms: ()),
        (
            e07_2_how_many_passes,
            "ORDERS",
            {"archive-first": stale_first, "stale-first": stale_first},
        ),
    ],
    ids=lambda value: getattr(value, "__name__", "").rpartition(".")[2] or None,
)
def test_with_another_engine_the_solution_is_wrong(
    module, name: str, broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)
    exercise = module.EXERCISE
    assert isinstance(judge(exercise, written(exercise, exercise.solution)), NotPassed)


def test_three_references_are_the_engine_itself() -> None:
    assert e07_1_next_state.EXERCISE.reference is next_state
    assert e07_3_two_guards.EXERCISE.reference is engine_judge
    assert e05_3_the_atomic_write.EXERCISE.reference is write_atomic


def test_the_engine_passes_as_an_answer() -> None:
    """Whoever calls the engine instead of writing the rule is right, too."""
    judged = judge(e07_1_next_state.EXERCISE, next_state)
    assert judged == judge(e07_3_two_guards.EXERCISE, engine_judge)


def test_a_variant_of_the_engine_does_not_pass() -> None:
    exercise = e07_1_next_state.EXERCISE
    verdict = judge(exercise, stale_first)
    assert isinstance(verdict, NotPassed)
    assert (verdict.expected, verdict.got) == ("'archived'", "'stale'")


def test_the_kernel_is_told_who_was_asked_and_in_which_order() -> None:
    exercise = e03_3_the_kernel.EXERCISE
    [last] = [w for w in exercise.wrong_answers if w.mistake.startswith("all are judged")]
    verdict = judge(exercise, written(exercise, last.source))
    assert isinstance(verdict, NotPassed)
    assert verdict.expected.endswith("asked: proposer, gate a, store a, gate b, store b")
    assert verdict.got.endswith("asked: proposer, gate a, gate b, store a, store b")


@pytest.mark.parametrize(
    ("old", "new", "got"),
    [
        ("gate(proposal)", "gate(raw)", "Err without a cause; asked: proposer, gate {'action':"),
        ("proposal.op)", "raw)", "Ok, failed a; asked: proposer, gate a"),
        ("verdict.value.reason", "'no'", "rejected a because of 'no'"),
        ("    return Ok(Learn", "    return (Learn", "LearnOutcome(applied=("),
        ("return verdict\n", "return Err('broken')\n", "Err without a cause"),
        ("proposer(summary)", "proposer('')", "proposer (of what?)"),
    ],
)
def test_odd_kernels_are_told_what_they_did(old: str, new: str, got: str) -> None:
    exercise = e03_3_the_kernel.EXERCISE
    assert old in exercise.solution
    source = "from alembic_sim import Err\n" + exercise.solution.replace(old, new)
    verdict = judge(exercise, written(exercise, source))
    assert isinstance(verdict, NotPassed)
    if "gate(raw)" not in new:
        assert got in verdict.got


def test_the_anchor_is_found_without_knowing_the_rule() -> None:
    record = e06_1_the_anchor.UsageRecord(last_activity_at=12_345)
    assert e06_1_the_anchor.reference(record) == 12_345
    archived = record.model_copy(update={"state": "archived"})
    assert e06_1_the_anchor.reference(archived) == 12_345


def test_an_exercise_is_data_and_can_be_varied() -> None:
    exercise = replace(e07_1_next_state.EXERCISE, reference=stale_first)
    assert isinstance(judge(exercise, next_state), NotPassed)
