"""The picture of `Compare`: two titled columns of texts, and a sign where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from alembic_sim.teaching.palette import (
    BUCKET_MARKS,
    FAINT,
    INK,
    MUTED,
    SHADE,
    STATE_MARKS,
    VERMILION,
    Mark,
)
from alembic_sim.teaching.svg import (
    LINE_HEIGHT,
    Svg,
    box,
    fit,
    line,
    lines_of_words,
    marker,
    picture,
    tag,
    text_width,
    words,
    wrap,
)

Row = tuple[str, str, str]
"""What is compared, and what either side says of it."""

ROWS_PER_PAGE = 10
_LEFT, _RIGHT = 16.0, 684.0
_WHAT, _A, _SIGN, _B = 24.0, 204.0, 444.0, 466.0
_WHAT_WIDTH, _SIDE_WIDTH, _SIZE, _MOST_LINES = 168.0, 214.0, 13.0, 4
_TITLE_WIDTH = _SIDE_WIDTH / 1.12  # bold is wider
_MARKS: dict[str, Mark] = {**STATE_MARKS, **BUCKET_MARKS}


def draw_comparison(
    titles: tuple[str, str], rows: Sequence[Row], first: int, summary: str, nothing: str = ""
) -> Svg:
    """The rows of one page from `first` on; `nothing` is said where there are none."""
    page = rows[first : first + ROWS_PER_PAGE]
    y = 56.0
    pieces = [
        words(_A, 30, fit(titles[0], _TITLE_WIDTH, size=15), size=15, bold=True),
        words(_B, 30, fit(titles[1], _TITLE_WIDTH, size=15), size=15, bold=True),
        line((_LEFT, 42), (_RIGHT, 42)),
    ]
    for row in page:
        height = _height(row)
        pieces.append(_row(row, y, height))
        y += height
    if not page:
        pieces.append(words(_WHAT, y + 16, nothing, size=_SIZE, fill=MUTED))
        y += 26
    if len(rows) > len(page):
        said = f"rows {first + 1} to {first + len(page)} of {len(rows)}"
        pieces.append(words(_RIGHT - 8, y + 16, said, size=12, anchor="end", fill=MUTED))
        y += 20
    return picture(f"{titles[0]} against {titles[1]}", summary, y + 14, *pieces)


def _cells(row: Row) -> tuple[tuple[str, ...], ...]:
    widths = (_WHAT_WIDTH, _SIDE_WIDTH - 20, _SIDE_WIDTH - 20)
    return tuple(_cut(text, width) for text, width in zip(row, widths, strict=True))


def _height(row: Row) -> float:
    most = max(1, *(len(lines) for lines in _cells(row)))
    return 14 + most * _SIZE * LINE_HEIGHT


def _row(row: Row, y: float, height: float) -> str:
    """One row; where the sides differ it lies on a frame with a sign between them."""
    what, left, right = _cells(row)
    differs = row[1] != row[2]
    baseline = y + 14
    ground = box(_LEFT, y - 6, _RIGHT - _LEFT, height - 4, fill=SHADE, stroke=VERMILION, rounding=5)
    sign = "≠" if differs else "="
    return "".join(
        [
            ground if differs else _rule(y + height - 8),
            lines_of_words(_WHAT, baseline, what, size=_SIZE, fill=INK),
            _side(_A, baseline, left, row[1]),
            words(_SIGN, baseline + 1, sign, size=17 if differs else 14, anchor="middle",
                  bold=differs, fill=INK if differs else MUTED),
            _side(_B, baseline, right, row[2]),
        ]
    )  # fmt: skip


def _rule(y: float) -> str:
    return tag("rect", x=_LEFT, y=y, width=_RIGHT - _LEFT, height=1, fill=FAINT, opacity=0.4)


def _side(x: float, baseline: float, lines: Sequence[str], text: str) -> str:
    """One side's text; a state or a bucket comes with its mark."""
    mark = _mark(text)
    if mark is None:
        return lines_of_words(x, baseline, lines, size=_SIZE, fill=INK)
    return marker(x + 6, baseline - 4, mark, size=5.5) + lines_of_words(
        x + 20, baseline, lines, size=_SIZE, fill=INK
    )


def _mark(text: str) -> Mark | None:
    """The mark of what the text ends in: a state after an arrow, a state or bucket at its head."""
    after = text.rsplit(" → ", 1)[-1]
    return _MARKS.get(after.split(" ", 1)[0].rstrip(":"))


def _cut(text: str, width: float) -> tuple[str, ...]:
    """The text in a few lines; what is beyond them is cut with an ellipsis."""
    lines = wrap(text, width, size=_SIZE)
    if len(lines) <= _MOST_LINES:
        return lines
    last = lines[_MOST_LINES - 1] + " …"
    while text_width(last, size=_SIZE) > width and len(last) > 2:
        last = last[:-3] + " …"
    return (*lines[: _MOST_LINES - 1], last)
