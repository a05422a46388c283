"""shorten and raised: whatever the value or the exception is, a message can hold it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.shorten import not_utf8, raised, shorten
from tests.meddled_fs import Liar, Unspeakable


@given(st.text() | st.binary() | st.integers() | st.lists(st.floats()), st.integers(2, 80))
def test_the_text_is_never_longer_than_the_limit(value: object, limit: int) -> None:
    assert len(shorten(value, limit)) <= limit


def test_a_short_value_is_shown_whole_and_a_long_one_says_that_it_was_cut() -> None:
    assert shorten("a" * 58) == repr("a" * 58)
    assert shorten("a" * 59) == "'" + "a" * 58 + "…"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(10**5000, "a int"), (Liar(), "a Liar"), ("\ud800", r"'\ud800'")],
    ids=["too many digits", "broken repr", "lone surrogate"],
)
def test_a_value_that_cannot_be_printed_is_named_by_its_type(value: object, shown: str) -> None:
    assert shorten(value) == shown


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (ValueError("no"), "ValueError: no"),
        (KeyError("name"), "KeyError: 'name'"),
        (RuntimeError(), "RuntimeError"),
        (Unspeakable(), "Unspeakable: (no message)"),
    ],
    ids=["with a message", "with a repr", "without", "unspeakable"],
)
def test_an_exception_is_named_by_its_type_and_its_message_if_it_has_one(
    error: Exception, shown: str
) -> None:
    assert raised(error) == shown


def test_text_that_is_not_utf8_is_told_by_its_place() -> None:
    with pytest.raises(UnicodeDecodeError) as undecodable:
        b"ab\xff".decode("utf-8")
    with pytest.raises(UnicodeEncodeError) as unencodable:
        "abc\ud800".encode()
    assert not_utf8(undecodable.value) == "byte 2 is not UTF-8"
    assert not_utf8(unencodable.value) == "character 3 is a lone surrogate"
    assert not_utf8(UnicodeError()) == "not UTF-8"
