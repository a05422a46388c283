"""LibraryChart draws a run's own counts, and its slider takes the run back to any day."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import CuratorPolicy, Scenario, simulate
from alembic_sim.sim.reference import Simulation
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Archetype, CuratorPlan
from alembic_sim.sim.schedule import DayEnd
from alembic_sim.teaching import LibraryChart
from alembic_sim.teaching.palette import STATE_MARKS
from alembic_sim.teaching.widgets.library_chart import LibraryChartState, render_library_chart
from tests.teaching.svg_reading import NAMESPACE, all_words, overlapping, parse
from tests.teaching.widgets.samples import changed, pressed, simulated, swept

RUN = simulated()
DAYS = st.integers(1, RUN.scenario.days)


def test_it_opens_at_the_end_of_the_run() -> None:
    assert LibraryChart(RUN).state == LibraryChartState(RUN, RUN.scenario.days)


@given(DAYS)
def test_each_day_tells_the_counts_of_the_run(day: int) -> None:
    widget = changed(LibraryChart(RUN), after_days=day)
    count = RUN.counts[day - 1]
    told = f"{count.active} active, {count.stale} stale, {count.archived} archived."
    assert f"after {day} of 120 days: {told}" in widget.summary
    key = all_words(render_library_chart(widget.state)).splitlines()
    for state in ("active", "stale", "archived"):
        assert key[key.index(state) - 1] == str(getattr(count, state))


@pytest.mark.parametrize("day", [1, 35, 91, 120])
def test_the_rewound_chart_is_the_run_as_it_stood_that_day(day: int) -> None:
    """A simulation that is stopped there has counted the same."""
    stopped = Simulation(RUN.scenario)
    ends = [n for n, step in enumerate(stopped.steps, 1) if step.what == DayEnd(day - 1)]
    stopped.run_until(ends[0]).expect("a step of the run")
    there = stopped.run().expect("it goes on to the end")
    assert LibraryChartState(there, day).count == LibraryChartState(RUN, day).count
    short = simulate(RUN.scenario.model_copy(update={"days": day})).expect("a shorter run")
    assert short.counts[-1] == LibraryChartState(RUN, day).count


@given(DAYS)
def test_the_last_pass_is_the_latest_one_that_is_not_in_the_future(day: int) -> None:
    state = LibraryChartState(RUN, day)
    assert state.last_pass == (day // 7 * 7 if day >= 7 else None)
    assert all(change in RUN.transitions for change in state.moved)


def test_going_through_the_passes_tells_every_transition_once() -> None:
    passes = LibraryChartState(RUN, 1).pass_days
    told = [change for day in passes for change in LibraryChartState(RUN, day).moved]
    assert tuple(told) == RUN.transitions
    assert told, "else this shows nothing"


def test_the_words_name_who_moved_and_say_so_if_nobody_did() -> None:
    first = RUN.transitions[0]
    day = (first.at_ms - RUN.scenario.start_ms) // 86_400_000
    moved = LibraryChart(RUN, day).summary
    assert f"Last pass, after {day} days: " in moved
    assert f"{first.name} {first.from_state} → {first.to_state}" in moved
    assert LibraryChart(RUN, 6).summary.endswith("No pass yet.")
    assert LibraryChart(RUN, 7).summary.endswith("Last pass, after 7 days: no skill moved.")


def test_of_many_moves_three_are_named_and_the_rest_are_counted() -> None:
    idle = Archetype(count=9, agent_share=1, pinned_share=0)
    zero = CuratorPlan(stale_after_days=0, archive_after_days=0, anchor="zero")
    run = simulate(Scenario(days=8, population=(idle,), curator=zero)).expect("a small scenario")
    assert LibraryChart(run, 7).summary.endswith("skill-0003 active → archived, 6 more.")


def test_the_buttons_go_from_pass_to_pass_and_stop_at_both_ends() -> None:
    widget = LibraryChart(RUN, 16)
    assert pressed(widget, "back").state.after_days == 14
    assert pressed(widget, "next", "next").state.after_days == 28
    assert pressed(widget, *["next"] * 20).state.after_days == 120
    assert pressed(widget, *["back"] * 20).state.after_days == 1


def test_rewound_and_gone_on_again_it_is_the_same_picture() -> None:
    widget = LibraryChart(RUN)
    before = render_library_chart(widget.state)
    changed(changed(widget, after_days=3), after_days=120)
    assert render_library_chart(widget.state) == before


def test_each_state_has_its_colour_and_its_shape_on_the_day_shown() -> None:
    root = parse(render_library_chart(LibraryChartState(RUN, 60)))
    drawn = {element.get("fill") for element in root.iter() if element.tag != f"{NAMESPACE}text"}
    lines = {element.get("stroke") for element in root.iter(f"{NAMESPACE}polyline")}
    for mark in STATE_MARKS.values():
        assert mark.colour in drawn
        assert mark.colour in lines


def test_what_is_still_to_come_is_dashed_and_gone_at_the_end() -> None:
    def dashed(day: int) -> int:
        root = parse(render_library_chart(LibraryChartState(RUN, day)))
        return sum("stroke-dasharray" in element.attrib for element in root.iter())

    assert (dashed(60), dashed(120)) == (3, 0)


def test_skills_that_the_sidecar_lost_get_a_line_of_their_own() -> None:
    torn = LibraryChart(simulated(torn_on=50), 51)
    count = torn.state.count
    assert count.unknown > 0
    assert f"{count.unknown} unknown." in torn.summary
    assert "unknown" in all_words(render_library_chart(torn.state))
    assert "unknown" not in all_words(render_library_chart(LibraryChartState(RUN, 51)))


@given(st.integers(1, 40), st.integers(0, 12))
def test_any_small_run_can_be_drawn_on_each_of_its_days(days: int, count: int) -> None:
    run = simulated(days, count)
    for day in {1, (days + 1) // 2, days}:
        assert overlapping(render_library_chart(LibraryChartState(run, day))) == []


def test_a_band_is_that_of_the_sweep_under_the_run_s_own_policy() -> None:
    state = LibraryChart(RUN, sweep=swept()).state
    assert [band.state for band in state.bands] == ["active", "stale", "archived"]
    for band in state.bands:
        theirs = swept().bands(CuratorPolicy(30, 90), band.state)  # type: ignore[arg-type]
        assert band.edges == tuple((one.day + 1, one.low, one.high) for one in theirs)
    other = swept().bands(CuratorPolicy(30, 60), "archived")
    assert state.bands[2].edges[-1][1:] != (other[-1].low, other[-1].high)


def test_the_words_and_the_key_give_the_band_of_the_latest_pass() -> None:
    widget = LibraryChart(RUN, 118, swept())
    assert "In eight of ten libraries: " in widget.summary
    key = all_words(render_library_chart(widget.state)).splitlines()
    for band in widget.state.bands:
        [(low, high)] = [edge[1:] for edge in band.edges if edge[0] == 112]
        assert f"{low:.0f} to {high:.0f} {band.state}" in widget.summary
        assert f"band {low:.0f} to {high:.0f}" in key
    assert "shaded: eight of ten libraries of this kind" in key
    assert "band" not in all_words(render_library_chart(LibraryChartState(RUN, 118)))
    assert "eight of ten" not in LibraryChart(RUN, 118).summary


def test_a_band_is_drawn_around_eight_of_ten_libraries() -> None:
    root = parse(render_library_chart(LibraryChart(RUN, sweep=swept()).state))
    shaded = [one for one in root.iter(f"{NAMESPACE}polygon") if one.get("fill-opacity")]
    assert [one.get("fill") for one in shaded] == [mark.colour for mark in STATE_MARKS.values()]
    ends = [
        [float(y) for y in one.get("points", "").replace(",", " ").split()[1::2]] for one in shaded
    ]
    for edges in ends:
        half = len(edges) // 2
        assert all(
            high <= low for high, low in zip(edges[:half], edges[: half - 1 : -1], strict=True)
        )


def test_high_bands_stay_on_the_sheet() -> None:
    state = LibraryChart(RUN, sweep=swept()).state
    high = replace(state.bands[0], edges=((1, 12.0, 40.0), (119, 12.0, 40.4)))
    root = parse(render_library_chart(replace(state, bands=(high,))))
    for one in root.iter(f"{NAMESPACE}polygon"):
        assert min(map(float, one.get("points", "").replace(",", " ").split()[1::2])) >= 60


@pytest.mark.parametrize("odd", ["sweep", RUN, replace(swept(), rows=())])
def test_what_is_no_sweep_is_refused_by_name(odd: object) -> None:
    with pytest.raises(ValueError, match=r"sweep: .* is not a Sweep with a finished replica"):
        LibraryChart(RUN, sweep=odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "run",
    [
        simulated(days=60),
        replace(
            RUN,
            scenario=RUN.scenario.model_copy(
                update={"curator": CuratorPlan(archive_after_days=45)}
            ),
        ),
    ],
    ids=["other days", "another policy"],
)
def test_a_sweep_of_another_policy_or_length_is_refused(run: Run) -> None:
    with pytest.raises(ValueError, match=r"sweep: .* does not hold (60|120) days of "):
        LibraryChart(run, sweep=swept())


def test_the_state_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        LibraryChartState(RUN, 1).after_days = 2  # type: ignore[misc]


@pytest.mark.parametrize("day", [0, 121, 1.5, True, "7"])
def test_a_day_that_the_run_does_not_have_is_refused_by_name(day: object) -> None:
    with pytest.raises(ValueError, match=r"after_days: .* is not a whole number from 1 to 120"):
        LibraryChart(RUN, day)  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", [None, "quiet-team", RUN.scenario, [1]])
def test_what_is_no_run_is_refused_by_name(odd: object) -> None:
    with pytest.raises(ValueError, match=r"run: .* is not a Run, as simulate gives it"):
        LibraryChart(odd)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"run: .* is not a Run"):
        LibraryChartState(odd, 1)  # type: ignore[arg-type]


def test_it_needs_neither_numpy_nor_matplotlib() -> None:
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['matplotlib'] = None\n"
        "from alembic_sim import CuratorPolicy, Scenario, simulate\n"
        "from alembic_sim.teaching import LibraryChart\n"
        "print(LibraryChart(simulate(Scenario(days=9)).value).text())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.startswith("unnamed, after 9 of 9 days: 100 active")
