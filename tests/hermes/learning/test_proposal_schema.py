"""What a proposal may be: model output, untrusted, and nothing in it is coerced."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Add, Err, Ok, Remove, Replace, ReviewProposal
from alembic_sim.hermes.learning.types import parse_proposal
from tests.meddled_fs import Liar

ADD = {"action": "add", "content": "a fact"}
GOOD = {"target": "memory", "op": ADD, "rationale": "why", "score": 0.9}


def message(raw: object) -> str:
    error = parse_proposal(raw).error
    assert error.code == "invalid-proposal"
    assert error.message.startswith("Invalid review proposal: ")
    return error.message.removeprefix("Invalid review proposal: ")


@pytest.mark.parametrize("score", [0, 1, 0.0, 1.0, 0.7, -0.0, 0.6999999999999998, 5e-324])
def test_a_finite_score_from_0_to_1_is_kept_exactly(score: float) -> None:
    parsed = parse_proposal({**GOOD, "score": score}).expect("a proposal")
    assert parsed.score == score
    assert type(parsed.score) is float


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        (1.0000000000000002, "1.0000000000000002"),
        (-5e-324, "-5e-324"),
        (1.5, "1.5"),
        (-1, "-1"),
        (70, "70"),
        (100, "100"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (True, "True"),
        (False, "False"),
        ("0.9", "'0.9'"),
        ("high", "'high'"),
        (None, "None"),
        ([0.9], "[0.9]"),
        (Decimal("0.9"), "Decimal('0.9')"),
        (Fraction(1, 2), "Fraction(1, 2)"),
        (10**400, "1000"),
        (10**5000, "a int"),
        (Liar(), "a Liar"),
    ],
    ids=range(20),
)
def test_a_score_that_is_anything_else_is_refused_with_its_value(score: object, shown: str) -> None:
    why = message({**GOOD, "score": score})
    assert why.startswith(f"score: {shown}")
    assert why.endswith("is not a number from 0 to 1")


@pytest.mark.parametrize("target", ["memory", "user"])
def test_there_are_two_targets(target: str) -> None:
    assert parse_proposal({**GOOD, "target": target}).value.target == target


@pytest.mark.parametrize("target", ["Memory", "memory ", "", "notes", None, 5, ["memory"], True])
def test_any_other_target_is_refused_with_the_two_that_are_allowed(target: object) -> None:
    assert message({**GOOD, "target": target}) == f"target: {target!r} is not 'memory' or 'user'"


@pytest.mark.parametrize(
    ("op", "built"),
    [
        (ADD, Add("a fact")),
        ({"action": "replace", "old_text": "a", "content": "b"}, Replace("a", "b")),
        ({"action": "remove", "oldText": "a"}, Remove("a")),
        (Remove("a"), Remove("a")),
        ({"action": "add", "content": ""}, Add("")),  # the store's to refuse
    ],
)
def test_an_operation_is_read_from_json_or_taken_as_it_is(op: object, built: object) -> None:
    assert parse_proposal({**GOOD, "op": op}).value.op == built


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (None, "op: None is not an object with an action"),
        ("add", "op: 'add' is not an object with an action"),
        ({}, "op.action: None is not add, replace or remove"),
        ({"action": "forget"}, "op.action: 'forget' is not add, replace or remove"),
        ({"action": "add", "content": 5}, "op.content: 5 is not a text"),
        ({"action": "remove"}, "op.old_text: None is not a text"),
    ],
)
def test_a_bad_operation_is_refused_with_field_value_and_what_is_allowed(
    op: object, why: str
) -> None:
    assert message({**GOOD, "op": op}) == why


@pytest.mark.parametrize("rationale", ["", " ", "\n", None, 5, ["why"], True])
def test_a_rationale_must_be_a_text_that_is_not_blank(rationale: object) -> None:
    why = message({**GOOD, "rationale": rationale})
    assert why == f"rationale: {rationale!r} is not a text that is not blank"


@pytest.mark.parametrize("name", ["target", "op", "rationale", "score"])
def test_every_field_is_needed_and_a_missing_one_is_named(name: str) -> None:
    raw = {key: value for key, value in GOOD.items() if key != name}
    assert message(raw).startswith(f"{name}: missing; allowed is ")


def test_unknown_keys_are_dropped() -> None:
    parsed = parse_proposal({**GOOD, "approved": True, "path": "/etc", "model_config": {}})
    assert parsed == parse_proposal(GOOD)
    assert not hasattr(parsed.value, "approved")


@pytest.mark.parametrize("raw", [None, 5, "text", b"bytes", [], [GOOD], True, Liar()], ids=range(8))
def test_something_that_is_no_object_is_refused(raw: object) -> None:
    assert message(raw).endswith("is not an object")


class Unreadable(dict):
    """An object that cannot be looked into."""

    def get(self, key: object, default: object = None) -> object:
        raise RuntimeError(f"no {key} today")


def test_an_object_that_raises_when_it_is_read_is_refused() -> None:
    assert message({**GOOD, "op": Unreadable()}) == (
        "it cannot be read: RuntimeError: no action today"
    )


def test_the_first_bad_field_is_the_one_that_is_told() -> None:
    assert message({"target": 5, "op": 5, "score": 5}).startswith("target: 5")
    assert message({**GOOD, "op": 5, "score": 5}).startswith("op: 5")


def test_a_huge_value_is_told_short() -> None:
    assert len(message({**GOOD, "target": "x" * 10**6})) < 150


def test_a_float_of_another_library_is_a_float() -> None:
    assert parse_proposal({**GOOD, "score": np.float64(0.5)}).value.score == 0.5


def test_building_one_directly_raises_a_value_error() -> None:
    with pytest.raises(ValueError, match="score"):
        ReviewProposal(target="memory", op=Add("x"), rationale="why", score=2)


def test_a_proposal_is_a_frozen_value_equal_by_its_fields() -> None:
    assert parse_proposal(GOOD) == parse_proposal(dict(GOOD))
    with pytest.raises(ValueError, match="frozen"):
        parse_proposal(GOOD).value.score = 1.0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*GOOD, "action", "content", "old_text", "oldText", "x"]), inner
        )
    ),
)


@given(JSON | st.dictionaries(st.sampled_from([*GOOD]), JSON).map(lambda part: {**GOOD, **part}))
def test_no_json_makes_the_schema_raise_and_what_passes_is_what_it_says(raw: object) -> None:
    match parse_proposal(raw):
        case Ok(parsed):
            assert parsed.target == raw["target"]
            assert 0 <= parsed.score <= 1
            assert parsed.rationale == raw["rationale"]
            assert parsed.rationale.strip()
            assert isinstance(parsed.op, Add | Replace | Remove)
        case Err(error):
            assert error.code == "invalid-proposal"


def test_a_proposal_nested_deeper_than_python_can_follow_is_refused() -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    assert message({**GOOD, "op": deep})
    assert message({**GOOD, "score": deep})
    while isinstance(deep, list):  # taken apart by hand: freeing it recursively may overflow
        deep = deep.pop()
