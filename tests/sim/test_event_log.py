"""A log holds all that its run was given: it can be read back, and replayed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alembic_sim import Err
from alembic_sim.sim.event_log import log_bytes, read_log
from alembic_sim.sim.reference import simulate
from alembic_sim.sim.scenario import (
    Archetype,
    Bursts,
    CuratorPlan,
    LearningPlan,
    Scenario,
    SimFaults,
)
from alembic_sim.sim.trace import EventTrace
from tests.sim.small_worlds import traces, world

SCENARIO = Scenario(
    seed=5,
    days=50,
    population=(
        Archetype(
            count=10,
            abandon_after_days=30,
            bursts=Bursts(every_days=9, lasts_days=2, factor=5),
        ),
    ),
    arrivals_per_month=10,
    curator=CuratorPlan(stale_after_days=10, archive_after_days=20),
    learning=LearningPlan(sessions_per_day=0.2),
    faults=SimFaults(missed_probability=0.3, corrupt_sidecar_day=40),
)


def test_a_log_says_what_its_run_was_given() -> None:
    run = simulate(SCENARIO).expect("a run")
    recorded = read_log(log_bytes(run.events)).expect("our own")
    assert recorded.scenario == SCENARIO
    assert recorded.trace == run.trace


def test_replaying_a_log_gives_the_run_to_the_byte() -> None:
    run = simulate(SCENARIO).expect("a run")
    recorded = read_log(log_bytes(run.events)).expect("our own")
    again = simulate(recorded.scenario, recorded.trace).expect("again")
    assert again.digest == run.digest


@pytest.mark.parametrize("shows", ["a\u2028b", "a\x85b", "a\x1cb", "a\x0bb\r", "\n"], ids=ascii)
def test_only_a_newline_ends_a_line(shows: str) -> None:
    scenario = SCENARIO.model_copy(update={"shows": shows, "days": 2})
    run = simulate(scenario).expect("a run")
    assert read_log(log_bytes(run.events)).expect("our own").scenario == scenario


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n\n"])
def test_a_log_may_end_as_an_editor_leaves_it(end: bytes) -> None:
    assert len(read_log(log(HEAD, BIRTH) + end).expect("read").trace.skills) == 1


@given(traces())
@settings(max_examples=40)
def test_any_trace_reads_back_as_far_as_it_happened(trace: EventTrace) -> None:
    run = simulate(world(40), trace).expect("a run")
    found = read_log(log_bytes(run.events)).expect("our own").trace
    assert (found.events, found.passes) == (trace.events, trace.passes)
    assert {skill.name: skill for skill in found.skills} == {s.name: s for s in trace.skills}


HEAD = json.dumps({"event": "scenario", "scenario": {}})
BIRTH = json.dumps({"at_ms": 5, "event": "birth", "name": "a"})
USE = {"at_ms": 6, "sequence": 0, "event": "use", "name": "a", "kind": "use", "counted": True}


def log(*lines: object) -> bytes:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return "\n".join(texts).encode()


def test_a_log_needs_no_more_than_births_uses_and_passes() -> None:
    turn = {"at_ms": 7, "sequence": 1, "event": "pass"}
    trace = read_log(log(HEAD, BIRTH, USE, turn, {"event": "anything"})).expect("read").trace
    assert (len(trace.skills), len(trace.events), len(trace.passes)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "line 1"),
        (b"\xff", "byte 0"),
        (log(BIRTH), "line 1"),
        (log({"event": "scenario", "scenario": {"days": 0}}), "days: 0"),
        (log({"event": "scenario"}), "line 1: begin with"),
        (log({"event": "scenario", "scenario": 3}), "line 1: begin with"),
        (log({"event": "use", "scenario": {}}), "line 1: begin with"),
        (log(HEAD, "{"), "line 2: not strict JSON: it breaks off or errs at column 2"),
        (log(HEAD, "", BIRTH), "line 2"),
        (log(HEAD, "[]"), "line 2: not an object"),
        (log(HEAD, BIRTH, {**USE, "at_ms": "6"}), "line 3: at_ms: '6'"),
        (log(HEAD, BIRTH, {**USE, "kind": "read"}), "line 3: kind: 'read'"),
        (log(HEAD, BIRTH, {**USE, "counted": 1}), "line 3: counted: 1"),
        (log(HEAD, '{"event":"birth","at_ms":1,"name":"../a"}'), "line 2: name"),
        (log(HEAD, '{"event":"birth","at_ms":1,"name":"a","weekdays":[1]}'), "line 2: weekdays"),
        (log(HEAD, USE), "contradicts itself: 'a'"),
        (log(HEAD, BIRTH, USE, USE), "contradicts itself: a sequence"),
    ],
)
def test_what_is_no_log_says_where_it_is_none(data: bytes, why: str) -> None:
    read = read_log(data)
    assert isinstance(read, Err)
    assert read.error.code == "not-a-log"
    assert why in read.error.message


@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda tail: log(HEAD) + b"\n" + tail))
def test_arbitrary_bytes_are_a_value_never_an_exception(data: bytes) -> None:
    read_log(data)
