"""The curriculum as data: which lessons there are, which are written, and where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from alembic_sim.result import Err, Ok, Result
from alembic_sim.teaching.lessons.errors import LessonError

PathName = Literal["90 minutes", "half a day", "a day"]

PATHS: tuple[PathName, ...] = ("90 minutes", "half a day", "a day")
"""The three ways through the lessons, the shortest first."""

EXERCISES_A_LESSON, EXERCISE_MINUTES = 3, 5
"""A lesson's minutes hold time for three checked exercises. On the path of 90 minutes there is time
for the first one of each lesson; the others wait for another day."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of the curriculum; `seeds` are the numbers of the source documents it teaches."""

    number: int
    name: str
    claim: str
    idea: str
    seeds: tuple[int, ...]
    minutes: int

    @property
    def stem(self) -> str:
        """The file name without `.ipynb`, e.g. `03_propose_gate_apply`."""
        return f"{self.number:02d}_{self.name}"

    @property
    def paths(self) -> tuple[PathName, ...]:
        """The paths that lead through this lesson."""
        return tuple(path for path in PATHS if self.number in _NUMBERS_ON[path])


@dataclass(frozen=True, slots=True)
class LessonFile:
    """A lesson that is written: its place in the curriculum, and its notebook."""

    lesson: Lesson
    path: Path


CURRICULUM: tuple[Lesson, ...] = (
    Lesson(
        0,
        "start_here",
        "One loop makes the next run smarter",
        "the closed loop, the map of its parts, and the three paths through the lessons",
        (2,),
        15,
    ),
    Lesson(
        1,
        "failure_is_a_value",
        "Failure is a value",
        "ADR-0009: Result, retry, breaker and budget over one shape",
        (4,),
        35,
    ),
    Lesson(
        2,
        "a_frozen_snapshot",
        "Durable now, visible next session",
        "bounded memory and the snapshot that stays frozen for a session",
        (2,),
        25,
    ),
    Lesson(
        3,
        "propose_gate_apply",
        "Nothing is learnt without a gate",
        "the kernel, its three buckets, and why failed is not rejected",
        (1,),
        45,
    ),
    Lesson(
        4,
        "the_gate_decides",
        "The gate decides, the model does not",
        "0.7 inclusive, fail closed, model output is untrusted, injection",
        (1, 3),
        30,
    ),
    Lesson(
        5,
        "counting_use",
        "Read with patience, write with care",
        "telemetry: best-effort reads, atomic writes, stable bytes",
        (5,),
        35,
    ),
    Lesson(
        6,
        "the_infinity_anchor",
        "Never used is not infinitely old",
        "the +∞ anchor of a skill that was never active, and its price",
        (5,),
        30,
    ),
    Lesson(
        7,
        "archive_first",
        "The order of the branches is structure",
        "archive is tested first, or a very old skill stops half way",
        (5,),
        30,
    ),
    Lesson(
        8,
        "the_curator",
        "Put away, never delete",
        "provenance, pin, the report, one clock, the idle timeline",
        (5,),
        35,
    ),
    Lesson(
        9,
        "months_of_skill_usage",
        "Choose a policy by its regret",
        "simulate months, compare policies, read regret and bands",
        (5,),
        50,
    ),
    Lesson(
        10,
        "the_exit_court",
        "Nothing leaves without proof",
        "proof, validator, coordinated, publish",
        (3,),
        35,
    ),
    Lesson(
        11,
        "learning_behind_the_validator",
        "The real gate stands in front of memory",
        "learning behind the validator; `--learn` off is byte-identical",
        (3,),
        25,
    ),
    Lesson(
        12,
        "the_adr_trail",
        "The shape is forced",
        "the decisions, the options they rejected, the four guarantees",
        (4,),
        25,
    ),
    Lesson(
        13,
        "break_it",
        "Break a rule, read what breaks",
        "each rule broken in turn, the smallest counterexample; capstone",
        (1, 2, 3, 4, 5),
        50,
    ),
)
"""All lessons in order, written or not."""

_NUMBERS_ON: dict[PathName, tuple[int, ...]] = {
    "90 minutes": (2, 3, 6, 7),
    "half a day": tuple(range(1, 9)),
    "a day": tuple(range(14)),
}


def minutes_on(path: PathName) -> int:
    """How long the path takes with every exercise of its lessons."""
    return sum(lesson.minutes for lesson in CURRICULUM if path in lesson.paths)


_PACKAGE = Path(__file__).resolve().parents[2]
_CHECKOUT = _PACKAGE.parent


def lessons_folder() -> Path:
    """Where the notebooks lie: the checkout's `notebooks/`, else the copy that the wheel carries.

    The checkout comes first because an editable install may leave an old copy in the package.
    """
    return _CHECKOUT / "notebooks" if in_checkout() else _PACKAGE / "_lessons"


def in_checkout() -> bool:
    """Whether this package runs from a checkout, where lessons can be built."""
    return (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "notebooks").is_dir()


def written_lessons(folder: Path | None = None) -> tuple[LessonFile, ...]:
    """The lessons that exist as notebooks, in order."""
    place = lessons_folder() if folder is None else folder
    files = (LessonFile(lesson, place / f"{lesson.stem}.ipynb") for lesson in CURRICULUM)
    return tuple(file for file in files if file.path.is_file())


def find_lesson(asked: str, folder: Path | None = None) -> Result[LessonFile, LessonError]:
    """The written lesson called `03`, `3`, `propose_gate_apply` or by its whole file name.

    `unknown-lesson` if the curriculum has none of that name, `not-written` if it is still to come.
    """
    written = written_lessons(folder)
    there = ", ".join(file.lesson.stem for file in written) or "none"
    lesson = _named(asked)
    if lesson is None:
        why = f"there is no lesson {asked!r}; the lessons to open are: {there}"
        return Err(LessonError("unknown-lesson", why))
    for file in written:
        if file.lesson == lesson:
            return Ok(file)
    named = f"{lesson.number:02d}, {lesson.claim} ({lesson.stem}),"
    why = f"lesson {named} is not written yet; the lessons to open are: {there}"
    return Err(LessonError("not-written", why))


def _named(asked: str) -> Lesson | None:
    wanted = Path(asked.strip()).name.removesuffix(".ipynb")
    for lesson in CURRICULUM:
        numbers = (str(lesson.number), f"{lesson.number:02d}")
        if wanted in (*numbers, lesson.name, lesson.stem):
            return lesson
    return None
