"""exercise, check, hint, solution: what they print, and that they never raise."""

from __future__ import annotations

import random
import sys
import time
import warnings
from pathlib import Path

import numpy
import pytest

from alembic_sim import UsageRecord
from alembic_sim.teaching import check, exercise, hint, solution
from alembic_sim.teaching.exercises import checking
from alembic_sim.teaching.exercises.calling import Caller
from alembic_sim.teaching.exercises.catalog import find_exercise
from alembic_sim.teaching.exercises.checking import NotPassed, Passed, judge
from alembic_sim.teaching.svg import COLUMNS

GATE = find_exercise("03.1")
assert GATE is not None


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALEMBIC_SIM_HOME", str(tmp_path / "home"))


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    check(*arguments)
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert 1 <= len(lines) <= 6
    return lines


# ---- the ordinary ways


def test_a_right_answer_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "03.1", lambda score, minimum: (score >= minimum, "so it is")) == [
        "03.1 passed: my_gate agrees with the engine on every case tried.",
        "The edge belongs to the rule: exactly the threshold is enough, the least",
        "below is not.",
        "Compare it with the engine's own:",
        "alembic_sim/hermes/learning/gate.py::score_threshold_gate",
    ]


def test_a_wrong_answer_gets_its_smallest_case_and_the_first_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert said(capsys, "03.1", lambda score, minimum: (score > minimum, "so it is")) == [
        "03.1 not passed yet. The smallest case that fails:",
        "  input     my_gate(0.7, 0.7)",
        "  expected  (True, <a reason>)",
        "  got       (False, 'so it is')",
        "Hint 1 of 3: Which score is the last one to be let in? Try that very",
        'score. Next: hint("03.1", 2)',
    ]


def test_a_mistake_beyond_the_examples_is_shrunk(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "06.2", lambda idle_ms, days: idle_ms >= days * 86_400_000 and days < 90)
    assert lines[1] == "  input     my_is_stale(90*DAY_MS, 90)"


def test_nothing_is_given_back_so_that_a_cell_shows_only_what_is_printed() -> None:
    assert check("03.1", None) is None
    assert exercise("03.1") is None
    assert hint("03.1") is None
    assert solution("03.1") is None


