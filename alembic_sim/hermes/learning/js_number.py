"""Numbers as JavaScript prints them, so that reasons read as the seed's do."""

from __future__ import annotations

import math
from decimal import Decimal


def js_number(number: float) -> str:
    """The shortest text that reads back as the number, as `Number.prototype.toString` has it.

    >>> js_number(1.0), js_number(0.7), js_number(1e-07), js_number(-0.0)
    ('1', '0.7', '1e-7', '0')
    """
    if not math.isfinite(number):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(number)]
    if number == 0:
        return "0"
    shortest = Decimal(repr(abs(float(number)))).normalize()
    digits = "".join(map(str, shortest.as_tuple().digits))
    point = shortest.adjusted() + 1  # how many digits stand before the decimal point
    sign = "-" if number < 0 else ""
    if 0 < point <= 21:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
        return sign + whole + (f".{rest}" if rest else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"
