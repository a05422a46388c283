"""What public reports said of frozen snapshots, and what is right."""

from __future__ import annotations

from alembic_sim import FsPort
from tests.cases.reports import Case, check, memory_text, of, op_of, session, steps


@of("SNAP-01")
def test_a_write_shows_in_the_live_view_and_only_the_next_session_has_it_in_its_prompt(
    case: Case, fs: FsPort
) -> None:
    store = session(fs, case)
    at_start = store.load().value
    _start, write, *_looks = steps(case)
    store.apply("memory", op_of(write)).expect("an add")
    later = store.load().value
    assert (later.memory == at_start.memory) is check(case)["same_bytes_in_session"]
    assert (at_start.behind, later.behind) == (0, check(case)["behind"])
    assert list(store.entries("memory")) == check(case)["live"]
    following = session(fs, {"input": {}})
    assert following.load().value.memory == memory_text(check(case)["next_session"])
    assert following.load().value.behind == 0
