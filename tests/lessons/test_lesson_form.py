"""A lesson that lacks a part, or points nowhere, is found: each rule goes red once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alembic_sim.teaching.lessons.canonical import canonical_notebook
from alembic_sim.teaching.lessons.catalog import CURRICULUM
from alembic_sim.teaching.lessons.lesson_form import MAX_PROSE_WORDS, lesson_findings
from tests.teaching.lessons.test_canonical import code, markdown, notebook

LESSON = CURRICULUM[3]

START = """# Nothing is learnt without a gate

**Lesson 03** · 45 minutes · comes after lesson 00

Think of an exit control. **Where this breaks:** it inspects parts, not books.

**Afterwards you can** follow a proposal.

This lesson mirrors `review.ts`."""

MIDDLE = """**Simple.** It is so.

**Technical.** It is exactly so."""

END = """## Common confusions

## What the ancestor does instead

## Recall

## In three lines

## Where to read the code

- `alembic_sim/hermes/learning/review.py::review_and_learn`"""

QUESTION = "my_prediction = ...  # True or False"


def found(
    start: str = START, question: str = QUESTION, middle: str = MIDDLE, end: str = END
) -> list[str]:
    """What is found in a lesson made of these parts: `rule: what`."""
    made = canonical_notebook(
        notebook(markdown(start), code(question), markdown(middle), markdown(end))
    )
    return [f"{one.rule}: {one.what}" for one in lesson_findings(made, LESSON)]


def without(text: str) -> Callable[[], list[str]]:
    """The findings once this text is gone from wherever it stands."""
    return lambda: found(*(part.replace(text, "") for part in (START, QUESTION, MIDDLE, END)))


def test_a_whole_lesson_has_no_findings() -> None:
    assert found() == []


def test_the_ancestor_may_be_left_out_but_not_misplaced() -> None:
    assert without("## What the ancestor does instead")() == []
    end = END.replace("## What the ancestor does instead", "")
    misplaced = found(middle=MIDDLE + "\n\n## What the ancestor does instead", end=end)
    assert misplaced == ["part-order: what the ancestor does comes before common confusions"]


@pytest.mark.parametrize(
    ("gone", "part"),
    [
        ("# Nothing is learnt without a gate", "title"),
        ("**Lesson 03** · 45 minutes", "number and minutes"),
        ("**Where this breaks:**", "analogy and its limit"),
        ("**Afterwards you can**", "objectives"),
        ("This lesson mirrors", "what it mirrors"),
        ("## Common confusions", "common confusions"),
        ("## Recall", "flashcards"),
        ("## In three lines", "summary"),
        ("## Where to read the code", "where to read on"),
    ],
)
def test_a_missing_part_is_found(gone: str, part: str) -> None:
    assert f"missing-part: no {part}" in without(gone)()


def test_parts_in_another_order_are_found() -> None:
    end = END.replace("## In three lines", "").replace(
        "## Common", "## In three lines\n\n## Common"
    )
    assert found(end=end) == ["part-order: summary comes before flashcards"]


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (START.replace("45 minutes", "50 minutes"), "the number and minutes"),
        (START.replace("Lesson 03", "Lesson 04"), "the number and minutes"),
        (START.replace("Nothing is learnt", "Nothing is known"), "the title"),
    ],
)
def test_a_start_that_is_not_the_catalogue_s_is_found(start: str, what: str) -> None:
    assert found(start=start) == [f"catalogue: {what} is not the catalogue's"]


def test_a_lesson_that_never_asks_is_found() -> None:
    assert found(question="print(1)") == ["no-prediction: the learner is never asked"]


def test_an_explanation_given_only_once_is_found() -> None:
    assert found(middle=MIDDLE + "\n\n**Simple.** Again.")[0].startswith("pair: 2 ×")
    assert found(middle="")[0].startswith("pair: 0 ×")


def test_too_much_prose_is_found_and_code_in_it_does_not_count() -> None:
    long = "word " * MAX_PROSE_WORDS
    assert found(middle=MIDDLE + "\n\n" + long)[0].startswith("prose-length: ")
    assert found(middle=MIDDLE + "\n\n```\n" + long + "\n```") == []


@pytest.mark.parametrize(
    ("anchor", "what"),
    [
        ("`alembic_sim/hermes/nowhere.py::f`", "alembic_sim/hermes/nowhere.py does not exist"),
        (
            "`alembic_sim/hermes/learning/review.py::learn_it_all`",
            "alembic_sim/hermes/learning/review.py does not define learn_it_all",
        ),
        (
            "`alembic_sim/hermes/curator/usage_record.py::UsageRecord.nothing`",
            "alembic_sim/hermes/curator/usage_record.py does not define UsageRecord.nothing",
        ),
    ],
)
def test_an_anchor_that_points_nowhere_is_found(anchor: str, what: str) -> None:
    assert found(end=f"{END}\n- {anchor}") == [f"anchor: {what}"]


@pytest.mark.parametrize(
    "anchor",
    [
        "`alembic_sim/hermes/learning/review.py`",
        "`alembic_sim/hermes/learning/gate.py::DEFAULT_REVIEW_SCORE_THRESHOLD`",
        "`alembic_sim/hermes/curator/usage_record.py::UsageRecord.to_json`",
        "`alembic_sim/hermes/curator/usage_record.py::UsageRecord.last_activity_at`",
    ],
)
def test_files_constants_methods_and_fields_can_be_pointed_at(anchor: str) -> None:
    assert found(end=f"{END}\n- {anchor}") == []


def test_a_lesson_that_names_no_place_in_the_source_is_found() -> None:
    assert without("`alembic_sim/hermes/learning/review.py::review_and_learn`")() == [
        "anchor: no place in the source is named"
    ]


@pytest.mark.parametrize(
    "line", ["!ls", "%timeit f()", "%%bash\nls", "x = 1\n  %matplotlib inline"]
)
def test_a_shell_or_magic_line_is_found(line: str) -> None:
    assert [rule.split(":")[0] for rule in found(question=f"{QUESTION}\n{line}")] == ["shell"]


def test_the_hygiene_of_any_notebook_holds_for_a_lesson_too() -> None:
    assert found(question=f"{QUESTION}\nplot();")[0].startswith("semicolon: ")
