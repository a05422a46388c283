"""Values as text, and whether two of them are the same answer."""

from __future__ import annotations

import math
from collections import defaultdict

import pytest

from alembic_sim import DAY_MS, Err, GateVerdict, Ok, UsageRecord
from alembic_sim.result import Fault
from alembic_sim.teaching.exercises.comparing import A_REASON, same
from alembic_sim.teaching.exercises.telling import (
    tell,
    tell_ms,
    tell_raised,
    tell_record,
    told_apart,
)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ((1, "a"), [1, "a"]),
        ([], ()),
        (30, 30.0),
        (math.inf, math.inf),
        ({"a": [1]}, defaultdict(list, a=[1])),
        ((True, A_REASON), (True, "because")),
        (None, None),
        (Ok(1), Ok(1)),
    ],
)
def test_these_are_the_same_answer(expected: object, got: object) -> None:
    assert same(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (True, 1),
        (1, True),
        (0, False),
        (False, None),
        (1, "1"),
        ("a", b"a"),
        ((1, 2), (2, 1)),
        ((1, 2), (1, 2, 3)),
        ((1,), 1),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1}, [("a", 1)]),
        ((True, A_REASON), (True, " \n")),
        ((True, A_REASON), (True, None)),
        ((True, A_REASON), (True, A_REASON)),
        (Ok(1), Err(1)),
        ([], {}),
        ("ab", ["a", "b"]),
    ],
)
def test_these_are_not(expected: object, got: object) -> None:
    assert not same(expected, got)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((0.7, "§ \n", None, ...), "(0.7, '§ \\n', None, ...)"),
        (-math.inf, "-math.inf"),
        ((A_REASON,), "(<a reason>,)"),
        (Ok([1]), "Ok([1])"),
        (Err(Fault("full", "no room")), "Err(full: no room)"),
        (GateVerdict(True, "fine"), "GateVerdict(approved=True, reason='fine')"),
        ({1: {2: 3}}, "{1: {2: 3}}"),
        (frozenset(), "a set of nothing"),
        (int, "a type"),
        ("x" * 100, "'" + "x" * 58 + "…"),
        (UsageRecord(last_activity_at=5), "UsageRecord(last_activity_at=5)"),
    ],
)
def test_values_are_told_in_pythons_spelling_where_that_is_stable(value: object, text: str) -> None:
    assert tell(value) == text


@pytest.mark.parametrize(
    "ms", [0, 1, DAY_MS - 1, DAY_MS, DAY_MS + 1, 30 * DAY_MS - 1, 7, DAY_MS // 2, 10**15]
)
def test_an_instant_in_days_is_python_that_gives_it_back(ms: int) -> None:
    assert eval(tell_ms(ms), {"DAY_MS": DAY_MS}) == ms


def test_an_instant_that_nobody_counts_in_days_is_told_as_it_is() -> None:
    assert tell_ms(10**15) == "1000000000000000"
    assert tell_ms(-(10**15)) == "-1000000000000000"
    assert tell_ms(99_999 * DAY_MS) == "99999*DAY_MS"
    assert tell_ms(100_000 * DAY_MS) == "8640000000000"


def test_a_record_is_told_as_python_that_builds_it() -> None:
    record = UsageRecord(
        created_by="agent", pinned=True, state="stale", created_at=9, last_activity_at=40 * DAY_MS
    )
    told = tell_record(record)
    assert eval(told, {"UsageRecord": UsageRecord, "DAY_MS": DAY_MS}) == record
    assert "40*DAY_MS" in told


def test_an_exception_is_told_in_one_line_without_addresses() -> None:
    told = tell_raised(TypeError("<object at 0x7f12ab>\n\tcannot"))
    assert told == "raised TypeError: <object at 0x…> cannot"

    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert tell_raised(Silent()) == "raised Silent: (no message)"


@pytest.mark.parametrize("at", [0, 5, 50, 200, 399])
def test_where_two_long_texts_differ_stays_in_sight(at: int) -> None:
    left, right = "m" * 400, "m" * at + "X" + "m" * (399 - at)
    told = told_apart(left, right, 60)
    assert told[0] != told[1]
    assert "X" in told[1]
    assert max(map(len, told)) <= 60


def test_a_text_that_is_longer_at_its_end_is_told_apart_too() -> None:
    left, right = told_apart("a" * 100, "a" * 100 + "tail", 40)
    assert left != right
    assert right.endswith("tail")
