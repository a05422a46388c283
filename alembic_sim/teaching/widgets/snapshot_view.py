"""SnapshotView: what the prompt says, what the disk holds, what is live (seed 2 §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.memory.entry_text import parse_entries
from alembic_sim.hermes.memory.memory_store import DEFAULT_MEMORY_CHAR_LIMIT, MemoryStore
from alembic_sim.hermes.memory.operations import Add, MemoryOp, Remove, Replace
from alembic_sim.shorten import shorten
from alembic_sim.teaching.svg import Svg
from alembic_sim.teaching.widgets.checked import check_list, check_one_of, check_whole
from alembic_sim.teaching.widgets.controls import Button
from alembic_sim.teaching.widgets.loop_trace import op_words
from alembic_sim.teaching.widgets.shell import Shell
from alembic_sim.teaching.widgets.snapshot_picture import SnapshotMoment, draw_snapshot

Event = Literal["add", "next"]

EXAMPLE_NOTES: tuple[str, ...] = (
    "Run the linter first.",
    "Keep commits small.",
    "Test before you merge.",
    "Ask before renaming.",
)

MEMORY_FILE = "memory/MEMORY.md"


@dataclass(frozen=True, slots=True)
class SnapshotViewState:
    """A script of notes, and what has happened so far: `add` (the next note) and `next` (session).

    A note is a text to add, or an `Add`, `Replace` or `Remove`.
    """

    notes: tuple[str | MemoryOp, ...] = EXAMPLE_NOTES
    memory_char_limit: int = DEFAULT_MEMORY_CHAR_LIMIT
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        check_list("notes", self.notes, "texts or memory operations")
        for place, one in enumerate(self.notes):
            if not isinstance(one, str | Add | Replace | Remove):
                allowed = "a text, an Add, a Replace or a Remove"
                raise ValueError(f"notes[{place}]: {shorten(one)} is not {allowed}")
        check_whole("memory_char_limit", self.memory_char_limit, 0, 1_000_000)
        if not isinstance(self.events, tuple):
            raise ValueError(f"events: {shorten(self.events)} is not a tuple of 'add' and 'next'")
        for event in self.events:
            check_one_of("events", event, ["add", "next"])
        check_whole("events.count('add')", self.events.count("add"), 0, len(self.notes))

    def moment(self) -> SnapshotMoment:
        """The events replayed on the real store, one store object a session."""
        fs = MemoryFs()
        notes = iter(self.notes)
        store = _new_session(fs, self.memory_char_limit)
        written = [0]
        said = "The session has begun; nothing was written yet."
        for event in self.events:
            if event == "next":
                store = _new_session(fs, self.memory_char_limit)
                written.append(0)
                said = "A new session: the snapshot was taken afresh."
            else:
                before = store.load().expect("loading is always Ok").behind
                said = _write(store, next(notes))
                written[-1] += store.load().expect("loading is always Ok").behind - before
        snapshot = store.load().expect("loading is always Ok")
        on_disk = fs.read_text(MEMORY_FILE)
        return SnapshotMoment(
            tuple(written),
            parse_entries(snapshot.memory),
            parse_entries(on_disk.value) if on_disk.ok else (),
            store.entries("memory"),
            snapshot.behind,
            said,
        )


def _new_session(fs: MemoryFs, limit: int) -> MemoryStore:
    store = MemoryStore(fs, memory_char_limit=limit)
    store.load()
    return store


def _write(store: MemoryStore, note: str | MemoryOp) -> str:
    """What became of one note, in words."""
    op = Add(note) if isinstance(note, str) else note
    done = store.apply("memory", op)
    if done.ok:
        return f"{done.value.kind.capitalize()}: {op_words(op)}"
    return f"Refused ({done.error.code}): {done.error.message}"


def render_snapshot_view(state: SnapshotViewState) -> Svg:
    """Prompt, disk and live entries side by side, and how far the prompt is behind."""
    moment = state.moment()
    summary = (
        f"Session {len(moment.written)}: {len(moment.prompt)} in the prompt, "
        f"{len(moment.disk)} on disk, {len(moment.live)} live; behind {moment.behind}. "
        f"{moment.said}{_no_more(state)}"
    )
    return draw_snapshot(moment, len(state.notes), summary)


def _no_more(state: SnapshotViewState) -> str:
    return " That was the last note." if state.events.count("add") == len(state.notes) else ""


def _add(state: SnapshotViewState) -> SnapshotViewState:
    """The next note written; after the last one nothing happens."""
    if state.events.count("add") == len(state.notes):
        return state
    return replace(state, events=(*state.events, "add"))


def _next(state: SnapshotViewState) -> SnapshotViewState:
    return replace(state, events=(*state.events, "next"))


def _back(state: SnapshotViewState) -> SnapshotViewState:
    return replace(state, events=state.events[:-1])


def _reset(state: SnapshotViewState) -> SnapshotViewState:
    return replace(state, events=())


class SnapshotView(Shell[SnapshotViewState]):
    """The widget. `SnapshotView(["a note", "another"])`; press `add`, `next`, `back`, `reset`."""

    def __init__(
        self,
        notes: Sequence[str | MemoryOp] = EXAMPLE_NOTES,
        memory_char_limit: int = DEFAULT_MEMORY_CHAR_LIMIT,
    ) -> None:
        check_list("notes", notes, "texts or memory operations")
        super().__init__(
            SnapshotViewState(tuple(notes), memory_char_limit),
            render_snapshot_view,
            [
                [
                    Button("add", "Add a note"),
                    Button("next", "Next session"),
                    Button("back", "Back"),
                    Button("reset", "Reset"),
                ]
            ],
            {"add": _add, "next": _next, "back": _back, "reset": _reset},
        )
