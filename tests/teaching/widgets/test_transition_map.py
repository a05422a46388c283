"""TransitionMap names who moved when, out of the run's own log, and rewinds to any day."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import simulate
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import SimFaults
from alembic_sim.teaching import LibraryChart, TransitionMap
from alembic_sim.teaching.palette import STATE_MARKS
from alembic_sim.teaching.widgets.skill_lives import lives_of
from alembic_sim.teaching.widgets.transition_map import render_transition_map
from alembic_sim.teaching.widgets.transition_picture import ROWS
from tests.teaching.svg_reading import NAMESPACE, all_words, overlapping, parse
from tests.teaching.widgets.samples import changed, pressed, simulated

RUN = simulated()
MANY = simulated(200, 60)
TORN = simulated(torn_on=50)


def shown(widget: TransitionMap) -> str:
    return all_words(render_transition_map(widget.state))


def fills(widget: TransitionMap, tag: str) -> Counter[str | None]:
    """How many shapes of a kind there are in each colour, those of the key among them."""
    root = parse(render_transition_map(widget.state))
    return Counter(one.get("fill") for one in root.iter(f"{NAMESPACE}{tag}"))


@pytest.mark.parametrize("run", [RUN, MANY, TORN], ids=["small", "many", "torn sidecar"])
def test_the_lives_of_all_skills_add_up_to_the_counts_of_every_day(run: Run) -> None:
    lives = lives_of(run)
    assert {life.name for life in lives} == {skill.name for skill in run.trace.skills}
    for count in run.counts:
        found = Counter(known[-1][1] for life in lives if (known := life.until(count.day + 1)))
        assert dict(found) == {
            state: skills
            for state in ("active", "stale", "archived", "unknown")
            if (skills := getattr(count, state))
        }


def test_a_torn_sidecar_makes_skills_unknown_until_they_are_used_again() -> None:
    back = [life for life in lives_of(TORN) if "unknown" in dict(life.states).values()]
    again = [life for life in back if life.states[-1][1] != "unknown"]
    assert back
    assert again
    for life in again:
        place = [state for _since, state in life.states].index("unknown")
        assert life.states[place + 1][1] == "active"
        assert life.states[place + 1][0] in life.used


def test_a_use_that_nobody_counts_brings_no_lost_skill_back() -> None:
    torn = SimFaults(corrupt_sidecar_day=50, missed_probability=0.5)
    run = simulate(RUN.scenario.model_copy(update={"faults": torn})).expect("a small scenario")
    last = run.counts[-1]
    found = Counter(life.states[-1][1] for life in lives_of(run))
    assert (found["unknown"], found["active"]) == (last.unknown, last.active)
    later = {life.name: life.used[-1] for life in lives_of(run) if life.used}
    lost = [life.name for life in lives_of(run) if life.states[-1][1] == "unknown"]
    assert any(later.get(name, 0) > 50 for name in lost), "used, and nobody counted it"


def test_every_use_is_told_once_as_one_that_came_in_time_or_too_late() -> None:
    lives = {life.name: life for life in lives_of(MANY)}
    for name, life in lives.items():
        days = [
            (event.at_ms - MANY.scenario.start_ms) / DAY_MS
            for event in MANY.trace.events
            if event.name == name
        ]
        assert sorted([*life.used, *life.missed]) == days
        archived = [since for since, state in life.states if state == "archived"]
        assert all(archived and day > archived[0] for day in life.missed)
    missed = [life.name for life in lives.values() if life.missed]
    assert len(missed) >= MANY.library.regretted > 0


def test_those_who_move_have_a_row_in_the_order_of_their_first_move() -> None:
    moved = TransitionMap(MANY).state.moved
    first = dict.fromkeys(change.name for change in MANY.transitions)
    assert [life.name for life in moved] == list(first)
    assert sum(life.moves for life in moved) == len(MANY.transitions)


MAP = TransitionMap(MANY)


@given(st.integers(1, 200))
def test_the_words_name_who_moved_up_to_that_day_and_nobody_else(day: int) -> None:
    end = MANY.scenario.start_ms + day * DAY_MS
    moved: dict[str, list[str]] = {life.name: [] for life in MAP.state.shown}
    for change in MANY.transitions:
        after = round((change.at_ms - MANY.scenario.start_ms) / DAY_MS)
        if change.name in moved and change.at_ms <= end:
            moved[change.name].append(f"{change.to_state} after {after}")
    told = "; ".join(f"{name}: {', '.join(moves)}" for name, moves in moved.items() if moves)
    sentence = f"Moved so far: {told}." if told else "None of them has moved yet."
    assert changed(MAP, after_days=day).summary.endswith(f" {sentence}")


def test_nothing_of_the_future_is_drawn() -> None:
    first = TransitionMap(MANY).state.move_days[0]
    before = TransitionMap(MANY, first - 1)
    assert "None of them has moved yet." in before.summary
    triangle = STATE_MARKS["stale"].colour
    assert fills(before, "polygon")[triangle] == 1, "only the key's own"
    assert fills(TransitionMap(MANY, first), "polygon")[triangle] > 1
    bars = fills(before, "rect")
    assert bars[STATE_MARKS["active"].tint] == ROWS
    assert not bars[STATE_MARKS["stale"].tint] + bars[STATE_MARKS["archived"].tint]


def ticks(widget: TransitionMap) -> int:
    """How many uses are drawn."""
    root = parse(render_transition_map(widget.state))
    short = (one.get("points", "") for one in root.iter(f"{NAMESPACE}polyline"))
    return sum(
        left.split(",")[0] == right.split(",")[0] and float(left.split(",")[1]) < 376
        for left, right in (points.split() for points in short if points.count(" ") == 1)
        if abs(float(left.split(",")[1]) - float(right.split(",")[1])) == 6
    )


@pytest.mark.parametrize("day", [1, 30, 120, 200])
def test_a_use_is_a_tick_once_it_has_happened(day: int) -> None:
    widget = TransitionMap(MANY, day)
    places = [
        {round(428 * use / 200) for use in life.used if use <= day} for life in widget.state.shown
    ]
    assert ticks(widget) == pytest.approx(sum(map(len, places)), abs=len(places))
    missed = sum(use <= day for life in widget.state.shown for use in life.missed)
    assert fills(widget, "polygon")["#CC79A7"] == missed + 1
    assert TransitionMap(MANY).state.shown[0].used, "else this shows nothing"


def test_each_move_is_a_shape_and_each_late_use_a_diamond() -> None:
    widget = TransitionMap(MANY)
    lives = widget.state.shown
    squares = sum(state == "archived" for life in lives for _since, state in life.states)
    now = sum(life.states[-1][1] == "archived" for life in lives)
    drawn = fills(widget, "polygon")
    assert drawn[STATE_MARKS["archived"].colour] == squares + now + 1
    assert drawn["#CC79A7"] == sum(len(life.missed) for life in lives) + 1


def test_going_through_the_moves_stops_at_each_and_at_both_ends() -> None:
    widget = TransitionMap(MANY, 1)
    seen = []
    while widget.state.after_days < MANY.scenario.days:
        widget.press("next")
        seen.append(widget.state.after_days)
    moves = {round((c.at_ms - MANY.scenario.start_ms) / DAY_MS) for c in MANY.transitions}
    assert seen == sorted({*moves, MANY.scenario.days})
    back = []
    while widget.state.after_days > 1:
        widget.press("back")
        back.append(widget.state.after_days)
    assert back == [*sorted(moves - {MANY.scenario.days}, reverse=True), 1]
    assert pressed(widget, "back").state.after_days == 1


def test_rows_are_paged_and_the_pages_hold_every_skill_that_moves_once() -> None:
    widget = TransitionMap(MANY)
    pages = []
    for _ in range(len(widget.state.moved) // ROWS + 2):
        pages.append([life.name for life in widget.state.shown])
        widget.press("down")
    names = [name for page in dict.fromkeys(map(tuple, pages)) for name in page]
    assert names == [life.name for life in widget.state.moved]
    assert len(names) > ROWS
    before_last = list(dict.fromkeys(map(tuple, pages)))[-2]
    assert tuple(life.name for life in pressed(widget, "up").state.shown) == before_last
    assert pressed(widget, *["up"] * 20).state.first_row == 0
    last = f"Skills 1 to {ROWS} of the {len(names)} that move in this run."
    assert last in widget.summary
    assert last in shown(widget)


def test_rewound_and_gone_on_again_it_is_the_same_picture() -> None:
    widget = TransitionMap(MANY)
    before = render_transition_map(widget.state)
    changed(changed(widget, after_days=3), after_days=200)
    assert render_transition_map(widget.state) == before


def test_its_states_are_those_that_the_chart_counts() -> None:
    for day in (35, 91, 120):
        widget = TransitionMap(RUN, day)
        said = shown(widget).splitlines()
        chart = LibraryChart(RUN, day).state.count
        assert said.count("archived") == chart.archived
        assert said.count("stale") == chart.stale


def test_a_run_in_which_nobody_moves_says_so() -> None:
    assert TransitionMap(simulated(days=1, count=0)).summary.endswith(
        "after 1 of 1 days. No skill moves in this run."
    )


@given(st.integers(1, 40), st.integers(0, 12))
def test_any_small_run_can_be_drawn_on_each_of_its_days(days: int, count: int) -> None:
    run = simulated(days, count)
    for day in {1, (days + 1) // 2, days}:
        assert overlapping(render_transition_map(TransitionMap(run, day).state)) == []


def test_the_state_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        TransitionMap(RUN).state.after_days = 2  # type: ignore[misc]


@pytest.mark.parametrize("day", [0, 121, 1.5, True, "7"])
def test_a_day_that_the_run_does_not_have_is_refused_by_name(day: object) -> None:
    with pytest.raises(ValueError, match=r"after_days: .* is not a whole number from 1 to 120"):
        TransitionMap(RUN, day)  # type: ignore[arg-type]


def test_what_is_no_run_or_no_row_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"run: .* is not a Run, as simulate gives it"):
        TransitionMap("quiet-team")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"first_row: 99 is not a whole number"):
        TransitionMap(RUN).change(first_row=99)
