"""`alembic-sim lessons`: list, copy, reset and export the lessons; build, check and verify them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.cli.common import (
    JsonOption,
    bad_input,
    bad_usage,
    fail,
    print_json,
    print_line,
    warn,
)
from alembic_sim.cli.lessons_verify import verify
from alembic_sim.result import Err, Ok
from alembic_sim.teaching.lessons.build import Rebuilt, build_lesson, check_lesson
from alembic_sim.teaching.lessons.catalog import (
    CURRICULUM,
    LessonFile,
    find_lesson,
    in_checkout,
    written_lessons,
)
from alembic_sim.teaching.lessons.copying import COPIES, copies_folder, copy_lessons
from alembic_sim.teaching.lessons.exporting import export_lessons
from alembic_sim.teaching.lessons.lesson_form import lesson_findings
from alembic_sim.teaching.lessons.notebook import read_notebook
from alembic_sim.teaching.lessons.resetting import reset_lessons

app = typer.Typer(help="List, copy, build, check and verify lessons.", no_args_is_help=True)

LessonNames = Annotated[
    list[str] | None,
    typer.Argument(metavar="[LESSON]...", help="Lessons such as 03; all if none is named."),
]


@app.command("list")
def list_lessons(as_json: JsonOption = False) -> None:
    """Print the curriculum: number, minutes, claim, and which lessons are written."""
    written = {file.lesson.number for file in written_lessons()}
    if as_json:
        print_json(
            [
                {
                    "lesson": lesson.stem,
                    "claim": lesson.claim,
                    "idea": lesson.idea,
                    "minutes": lesson.minutes,
                    "paths": list(lesson.paths),
                    "seeds": list(lesson.seeds),
                    "written": lesson.number in written,
                }
                for lesson in CURRICULUM
            ]
        )
        return
    for lesson in CURRICULUM:
        note = "" if lesson.number in written else "  (to come)"
        print_line(f"{lesson.number:02d}  {lesson.minutes:2d} min  {lesson.claim}{note}")
    print_line("Open them with: alembic-sim lab --lesson 00")


CopiesOption = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        metavar="FOLDER",
        help="Where your copies of the lessons lie.",
        show_default=COPIES,
    ),
]


@app.command("copy")
def copy(folder: CopiesOption = None) -> None:
    """Copy the lessons to a folder of yours; what you edited there is never overwritten."""
    match copy_lessons(copies_folder(folder)):
        case Ok(report):
            print_line(
                f"Lessons in {report.folder}: {_count(report.written, 'written')}, "
                f"{_count((*report.unchanged, *report.opened), 'up to date')}, "
                f"{_count(report.kept, 'yours')}"
            )
            for name in report.kept:
                print_line(f"  kept as you edited it: {name}")
            for name in report.updates:
                print_line(f"  newer version beside it: {name}")
        case Err(error):
            fail(error.message)


@app.command("reset")
def reset(
    lessons: Annotated[
        list[str], typer.Argument(metavar="LESSON...", help="Lessons such as 03, or: all.")
    ],
    folder: CopiesOption = None,
) -> None:
    """Put a fresh copy of a lesson back; yours is kept beside it as NAME.mine.ipynb."""
    chosen = _chosen(None if lessons == ["all"] else lessons)
    place = copies_folder(folder)
    match reset_lessons(place, chosen):
        case Ok(done):
            for one in done:
                kept = f"; yours is kept as {one.kept_as}" if one.kept_as else ""
                print_line(f"{one.name}: fresh{kept}")
            print_line("Is one open in JupyterLab? Choose File, Reload Notebook from Disk.")
        case Err(error) if error.code in ("no-copies", "own-folder"):
            bad_usage("--dir", str(place), f"the folder of your copies ({error.message})")
        case Err(error):
            fail(error.message)


@app.command("export")
def export(
    lessons: LessonNames = None,
    to: Annotated[
        Path, typer.Option("--to", "--dir", metavar="FOLDER", help="Where the pages shall lie.")
    ] = Path("lesson-pages"),
) -> None:
    """Write the lessons as web pages that need neither a kernel nor a network."""
    match export_lessons(_chosen(lessons), to.expanduser()):
        case Ok(pages):
            for page in pages:
                print_line(str(page))
        case Err(error):
            fail(error.message)


@app.command("build")
def build(lessons: LessonNames = None) -> None:
    """Restart, run and write down our lessons in canonical form (in a checkout)."""
    if not in_checkout():
        fail("Lessons are built in a checkout of the project; this is an installed package.")
    failed = False
    for file in _chosen(lessons):
        match build_lesson(file.path):
            case Ok(rebuilt):
                print_line(f"{file.lesson.stem}: {_told(rebuilt)}")
                for finding in _findings(file):
                    warn(f"  {finding}")
            case Err(error):
                failed = True
                warn(f"{error.code}: {error.message}")
    if failed:
        fail("Not every lesson could be built.")


@app.command("check")
def check(lessons: LessonNames = None) -> None:
    """Fail if building would change a byte of a lesson, or if its hygiene is poor."""
    wrong = 0
    for file in _chosen(lessons):
        problems = _problems(file)
        wrong += bool(problems)
        print_line(f"{file.lesson.stem}: {'as built' if not problems else 'NOT as it should be'}")
        for problem in problems:
            print_line("  " + problem.replace("\n", "\n  "))
    if wrong:
        fail(f"{wrong} of the lessons need work: alembic-sim lessons build, then look at the diff.")


app.command("verify")(verify)


def _chosen(names: list[str] | None) -> list[LessonFile]:
    """The written lessons that the names mean; an unknown one ends with exit 2."""
    written = list(written_lessons())
    if not written:
        fail("There are no lessons here: reinstall the package.")
    chosen = []
    for name in names or ():
        match find_lesson(name):
            case Ok(file):
                chosen.append(file)
            case Err(error):
                bad_input("LESSON", error.message)
    return chosen or written


def _problems(file: LessonFile) -> list[str]:
    match check_lesson(file.path):
        case Ok(differences):
            return [difference.text() for difference in differences] + _findings(file)
        case Err(error):
            return [f"{error.code}: {error.message}"]


def _findings(file: LessonFile) -> list[str]:
    notebook = read_notebook(file.path)
    if not notebook.ok:
        return [notebook.error.message]
    return [finding.text() for finding in lesson_findings(notebook.value, file.lesson)]


def _told(rebuilt: Rebuilt) -> str:
    return "written anew" if rebuilt.changed else "unchanged"


def _count(names: tuple[str, ...], what: str) -> str:
    return f"{len(names)} {what}"
