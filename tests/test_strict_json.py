"""Strict JSON: what the grammar allows, minus what a hostile or broken writer may add."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim import Err, Ok
from alembic_sim.strict_json import dump_strict_json, json_type, parse_strict_json

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # Cs: a lone surrogate is text to Python but not to JSON
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


def reason(source: str | bytes) -> str:
    error = parse_strict_json(source).error
    assert error.code == "not-json"
    return error.message


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("[]", []),
        (
            ' {"a": [1, -2.5, 1e2, true, false, null]} \n',
            {"a": [1, -2.5, 100.0, True, False, None]},
        ),
        ('"\\ud83d\\ude00 é"', "😀 é"),
        ("-0", 0),
        ("9007199254740993", 9007199254740993),
        ('{"a": {"a": 1}, "b": {"a": 1}}', {"a": {"a": 1}, "b": {"a": 1}}),
    ],
)
def test_what_the_grammar_allows_is_read(text: str, document: object) -> None:
    assert parse_strict_json(text) == Ok(document)
    assert parse_strict_json(text.encode("utf-8")) == Ok(document)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[",
        "[1,]",
        "{'a': 1}",
        "[1] [2]",
        "// comment\n[]",
        "[01]",
        "[+1]",
        "[.5]",
        '["\t"]',
        "\ufeff[]",
        "undefined",
        "```json\n[]\n```",
    ],
)
def test_what_the_grammar_forbids_is_refused(text: str) -> None:
    assert reason(text).startswith("not strict JSON: ")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_that_only_javascript_knows_as_numbers_are_refused(word: str) -> None:
    assert word in reason(f"[{word}]")


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 301, "-" + "9" * 300, "1" * 4301])
def test_numbers_that_overflow_or_have_hundreds_of_digits_are_refused(number: str) -> None:
    assert "too large" in reason(f"[{number}]")


def test_a_number_of_three_hundred_digits_is_still_read() -> None:
    assert parse_strict_json("9" * 300) == Ok(10**300 - 1)
    assert parse_strict_json("0." + "1" * 298).ok
    assert "too large" in reason("0." + "1" * 299)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"b": 1, "a": 1, "c": 1, "a": 2}',
        '{"a": 1, "\\u0061": 2}',
        '[{"b": {"a": 1, "a": 2}}]',
    ],
)
def test_a_key_that_appears_twice_is_refused_by_name(text: str) -> None:
    assert "'a' appears twice" in reason(text)


@pytest.mark.parametrize("text", ['"\\ud800"', '["x\\udfff"]', '{"\\ud800": 1}', '"\ud800"'])
def test_a_lone_surrogate_is_refused_as_value_and_as_key(text: str) -> None:
    assert "is a lone surrogate" in reason(text)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    assert "UTF-8" in reason(b'["\xff"]')
    assert "UTF-8" in reason("[]".encode("utf-16"))


NESTS = {
    "arrays": lambda depth: "[" * depth + "]" * depth,
    "arrays around a number": lambda depth: "[" * depth + "1" + "]" * depth,
    "objects": lambda depth: '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1),
    "objects around a text": lambda depth: '{"a":' * depth + '"b"' + "}" * depth,
}


@pytest.mark.parametrize("nest", NESTS.values(), ids=NESTS)
def test_nesting_of_32_is_read_and_of_33_is_refused(nest: object) -> None:
    assert parse_strict_json(nest(32)).ok
    assert "nested deeper than 32" in reason(nest(33))


def test_nesting_beyond_what_python_can_hold_is_refused_not_raised() -> None:
    assert "nested deeper than 32" in reason("[" * 200_000)
    assert "nested deeper than 32" in reason('{"a":' * 200_000)


def test_the_depth_can_be_set() -> None:
    assert parse_strict_json("[[]]", max_depth=2).ok
    assert not parse_strict_json("[[]]", max_depth=1).ok


@given(st.binary() | st.text() | st.text(alphabet='[]{}",:0123456789.eE+-\\untrfals '))
@example(b"\xef\xbb\xbf[]")
@example("[" * 100)
def test_anything_at_all_gives_a_document_or_an_error_value(source: str | bytes) -> None:
    match parse_strict_json(source):
        case Ok(document):
            again = json.dumps(document, allow_nan=False)  # Python's own reading as the oracle
            assert json.loads(source) == json.loads(again)
        case Err(error):
            assert (error.code, bool(error.message)) == ("not-json", True)


@given(JSON_VALUES)
def test_what_is_dumped_reads_back_the_same_and_dumps_to_the_same_text(document: object) -> None:
    text = dump_strict_json(document)
    assert parse_strict_json(text) == Ok(document)
    assert dump_strict_json(json.loads(text)) == text


def test_a_dump_has_sorted_keys_two_spaces_real_letters_and_a_final_newline() -> None:
    assert dump_strict_json({"b": ["é", 1], "a": {}}) == (
        '{\n  "a": {},\n  "b": [\n    "é",\n    1\n  ]\n}\n'
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_dump_never_holds_nan_or_infinity(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_strict_json({"a": [number]})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{}", "object"),
        ("[]", "array"),
        ('""', "text"),
        ("1", "number"),
        ("1.5", "number"),
        ("true", "true or false"),
        ("null", "null"),
    ],
)
def test_a_value_is_called_what_json_calls_it(text: str, name: str) -> None:
    assert json_type(json.loads(text)) == name
