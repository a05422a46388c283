"""LoopStepper ends where the real kernel ends, and every step can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import (
    MemoryFs,
    MemoryStore,
    Ok,
    ReviewDeps,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.teaching import LoopStepper
from alembic_sim.teaching.palette import TAKEN
from alembic_sim.teaching.widgets.loop_stepper import (
    EXAMPLE_PROPOSALS,
    LoopStepperState,
    moment_of,
    note,
    render_loop_stepper,
)
from alembic_sim.teaching.widgets.loop_trace import trace_loop
from tests.teaching.svg_reading import NAMESPACE, all_words, parse
from tests.teaching.widgets.samples import pressed

texts = st.sampled_from(["Tea.", "Coffee.", "Keep commits small.", "x" * 30, " ", "two\nlines"])
scores = st.sampled_from([0.0, 0.69, 0.7, 0.71, 1.0])
raws = st.builds(note, texts, scores, st.sampled_from(["memory", "user"]))
odd = st.sampled_from([None, 3, {}, note("bad", 7)])
steps = st.lists(
    st.one_of(
        st.sampled_from(["step", "next", "back", "reset"]),
        st.floats(0, 1).map(lambda threshold: {"threshold": round(threshold, 2)}),
        st.integers(0, 300).map(lambda limit: {"memory_char_limit": limit}),
    ),
    max_size=25,
)


def kernel(proposals: list[object], threshold: float, limit: int) -> tuple[Any, dict[str, bytes]]:
    fs = MemoryFs()
    memory = MemoryStore(fs, memory_char_limit=limit)
    gate = score_threshold_gate(threshold)
    deps = ReviewDeps(lambda _summary: Ok(list(proposals)), gate, memory)
    return review_and_learn("A day's work.", deps), fs.files()


@given(st.lists(st.one_of(raws, odd), min_size=1, max_size=6), scores, st.integers(0, 90))
def test_it_ends_in_the_kernels_buckets_with_the_kernels_files(
    proposals: list[object], threshold: float, limit: int
) -> None:
    result, files = kernel(proposals, threshold, limit)
    trace = trace_loop(proposals, threshold, limit)
    assert trace.handled[-1].files == files
    assert trace.handled[-1].outcome == (result.value if result.ok else result.error.partial)
    assert (trace.stopped is None) is result.ok
    if not result.ok:
        assert trace.stopped.code == result.error.code  # type: ignore[union-attr]


@given(st.lists(raws, min_size=1, max_size=5), scores, st.integers(0, 90))
def test_the_counts_in_the_words_are_the_kernels(
    proposals: list[object], threshold: float, limit: int
) -> None:
    outcome = kernel(proposals, threshold, limit)[0].value
    widget = pressed(LoopStepper(proposals, threshold, limit), *["next"] * len(proposals))
    counts = (
        f"{len(proposals)} of {len(proposals)} done: {len(outcome.applied)} applied, "
        f"{len(outcome.rejected)} rejected, {len(outcome.failed)} failed."
    )
    assert widget.summary.startswith(counts)


@given(st.lists(st.one_of(raws, odd), min_size=1, max_size=4), steps)
def test_whatever_a_learner_does_it_never_raises_and_always_draws(
    proposals: list[object], moves: list[Any]
) -> None:
    widget = LoopStepper(proposals)
    for move in moves:
        if isinstance(move, dict):
            widget.change(**move)
        else:
            widget.press(move)
        assert widget.summary


@given(st.lists(raws, min_size=1, max_size=4), st.integers(0, 12))
def test_back_undoes_exactly_one_step(proposals: list[object], taken: int) -> None:
    widget = pressed(LoopStepper(proposals), *["step"] * taken)
    before = widget.state
    widget.press("step")
    if widget.state != before:
        widget.press("back")
    assert widget.state == before


def test_a_proposal_takes_one_station_a_step() -> None:
    widget = LoopStepper([note("Keep commits small.", 0.9)])
    said = []
    for _ in range(3):
        widget.press("step")
        said.append(widget.summary.split(". ", 1)[1])
    assert said == [
        "“Keep commits small.” is valid.",
        "“Keep commits small.” is approved by the gate.",
        "“Keep commits small.” applied. All steps done.",
    ]


def test_nothing_is_on_disk_before_the_apply_station() -> None:
    widget = pressed(LoopStepper(), "step", "step")
    assert "no file yet" in all_words(render_loop_stepper(widget.state))
    widget.press("step")
    assert "'Run the linter first.'" in all_words(render_loop_stepper(widget.state))


def test_the_delimiters_bytes_are_shown_as_they_are() -> None:
    widget = pressed(LoopStepper(), "next", "next", "next")
    assert r"'\xc2\xa7\n'" in all_words(render_loop_stepper(widget.state))


def test_the_examples_hold_the_cases_to_remember() -> None:
    widget = pressed(LoopStepper(), *["next"] * len(EXAMPLE_PROPOSALS))
    buckets = [one.bucket for one in widget.state.trace().handled]
    assert buckets == ["applied", "rejected", "applied", "applied", "failed", "applied"]
    assert "reinforced" in all_words(render_loop_stepper(LoopStepperState(done=4)))


def test_another_threshold_empties_the_rejected_bucket_without_losing_the_place() -> None:
    widget = pressed(LoopStepper(), *["next"] * 6)
    assert "1 rejected" in widget.summary
    widget.change(threshold=0.5)
    assert widget.summary.startswith("6 of 6 done: 5 applied, 0 rejected, 1 failed.")


def test_a_bad_shape_stops_the_step_and_says_so() -> None:
    widget = pressed(LoopStepper([note("a", 0.9), note("b", 7), note("c", 0.9)]), *["step"] * 9)
    assert widget.summary == (
        "1 of 3 done: 1 applied, 0 rejected, 0 failed. “b” stops the whole step "
        "(invalid-proposal): Invalid review proposal: score: 7 is not a number from 0 to 1."
    )
    assert "Proposal 2 of 3 · the step stops here" in all_words(render_loop_stepper(widget.state))


def test_reset_empties_buckets_and_files() -> None:
    widget = pressed(LoopStepper(), *["next"] * 6, "reset")
    moment = moment_of(widget.state, widget.state.trace())
    assert (moment.done, moment.files) == ((), {})


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"proposals": []}, r"proposals: \[\] is not a list of raw proposals with at least one"),
        ({"proposals": "abc"}, "proposals: 'abc' is not a list"),
        ({"threshold": 1.01}, "threshold: 1.01 is not a number from 0 to 1"),
        ({"threshold": float("nan")}, "threshold: nan is not a number from 0 to 1"),
        ({"memory_char_limit": -1}, "memory_char_limit: -1 is not a whole number from 0 to 2200"),
    ],
)
def test_an_impossible_setting_is_refused_by_name(values: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        LoopStepper(**values)


def test_a_note_is_shown_whole_where_there_is_room_for_it() -> None:
    """A bucket with one note in it, and the line about a file beside another one, too."""
    long = note("The build cache must be cleared by hand after every upgrade.", 0.9)
    both = [long, note("Likes short answers.", 0.8, "user")]
    stepper = LoopStepper(both, memory_char_limit=300)
    stepper.press("next")
    stepper.press("next")
    said = " ".join(all_words(render_loop_stepper(stepper.state)).split())
    assert "The build cache must be cleared by hand after every upgrade.”" in said
    assert "memory/MEMORY.md: 60 of 300 characters, 60 bytes" in said


def outlined(widget: LoopStepper) -> int:
    """How many boxes are drawn as those that the current proposal has reached."""
    boxes = parse(render_loop_stepper(widget.state)).iter(f"{NAMESPACE}rect")
    return sum(box.get("stroke") == TAKEN for box in boxes)


def test_the_bucket_of_the_proposal_before_is_not_outlined() -> None:
    """Its station and its bucket are, once it lies in one; on the way only its station is."""
    widget = LoopStepper()
    seen = [outlined(pressed(widget, "step")) for _ in range(5)]
    assert seen == [1, 1, 2, 1, 2]


def test_after_the_last_step_it_says_that_all_are_done() -> None:
    widget = pressed(LoopStepper(), *["next"] * 5, "step", "step")
    assert "done" not in all_words(render_loop_stepper(widget.state))
    widget.press("step")
    assert "Proposal 6 of 6 · all steps done" in all_words(render_loop_stepper(widget.state))
    assert widget.summary.endswith(" applied. All steps done.")
