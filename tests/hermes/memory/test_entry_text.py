"""The text of a memory file: what parses to what, and that nothing is lost on the way back."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import ENTRY_DELIMITER, Add, MemoryFs, MemoryStore
from alembic_sim.hermes.memory.entry_text import (
    clean_text,
    holds_delimiter_line,
    normalise_newlines,
    parse_entries,
    serialise_entries,
)

# Everything that ever mattered to a line, a strip, or a delimiter.
NASTY = "§\n\r \t\ufeff\u0085\u2028\u00a0\u3000\x1c\x0b\x0c\0ab"
TEXTS = st.text(alphabet=NASTY, max_size=30) | st.text(max_size=30)


def test_the_delimiter_is_a_section_sign_on_a_line_of_its_own() -> None:
    assert ENTRY_DELIMITER == "\n§\n"
    assert serialise_entries(["one", "two", "three"]) == "one\n§\ntwo\n§\nthree"


def test_no_entries_are_an_empty_file_and_one_entry_is_its_own_text() -> None:
    assert serialise_entries([]) == ""
    assert serialise_entries(["one"]) == "one"


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", ()),
        (" \n\t\n", ()),
        ("one", ("one",)),
        ("one\n", ("one",)),
        ("  one  ", ("one",)),
        ("one\n§\ntwo", ("one", "two")),
        ("§", ()),
        ("§\n§\n§", ()),
        ("\n§\n", ()),
        ("§\none", ("one",)),
        ("one\n§", ("one",)),
        ("one\n§\n", ("one",)),
        ("one\n§\n\n§\n \n§\ntwo", ("one", "two")),
        ("one\n\n§\n\n\ntwo", ("one", "two")),
        # a § inside a line separates nothing
        ("see § 5", ("see § 5",)),
        ("one § two\n§\nthree", ("one § two", "three")),
        ("§ one", ("§ one",)),
        ("§§", ("§§",)),
        ("one\n§ \ntwo", ("one\n§ \ntwo",)),
        ("one\n §\ntwo", ("one\n §\ntwo",)),
        # other systems' newlines
        ("one\r\n§\r\ntwo", ("one", "two")),
        ("one\r§\rtwo", ("one", "two")),
        ("line a\r\nline b", ("line a\nline b",)),
        ("line a\rline b", ("line a\nline b",)),
        ("one\n\r\n§\n\r\ntwo", ("one", "two")),
        # but only those: U+2028, U+0085, VT and FF are characters of a line
        ("one\u2028§\u2028two", ("one\u2028§\u2028two",)),
        ("one\u0085§\u0085two", ("one\u0085§\u0085two",)),
        ("one\x0b§\x0ctwo", ("one\x0b§\x0ctwo",)),
        # byte-order marks
        ("\ufeffone\n§\ntwo", ("one", "two")),
        ("\ufeff\ufeffone", ("one",)),
        ("\ufeff", ()),
        ("\ufeff§\none", ("one",)),
        ("one\ufefftwo", ("one\ufefftwo",)),
        ("one\n§\n\ufefftwo", ("one", "two")),
        # duplicates: the first stays
        ("one\n§\ntwo\n§\none", ("one", "two")),
        ("one\n§\n  one\n", ("one",)),
        ("one\n§\nOne", ("one", "One")),
        # the blanks inside an entry are its own
        ("one\n\n  two\n§\nthree", ("one\n\n  two", "three")),
        # what stripping blanks would turn into a delimiter line is one
        ("one\n§\n §\n§\ntwo", ("one", "two")),
        ("one\n§\n§ \n§\ntwo", ("one", "two")),
        (" §", ()),
        ("§ ", ()),
        (" §\none", ("one",)),
        ("one\n§ ", ("one",)),
        ("one\n§\n\t§\n \n§ \n§\ntwo", ("one", "two")),
        ("\u00a0§\u00a0", ()),
        ("a\0b", ("a\0b",)),
    ],
)
def test_a_file_parses_as_listed_here(text: str, entries: tuple[str, ...]) -> None:
    assert parse_entries(text) == entries


@given(TEXTS)
@example("one\n§\n\ufeff§\n§\ntwo")
@example(" \ufeff §\none")
@example("§ \n ")
@example("§ \n§ ")
@example("\ufeff §\n§\n one")
def test_what_a_file_parses_to_is_written_so_that_it_parses_to_the_same(text: str) -> None:
    entries = parse_entries(text)
    assert parse_entries(serialise_entries(entries)) == entries


@given(TEXTS)
def test_no_entry_is_blank_doubled_or_holds_a_delimiter_line(text: str) -> None:
    entries = parse_entries(text)
    assert all(entry.strip() for entry in entries)
    assert len(set(entries)) == len(entries)
    assert not any(holds_delimiter_line(entry) for entry in entries)
    assert not any("\r" in entry for entry in entries)


def by_the_letter(text: str) -> tuple[str, ...]:
    """The contract's sentence, word for word: an oracle that shares no code with the package."""
    parts, lines = [""], text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for line in lines:
        if line == "§":
            parts.append("")
        else:
            parts[-1] += line + "\n"
    kept: list[str] = []
    for part in map(str.strip, parts):
        if part and part not in kept:
            kept.append(part)
    return tuple(kept)


