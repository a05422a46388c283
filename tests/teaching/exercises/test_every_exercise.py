"""What holds for every exercise of the bank: a new one is tested by being there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import alembic_sim
from alembic_sim import Err, LearnOutcome, Ok
from alembic_sim.teaching.exercises.answering import (
    hint_lines,
    solution_lines,
    task_lines,
    verdict_lines,
)
from alembic_sim.teaching.exercises.calling import Caller
from alembic_sim.teaching.exercises.checking import NotAnswered, NotPassed, Passed, _Trial, judge
from alembic_sim.teaching.exercises.exercise import Exercise, WrongAnswer, call_with
from alembic_sim.teaching.exercises.searching import smallest_failing
from alembic_sim.teaching.lessons.catalog import CURRICULUM
from alembic_sim.teaching.svg import COLUMNS
from tests.teaching.exercises.answers import EXERCISES, answer, written, wrong_answers

every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
every_exercise_with_arguments = pytest.mark.parametrize(
    "exercise",  # the others get ports, which cannot be learnt by heart
    [exercise for exercise in EXERCISES if exercise.observe is call_with],
    ids=lambda one: one.id,
)
every_wrong_answer = pytest.mark.parametrize(
    ("exercise", "wrong"),
    [
        pytest.param(exercise, wrong, id=f"{exercise.id} {wrong.mistake}")
        for exercise, wrong in wrong_answers()
    ],
)

STUBS = {
    "pass": "pass",
    "dots": "...",
    "returns None": "return None",
    "returns dots": "return ...",
    "returns NotImplemented": "return NotImplemented",
    "raises NotImplementedError": "raise NotImplementedError",
    "a docstring": "'''To be done.'''",
    "a loop over nothing": "for _ in (): pass",
}


@every_exercise
def test_the_solution_passes(exercise: Exercise) -> None:
    assert judge(exercise, written(exercise, exercise.solution)) == Passed()


@every_exercise
def test_the_reference_passes_its_own_examples_and_the_shown_one_is_none_of_the_tricky(
    exercise: Exercise,
) -> None:
    for case in (*exercise.examples, exercise.example):
        assert exercise.show(case)
        assert exercise.expected(case) == exercise.expected(case)
    assert exercise.show(exercise.example) != exercise.show(exercise.examples[0])


@every_wrong_answer
def test_the_wrong_answer_fails_on_the_case_that_shows_it(
    exercise: Exercise, wrong: WrongAnswer
) -> None:
    verdict = judge(exercise, written(exercise, wrong.source))
    assert isinstance(verdict, NotPassed)
    assert verdict.case == wrong.smallest
    assert verdict.expected != verdict.got
    assert "raised" not in verdict.got, "a plausible mistake runs"


@every_wrong_answer
def test_generated_cases_alone_find_the_wrong_answer_as_well(
    exercise: Exercise, wrong: WrongAnswer
) -> None:
    """Whoever fits an answer to the examples is found out."""
    trial = _Trial(exercise, written(exercise, wrong.source), Caller())
    assert smallest_failing(exercise.generate, trial.fails) is not None


@every_exercise
def test_there_are_three_wrong_answers_and_each_is_a_mistake_of_its_own(
    exercise: Exercise,
) -> None:
    assert len(exercise.wrong_answers) >= 3
    sources = {ast.dump(ast.parse(wrong.source)) for wrong in exercise.wrong_answers}
    assert len(sources) == len(exercise.wrong_answers)
    assert ast.dump(ast.parse(exercise.solution)) not in sources


@every_exercise
def test_the_unedited_cell_is_not_answered_yet(exercise: Exercise) -> None:
    lines = answer(exercise, written(exercise, exercise.stub))
    assert lines[0].startswith(f"{exercise.id} not answered yet: {exercise.function} ")
    assert "To do: write" in lines[1]


@every_exercise
@pytest.mark.parametrize("body", STUBS.values(), ids=STUBS.keys())
def test_no_stub_passes(exercise: Exercise, body: str) -> None:
    function = written(exercise, f"def {exercise.signature}:\n    {body}")
    assert isinstance(judge(exercise, function), NotAnswered)


@every_exercise
@pytest.mark.parametrize("constant", [Ok(LearnOutcome()), Err("no"), True, 0, "", (), {}])
def test_no_constant_passes(exercise: Exercise, constant: object) -> None:
    assert isinstance(judge(exercise, lambda *_: constant), NotPassed)


@every_exercise_with_arguments
def test_not_even_a_constant_that_fits_an_example_passes(exercise: Exercise) -> None:
    solution = written(exercise, exercise.solution)
    for case in exercise.examples:
        constant = call_with(solution, case)
        verdict = judge(exercise, lambda *_, constant=constant: constant)
        assert isinstance(verdict, NotPassed), constant


@every_exercise_with_arguments
def test_an_answer_that_knows_the_examples_by_heart_does_not_pass(exercise: Exercise) -> None:
    solution = written(exercise, exercise.solution)
    learnt = {repr(case): call_with(solution, case) for case in exercise.examples}
    fallback = next(iter(learnt.values()))
    verdict = judge(exercise, lambda *case: learnt.get(repr(case), fallback))
    assert isinstance(verdict, NotPassed)


@every_exercise
def test_every_answer_has_at_most_six_lines(exercise: Exercise) -> None:
    sources = (exercise.stub, exercise.solution, *(w.source for w in exercise.wrong_answers))
    for source in sources:
        lines = answer(exercise, written(exercise, source))
        assert len(lines) <= 6
        assert all(line and "\n" not in line and len(line) <= COLUMNS for line in lines)


@every_exercise
def test_there_are_three_hints_that_do_not_repeat_each_other(exercise: Exercise) -> None:
    assert len(exercise.hints) == 3
    sentences = [part for hint in exercise.hints for part in re.split(r"(?<=[.?]) ", hint)]
    assert len(sentences) == len(set(sentences))
    assert all(len(hint) > 30 for hint in exercise.hints)
    assert len(f"Hint 1 of 3: {exercise.hints[0]}") <= 110, "it has two lines of the answer"
    assert "return" not in exercise.hints[0], "the first hint is a nudge"


@every_exercise
def test_the_names_agree(exercise: Exercise) -> None:
    for source in (exercise.stub, exercise.solution, *(w.source for w in exercise.wrong_answers)):
        # A stub may hand out helpers, for its cases to be short; the function to write comes last.
        *_, function = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
        arguments = ", ".join(argument.arg for argument in function.args.args)
        assert f"{function.name}({arguments})" == exercise.signature
    assert exercise.lesson in {lesson.number for lesson in CURRICULUM}
    assert exercise.todo.startswith("It gives back ")


@every_wrong_answer
def test_a_smallest_case_of_one_line_is_shown_whole(exercise: Exercise, wrong: WrongAnswer) -> None:
    """One that fills two lines is whole as well, if its answers fit on one line together."""
    told = squeezed(" ".join(answer(exercise, written(exercise, wrong.source))))
    assert squeezed(wrong.smallest[:ONE_LINE]) in told
    assert len(wrong.smallest) > ONE_LINE or squeezed(wrong.smallest) in told


def squeezed(text: str) -> str:
    """The text without its blanks: a line may break at any of them."""
    return "".join(text.split())


ONE_LINE = 59
"""What is left of a line beside the word "input"."""


@every_exercise
def test_the_place_to_compare_with_exists(exercise: Exercise) -> None:
    path, _, name = exercise.engine.partition("::")
    source = (Path(alembic_sim.__file__).parents[1] / path).read_text(encoding="utf-8")
    assert f"def {name.split('.')[-1]}(" in source


@every_exercise
def test_what_is_printed_is_plain_text(exercise: Exercise) -> None:
    printed = [*task_lines(exercise), *solution_lines(exercise)]
    for number in (1, 2, 3):
        printed += hint_lines(exercise, number)
    assert exercise.signature in " ".join(printed)
    assert max(map(len, task_lines(exercise))) <= COLUMNS, "a page of 1024 px shows no more"
    for line in printed:
        assert not re.search(r"0x[0-9a-f]{5,}|<(?:function|class)|Traceback", line)


@pytest.mark.parametrize("not_written", [None, "x", f"{'long/' * 40}file: No space left"])
@every_exercise
def test_an_answer_fits_six_lines_with_everything_there_is_to_say(
    exercise: Exercise, not_written: str | None
) -> None:
    failed = NotPassed("c" * 200, "e" * 200, "g" * 200, printed=True)
    for verdict in (Passed(), Passed(printed=True), failed):
        lines = verdict_lines(exercise, verdict, not_written)
        assert len(lines) <= 6
        assert max(map(len, lines)) <= COLUMNS
        assert ("written" in " ".join(lines[:2])) is (not_written is not None)


def test_each_lesson_with_exercises_has_at_least_three() -> None:
    counts = {e.lesson: 0 for e in EXERCISES}
    for exercise in EXERCISES:
        counts[exercise.lesson] += 1
    assert set(counts) >= set(range(1, 10))
    assert min(counts.values()) >= 3


def test_no_two_exercises_ask_for_the_same_name() -> None:
    """A learner may keep all functions of a lesson in one notebook."""
    names = [exercise.function for exercise in EXERCISES]
    assert len(names) == len(set(names))