def test_the_task_says_what_to_write_and_shows_an_example(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exercise("03.1")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Exercise 03.1 · The gate"
    assert any(line.startswith("To do: write my_gate(score, minimum).") for line in lines)
    assert lines[-3:-1] == ["Example: my_gate(0.9, 0.7)", "   gives (True, <a reason>)"]
    assert lines[-1] == 'Check it with check("03.1", my_gate). Stuck? hint("03.1", 1)'


def test_hints_lead_on_to_the_solution(capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2, 3):
        hint("03.1", number)
    printed = capsys.readouterr().out
    assert [f"Hint {n} of 3: " in printed for n in (1, 2, 3)] == [True] * 3
    assert printed.splitlines()[-1] == 'To see it done: solution("03.1")'


def test_the_solution_can_be_pasted_into_a_cell(capsys: pytest.CaptureFixture[str]) -> None:
    solution("06.2")
    namespace: dict[str, object] = {}
    exec(capsys.readouterr().out, namespace)
    assert said(capsys, "06.2", namespace["my_is_stale"])[0].startswith("06.2 passed")


@pytest.mark.parametrize("asked", ["09.9", "", "03", "3.1.1", 3.1, None, "\ud800"])
def test_an_unknown_exercise_is_told_what_there_is(
    asked: object, capsys: pytest.CaptureFixture[str]
) -> None:
    for call in (exercise, hint, solution, lambda wanted: check(wanted, lambda: 1)):
        call(asked)  # type: ignore[operator]
        line = capsys.readouterr().out
        first = "There is no" if isinstance(asked, str) else "An"
        assert line.startswith(f"{first} exercise ")
        assert "03.1, 03.2, 03.3" in line


def my_buckets(steps):
    return {}


class Shy:
    """A function of its own kind that has no name to tell."""

    def __call__(self) -> None: ...

    @property
    def __name__(self) -> str:
        raise RuntimeError("no")


def test_a_function_without_its_exercise_is_told_the_whole_call(
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = "Name the exercise first, then your function: "
    assert said(capsys, my_buckets) == [f'{start}check("03.2", my_buckets)']
    assert said(capsys, takes_nothing) == [f'{start}check("03.1", my_gate)']
    assert said(capsys, Shy()) == [f'{start}check("03.1", my_gate)']


@pytest.mark.parametrize("number", [0, 4, -1, "2", None, True, 1.0])
def test_there_are_three_hints_and_no_other(
    number: object, capsys: pytest.CaptureFixture[str]
) -> None:
    hint("03.1", number)  # type: ignore[arg-type]
    assert capsys.readouterr().out.startswith("There are three hints:")


def test_an_id_may_be_written_without_its_zero(capsys: pytest.CaptureFixture[str]) -> None:
    exercise("3.1")
    assert capsys.readouterr().out.startswith("Exercise 03.1 ")


# ---- no function at all


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((), 'give your function as well: check("03.1", my_gate)'),
        ((...,), "my_gate is ..., not a function"),
        ((None,), "my_gate is None, not a function"),
        (((True, "yes"),), "give the function itself: my_gate, without brackets"),
        (("my_gate",), "this is 'my_gate'; give the function itself"),
    ],
)
def test_what_is_no_function_is_not_answered(
    given: tuple[object, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = said(capsys, "03.1", *given)
    assert lines[0].startswith("03.1 not answered yet: ")
    assert why in " ".join(lines)


def test_printing_instead_of_returning_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def prints(score, minimum):
        print(score >= minimum)

    assert "prints, and gives nothing back. Use\nreturn" in "\n".join(said(capsys, "03.1", prints))


def test_half_an_answer_is_an_attempt(capsys: pytest.CaptureFixture[str]) -> None:
    def only_yes(score, minimum):
        if score >= minimum:
            return True, "enough"

    lines = said(capsys, "03.1", only_yes)
    assert lines[1:4] == [
        "  input     my_gate(0.5, 0.7)",
        "  expected  (False, <a reason>)",
        "  got       None",
    ]


# ---- whatever a function does


class Liar:
    """Equal to everything, and unwilling to be looked at."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        raise RuntimeError("no")


def raises(error):
    def function(*arguments):
        raise error

    return function


def loops(score, minimum):
    while True:
        pass


_on_one_line: dict[str, object] = {}
exec("def loops_on_one_line(score, minimum):\n    while True: pass", _on_one_line)


def recurses(score, minimum):
    return recurses(score, minimum)


async def is_async(score, minimum):
    return True, "later"


def is_a_generator(score, minimum):
    yield True, "later"


WILD = {
    "raises": (
        raises(ValueError("line\nbreak at 0x7f00deadbeef")),
        "raised ValueError: line break",
    ),
    "raises a base exception": (raises(GeneratorExit()), "raised GeneratorExit"),
    "exits": (raises(SystemExit(3)), "raised SystemExit: 3"),
    "loops": (loops, "no answer after 100,000 steps. An endless loop?"),
    "loops on one line": (_on_one_line["loops_on_one_line"], "no answer after"),
    "recurses": (recurses, "no answer: it calls itself without end (RecursionError)"),
    "takes nothing": (lambda: 1, "raised TypeError:"),
    "is async": (is_async, "a coroutine"),
    "is a generator": (is_a_generator, "a generator"),
    "an object": (lambda *_: object(), "an object"),
    "a class": (lambda *_: Liar, "a type"),
    "a liar": (lambda *_: Liar(), "a tests.teaching.exercises.test_check.Liar"),
    "a liar inside": (lambda *_: (Liar(), Liar()), "(a tests."),
    "a function": (lambda *_: (True, print), "(True, a function)"),
    "a number for a truth": (lambda *_: (1, "yes"), "(1, 'yes')"),
    "numpy's truth": (lambda *_: (numpy.bool_(True), "yes"), "(a numpy.bool, 'yes')"),
    "an array": (lambda *_: numpy.zeros(3), "a numpy.ndarray"),
    "a huge number": (lambda *_: 10**5000, "a number of very many digits"),
    "not a number": (lambda *_: float("nan"), "math.nan"),
    "too few": (lambda *_: (True,), "(True,)"),
    "a set": (lambda *_: {"b", "a"}, "a set of 'a', 'b'"),
    "a deep list": (lambda *_: [[[[[[[[1]]]]]]]], "[[[[[[[…]]]]]]]"),
    "a long text": (lambda *_: "x" * 5000, "'xxx"),
}


@pytest.mark.parametrize(("function", "got"), WILD.values(), ids=WILD.keys())
def test_whatever_it_does_is_a_readable_failing_case(
    function: object, got: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a coroutine that nobody awaits would complain later
        lines = said(capsys, "03.1", function)
    assert lines[1].startswith("  input     my_gate(0.7, 0.7)")
    assert any(line.startswith(f"  got       {got}") for line in lines)
    assert "0x7" not in "".join(lines)
    assert max(map(len, lines)) <= COLUMNS


def test_a_list_that_contains_itself_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    endless: list[object] = []
    endless.append(endless)
    assert said(capsys, "03.1", lambda *_: endless)[3] == "  got       [[[[[[[…]]]]]]]"


def test_a_loop_on_some_inputs_is_told_with_such_an_input(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def waits_for_the_threshold(score, minimum):
        while score > minimum:
            score = score * 1
        return score >= minimum, "reached"

    lines = said(capsys, "03.1", waits_for_the_threshold)
    assert lines[1] == "  input     my_gate(0.9, 0.7)"
    assert "An endless loop?" in lines[3]


def test_swallowing_every_exception_once_does_not_hide_an_endless_loop() -> None:
    def stubborn(score, minimum):
        try:
            while True:
                score += 0
        except BaseException:
            return score >= minimum, "never mind"

    verdict = judge(GATE, stubborn)
    assert isinstance(verdict, NotPassed)
    assert "endless loop" in verdict.got


def test_whoever_traces_goes_on_tracing(capsys: pytest.CaptureFixture[str]) -> None:
    """A debugger, or a measurement of coverage."""

    def tracer(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        check("03.1", loops)
        kept = sys.gettrace()
    finally:
        sys.settrace(before)
    assert kept is tracer


def test_a_stop_is_not_an_attempt_and_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "03.1", raises(KeyboardInterrupt()))
    assert lines == ["03.1 was stopped before the check was done."]


def test_what_a_function_prints_is_not_mixed_into_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def talks(score, minimum):
        print("score", score)
        print("oh", file=sys.stderr)
        return score >= minimum, "so it is"

    lines = said(capsys, "03.1", talks)
    assert lines[0].startswith("03.1 passed (what it printed is not shown): my_gate agrees")
    assert "so it is" not in "".join(lines)


def test_a_function_that_prints_to_find_its_mistake_is_told_where_to_look(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def talks_and_fails(score, minimum):
        print("score", score)
        return score > minimum, "so it is"

    def talks_and_raises(score, minimum):
        print("score", score)
        raise ValueError(score)

    for function in (talks_and_fails, talks_and_raises):
        assert said(capsys, "03.1", function)[-2:] == [
            "What it printed is not shown: call it on this input in a cell.",
            'A hint: hint("03.1", 1)',
        ]


def test_a_function_that_prints_on_other_cases_only_gets_its_hint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def talks_elsewhere(score, minimum):
        if score != minimum:
            print("score", score)
        return score > minimum, "so it is"

    assert said(capsys, "03.1", talks_elsewhere)[-2].startswith("Hint 1 of 3: ")


def test_a_function_that_changes_what_it_was_given_does_not_pass(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def eats(records, now_ms):
        found = []
        while records:
            name = min(records)
            record: UsageRecord = records.pop(name)
            used, mine = record.last_activity_at, record.created_by == "agent"
            if mine and not used and record.state != "archived":
                made = record.created_at
                found.append((name, (now_ms - made) // 86_400_000 if made else None))
        return found

    lines = said(capsys, "06.3", eats)
    assert "changed what it was given" in " ".join(lines)


def test_a_function_that_remembers_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    def remembers(steps, buckets={"applied": [], "rejected": [], "failed": []}):  # noqa: B006
        for note, approved, wrote in steps:
            bucket = "rejected" if not approved else "applied" if wrote else "failed"
            buckets[bucket].append(note)
        return buckets

    lines = said(capsys, "03.2", remembers)
    assert "Keep nothing between two calls" in " ".join(lines)


def test_a_function_that_throws_dice_does_not_break_the_check(
    capsys: pytest.CaptureFixture[str],
) -> None:
    dice = random.Random(7)

    def throws(score, minimum):
        return (score >= minimum) is (dice.random() < 0.95), "so it fell"

    assert "not passed yet" in said(capsys, "03.1", throws)[0]


def test_a_case_that_passes_when_asked_again_is_still_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls = []

    def wrong_once(score, minimum):
        calls.append(score)
        return (score >= minimum) is (len(calls) != 20), "so it is"

    lines = said(capsys, "03.1", wrong_once)
    assert "not the same each time" in " ".join(lines)


def takes_nothing():
    return True, "always"


def test_a_long_message_of_an_error_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "03.1", takes_nothing)
    assert len(lines) == 6
    told = " ".join(" ".join(lines).split())
    assert "takes 0 positional arguments but 2 were given" in told
    assert "expected (True, <a reason>)" in told


# ---- time


def test_time_is_bounded_though_nothing_is_cut_off_in_the_middle() -> None:
    seconds = iter(range(1000))
    caller = Caller(max_seconds=3, monotonic=lambda: float(next(seconds)))
    verdict = judge(GATE, lambda score, minimum: (score >= minimum, "slowly"), caller)
    assert isinstance(verdict, NotPassed)
    assert verdict.got == "no answer in time: its calls took 3 s and more"


def test_running_out_of_time_in_the_search_ends_the_search() -> None:
    seconds = iter(range(10_000))
    caller = Caller(max_seconds=20, monotonic=lambda: float(next(seconds)))
    verdict = judge(GATE, lambda score, minimum: (score >= minimum, "slowly"), caller)
    assert isinstance(verdict, NotPassed)
    assert "no answer in time" in verdict.got
    assert verdict.case != "my_gate(0.7, 0.7)", "which was answered in time"
    assert next(seconds) < 100


def test_a_check_takes_about_a_second_at_most() -> None:
    started = time.monotonic()
    assert judge(GATE, lambda score, minimum: (score >= minimum, "so it is")) == Passed()
    assert time.monotonic() - started < 10  # slack for a busy machine


# ---- without hypothesis


def test_without_hypothesis_nothing_is_called_passed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "hypothesis"]:
        monkeypatch.setitem(sys.modules, name, None)
    lines = said(capsys, "03.1", lambda score, minimum: (score >= minimum, "so it is"))
    assert lines[0].startswith("03.1 not proved yet: the examples pass")
    wrong = said(capsys, "03.1", lambda score, minimum: (score > minimum, "so it is"))
    assert wrong[1] == "  input     my_gate(0.7, 0.7)"


def test_an_error_of_our_own_is_not_taken_for_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("our bug")

    monkeypatch.setattr(checking, "smallest_failing", broken)
    with pytest.raises(RuntimeError, match="our bug"):
        judge(GATE, lambda score, minimum: (score >= minimum, "so it is"))
