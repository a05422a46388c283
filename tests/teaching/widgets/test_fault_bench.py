"""FaultBench fails the real store's file operations, and tells what is left."""

from __future__ import annotations

import pytest

from alembic_sim.teaching import FaultBench
from alembic_sim.teaching.widgets import fault_trace
from alembic_sim.teaching.widgets.fault_bench import MAX_OPERATION, FaultBenchState
from alembic_sim.teaching.widgets.fault_trace import FATES, USES_BEFORE, WRITERS, trace_use
from tests.teaching.svg_reading import all_words

PLACES = range(1, MAX_OPERATION + 1)


@pytest.mark.parametrize("fate", FATES)
def test_the_store_loses_no_use_whatever_fails_and_the_next_use_leaves_no_temporary_file(
    fate: str,
) -> None:
    for fail_at in PLACES:
        trace = trace_use("by the store", fate, fail_at)
        assert trace.keeps_its_word, (fate, fail_at)
        for left in trace.lefts:
            assert left.uses_next == (left.uses or 0) + 1
            assert left.temporary == 0


def test_writing_in_place_loses_uses_when_the_disk_fills_up_or_the_power_goes() -> None:
    lost = {
        fate
        for fate in FATES
        for at in PLACES
        if not trace_use("in place", fate, at).keeps_its_word
    }
    assert lost == {"the disk fills up", "the power goes"}


def test_every_operation_of_the_store_can_be_failed() -> None:
    whole = trace_use("by the store", "fails once", 0)
    assert len(whole.operations) < MAX_OPERATION, "the last place is after the last operation"
    assert whole.answer == "Ok"
    assert [left.uses for left in whole.lefts] == [USES_BEFORE + 1]


def test_a_store_that_did_not_sync_would_be_seen_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fault_trace.WRITERS, "by the store", WRITERS["in place"])
    assert not trace_use("by the store", "the power goes", MAX_OPERATION).keeps_its_word


def test_the_words_tell_the_operation_the_answer_and_the_disk() -> None:
    assert FaultBench(2, "the disk fills up", "in place").summary == (
        "Written in place, the disk fills up at operation 2 (write): the call answers Err: "
        "no-space; on disk then unreadable: uses are lost."
    )
    assert "no fault: the call answers Ok; on disk then 4 uses" in FaultBench().summary
    late = FaultBench(9, "the power goes", "in place")
    assert "the power goes after the last operation: the call answers Ok" in late.summary
    assert "Uses can be lost." in all_words(late._render(late.state))


@pytest.mark.parametrize(
    ("field", "value"),
    [("fail_at", -1), ("fail_at", MAX_OPERATION + 1), ("fate", "nothing"), ("writer", "nobody")],
)
def test_an_impossible_bench_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        FaultBenchState(**{field: value})
