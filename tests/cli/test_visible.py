"""Text from a file cannot drive the terminal it is printed on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.cli.visible import visible, visible_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("fix-ci", "fix-ci"),
        ("é § ≥ 🜁 'quoted' \\ ", "é § ≥ 🜁 'quoted' \\ "),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\r\tb", "a\\r\\tb"),
        ("\u202e\u200b", "\\u202e\\u200b"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_can_be_printed_stays_and_the_rest_is_shown(text: str, shown: str) -> None:
    assert visible(text) == visible_line(text) == shown


def test_a_newline_stays_in_a_text_and_is_shown_in_a_line() -> None:
    assert visible("a\nb") == "a\nb"
    assert visible_line("a\nb") == "a\\nb"


@given(st.text())
def test_a_line_is_one_printable_line(text: str) -> None:
    assert visible_line(text).isprintable()
    assert visible_line("plain").splitlines() == ["plain"]
