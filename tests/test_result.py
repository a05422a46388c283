"""Ok | Err: both frozen, both matchable, and no port can break out of `ask`."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass

import pytest

from alembic_sim import Err, Ok
from alembic_sim.result import Fault, UnexpectedErr, ask, describe
from tests.meddled_fs import Liar, Unspeakable


@dataclass(frozen=True)
class Refused:
    code: str = "refused"
    message: str = "no <b>way</b>"


def test_ok_says_ok_and_holds_its_value() -> None:
    assert (Ok(3).ok, Ok(3).value, Ok(3).expect("a number")) == (True, 3, 3)


def test_err_says_not_ok_and_holds_its_error() -> None:
    assert (Err("no").ok, Err("no").error) == (False, "no")


def test_expect_on_an_err_raises_with_the_reason_the_code_and_the_message() -> None:
    with pytest.raises(UnexpectedErr) as raised:
        Err(Refused()).expect("a fresh store")
    assert str(raised.value) == "a fresh store: refused: no <b>way</b>"


def test_expect_on_an_err_without_a_code_shows_what_it_holds() -> None:
    with pytest.raises(UnexpectedErr, match=r"set-up: \['odd'\]"):
        Err(["odd"]).expect("set-up")


def test_match_tells_the_two_apart_and_unpacks_them() -> None:
    def word(result: object) -> object:
        match result:
            case Ok(value):
                return value
            case Err(error):
                return error

    assert [word(Ok("yes")), word(Err("no"))] == ["yes", "no"]


@pytest.mark.parametrize(("result", "field"), [(Ok(1), "value"), (Err(1), "error")])
def test_a_result_cannot_be_changed(result: object, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(result, field, 2)


def test_results_are_equal_by_what_they_hold() -> None:
    assert Ok(1) == Ok(1) != Ok(2)
    assert Ok(1) != Err(1)
    assert len({Ok(1), Ok(1), Err(1)}) == 2


def test_an_err_shows_itself_in_red_in_a_notebook_and_escapes_its_data() -> None:
    html = Err(Refused())._repr_html_()
    assert 'style="color:#b00020"' in html
    assert "refused: no &lt;b&gt;way&lt;/b&gt;" in html
    assert "<b>" not in html


def test_describe_prints_code_and_message_and_anything_else_as_it_is() -> None:
    assert describe(Refused()) == "refused: no <b>way</b>"
    assert describe(7) == "7"


def test_ask_hands_through_what_the_port_answered() -> None:
    refused = Err(Refused())
    assert ask(lambda number: Ok(number + 1), 1, returns=int) == Ok(2)
    assert ask(lambda: refused, returns=int) == refused


def test_ask_turns_a_port_that_raises_into_an_err() -> None:
    def broken_port() -> object:
        raise ZeroDivisionError("oh")

    asked = ask(broken_port, returns=int)
    assert asked.error.code == "raised"
    assert "broken_port" in asked.error.message
    assert "ZeroDivisionError: oh" in asked.error.message


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_ask_lets_the_user_stop_the_program(stop: type[BaseException]) -> None:
    def stopped() -> object:
        raise stop

    with pytest.raises(stop):
        ask(stopped, returns=int)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (3, "int"),
        (None, "nothing (None)"),
        (Ok("text"), "Ok(str)"),
        (Err("bare text"), "bare text"),
        (Err(None), "None"),
    ],
)
def test_ask_calls_any_other_answer_a_bad_port_and_says_what_it_got(
    answer: object, says: str
) -> None:
    asked = ask(lambda: answer, returns=int)
    assert asked.error.code == "bad-port"
    assert says in asked.error.message


def test_ask_names_a_port_that_is_an_object_by_its_class() -> None:
    class Proposer:
        def __call__(self) -> object:
            return 3

    assert "Proposer returned int" in ask(Proposer(), returns=int).error.message


def test_ask_survives_an_exception_and_an_error_that_cannot_be_printed() -> None:
    def broken() -> object:
        raise Unspeakable

    assert ask(broken, returns=int).error.code == "raised"
    assert ask(lambda: Err(Liar()), returns=int).error.code == "bad-port"


def test_a_fault_is_an_error_value_like_any_other() -> None:
    assert describe(Fault("raised", "why")) == "raised: why"
