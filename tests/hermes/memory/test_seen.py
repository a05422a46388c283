"""Drift: what this session has not seen it may not replace or remove, until it has been told.

*Seen* is a growing set of texts: loaded, written or reinforced by this store object, or revealed by
its own earlier error.
"""

from __future__ import annotations

import pytest

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace
from tests.meddled_fs import MeddledFs, fails


class Session:
    """A session that has loaded `text`, and another that writes behind its back."""

    def __init__(self, text: str = "known", **instead: object) -> None:
        self.disk = MemoryFs({"memory/MEMORY.md": text})
        self.port = MeddledFs(self.disk, **instead)
        self.store = MemoryStore(self.port)
        self.store.load().expect("the session starts")

    def another_writes(self, *entries: str) -> None:
        text = "\n§\n".join(entries)
        self.disk.write("memory/MEMORY.md", text.encode()).expect("another session writes")

    def code(self, op: object) -> str:
        result = self.store.apply("memory", op)
        return result.value.kind if result.ok else result.error.code

    def batch_code(self, *ops: object) -> str:
        result = self.store.apply_batch("memory", ops)
        return result.value.kind if result.ok else result.error.code

    def on_disk(self) -> list[str]:
        return self.disk.read_text("memory/MEMORY.md").value.split("\n§\n")


@pytest.mark.parametrize("op", [Remove("foreign"), Replace("foreign", "mine"), Remove("fore")])
def test_a_foreign_entry_is_drift_and_stays(op: object) -> None:
    session = Session()
    session.another_writes("known", "foreign")
    error = session.store.apply("memory", op).error
    assert (error.code, error.entry) == ("drift", "foreign")
    assert "'foreign'" in error.message
    assert session.on_disk() == ["known", "foreign"]


@pytest.mark.parametrize("op", [Remove("foreign"), Replace("foreign", "mine")])
def test_the_second_try_is_deliberate_and_goes_through(op: object) -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.code(op) == "drift"
    assert session.store.entries("memory") == ("known", "foreign"), "the view is refreshed"
    assert session.code(op) in ("removed", "replaced")


def test_drift_reveals_that_one_entry_and_no_other() -> None:
    session = Session()
    session.another_writes("known", "foreign one", "foreign two")
    assert session.code(Remove("foreign one")) == "drift"
    assert session.code(Remove("foreign two")) == "drift"
    assert session.code(Remove("foreign one")) == "removed"


def test_no_match_reveals_the_entry_that_it_names() -> None:
    session = Session()
    session.another_writes("known", "a foreign entry")
    assert session.store.apply("memory", Remove("a foreing entry")).error.entry == "a foreign entry"
    assert session.code(Remove("a foreign entry")) == "removed"


def test_ambiguous_reveals_nothing() -> None:
    session = Session()
    session.another_writes("foreign one", "foreign two")
    assert session.code(Remove("foreign")) == "ambiguous"
    assert session.code(Remove("foreign one")) == "drift"


def test_a_foreign_entry_never_blocks_an_add_and_the_add_does_not_make_it_seen() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.code(Add("mine")) == "added"
    assert session.on_disk() == ["known", "foreign", "mine"]
    assert session.store.entries("memory") == ("known", "foreign", "mine")
    assert session.code(Remove("foreign")) == "drift"


def test_removing_a_known_entry_leaves_the_foreign_ones_unseen() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.code(Remove("known")) == "removed"
    assert session.code(Remove("foreign")) == "drift"


def test_what_was_loaded_is_seen() -> None:
    assert Session().code(Remove("known")) == "removed"


def test_what_this_session_wrote_is_seen() -> None:
    session = Session()
    session.code(Add("mine"))
    assert session.code(Replace("mine", "mine now")) == "replaced"
    assert session.code(Remove("mine now")) == "removed"


def test_reinforcing_a_foreign_entry_makes_it_seen() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.code(Add("foreign")) == "reinforced"
    assert session.code(Remove("foreign")) == "removed"


def test_a_later_load_makes_everything_seen() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    session.store.load().expect("a later load")
    assert session.store.entries("memory") == ("known", "foreign")
    assert session.code(Remove("foreign")) == "removed"


def test_nothing_leaves_the_set_an_entry_that_comes_back_is_still_seen() -> None:
    session = Session()
    assert session.code(Remove("known")) == "removed"
    session.another_writes("known")
    assert session.code(Remove("known")) == "removed"


def test_an_entry_that_another_changed_is_foreign_again() -> None:
    session = Session("the user likes tea")
    session.another_writes("the user likes tea with milk")
    assert session.code(Replace("likes tea", "the user likes coffee")) == "drift"
    assert session.on_disk() == ["the user likes tea with milk"]


def test_one_session_does_not_see_for_another() -> None:
    session = Session()
    other = MemoryStore(session.disk)
    other.load()
    session.code(Add("mine"))
    assert other.apply("memory", Remove("mine")).error.code == "drift"


def test_each_target_has_its_own_set() -> None:
    session = Session()
    session.disk.write("memory/USER.md", b"known").expect("another session writes")
    assert session.store.apply("user", Remove("known")).error.code == "drift"


def test_a_batch_may_change_what_it_wrote_itself() -> None:
    session = Session()
    assert session.batch_code(Add("mine"), Replace("mine", "ours"), Remove("ours")) == "batch"


def test_a_foreign_entry_within_a_batch_is_drift_for_all_of_it() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.batch_code(Add("mine"), Remove("foreign")) == "drift"
    assert session.on_disk() == ["known", "foreign"]
    assert session.batch_code(Add("mine"), Remove("foreign")) == "batch"
    assert session.on_disk() == ["known", "mine"]


@pytest.mark.parametrize(
    ("last", "code"),
    [(Remove("nothing of it"), "no-match"), (Add("x" * 3000), "over-budget")],
)
def test_a_failed_batch_makes_nothing_seen_by_reinforcing_it(last: object, code: str) -> None:
    session = Session("known: the nearest to nothing of the kind")
    known = session.on_disk()
    session.another_writes(*known, "zz")
    assert session.batch_code(Add("zz"), last) == code
    assert session.code(Remove("zz")) == "drift"


def test_a_failed_batch_makes_nothing_seen_by_having_nearly_written_it() -> None:
    session = Session(sync=fails("no-space"))
    assert session.batch_code(Add("mine")) == "write-failed"
    assert session.code(Add("mine too")) == "write-failed"
    session.another_writes("known", "mine", "mine too")
    assert session.code(Remove("mine too")) == "drift"
    assert session.code(Remove("mine")) == "drift"


def test_a_failed_batch_still_reveals_what_its_drift_named() -> None:
    session = Session()
    session.another_writes("known", "foreign")
    assert session.batch_code(Add("mine"), Remove("foreign")) == "drift"
    assert session.code(Remove("foreign")) == "removed"


def test_an_uncertain_write_makes_its_entry_seen() -> None:
    session = Session(sync_dir=fails("io"))
    assert session.code(Add("mine")) == "write-uncertain"
    session.port.instead.clear()
    assert session.code(Remove("mine")) == "removed"
