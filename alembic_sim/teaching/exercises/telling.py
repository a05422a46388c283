"""Values as short, stable text: no address, no line break, no order that changes between runs."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.result import Err, Ok, describe
from alembic_sim.shorten import raised, shorten
from alembic_sim.teaching.exercises.comparing import Anything

MAX_DEPTH = 6
MAX_TEXT = 60

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_MAX_DAYS = 99_999
"""The most days in which milliseconds are told: beyond them nobody counts in days."""

_MS_FIELDS = ("created_at", "last_activity_at")


def tell(value: object, depth: int = 0) -> str:
    """The value in Python's own spelling where that is stable, else its type in words.

    >>> tell({"b": [True, None], "a": math.inf}), tell(print)
    ("{'b': [True, None], 'a': math.inf}", 'a function')
    """
    try:
        return _tell(value, depth)
    except Exception:  # a learner's class may refuse to be looked at
        return _kind(value)


def _tell(value: object, depth: int) -> str:
    if depth > MAX_DEPTH:
        return "…"

    def inside(values: Iterable[object]) -> str:
        return ", ".join(tell(one, depth + 1) for one in values)

    kind = type(value)
    match value:
        case Anything():
            return f"<{value.what}>"
        case None:
            return "None"
        case _ if value is ...:
            return "..."
        case float() if kind is float and not math.isfinite(value):
            return "math.nan" if math.isnan(value) else f"{'-' if value < 0 else ''}math.inf"
        case int() if kind is int and abs(value) > 10**MAX_TEXT:
            return "a number of very many digits"
        case bool() | int() | float() | str() | bytes() if kind.__module__ == "builtins":
            return shorten(value, MAX_TEXT)
        case tuple() if kind is tuple:
            return f"({inside(value)}{',' if len(value) == 1 else ''})"
        case list() if kind is list:
            return f"[{inside(value)}]"
        case dict() if isinstance(value, dict):
            items = (f"{tell(key)}: {tell(held, depth + 1)}" for key, held in value.items())
            return f"{{{', '.join(items)}}}"
        case set() | frozenset():
            told = sorted(tell(one, depth + 1) for one in value)
            return f"a set of {', '.join(told) or 'nothing'}"
        case Ok(content):
            return f"Ok({tell(content, depth + 1)})"
        case Err(error):
            return f"Err({_one_line(describe(error))})"
        case UsageRecord():
            return tell_record(value)
    if is_dataclass(value) and kind.__module__.startswith("alembic_sim."):
        parts = (f"{f.name}={tell(getattr(value, f.name), depth + 1)}" for f in fields(value))
        return f"{kind.__name__}({', '.join(parts)})"
    return _kind(value)


def tell_ms(ms: float) -> str:
    """Milliseconds in days, as Python that gives them back.

    >>> tell_ms(30 * DAY_MS), tell_ms(30 * DAY_MS - 1), tell_ms(2 * DAY_MS + 5), tell_ms(7)
    ('30*DAY_MS', '30*DAY_MS - 1', '2*DAY_MS + 5', '7')
    >>> tell_ms(10**15)
    '1000000000000000'
    """
    if not isinstance(ms, int):
        return tell(ms)
    days = (ms + DAY_MS // 2) // DAY_MS
    rest = ms - days * DAY_MS
    if days == 0 or abs(days) > _MAX_DAYS:
        return tell(ms)
    return f"{days}*DAY_MS" + (f" {'+' if rest > 0 else '-'} {abs(rest)}" if rest else "")


def tell_record(record: UsageRecord, always: tuple[str, ...] = ("last_activity_at",)) -> str:
    """The record as Python that builds it: the fields that differ from a fresh one's.

    >>> tell_record(UsageRecord(created_by="agent", created_at=10 * DAY_MS))
    "UsageRecord(created_by='agent', created_at=10*DAY_MS, last_activity_at=0)"
    """
    fresh = UsageRecord()
    parts = []
    for name in ("created_by", "pinned", "state", "created_at", "last_activity_at"):
        value = getattr(record, name)
        if name in always or value != getattr(fresh, name):
            parts.append(f"{name}={tell_ms(value) if name in _MS_FIELDS else tell(value)}")
    return f"UsageRecord({', '.join(parts)})"


def tell_raised(error: BaseException) -> str:
    """The exception in one line, without addresses.

    >>> tell_raised(ValueError("two\\nlines")), tell_raised(RecursionError("deep"))
    ('raised ValueError: two lines', 'no answer: it calls itself without end (RecursionError)')
    """
    if isinstance(error, RecursionError):  # its message says where, and that differs
        return "no answer: it calls itself without end (RecursionError)"
    return f"raised {_one_line(raised(error))}"


def told_apart(expected: str, got: str, width: int) -> tuple[str, str]:
    """Both texts, at most `width` long; where they differ stays in sight.

    >>> told_apart("a" * 40 + "b", "a" * 40 + "c", 12)
    ('…aaaaaaaaaab', '…aaaaaaaaaac')
    """
    start = 0
    if max(len(expected), len(got)) > width:
        pairs = zip(expected, got, strict=False)
        common = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(got)))
        start = max(0, min(common - width // 2, max(len(expected), len(got)) - width + 1))
    return _window(expected, start, width), _window(got, start, width)


def cut(text: str, width: int) -> str:
    """The text, at most `width` long."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _window(text: str, start: int, width: int) -> str:
    return cut(f"…{text[start:]}" if start else text, width)


def _one_line(text: str) -> str:
    return cut(" ".join(_ADDRESS.sub("0x…", text).split()), 2 * MAX_TEXT)


def _kind(value: object) -> str:
    if inspect.isroutine(value):
        return "a function"
    kind = type(value)
    plain = kind.__module__ in ("builtins", "__main__")
    name = kind.__name__ if plain else f"{kind.__module__}.{kind.__name__}"
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