@given(st.text(alphabet="§\n\r \tab\u2028", max_size=30) | st.text(max_size=30))
@example("a\r\n§\r\nb")
@example("a\n§\n\n§\na")
def test_parsing_is_what_the_contract_says_by_the_letter(text: str) -> None:
    """Where stripping lays a new delimiter line bare, or a mark, the letter does not round-trip."""
    expected = by_the_letter(text)
    if by_the_letter(serialise_entries(expected)) == expected and "\ufeff" not in text[1:]:
        assert parse_entries(text) == expected


@given(st.lists(TEXTS, max_size=6))
def test_every_list_that_a_store_accepts_comes_back_as_it_was(texts: list[str]) -> None:
    fs = MemoryFs()
    store = MemoryStore(fs)
    for text in texts:
        store.apply("memory", Add(text))
    entries = store.entries("memory")
    assert parse_entries(serialise_entries(entries)) == entries
    assert MemoryStore(fs).entries("memory") == entries


@given(TEXTS)
def test_a_text_cleaned_twice_is_a_text_cleaned_once(text: str) -> None:
    clean = clean_text(text)
    assert clean_text(clean) == clean
    assert clean == clean.strip()
    assert not clean.startswith("\ufeff")


@given(TEXTS)
def test_a_clean_text_without_a_delimiter_line_is_an_entry_as_it_stands(text: str) -> None:
    clean = clean_text(text)
    if clean and not holds_delimiter_line(clean):
        assert parse_entries(clean) == (clean,)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  a  ", "a"),
        ("\r\na\r\nb\r\n", "a\nb"),
        ("\ufeffa", "a"),
        (" \ufeff \ufeff a", "a"),
        ("a\ufeff", "a\ufeff"),
        ("\u00a0a\u3000", "a"),
        ("\ufeff", ""),
    ],
)
def test_a_text_is_cleaned_as_listed_here(text: str, clean: str) -> None:
    assert clean_text(text) == clean


def test_both_foreign_newlines_become_one_line_feed() -> None:
    assert normalise_newlines("a\r\nb\rc\n\rd") == "a\nb\nc\n\nd"


@pytest.mark.parametrize("text", ["§", "a\n§", "§\na", "a\n§\nb"])
def test_a_line_that_is_exactly_the_sign_is_a_delimiter_line(text: str) -> None:
    assert holds_delimiter_line(text)


@pytest.mark.parametrize("text", ["", "§§", "a § b", " §", "§ ", "a\n§ b", "a\r§\rb"])
def test_a_sign_among_others_is_not_a_delimiter_line(text: str) -> None:
    assert not holds_delimiter_line(text)
