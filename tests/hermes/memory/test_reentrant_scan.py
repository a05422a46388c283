"""An injected threat scan that asks the very store it scans for."""

from __future__ import annotations

from collections.abc import Callable

from alembic_sim import Add, MemoryFs, MemoryStore

FILES = {"memory/MEMORY.md": "one\n§\ntwo", "memory/USER.md": "tea"}


def store_with(scan: Callable[[MemoryStore, str], object], fs: MemoryFs) -> MemoryStore:
    stores: list[MemoryStore] = []

    def asking(text: str) -> str | None:
        scan(stores[0], text)
        return None

    stores.append(MemoryStore(fs, scan=asking))
    return stores[0]


def test_a_scan_may_look_at_the_entries_while_the_snapshot_is_taken() -> None:
    looked: list[tuple[str, ...]] = []
    store = store_with(lambda s, _text: looked.append(s.entries("memory")), MemoryFs(FILES))
    assert store.load().value.memory == "one\n§\ntwo"
    assert looked == [("one", "two")] * 3, "asked once for each entry, no more"


def test_a_scan_that_asks_for_the_snapshot_is_told_that_it_is_being_taken() -> None:
    answers: list[object] = []
    store = store_with(lambda s, _text: answers.append(s.load()), MemoryFs(FILES))
    snapshot = store.load().value
    assert (snapshot.memory, snapshot.user) == ("one\n§\ntwo", "tea")
    assert {answer.error.code for answer in answers} == {"busy"}
    assert len(answers) == 3


def test_what_a_scan_writes_while_the_snapshot_is_taken_is_behind_it_not_in_it() -> None:
    fs = MemoryFs(FILES)
    written: list[object] = []

    def write_once(store: MemoryStore, _text: str) -> None:
        if not written:
            written.append(None)
            written.append(store.apply("user", Add("milk")))

    store = store_with(write_once, fs)
    snapshot = store.load().value
    assert (snapshot.memory, snapshot.user) == ("one\n§\ntwo", "tea")
    assert written[1].ok
    assert snapshot.behind == 1
    assert store.entries("user") == ("tea", "milk")
    assert fs.files()["memory/USER.md"] == "tea\n§\nmilk".encode()
    assert store.load().value == snapshot


def test_a_scan_that_writes_without_end_is_no_crash_and_passes_no_limit() -> None:
    fs = MemoryFs()
    store = store_with(lambda s, text: s.apply("memory", Add(text + "!")), fs)
    assert store.apply("memory", Add("more")).error.code == "over-budget"
    assert len(fs.read_text("memory/MEMORY.md").value) <= 2200


def test_a_load_that_was_interrupted_can_be_made_again() -> None:
    stops = iter([KeyboardInterrupt()])

    def interrupted(_store: MemoryStore, _text: str) -> None:
        for stop in stops:
            raise stop

    store = store_with(interrupted, MemoryFs(FILES))
    try:
        store.load()
    except KeyboardInterrupt:
        assert store.load().value.user == "tea"
    else:
        raise AssertionError("the user can stop it")
