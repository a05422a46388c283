"""The curriculum as an underground map: three lines, fourteen stations."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from alembic_sim.teaching.lessons.catalog import (
    CURRICULUM,
    PATHS,
    Lesson,
    PathName,
    minutes_on,
    written_lessons,
)
from alembic_sim.teaching.palette import BLUE, FAINT, GREEN, INK, MUTED, ORANGE, PAPER, Mark
from alembic_sim.teaching.svg import Svg, fit, line, marker, picture, tag, words

PATH_MARKS: dict[PathName, Mark] = {
    "90 minutes": Mark(ORANGE, "triangle", PAPER),
    "half a day": Mark(GREEN, "circle", PAPER),
    "a day": Mark(BLUE, "square", PAPER),
}
"""How each path looks: its line's colour and the shape of its stations."""

_TRACKS: dict[PathName, float] = {"90 minutes": 36, "half a day": 66, "a day": 96}
_TOP, _ROW, _NUMBER, _TITLE, _MINUTES, _RIGHT = 96.0, 30.0, 128.0, 160.0, 566.0, 684.0


def draw_curriculum_map(written: Collection[int] | None = None) -> Svg:
    """Each lesson a station on the paths that lead through it; one still to come is drawn faint.

    `written` holds the numbers of the lessons that exist; left out, the lessons' folder is asked.
    """
    there = {file.lesson.number for file in written_lessons()} if written is None else written
    rows = [
        _station(place, lesson, lesson.number in there) for place, lesson in enumerate(CURRICULUM)
    ]
    height = _TOP + _ROW * len(CURRICULUM)
    return picture(
        "Three paths through the lessons", _summary(there), height, *_legend(), *_tracks(), *rows
    )


def _summary(written: Collection[int]) -> str:
    paths = "; ".join(
        f"{path}: {_numbers(lesson.number for lesson in CURRICULUM if path in lesson.paths)}"
        for path in PATHS
    )
    return f"{paths}. Written so far: {_numbers(sorted(written)) or 'none'}."


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:02d}" for number in numbers)


def _legend() -> list[str]:
    """The paths with their length, right above the stations."""
    pieces = []
    for place, path in enumerate(PATHS):
        x, short = 28 + place * 222, path == PATHS[0]
        label = path if short else f"{path} ({minutes_on(path)} min)"
        pieces += [marker(x, 28, PATH_MARKS[path]), words(x + 16, 33, label, bold=True)]
        if short:
            note = f"with one exercise a lesson; {minutes_on(path)} with all"
            pieces.append(words(x - 8, 53, note, size=12, fill=MUTED))
    pieces.append(words(_RIGHT, 68, "minutes", size=12, anchor="end", fill=MUTED))
    return pieces


def _tracks() -> list[str]:
    """One vertical line a path, from its first station to its last."""
    pieces = []
    for path in PATHS:
        rows = [place for place, lesson in enumerate(CURRICULUM) if path in lesson.paths]
        x = _TRACKS[path]
        ends = ((x, _row(rows[0])), (x, _row(rows[-1])))
        pieces.append(line(*ends, stroke=PATH_MARKS[path].colour, stroke_width=4))
    return pieces


def _station(place: int, lesson: Lesson, written: bool) -> str:
    y = _row(place)
    stops = "".join(marker(_TRACKS[path], y, PATH_MARKS[path]) for path in lesson.paths)
    colour = INK if written else MUTED
    note = (
        "" if written else words(_MINUTES + 12, y + 5, "to come", size=12, italic=True, fill=MUTED)
    )
    return (
        tag("path", d=f"M{_NUMBER:g} {y + _ROW / 2:g}H{_RIGHT:g}", stroke=FAINT, stroke_width=0.3)
        + stops
        + words(_NUMBER, y + 5, f"{lesson.number:02d}", bold=written, fill=colour)
        + words(
            _TITLE,
            y + 5,
            fit(lesson.claim, _MINUTES - _TITLE, size=14),
            bold=written,
            italic=not written,
            fill=colour,
        )
        + note
        + words(_RIGHT, y + 5, f"{lesson.minutes}", anchor="end", fill=colour)
    )


def _row(place: int) -> float:
    return _TOP + place * _ROW
