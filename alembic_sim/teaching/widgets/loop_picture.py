"""The picture of `LoopStepper`: a proposal at its station, three buckets, the files' bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alembic_sim.hermes.memory.memory_store import FILE_NAMES, WriteReceipt
from alembic_sim.teaching.palette import BUCKET_MARKS, FAINT, INK, MUTED, PAPER, SHADE, TAKEN
from alembic_sim.teaching.svg import (
    LINE_HEIGHT,
    Svg,
    arrow,
    box,
    fit,
    lines_of_words,
    marker,
    picture,
    tag,
    text_width,
    words,
    wrap_to,
)
from alembic_sim.teaching.widgets.loop_trace import APPLY, GATE, PROPOSE, Handled

_LEFT, _WIDTH, _COLUMN, _GAP = 16.0, 668.0, 208.0, 22.0
_STATIONS, _BUCKETS, _FILES, _HEIGHT = 92.0, 222.0, 372.0, 498.0
_STATION_HEIGHT = 104.0
SHOWN_PER_BUCKET, SHOWN_LINES = 3, 5


@dataclass(frozen=True, slots=True)
class LoopMoment:
    """What is on show: the proposal in hand (or just done), how far it is, and what lies where.

    `ended` says why there is no next step, where there is none.
    """

    total: int
    done: tuple[Handled, ...]
    current: Handled | None
    station: int
    limits: Mapping[str, int]
    ended: str = ""

    @property
    def files(self) -> Mapping[str, bytes]:
        """What is on disk now: a proposal in hand has not been written yet."""
        return self.done[-1].files if self.done else {}


def draw_loop(moment: LoopMoment, summary: str) -> Svg:
    """Stations above, buckets in the middle, the files' bytes below."""
    pieces = [
        _head(moment),
        _station(0, "Propose", PROPOSE, moment),
        _station(1, "Gate", GATE, moment),
        _station(2, "Apply", APPLY, moment),
        *(_bucket(place, name, moment) for place, name in enumerate(BUCKET_MARKS)),
        _disk(moment),
    ]
    return picture("The loop, one proposal at a time", summary, _HEIGHT, *pieces)


def _x(column: int) -> float:
    return _LEFT + column * (_COLUMN + _GAP)


def _head(moment: LoopMoment) -> str:
    """Which proposal is in hand, and one mark a proposal: its bucket once it lies in one."""
    shown = moment.current
    if shown is None:
        many = f"{moment.total} notes" if moment.total > 1 else "one note"
        title, text, about = f"The reviewer proposes {many}.", "Press Step: the first one.", ""
    else:
        number = len(moment.done) + (moment.station > 0)
        title, text = f"Proposal {number} of {moment.total}", shown.told
        title += f" · {moment.ended}" if moment.ended else ""
        proposal = shown.proposal
        about = f"score {proposal.score:g}, for {proposal.target}" if proposal else ""
    return (
        words(_LEFT, 28, title, size=15, bold=True)
        + words(_LEFT, 52, fit(text, _WIDTH, size=15), size=15)
        + words(_LEFT, 72, about, size=13, fill=MUTED)
        + _queue(moment)
    )


