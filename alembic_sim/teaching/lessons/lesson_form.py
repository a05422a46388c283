"""The form of our own lessons: which parts a lesson has, in which order, and that it tells true.

The parts are data, so that an author can read here what is asked of a lesson, and a later issue
can ask for more by adding a row.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic_sim.teaching.lessons.catalog import Lesson
from alembic_sim.teaching.lessons.hygiene import NOTEBOOK_RULES, Finding, findings
from alembic_sim.teaching.lessons.notebook import Notebook, source_of

MAX_PROSE_WORDS = 2_500


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a lesson: how an author writes its beginning, and how it is found."""

    name: str
    written: str
    pattern: re.Pattern[str]
    required: bool = True


def _part(name: str, written: str, pattern: str, required: bool = True) -> Part:
    return Part(name, written, re.compile(pattern, re.MULTILINE), required)


PARTS: tuple[Part, ...] = (
    _part("title", "# A claim", r"\A# \S"),
    _part(
        "number and minutes", "**Lesson 03** · 30 minutes", r"^\*\*Lesson \d\d\*\* · \d+ minutes"
    ),
    _part("analogy and its limit", "**Where this breaks:**", r"\*\*Where (?:this|it) breaks"),
    _part("objectives", "**Afterwards you can**", r"\*\*Afterwards you can"),
    _part("what it mirrors", "This lesson mirrors …", r"This lesson mirrors"),
    _part("common confusions", "## Common confusions", r"^## Common confusions\s*$"),
    _part(
        "what the ancestor does",
        "## What the ancestor does instead",
        r"^## What the ancestor does instead\s*$",
        required=False,
    ),
    _part("flashcards", "## Recall", r"^## Recall\s*$"),
    _part("summary", "## In three lines", r"^## In three lines\s*$"),
    _part("where to read on", "## Where to read the code", r"^## Where to read the code\s*$"),
)
"""The parts of a lesson in their order. A part that is not required must still be in its place."""

PAIR = ("**Simple.**", "**Technical.**")
"""After each experiment the difference is told twice: in plain words, and exactly."""

PREDICTION = re.compile(r"\bmy_\w*(?:prediction|guess)\w* = |\bPredict\(")
"""Where a learner writes down what they expect."""

ANCHOR = re.compile(r"`(alembic_sim/[\w./-]+\.py)(?:::([\w.]+))?`")
"""A place in the package's source: `alembic_sim/hermes/learning/review.py::review_and_learn`."""


def lesson_findings(notebook: Notebook, lesson: Lesson) -> tuple[Finding, ...]:
    """Everything to mend in one of our lessons: hygiene, form, and pointers into the source."""
    return findings(
        notebook,
        (
            *NOTEBOOK_RULES,
            parts_are_in_order,
            _starts_as_catalogued(lesson),
            asks_and_explains,
            prose_is_short,
            anchors_point_somewhere,
            no_shell,
        ),
    )


def parts_are_in_order(notebook: Notebook) -> Iterator[Finding]:
    """Each required part is there, and no part comes before one that it should follow."""
    prose = _prose(notebook)
    last = (-1, "")
    for part in PARTS:
        found = part.pattern.search(prose)
        if found is None:
            if part.required:
                remedy = f"Write a part that begins: {part.written}"
                yield Finding(None, "missing-part", f"no {part.name}", remedy)
            continue
        if found.start() < last[0]:
            what = f"{part.name} comes before {last[1]}"
            yield Finding(None, "part-order", what, "Keep the order of the other lessons.")
        last = max(last, (found.start(), part.name))


def _starts_as_catalogued(lesson: Lesson) -> Callable[[Notebook], Iterator[Finding]]:
    """The rule that title, number and minutes are those of the curriculum."""

    def starts_as_catalogued(notebook: Notebook) -> Iterator[Finding]:
        start = _prose(notebook)
        minutes = f"**Lesson {lesson.number:02d}** · {lesson.minutes} minutes"
        for what, line in (("title", f"# {lesson.claim}"), ("number and minutes", minutes)):
            if not re.search(rf"^{re.escape(line)}(?: ·.*)?$", start, re.MULTILINE):
                told = f"the {what} is not the catalogue's"
                yield Finding(1, "catalogue", told, f"Write {line!r}, or change catalog.py.")

    return starts_as_catalogued


def asks_and_explains(notebook: Notebook) -> Iterator[Finding]:
    """A lesson asks for predictions and explains each outcome twice."""
    prose = _prose(notebook)
    code = "\n".join(source_of(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
    if not PREDICTION.search(code):
        remedy = "Ask before you tell: my_prediction = ...  # what it may be"
        yield Finding(None, "no-prediction", "the learner is never asked", remedy)
    simple, technical = (prose.count(sign) for sign in PAIR)
    if simple == 0 or simple != technical:
        what = f"{simple} × {PAIR[0]} and {technical} × {PAIR[1]}"
        yield Finding(None, "pair", what, "Explain each outcome once simply and once technically.")


def prose_is_short(notebook: Notebook) -> Iterator[Finding]:
    """At most 2,500 words; code blocks in the prose do not count."""
    words = prose_words(notebook)
    if words > MAX_PROSE_WORDS:
        what = f"{words} words of prose, allowed are {MAX_PROSE_WORDS}"
        yield Finding(None, "prose-length", what, "Cut, or make two lessons of it.")


def prose_words(notebook: Notebook) -> int:
    """How many words a learner reads."""
    text = re.sub(r"^```.*?^```", "", _prose(notebook), flags=re.MULTILINE | re.DOTALL)
    return sum(1 for word in text.split() if re.search(r"\w", word))


def anchors_point_somewhere(notebook: Notebook) -> Iterator[Finding]:
    """Each file that the prose names exists, and defines the name after `::`."""
    found = False
    for place, cell in enumerate(notebook["cells"], start=1):
        if cell["cell_type"] != "markdown":
            continue
        for path, name in ANCHOR.findall(source_of(cell)):
            found = True
            problem = _anchor_problem(path, name)
            if problem:
                yield Finding(place, "anchor", problem, "Point to where the code is now.")
    if not found:
        remedy = "Name at least one: `alembic_sim/….py::name`"
        yield Finding(None, "anchor", "no place in the source is named", remedy)


def _anchor_problem(path: str, name: str) -> str | None:
    file = Path(__file__).resolve().parents[3] / path
    if not file.is_file():
        return f"{path} does not exist"
    if name and name not in _defined_names(file):
        return f"{path} does not define {name}"
    return None


@cache
def _defined_names(file: Path) -> frozenset[str]:
    """The names that a module defines: functions, classes, their members, constants."""
    return frozenset(_names(ast.parse(file.read_text(encoding="utf-8")).body))


def _names(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield prefix + name
            case ast.ClassDef(name=name):
                yield prefix + name
                yield from _names(statement.body, f"{prefix}{name}.")
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name
            case ast.Assign(targets=targets):
                yield from (prefix + one.id for one in targets if isinstance(one, ast.Name))


def no_shell(notebook: Notebook) -> Iterator[Finding]:
    """A lesson starts no process and needs no magic: what it shows is the engine's."""
    for place, cell in enumerate(notebook["cells"], start=1):
        first = re.search(r"^\s*[!%].*", source_of(cell), re.MULTILINE)
        if cell["cell_type"] == "code" and first:
            yield Finding(place, "shell", f"{first[0].strip()[:40]!r}", "Call a function instead.")


def _prose(notebook: Notebook) -> str:
    cells = (cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    return "\n\n".join(source_of(cell) for cell in cells)
