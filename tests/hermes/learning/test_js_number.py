"""Numbers as JavaScript prints them; the listed ones were printed by a JavaScript engine."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from alembic_sim.hermes.learning.js_number import js_number


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1"),
        (1.0, "1"),
        (0, "0"),
        (-0.0, "0"),
        (0.7, "0.7"),
        (100, "100"),
        (-1.5, "-1.5"),
        (4.35, "4.35"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.6999999999999998, "0.6999999999999998"),
        (1e-6, "0.000001"),
        (0.000001234, "0.000001234"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (-1e-7, "-1e-7"),
        (123456.789e3, "123456789"),
        (1e16, "10000000000000000"),
        (9007199254740993, "9007199254740992"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.2e21, "1.2e+21"),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
        (1.5e-323, "1.5e-323"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_a_number_is_printed_as_javascript_prints_it(number: float, text: str) -> None:
    assert js_number(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(-0.0)
@example(2.0**-1074)
@example(1e21)
@example(999999999999999900000.0)
def test_the_text_reads_back_as_the_same_number(number: float) -> None:
    assert float(js_number(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_has_javascripts_form_and_no_needless_digit(number: float) -> None:
    text = js_number(number)
    assert re.fullmatch(r"-?(0|[1-9]\d{0,20})(\.\d*[1-9])?|-?\d(\.\d*[1-9])?e[+-]\d+", text)
    digits = re.sub(r"e.*|[-.]", "", text).strip("0")
    assert len(digits) <= len(re.sub(r"e.*|[-.]", "", repr(number)).strip("0"))
