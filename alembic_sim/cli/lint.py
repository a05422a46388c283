"""`alembic-sim lint PATH`: what is to mend in a real home; read-only, for CI."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from alembic_sim.adapters.disk_fs import DiskFs
from alembic_sim.cli.common import (
    JsonOption,
    NowOption,
    bad_usage,
    clock_at,
    fail,
    print_json,
    print_line,
)
from alembic_sim.cli.library import looks_like_hermes
from alembic_sim.cli.lint_junit import lint_junit
from alembic_sim.cli.lint_view import LintView, lint_document, lint_lines
from alembic_sim.durable import write_atomic
from alembic_sim.hermes.linting.lint_home import errors_in, lint
from alembic_sim.hermes.linting.seen_file import (
    MEMORY_FOLDERS,
    SKILLS_FOLDER,
    FileKind,
    SeenFile,
    kind_of,
    see_file,
    see_home,
    see_memory,
    see_skills,
)

_ALLOWED = (
    "a home (with memories, memory or skills in it), its memory or skills folder, or one "
    "MEMORY.md, USER.md, SKILL.md, .usage.json or sub-store .jsonl"
)
_FILES: tuple[FileKind, ...] = ("memory", "user", "skill", "sidecar", "sub-store")
_NOTES = ("MEMORY", "USER")
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/null")


def lint_command(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH",
            help="A home, its memory or skills folder, or one file of it.",
            show_default=False,
        ),
    ],
    junit: Annotated[
        Path | None,
        typer.Option(
            "--junit",
            metavar="FILE",
            help="Also write a JUnit report: each rule of each file is a test.",
            show_default=False,
        ),
    ] = None,
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for what is lost, blocked, damaged or over budget in a home; write nothing there.

    Exit 0 if there is nothing to mend (notes may be), 1 if there is, 2 if PATH is no home.
    """
    now_ms = clock_at(now)()
    try:
        files = _see(path)
        nothing = files is None and not path.expanduser().exists()
    except (OSError, RuntimeError, ValueError) as error:  # too long, a NUL, a circle of links
        bad_usage("PATH", str(path), f"{_ALLOWED} ({error})")
    if files is None:
        bad_usage("PATH", str(path), f"{_ALLOWED}; nothing is there" if nothing else _ALLOWED)
    base = path.parent if path.is_file() else path
    if junit is not None:
        _check_report(junit, base, files)
    view = LintView(path, base, now_ms, lint(files, now_ms))
    if as_json:
        print_json(lint_document(view))
    else:
        for line in lint_lines(view):
            print_line(line)
    if junit is not None:
        _write(junit, lint_junit(view))
    if errors_in(view.files):
        raise typer.Exit(1)


def _see(path: Path) -> tuple[SeenFile, ...] | None:
    """Every file that PATH means, in a home or in a part of one; None if it is neither."""
    real = path.expanduser().resolve()  # a link may lead out of its folder
    fs = DiskFs(real)
    kind = kind_of(path.name)
    if real.is_file():
        if kind not in _FILES:
            return None
        [seen] = see_file(DiskFs(real.parent), real.name, kind)
        return (replace(seen, path=path.name),)
    if any((real / name).is_dir() for name in (*MEMORY_FOLDERS, SKILLS_FOLDER)):
        return see_home(fs)
    if (real / ".usage.json").exists() or any(real.glob("*/SKILL.md")):
        return see_skills(fs)
    if real.name in MEMORY_FOLDERS or any((real / f"{name}.md").exists() for name in _NOTES):
        return see_memory(fs)
    return None


def _check_report(report: Path, base: Path, files: tuple[SeenFile, ...]) -> None:
    """Ends with exit 2 if the report would lie in, or below, a folder that is only read."""
    try:
        parents = report.expanduser().resolve().parents
    except (OSError, RuntimeError) as error:  # a circle of links, a user without a home folder
        bad_usage("--junit", str(report), f"a path that can be written ({error})")
    parts = [base / name for name in (*MEMORY_FOLDERS, SKILLS_FOLDER)]
    read_only = {part.resolve() for part in (*parts, *((base / one.path).parent for one in files))}
    read_only |= {home for home in _homes(base.resolve()) if looks_like_hermes(home)}
    if not read_only.isdisjoint(parents):
        bad_usage("--junit", str(report), "a file outside what is only read, so of any Hermes home")


def _homes(base: Path) -> list[Path]:
    """The folders that may be the home of what is looked at: itself, or that of its part."""
    parts = [up for up in (base, *base.parents) if up.name == SKILLS_FOLDER]
    parts += [base] if base.name in MEMORY_FOLDERS else []
    return [base, *(part.parent for part in parts)]


def _write(path: Path, text: str) -> None:
    path = path.expanduser().absolute()
    if path.as_posix() in _STREAMS:
        try:
            with path.open("ab") as stream:  # nothing to replace, and nothing to make durable
                stream.write(text.encode("utf-8"))
        except OSError as error:
            fail(f"the JUnit report could not be written: {error.strerror}")
        return
    written = write_atomic(DiskFs(path.parent), path.name, text.encode("utf-8"))
    if not written.ok:
        fail(f"the JUnit report could not be written: {written.error.message}")
