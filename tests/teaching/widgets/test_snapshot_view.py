"""SnapshotView shows the real store: durable now, in the prompt next session."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace
from alembic_sim.teaching import SnapshotView
from alembic_sim.teaching.widgets.snapshot_view import EXAMPLE_NOTES, render_snapshot_view
from tests.teaching.svg_reading import all_words
from tests.teaching.widgets.samples import pressed

presses = st.lists(st.sampled_from(["add", "next", "back", "reset"]), max_size=14)
notes = st.lists(
    st.one_of(
        st.sampled_from(["Tea.", "Coffee.", "Tea.", "x" * 40]),
        st.sampled_from([Replace("Tea", "Water."), Remove("Coffee."), Add("Milk.")]),
    ),
    min_size=1,
    max_size=5,
)


@given(notes, presses)
def test_it_agrees_with_the_store_after_any_buttons(script: list[object], moves: list[str]) -> None:
    widget = pressed(SnapshotView(script, memory_char_limit=60), *moves)  # type: ignore[arg-type]
    fs, waiting = MemoryFs(), iter(script)
    store = MemoryStore(fs, memory_char_limit=60)
    sessions = 1
    frozen = store.load().value
    for event in widget.state.events:
        if event == "next":
            store, sessions = MemoryStore(fs, memory_char_limit=60), sessions + 1
            frozen = store.load().value
        else:
            one = next(waiting)
            store.apply("memory", Add(one) if isinstance(one, str) else one)  # type: ignore[arg-type]
    moment = widget.state.moment()
    assert "\n§\n".join(moment.prompt) == frozen.memory
    assert moment.live == store.entries("memory")
    assert "\n§\n".join(moment.disk).encode() == fs.files().get("memory/MEMORY.md", b"")
    assert moment.behind == store.load().value.behind
    assert widget.summary.startswith(f"Session {sessions}: {len(moment.prompt)} in the prompt")


def test_a_note_is_durable_at_once_and_in_the_prompt_next_session() -> None:
    widget = pressed(SnapshotView(), "add")
    assert widget.summary.startswith("Session 1: 0 in the prompt, 1 on disk, 1 live; behind 1.")
    widget.press("next")
    assert widget.summary.startswith("Session 2: 1 in the prompt, 1 on disk, 1 live; behind 0.")


def test_after_the_last_note_another_press_does_nothing() -> None:
    widget = pressed(SnapshotView(), *["add"] * len(EXAMPLE_NOTES))
    before = widget.state
    assert widget.summary.endswith("That was the last note.")
    widget.press("add")
    assert widget.state == before


def test_a_refused_note_says_why_and_changes_nothing() -> None:
    widget = pressed(SnapshotView(["x" * 50], memory_char_limit=40), "add")
    assert "0 on disk, 0 live; behind 0. Refused (over-budget): MEMORY.md holds" in widget.summary


def test_back_takes_the_last_event_back() -> None:
    widget = pressed(SnapshotView(), "add", "next")
    before = widget.state
    pressed(widget, "add", "back")
    assert widget.state == before


def test_an_operation_can_be_in_the_script_too() -> None:
    widget = pressed(SnapshotView(["Likes tea.", Replace("tea", "Likes coffee.")]), "add", "add")
    assert widget.state.moment().live == ("Likes coffee.",)
    assert "Replaced: “tea” → “Likes coffee.”" in widget.summary


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ([], r"notes: \[\] is not a list of texts or memory operations"),
        ("abc", "notes: 'abc' is not a list"),
        ([3], r"notes\[0\]: 3 is not a text, an Add, a Replace or a Remove"),
    ],
)
def test_an_impossible_script_is_refused_by_name(script: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        SnapshotView(script)  # type: ignore[arg-type]


def test_more_adds_than_notes_are_refused_from_code() -> None:
    with pytest.raises(ValueError, match=r"events.count\('add'\): 2 is not a whole number from 0"):
        SnapshotView(["one"]).change(events=("add", "add"))


def test_a_note_of_two_lines_is_shown_whole() -> None:
    note = "Run the linter and the tests before pushing."
    view = SnapshotView([note])
    view.press("add")
    said = " ".join(all_words(render_snapshot_view(view.state)).split())
    assert said.count(note) == 3  # on disk, live, and in the line on what was added
