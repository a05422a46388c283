"""Where entries stand in a memory file: the parser's entries, each with its line."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim.hermes.linting.entry_places import PlacedEntry, place_entries
from alembic_sim.hermes.memory.entry_text import parse_entries

HOSTILE = st.lists(
    st.sampled_from(["§", "§ ", " §", "a", "b", "", " ", "\ufeff", "\ufeff§", "\r", "a§", "§a"])
).map("\n".join)


@given(HOSTILE | st.text())
@example("\ufeff§\na\n§\n\ufeff§\nb")
@example("\ufeffone\r\n§\r\n\r\n§\r\none  ")
def test_without_blanks_and_repeats_they_are_what_the_parser_reads(text: str) -> None:
    placed = [entry.text for entry in place_entries(text) if entry.text]
    assert tuple(dict.fromkeys(placed)) == parse_entries(text)


def test_each_has_the_number_and_the_line_that_a_person_counts() -> None:
    assert place_entries("one\ntwo\n§\n\n§\n\n  three\nfour\n§\none\ntwo\n") == (
        PlacedEntry(1, 1, "one\ntwo"),
        PlacedEntry(2, 4, ""),
        PlacedEntry(3, 7, "three\nfour"),
        PlacedEntry(4, 10, "one\ntwo"),
    )


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", " \r\n "])
def test_an_empty_file_has_none(text: str) -> None:
    assert place_entries(text) == ()
