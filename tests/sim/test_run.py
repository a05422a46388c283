"""A run answers in a sentence, and leaves files that say the same."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import asdict, replace

import pytest

from alembic_sim.sim.event_log import log_bytes
from alembic_sim.sim.figures import DayCount
from alembic_sim.sim.reference import Simulation, simulate
from alembic_sim.sim.run import Run, tree_digest
from alembic_sim.sim.scenario import CuratorPlan, LearningPlan
from alembic_sim.strict_json import parse_strict_json
from tests.sim.small_worlds import trace_of, world


@pytest.fixture(scope="module")
def run() -> Run:
    trace = trace_of({"gone": [0.5, 95.0], "used": [90.0], "never": []}, passes=[35, 91])
    return simulate(world(100), trace).expect("a run")


def test_the_sentence_says_what_the_policy_did_and_what_it_cost(run: Run) -> None:
    assert run.sentence == (
        "30/90 archives 1 of 3 skills in 100 days, 1 of them needed again within 30 days; "
        "1 skill never used (made by the agent, not pinned) is still active "
        "(0–30 d: 0, 30–90 d: 0, over 90 d: 1)."
    )


def test_the_sentence_spares_ages_that_no_skill_has() -> None:
    run = simulate(world(9), trace_of({"s": [1.0]}, [])).expect("a run")
    assert run.sentence.endswith(" (made by the agent, not pinned) are still active.")


def test_the_weeks_hold_every_transition(run: Run) -> None:
    assert len(run.weeks) == 15
    moved = [(w.to_active, w.to_stale, w.to_archived) for w in run.weeks]
    assert (moved[4], moved[12]) == ((0, 1, 0), (0, 0, 1))
    assert sum(map(sum, moved)) == len(run.transitions) == 2


def test_the_sentence_names_the_windows_of_the_plan() -> None:
    plan = CuratorPlan(stale_after_days=0.5, archive_after_days=14)
    run = simulate(world(9, plan), trace_of({"s": []}, [])).expect("a run")
    assert run.sentence.startswith("0.5/14 archives 0 of 1 skill in 9 days")


def test_the_sentence_compares_the_arms() -> None:
    scenario = world(30).model_copy(update={"learning": LearningPlan(sessions_per_day=1)})
    run = simulate(scenario, trace_of({"s": []}, [])).expect("a run")
    gated, ungated, none = run.arms
    at_end = f"{gated.success_at_end:.0%} of tasks succeed with the gate"
    assert f"In the last 20 sessions {at_end}" in run.sentence
    assert f"{ungated.success_at_end:.0%} without it" in run.sentence
    assert f"{none.success_at_end:.0%} without learning" in run.sentence
    assert f"{gated.true_kept} true lessons and {gated.false_settled} false" in run.sentence


def test_the_sentence_counts_as_many_last_sessions_as_there_were() -> None:
    scenario = world(3).model_copy(update={"learning": LearningPlan(sessions_per_day=1)})
    run = simulate(scenario, trace_of({"s": []}, [])).expect("a run")
    assert "In the last 3 sessions " in run.sentence


def test_without_sessions_there_are_no_arms_and_no_word_of_them(run: Run) -> None:
    assert run.arms == ()
    assert "gate" not in run.sentence


def test_the_files_say_what_the_run_says(run: Run) -> None:
    files = run.output_files()
    assert sorted(files) == ["counts.csv", "events.jsonl", "run.json"]
    document = parse_strict_json(files["run.json"]).expect("strict")
    assert isinstance(document, dict)
    assert (document["digest"], document["sentence"]) == (run.digest, run.sentence)
    assert document["at_end"] == asdict(run.counts[-1])
    assert document["weeks"] == [asdict(week) for week in run.weeks]
    rows = [*csv.DictReader(io.StringIO(files["counts.csv"].decode("utf-8")))]
    assert [DayCount(**{k: int(v) for k, v in row.items()}) for row in rows] == [*run.counts]
    assert files["events.jsonl"] == log_bytes(run.events)


def test_paths_and_bytes_cannot_shift_in_a_digest() -> None:
    trees = [{"a": b"bc"}, {"ab": b"c"}, {"a": b"b", "c": b""}, {"a": b"", "b": b"c"}, {}]
    trees += [{"a": b'["b"]x'}, {"a": b"", "b": b"x"}, {"a": b'["b", 1]x'}]
    assert len({tree_digest(tree) for tree in trees}) == len(trees)
    assert tree_digest({"a": b"1", "b": b"2"}) == tree_digest({"b": b"2", "a": b"1"})


def test_a_frame_has_a_row_a_day_and_state(run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    frame = run.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["day", "state", "skills"]
    assert len(frame) == 4 * 100
    last = frame[frame["day"] == 99].set_index("state")["skills"]
    assert dict(last) == {"active": 2, "stale": 0, "archived": 1, "unknown": 0}


def test_without_pandas_the_frame_says_how_to_get_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        run.to_frame()


def test_in_a_notebook_a_run_shows_its_answer_and_escapes_what_is_data(run: Run) -> None:
    shown = run._repr_html_()
    assert run.sentence in shown
    hostile = replace(run, scenario=run.scenario.model_copy(update={"name": "<b onclick=x>"}))
    assert "<b onclick" not in hostile._repr_html_()


def test_a_run_s_repr_is_short(run: Run) -> None:
    assert len(repr(replace(run, scenario=None))) < 200  # type: ignore[arg-type]


def test_a_pass_that_the_guard_would_refuse_is_an_alarm_with_its_day() -> None:
    lives = {name: [1.0] for name in "abc"}
    run = simulate(world(100), trace_of(lives, passes=[30, 95])).expect("a run")
    [alarm] = run.alarms
    assert alarm.at_ms == run.trace.passes[1].at_ms
    assert "3 of 3 skills that could be archived" in alarm.why
    assert "would have refused one of these passes, after 95 days: 3 of 3" in run.sentence
    assert run.to_json()["alarms"] == [asdict(alarm)]
    quiet = simulate(world(100), trace_of({**lives, "d": [90.0]}, passes=[30, 60])).expect("a run")
    assert (quiet.alarms, quiet.to_json()["alarms"]) == ((), [])
    assert "guard" not in quiet.sentence


@pytest.mark.parametrize(
    "plan", [CuratorPlan(), CuratorPlan(anchor="zero"), CuratorPlan(order="stale-first")]
)
def test_the_alarm_is_of_the_pass_by_whatever_rule(plan: CuratorPlan) -> None:
    lives = {"gone": [1.0], "used": [94.0], "too": [93.0]}
    run = simulate(world(100, plan), trace_of(lives, passes=[40, 95, 99])).expect("a run")
    assert run.alarms == ()  # one of three is no alarm


def test_with_no_gate_the_sentence_speaks_of_none() -> None:
    learning = LearningPlan(sessions_per_day=1, gate="none")
    scenario = world(20).model_copy(update={"learning": learning})
    run = simulate(scenario, trace_of({"s": [1.0]}, [])).expect("a run")
    assert "of tasks succeed with no gate, " in run.sentence
    assert "with the gate" not in run.sentence


def test_a_branch_remembers_the_alarms_from_before_it() -> None:
    trace = trace_of({name: [1.0] for name in "abc"}, passes=[95])
    whole = Simulation(world(100), trace)
    assert whole.run_until(len(whole.steps) - 2).ok
    branch = whole.branch().expect("the same plan")
    assert len(branch.run().expect("a run").alarms) == 1
    assert len(whole.run().expect("a run").alarms) == 1
