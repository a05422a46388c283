"""Misbehaviours: each does what its name says, and none of them gets anything learnt."""

from __future__ import annotations

import pytest

from alembic_sim import (
    MemoryFs,
    MemoryStore,
    ModelReply,
    ModelRequest,
    Ok,
    ReviewDeps,
    model_proposer,
    review_and_learn,
    score_threshold_gate,
)
from alembic_sim.hermes.learning.model_proposer import MAX_BODY_BYTES
from alembic_sim.models import GOOD_BODY, MISBEHAVIOURS, FakeModel, MisbehavingModel
from alembic_sim.models.asking import ask_model

ASKED = ModelRequest("rules", "question")


def learn_from(model: object) -> tuple[object, MemoryFs]:
    fs = MemoryFs()
    deps = ReviewDeps(model_proposer(model), score_threshold_gate(), MemoryStore(fs))
    return review_and_learn("the turn", deps), fs


def test_the_good_body_is_learnt_from() -> None:
    """What the misbehaviours spoil would have been approved and written: they have an effect."""
    outcome, fs = learn_from(FakeModel([GOOD_BODY]))
    assert len(outcome.value.applied) == 1
    assert fs.files()["memory/MEMORY.md"] == b"CI runs on Linux only"


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_no_misbehaviour_gets_anything_learnt_nor_looks_like_nothing_to_say(name: str) -> None:
    outcome, fs = learn_from(MisbehavingModel(name))
    assert outcome.error.code in ("proposer-error", "invalid-proposal")
    assert fs.files() == {}


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_each_answers_otherwise_than_the_good_model(name: str) -> None:
    model = MisbehavingModel(name)
    answer = ask_model(model, ASKED)
    assert answer != Ok(ModelReply(GOOD_BODY))
    assert (model.calls, model.identity.model_id) == ([ASKED], name)
    assert MISBEHAVIOURS[name].does


def body_of(name: str) -> str:
    return MisbehavingModel(name).run(ASKED).value.text


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("code-fence", "```json\n["),
        ("prose", "Here you are:\n["),
        ("postscript", "]\nAnything"),
        ("object", '{"proposals": ['),
        ("single-quotes", "[{'target'"),
        ("duplicate-keys", '"score": 0.1, "score": 0.9'),
        ("nan", '"score": NaN'),
        ("infinity", '"score": Infinity'),
        ("overflow", '"score": 1e999'),
        ("huge-number", "9" * 1_000),
        ("lone-surrogate", "\\ud800"),
        ("deep-nesting", "[" * 1_000),
        ("text-score", '"score": "0.9"'),
        ("percent-score", '"score": 90'),
        ("foreign-target", '"../../.bashrc"'),
    ],
)
def test_the_spoilt_body_holds_what_the_name_says(name: str, piece: str) -> None:
    assert piece in body_of(name)


def test_the_bodies_that_hold_little_or_too_much() -> None:
    assert (body_of("empty"), body_of("blank").strip(), body_of("null")) == ("", "", "null")
    assert GOOD_BODY.startswith(body_of("truncated"))
    assert len(body_of("too-large").encode("utf-8")) > MAX_BODY_BYTES


@pytest.mark.parametrize(
    ("name", "code", "retryable"),
    [
        ("times-out", "timeout", True),
        ("throttled", "throttled", True),
        ("unreachable", "unreachable", True),
        ("denied", "denied", False),
    ],
)
def test_those_without_a_reply_say_whether_asking_again_can_help(
    name: str, code: str, retryable: bool
) -> None:
    error = MisbehavingModel(name).run(ASKED).error
    assert (error.code, error.retryable) == (code, retryable)


def test_one_of_them_really_raises_and_three_return_what_no_adapter_may() -> None:
    with pytest.raises(ConnectionResetError):
        MisbehavingModel("raises").run(ASKED)
    assert MisbehavingModel("wrong-type").run(ASKED) == GOOD_BODY
    assert MisbehavingModel("nothing").run(ASKED) is None
    assert MisbehavingModel("not-text").run(ASKED) == Ok(ModelReply(GOOD_BODY.encode("utf-8")))


def test_another_good_body_can_be_spoilt() -> None:
    assert MisbehavingModel("prose", body="[]").run(ASKED).value.text.endswith("\n[]")


@pytest.mark.parametrize("name", ["", "polite", None, 5, [], {}])
def test_an_unknown_misbehaviour_is_refused_with_the_known_ones(name: object) -> None:
    with pytest.raises(ValueError, match="code-fence"):
        MisbehavingModel(name)
