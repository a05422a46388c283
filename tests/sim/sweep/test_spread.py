"""Spreads, bands and tables: what both sweeps say of many replicas."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.sim.sweep.spread import (
    Band,
    Spread,
    band_of,
    csv_text,
    frame_of,
    short_number,
    spread_of,
)

NUMBERS = st.lists(st.integers(0, 1000), min_size=1, max_size=40)


def test_a_spread_is_the_mean_and_the_deviation_of_a_sample() -> None:
    assert spread_of([10, 12]) == Spread(11, 2**0.5)
    assert spread_of([10, 12]).to_json() == {"mean": 11, "deviation": 2**0.5}


def test_a_lone_replica_tells_no_spread() -> None:
    alone = spread_of([7])
    assert (alone.mean, str(alone)) == (7, "7.0")
    assert alone.to_json() == {"mean": 7, "deviation": None}
    assert str(spread_of([7, 7])) == "7.0 ± 0.0"


@pytest.mark.parametrize(
    ("spread", "text"),
    [
        (Spread(1.23, 0.94), "1.2 ± 0.9"),
        (Spread(9.94, 2), "9.9 ± 2.0"),
        (Spread(9.96, 2.6), "10 ± 3"),
        (Spread(-9.96, 2.6), "-10 ± 3"),
        (Spread(1234.5, 0.2), "1234 ± 0"),
    ],
)
def test_a_spread_is_told_with_a_decimal_below_ten(spread: Spread, text: str) -> None:
    assert str(spread) == text
    assert short_number(spread.mean) == text.split(" ± ")[0]


def test_a_band_leaves_a_tenth_of_the_replicas_below_and_a_tenth_above() -> None:
    assert band_of(3, range(11)) == Band(3, 1, 5, 9)
    assert band_of(3, [0, 1]) == Band(3, 0.1, 0.5, 0.9)
    assert band_of(3, [4]) == Band(3, 4, 4, 4)


@given(NUMBERS, st.randoms())
def test_a_band_lies_within_its_numbers_whatever_their_order(
    numbers: list[int], chance: st.DrawFn
) -> None:
    band = band_of(0, numbers)
    assert min(numbers) <= band.low <= band.median <= band.high <= max(numbers)
    assert band_of(0, chance.sample(numbers, len(numbers))) == band


def test_csv_has_a_heading_and_a_line_for_each_record_and_quotes_what_needs_it() -> None:
    records = [{"name": "a,b", "number": 1}, {"name": "c", "number": 2.5}]
    assert csv_text(records) == 'name,number\n"a,b",1\nc,2.5\n'
    assert csv_text([]) == ""


def test_a_frame_is_pandas_own_and_without_pandas_the_message_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Frames:
        class DataFrame:
            from_records = staticmethod(lambda records: ("frame", records))

    monkeypatch.setitem(sys.modules, "pandas", Frames)
    assert frame_of(({"a": 1},)) == ("frame", [{"a": 1}])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        frame_of([])


def test_a_band_stands_behind_the_spread_and_a_lone_replica_has_none() -> None:
    assert spread_of([*range(101)]).with_band() == "50 ± 29 (10–90)"
    assert spread_of([7]).with_band() == str(spread_of([7])) == "7.0"
    assert spread_of([10, 12]) == spread_of([12, 10])
