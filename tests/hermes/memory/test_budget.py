"""The budget: code points of the joined text, delimiters included; what is over may shrink."""

from __future__ import annotations

import pytest

from alembic_sim import Add, MemoryFs, MemoryStore, Remove, Replace


def started(text: str = "", **limits: int) -> MemoryStore:
    store = MemoryStore(MemoryFs({"memory/MEMORY.md": text, "memory/USER.md": text}), **limits)
    store.load().expect("the session starts")
    return store


@pytest.mark.parametrize(("target", "limit"), [("memory", 2200), ("user", 1375)])
def test_a_store_takes_exactly_its_limit_and_not_one_more(target: str, limit: int) -> None:
    full = started().apply(target, Add("x" * limit)).expect("as much as fits")
    assert (full.used_chars, full.limit_chars) == (limit, limit)
    assert started().apply(target, Add("x" * (limit + 1))).error.code == "over-budget"


@pytest.mark.parametrize(("target", "limit"), [("memory", 2200), ("user", 1375)])
def test_the_three_characters_of_a_delimiter_count(target: str, limit: int) -> None:
    rest = limit - 1000 - len("\n§\n")
    store = started("x" * 1000)
    assert store.apply(target, Add("y" * (rest + 1))).error.code == "over-budget"
    assert store.apply(target, Add("y" * rest)).value.used_chars == limit


@pytest.mark.parametrize(
    ("text", "code_points"),
    [("é", 1), ("e\u0301", 2), ("😀", 1), ("👩\u200d💻", 3), ("a §", 3), ("a\r\nb", 3)],
)
def test_a_code_point_is_one_whatever_its_bytes_or_utf16_units(text: str, code_points: int) -> None:
    """The seed's JavaScript would count 😀 as two."""
    assert started(memory_char_limit=code_points).apply("memory", Add(text)).ok
    refused = started(memory_char_limit=code_points - 1).apply("memory", Add(text))
    assert refused.error.code == "over-budget"


def test_the_limits_can_be_set_each_on_its_own() -> None:
    store = started(memory_char_limit=5, user_char_limit=3)
    assert store.apply("memory", Add("12345")).ok
    assert store.apply("user", Add("1234")).error.code == "over-budget"


def test_a_store_tells_its_limits() -> None:
    store = started(memory_char_limit=5)
    assert (store.limit("memory"), store.limit("user")) == (5, 1375)
    assert [store.limit(target) for target in ("notes", None, [])] == [0, 0, 0]


def test_a_limit_of_nothing_takes_nothing_and_warns_of_what_is_there() -> None:
    assert started(memory_char_limit=0).apply("memory", Add("x")).error.code == "over-budget"
    [warning] = started("x", memory_char_limit=0).load().value.warnings
    assert "holds 1 of 0 characters (no budget at all)" in warning


OVER = "aaaaaaaaaa\n§\nbbbbbbbbbb\n§\ncccccccccc"  # 36 characters


def test_a_store_over_its_limit_may_shrink_step_by_step() -> None:
    store = started(OVER, memory_char_limit=10)
    assert store.apply("memory", Replace("aaa", "aaaaaaaaa")).value.used_chars == 35
    assert store.apply("memory", Remove("bbb")).value.used_chars == 22
    assert store.apply("memory", Remove("ccc")).value.used_chars == 9


def test_a_store_over_its_limit_may_change_at_the_same_size_but_not_grow_by_one() -> None:
    store = started(OVER, memory_char_limit=10)
    assert store.apply("memory", Replace("aaa", "AAAAAAAAAA")).value.used_chars == 36
    assert store.apply("memory", Replace("bbb", "bbbbbbbbbbb")).error.code == "over-budget"
    assert store.apply("memory", Add("d")).error.code == "over-budget"


def test_a_store_over_its_limit_still_reinforces() -> None:
    store = started(OVER, memory_char_limit=10)
    assert store.apply("memory", Add("aaaaaaaaaa")).value.kind == "reinforced"


def test_the_measure_of_an_untidy_file_is_what_it_parses_to_not_its_bytes() -> None:
    untidy = "abcdef\n§\nabcdef\n§\n\n\n§\nabcdefgh   "  # parses to 17 characters
    assert started(untidy, memory_char_limit=10).apply(
        "memory", Replace("abcdefgh", "abcdefghi")
    ).error.code == ("over-budget")
    assert started(untidy, memory_char_limit=10).apply("memory", Replace("abcdefgh", "abcdefgX")).ok


def test_merging_two_entries_frees_their_room() -> None:
    store = started("aaaaa\n§\nbbbbb", memory_char_limit=13)
    assert store.apply("memory", Replace("aaaaa", "bbbbb")).value.used_chars == 5


def test_a_batch_is_measured_once_at_its_end() -> None:
    store = started("aaaaaaaaaa", memory_char_limit=10)
    swap = [Add("bbbbbbbbbb"), Remove("aaaaaaaaaa")]
    assert store.apply_batch("memory", swap).value.used_chars == 10
    assert store.entries("memory") == ("bbbbbbbbbb",)
    assert store.apply_batch("memory", [Remove("bbb"), Add("c" * 11)]).error.code == "over-budget"
    assert store.entries("memory") == ("bbbbbbbbbb",)


@pytest.mark.parametrize("text", ["x" * 1_100_000, "😀" * 300_000])
def test_a_store_never_writes_a_file_that_it_could_not_read_again(text: str) -> None:
    """A file above 1 MiB is unreadable, so a limit beyond that is no licence to write one."""
    fs = MemoryFs()
    try:
        store = MemoryStore(fs, memory_char_limit=2_000_000)
    except ValueError:
        return
    refused = store.apply("memory", Add(text)).error
    assert refused.code == "over-budget"
    assert store.apply("memory", Add("small")).ok


def test_a_file_of_exactly_1_mib_is_written_and_read_again() -> None:
    fs = MemoryFs()
    text = "x" * (1024 * 1024)
    assert MemoryStore(fs, memory_char_limit=2_000_000).apply("memory", Add(text)).ok
    assert MemoryStore(fs, memory_char_limit=2_000_000).entries("memory") == (text,)
