"""Numbers over many replicas: their spread and their band, as texts and as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from statistics import fmean, quantiles, stdev
from typing import Any

BAND = (10, 90)
"""Of a hundred replicas, how many lie below a band and below its upper edge."""

Record = Mapping[str, object]
"""A row by the names of its columns."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A number over the replicas: its mean, and how far one replica is from it.

    A `lone` replica is the mean itself, and says nothing of how far another one would be. Eight of
    ten replicas lie in the `band`, from its lower to its upper edge.
    """

    mean: float
    deviation: float
    lone: bool = field(default=False, compare=False)
    band: tuple[float, float] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """`12 ± 3`, `1.2 ± 0.9` below ten, and `12` of a lone replica."""
        if self.lone:
            return short_number(self.mean)
        decimals = _decimals(self.mean)
        return f"{self.mean:.{decimals}f} ± {self.deviation:.{decimals}f}"

    def with_band(self) -> str:
        """`12 ± 3 (8–16)`: where eight of ten replicas lie, to the whole number."""
        if self.band is None:
            return str(self)
        low, high = self.band
        return f"{self} ({low:.0f}–{high:.0f})"

    def to_json(self) -> dict[str, float | None]:
        """Both numbers by their names; the deviation of a lone replica is null."""
        return {"mean": self.mean, "deviation": None if self.lone else self.deviation}


def spread_of(values: Sequence[float]) -> Spread:
    """The spread of one number or more."""
    if len(values) == 1:
        return Spread(values[0], 0.0, lone=True)
    band = band_of(0, values)
    return Spread(fmean(values), stdev(values), band=(band.low, band.high))


@dataclass(frozen=True, slots=True)
class Band:
    """Where eight of ten replicas are at the end of a day."""

    day: int
    low: float
    median: float
    high: float


def band_of(day: int, values: Sequence[float]) -> Band:
    """The band of one number or more, interpolated between the ones on either side."""
    if len(values) == 1:
        return Band(day, *(float(values[0]),) * 3)
    cuts = quantiles(values, n=100, method="inclusive")
    return Band(day, cuts[BAND[0] - 1], cuts[49], cuts[BAND[1] - 1])


def short_number(number: float) -> str:
    """With a decimal below ten.

    >>> short_number(9.94), short_number(9.96), short_number(-3.0), short_number(0.0)
    ('9.9', '10', '-3.0', '0.0')
    """
    return f"{number:.{_decimals(number)}f}"


def _decimals(number: float) -> int:
    return 1 if abs(round(number, 1)) < 10 else 0


def csv_text(records: Sequence[Record]) -> str:
    """The records as CSV with a heading, all of the first one's columns; nothing of none."""
    out = io.StringIO()
    if records:
        writer = csv.DictWriter(out, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return out.getvalue()


def frame_of(records: Sequence[Record]) -> Any:
    """The records as a pandas table; pandas is optional, without it this raises `ImportError`."""
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install pandas") from error
    return pandas.DataFrame.from_records(list(records))
