"""Predict records what the learner expects, and lays it beside what came out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alembic_sim.teaching import Predict
from alembic_sim.teaching.widgets.predict import read_number, render_predict
from tests.teaching.svg_reading import NAMESPACE, all_words, parse
from tests.teaching.widgets.samples import changed

BUCKETS = ["applied", "rejected", "failed"]


def said(capsys: pytest.CaptureFixture[str], predict: Predict, actual: object) -> str:
    predict.reveal(actual)
    return capsys.readouterr().out.rstrip("\n")


def test_unanswered_says_so_and_still_tells_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    told = "The engine says failed. Your prediction: not answered yet."
    assert said(capsys, Predict("Which bucket?", BUCKETS), "failed") == told


def test_a_right_prediction_is_said_to_be_right(capsys: pytest.CaptureFixture[str]) -> None:
    predict = Predict("Which bucket?", BUCKETS)
    predict.answer("failed")
    assert said(capsys, predict, "failed") == "The engine says failed, as you predicted."


def test_another_one_is_laid_beside_without_scolding(capsys: pytest.CaptureFixture[str]) -> None:
    predict = Predict("Which bucket?", BUCKETS)
    predict.answer("applied")
    told = said(capsys, predict, "failed")
    assert told == "The engine says failed; you predicted applied."
    assert not [word for word in ("wrong", "incorrect", "error", "sorry") if word in told.lower()]


def test_a_number_is_told_with_the_distance(capsys: pytest.CaptureFixture[str]) -> None:
    predict = Predict("How many copies?")
    predict.answer(3)
    assert said(capsys, predict, 1) == "The engine says 1; you predicted 3, 2 more."
    predict.answer(0.5)
    assert said(capsys, predict, 1) == "The engine says 1; you predicted 0.5, 0.5 less."


def test_a_prediction_made_after_the_reveal_is_compared_at_once() -> None:
    predict = Predict("Which bucket?", BUCKETS)
    predict.reveal("failed")
    predict.answer("failed")
    assert predict.summary == "Which bucket? The engine says failed, as you predicted."


def test_the_dots_take_the_answer_back() -> None:
    for predict, mine in ((Predict("Which?", BUCKETS), "failed"), (Predict("How many?"), 3)):
        predict.answer(mine)
        predict.answer(...)
        assert predict.summary.endswith("Your prediction: not answered yet.")


def test_true_is_not_the_number_1(capsys: pytest.CaptureFixture[str]) -> None:
    predict = Predict("Is it?", [True, False])
    predict.answer(True)
    assert said(capsys, predict, 1) == "The engine says 1; you predicted True."
    assert said(capsys, predict, True) == "The engine says True, as you predicted."


def test_text_that_is_no_number_is_no_prediction_yet() -> None:
    predict = changed(Predict("How many?"), typed="abc")
    assert predict.summary == "How many? Your prediction: 'abc' is not a number yet."
    assert predict.state.prediction is ...


def test_an_actual_value_that_cannot_be_compared_is_simply_another_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Touchy:
        def __eq__(self, other: object) -> bool:
            raise RuntimeError("do not compare me")

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return "Touchy"

    predict = Predict("Which?", ["x"])
    predict.answer("x")
    assert said(capsys, predict, Touchy()) == "The engine says Touchy; you predicted x."


@given(st.one_of(st.integers(-(10**14), 10**14), st.floats(-1e14, 1e14)))
def test_every_number_that_is_answered_is_read_back(number: float) -> None:
    predict = Predict("How many?")
    predict.answer(number)
    assert predict.state.prediction == number


@given(st.text(max_size=12))
def test_whatever_is_typed_is_a_finite_number_or_nothing(text: str) -> None:
    read = changed(Predict("How many?"), typed=text).state.prediction
    assert read is ... or (isinstance(read, int | float) and math.isfinite(read))


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), (" 0,7 ", 0.7), ("−2", -2), ("1e3", 1000.0), ("nan", ...), ("inf", ...), ("", ...)],
)
def test_numbers_are_read_as_people_write_them(text: str, number: object) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("question", "options", "why"),
    [
        ("", None, "question: '' is not a text that is not blank"),
        ("Which?", [], r"options: \[\] is not a list of possible answers"),
        ("Which?", "ab", "options: 'ab' is not a list"),
    ],
)
def test_an_impossible_question_is_refused(question: str, options: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Predict(question, options)  # type: ignore[arg-type]


def test_an_answer_that_is_no_option_is_refused_with_the_options() -> None:
    with pytest.raises(ValueError, match="given: 'deleted' is not one of Ellipsis, 'applied'"):
        Predict("Which?", BUCKETS).answer("deleted")
    with pytest.raises(ValueError, match="answer: 'many' is not a number"):
        Predict("How many?").answer("many")


def lines(predict: Predict) -> list[str]:
    """The lines of the picture: each answer, and whose it is."""
    return all_words(render_predict(predict.state)).split("\n")


def test_a_revealed_number_is_marked_as_the_engine_s_beside_the_learner_s_own() -> None:
    predict = Predict("How many?")
    assert "the engine" not in lines(predict)
    predict.answer(7)
    predict.reveal(5)
    said = lines(predict)
    assert said[said.index("7") + 1] == "your prediction"
    assert said[said.index("5") + 1] == "the engine"
    predict.answer(5)
    assert "your prediction and the engine" in lines(predict)
    predict.answer(...)
    said = lines(predict)
    assert "your prediction" not in said
    assert said[said.index("5") + 1] == "the engine"


def test_nothing_in_the_picture_looks_like_a_box_to_click_or_to_type_in() -> None:
    for predict in (Predict("Which bucket?", BUCKETS), Predict("How many?")):
        boxes = list(parse(render_predict(predict.state)).iter(f"{NAMESPACE}rect"))
        assert len(boxes) == 1, "the sheet alone"


def test_the_options_stand_in_the_picture_below_the_question() -> None:
    assert lines(Predict("Which bucket?", BUCKETS))[:4] == ["Which bucket?", *BUCKETS]


def test_the_reveal_says_that_a_number_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    predict = changed(Predict("How many?"), typed="abc")
    told = "The engine says 3. Your prediction: 'abc' is not a number yet."
    assert said(capsys, predict, 3) == told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1e9", "you predicted 1000000000, 999999997 more."),
        ("3.5", "you predicted 3.5, 0.5 more."),
        ("0.1", "you predicted 0.1, 2.9 less."),
        ("1234567.5", "you predicted 1234567.5, 1234564.5 more."),
    ],
)
def test_numbers_are_said_in_figures(
    typed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    predict = changed(Predict("How many?"), typed=typed)
    assert said(capsys, predict, 3) == f"The engine says 3; {told}"
