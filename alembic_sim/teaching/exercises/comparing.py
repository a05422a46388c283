"""Whether a learner's answer is the right one: by value, but never by a type that only looks so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import starmap
from typing import Any


@dataclass(frozen=True, slots=True)
class Anything:
    """Stands in an expected answer for whatever `fits`, e.g. a reason in the learner's words."""

    what: str
    fits: Callable[[Any], bool]


A_REASON = Anything("a reason", lambda got: type(got) is str and bool(got.strip()))
"""Any text that is not blank."""


def same(expected: object, got: object) -> bool:
    """Whether `got` is the expected answer; whatever a learner gives back, this does not raise.

    A list is as good as a tuple and 30 as good as 30.0, but True is not 1.
    """
    try:
        return _same(expected, got)
    except Exception:  # a learner's own __eq__, __hash__ or __iter__
        return False


def _same(expected: object, got: object) -> bool:
    match expected:
        case Anything():
            return expected.fits(got)
        case bool() | None | str():
            return type(got) is type(expected) and got == expected
        case int() | float():
            return isinstance(got, int | float) and type(got) is not bool and got == expected
        case tuple() | list():
            if type(got) not in (tuple, list):
                return False
            assert isinstance(got, tuple | list)
            return len(got) == len(expected) and all(
                starmap(_same, zip(expected, got, strict=True))
            )
        case dict():
            return (
                isinstance(got, dict)  # a defaultdict is as good
                and set(got) == set(expected)
                and all(_same(value, got[key]) for key, value in expected.items())
            )
    return type(got) is type(expected) and got == expected