def _queue(moment: LoopMoment) -> str:
    """The proposals in order, from the left; only the last ones fit where there are many."""
    shown = min(moment.total, 14)
    first = min(max(0, len(moment.done) - shown // 2), moment.total - shown)
    pieces = []
    for place in range(first, first + shown):
        x, y = _LEFT + _WIDTH - 9 - (first + shown - 1 - place) * 22, 24.0
        if place < len(moment.done):
            bucket = moment.done[place].bucket
            pieces.append(marker(x, y, BUCKET_MARKS[bucket or "failed"], size=6))
        else:
            in_hand = place == len(moment.done) and moment.station > 0
            stroke, width = (TAKEN, 3.0) if in_hand else (FAINT, 1.0)
            pieces.append(
                tag("circle", cx=x, cy=y, r=7, fill=PAPER, stroke=stroke, stroke_width=width)
            )
    return "".join(pieces)


def _station(column: int, name: str, number: int, moment: LoopMoment) -> str:
    """A station: what it said of the proposal, once it was asked."""
    x, y = _x(column), _STATIONS
    current = moment.current
    # A proposal that was just finished (station 0) still shows all that was said of it.
    passed = 0 if current is None else moment.station or current.stations
    asked, here = number <= passed, number == passed
    said = _said(number, current) if current is not None and asked else _ASKS[number]
    ink = INK if asked else MUTED
    frame = box(
        x,
        y,
        _COLUMN,
        _STATION_HEIGHT,
        fill=SHADE if asked else PAPER,
        stroke=TAKEN if here else INK if asked else FAINT,
        stroke_width=3 if here else 1.5,
        dashed=not asked,
    )
    onward = (
        "" if number == APPLY else _onward(x + _COLUMN, y + _STATION_HEIGHT / 2, number < passed)
    )
    return (
        frame
        + words(x + 14, y + 24, name, size=15, bold=True, fill=ink)
        + lines_of_words(x + 14, y + 44, wrap_to(said, _COLUMN - 22, 4), size=12, fill=ink)
        + onward
    )


_ASKS = {
    PROPOSE: "is its shape valid?",
    GATE: "is it worth keeping?",
    APPLY: "can the store write it?",
}


def _onward(x: float, y: float, taken: bool) -> str:
    stroke, width = (TAKEN, 3.0) if taken else (FAINT, 1.0)
    return arrow((x + 2, y), (x + _GAP - 2, y), stroke=stroke, stroke_width=width)


def _said(number: int, current: Handled) -> str:
    if number == PROPOSE:
        return "valid" if current.proposal else f"stops here: {current.reason}"
    if number == GATE and current.verdict is not None:
        return f"{'yes' if current.verdict.approved else 'no'}: {current.verdict.reason}"
    if isinstance(current.written, WriteReceipt):
        receipt = current.written
        file, used = FILE_NAMES[receipt.target], f"{receipt.used_chars} of {receipt.limit_chars}"
        return f"{receipt.kind}: {file} holds {used} characters"
    return f"refused: {current.reason}"


def _bucket(column: int, name: str, moment: LoopMoment) -> str:
    """A bucket: its mark and count, the newest entries; outlined if the current one lies in it."""
    x, y, mark = _x(column), _BUCKETS, BUCKET_MARKS[name]
    inside = [one for one in moment.done if one.bucket == name]
    current = moment.current
    reached = current is not None and moment.station == 0 and current.bucket == name
    pieces = [
        box(
            x,
            y,
            _COLUMN,
            122,
            fill=mark.tint,
            stroke=TAKEN if reached else mark.colour,
            stroke_width=3 if reached else 1.5,
        ),
        marker(x + 20, y + 20, mark),
        words(x + 36, y + 25, name, size=15, bold=True),
        words(x + _COLUMN - 14, y + 27, f"{len(inside)}", size=20, anchor="end", bold=True),
    ]
    shown, row = inside[-SHOWN_PER_BUCKET:], y + 48
    room = 3 if len(shown) == SHOWN_PER_BUCKET else 4  # lines; few notes are shown whole
    for waiting, one in zip(range(len(shown) - 1, -1, -1), shown, strict=True):
        lines = wrap_to(one.told, _COLUMN - 26, room - waiting)
        room -= len(lines)
        pieces.append(lines_of_words(x + 14, row, lines, size=12, fill=INK))
        row += 7 + len(lines) * 12 * LINE_HEIGHT
    more = len(inside) - SHOWN_PER_BUCKET
    if more > 0:
        pieces.append(words(x + 14, y + 115, f"and {more} before", size=12, fill=MUTED))
    return "".join(pieces)


def _disk(moment: LoopMoment) -> str:
    """The files as they are on disk, byte for byte, as Python writes bytes."""
    files = moment.files
    title = words(_LEFT, _FILES, "On disk", size=15, bold=True)
    if not files:
        return title + words(_LEFT, _FILES + 26, "no file yet", size=13, fill=MUTED)
    width = (_WIDTH - _GAP * (len(files) - 1)) / len(files)
    columns = [
        _file(_LEFT + place * (width + _GAP), width, path, data, moment.limits)
        for place, (path, data) in enumerate(files.items())
    ]
    return "".join([title, *columns])


def _file(x: float, width: float, path: str, data: bytes, limits: Mapping[str, int]) -> str:
    chars = len(data.decode("utf-8"))
    used = f"{chars} of {limits[path]} characters, {len(data)} bytes"
    about = [f"{path}: {used}"]
    if text_width(about[0], size=12) > width:
        about = [f"{path}:", used]
    first = _FILES + 22 + len(about) * 16 + 4
    lines = [_byte_words(line) for line in data.splitlines(keepends=True)]
    if len(lines) > SHOWN_LINES:
        lines = ["…", *lines[1 - SHOWN_LINES :]]
    room = int((width - 8) / (12 * 0.62))
    rows = [
        tag(
            "text",
            _escaped(text if len(text) <= room else f"{text[: room - 1]}…"),
            x=x,
            y=first + row * 12 * LINE_HEIGHT,
            font_size=12,
            font_family="DejaVu Sans Mono, Menlo, Consolas, monospace",
            style="white-space:pre",
            fill=INK,
        )
        for row, text in enumerate(lines)
    ]
    return lines_of_words(x, _FILES + 22, about, size=12) + "".join(rows)


def _byte_words(line: bytes) -> str:
    r"""The bytes between quotes, e.g. `'\xc2\xa7\n'`."""
    return repr(line)[1:]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
