"""What a widget's constructor may be given: each check raises `ValueError` naming the field, the
value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.shorten import shorten


def check_whole(field: str, value: object, low: int, high: int) -> None:
    """Nothing, for a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        _refuse(field, value, f"a whole number from {low} to {high}")


def check_fraction(field: str, value: object) -> None:
    """Nothing, for a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        _refuse(field, value, "a number from 0 to 1")


def check_one_of(field: str, value: object, allowed: Sequence[object]) -> None:
    """Nothing, for one of the allowed values; True is not 1."""
    if not any(type(value) is type(one) and value == one for one in allowed):
        _refuse(field, value, f"one of {', '.join(shorten(one) for one in allowed)}")


def check_switch(field: str, value: object) -> None:
    """Nothing, for True or False."""
    if not isinstance(value, bool):
        _refuse(field, value, "True or False")


def check_text(field: str, value: object) -> None:
    """Nothing, for a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        _refuse(field, value, "a text that is not blank")


def check_list(field: str, value: object, of_what: str) -> None:
    """Nothing, for a list or tuple with something in it."""
    if not isinstance(value, list | tuple) or not value:
        _refuse(field, value, f"a list of {of_what} with at least one in it")


def _refuse(field: str, value: object, allowed: str) -> None:
    raise ValueError(f"{field}: {shorten(value)} is not {allowed}")
