"""A row of numbers as a row of little bars."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(numbers: Sequence[float], highest: float, width: int = 40) -> str:
    """At most `width` bars, each the last number of its stretch, as a share of `highest`.

    >>> sparkline([0, 1, 2, 3], highest=3)
    '▁▃▆█'
    """
    columns = min(width, len(numbers))
    ends = [(column + 1) * len(numbers) // columns - 1 for column in range(columns)]
    return "".join(_bar(numbers[end] / highest if highest else 0) for end in ends)


def _bar(share: float) -> str:
    top = len(_BARS) - 1
    return _BARS[min(top, max(0, int(share * top + 0.5)))]
