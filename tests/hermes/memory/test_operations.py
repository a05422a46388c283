"""Add, Replace, Remove: built without checks, and their JSON form."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim import Add, Ok, Remove, Replace
from alembic_sim.hermes.memory.operations import MemoryOp, op_from_json, op_to_json
from tests.meddled_fs import Liar

OPS = (
    st.builds(Add, st.text())
    | st.builds(Replace, st.text(), st.text())
    | st.builds(Remove, st.text())
)


@pytest.mark.parametrize(
    ("raw", "op"),
    [
        ({"action": "add", "content": "a"}, Add("a")),
        ({"action": "replace", "old_text": "a", "content": "b"}, Replace("a", "b")),
        ({"action": "replace", "oldText": "a", "content": "b"}, Replace("a", "b")),
        ({"action": "remove", "old_text": "a"}, Remove("a")),
        ({"action": "remove", "oldText": "a"}, Remove("a")),
        ({"action": "remove", "oldText": "a", "old_text": "a"}, Remove("a")),
        ({"action": "add", "content": "", "why": 5}, Add("")),
        ({"action": "add", "content": "a", "old_text": 5}, Add("a")),
        ({"action": "remove", "old_text": "a", "content": 5}, Remove("a")),
    ],
)
def test_a_json_object_is_read_as_the_operation_it_means(raw: object, op: MemoryOp) -> None:
    assert op_from_json(raw) == Ok(op)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (None, "op: None is not an object with an action"),
        ([], "op: [] is not an object"),
        ("add", "op: 'add' is not an object"),
        ({}, "op.action: None is not add, replace or remove"),
        ({"action": "ADD", "content": "a"}, "op.action: 'ADD'"),
        ({"action": ["add"], "content": "a"}, "op.action: ['add']"),
        ({"action": "delete", "old_text": "a"}, "op.action: 'delete'"),
        ({"action": "add"}, "op.content: None is not a text"),
        ({"action": "add", "content": 5}, "op.content: 5 is not a text"),
        ({"action": "replace", "old_text": "a"}, "op.content: None"),
        ({"action": "replace", "content": "a"}, "op.old_text: None"),
        ({"action": "remove"}, "op.old_text: None is not a text"),
        ({"action": "remove", "old_text": ["a"]}, "op.old_text: ['a']"),
        ({"action": "remove", "old_text": None, "oldText": "a"}, "op.oldText: 'a'"),
        ({"action": "remove", "old_text": "a", "oldText": "b"}, "op.oldText: 'b' is not the same"),
    ],
)
def test_anything_else_is_refused_with_field_value_and_what_is_allowed(
    raw: object, says: str
) -> None:
    error = op_from_json(raw).error
    assert error.code == "bad-op"
    assert error.message.startswith(says)


def test_an_action_that_cannot_be_compared_is_refused_too() -> None:
    assert op_from_json({"action": Liar(), "content": "a"}).error.code == "bad-op"


@given(OPS)
def test_an_operation_survives_its_json_form(op: MemoryOp) -> None:
    assert op_from_json(op_to_json(op)) == Ok(op)


@given(st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(
    st.sampled_from(["action", "content", "old_text", "oldText", "x"]),
    inner | st.sampled_from(["add", "replace", "remove"]),
)))  # fmt: skip
def test_no_json_makes_the_reader_raise(raw: object) -> None:
    match op_from_json(raw):
        case Ok(Add() | Replace() | Remove()):
            pass
        case refused:
            assert refused.error.code == "bad-op"


@pytest.mark.parametrize("op", [Replace("a", "b"), Remove("a")])
def test_an_operation_cannot_be_changed(op: MemoryOp) -> None:
    with pytest.raises(FrozenInstanceError):
        op.old_text = "other"


def test_an_operation_is_built_without_checks() -> None:
    assert Add(5).content == 5
    assert Replace("", "").old_text == ""
