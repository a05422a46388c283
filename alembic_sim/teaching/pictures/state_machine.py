"""The three states of a skill, and every arrow that the real `next_state` takes between them."""

from __future__ import annotations

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.teaching.palette import FAINT, INK, MUTED, STATE_MARKS, TAKEN, VERMILION
from alembic_sim.teaching.probing import STATES, Decide, Timeline, idle_words
from alembic_sim.teaching.svg import (
    Point,
    Svg,
    arrow,
    box,
    curved_arrow,
    lines_of_words,
    marker,
    picture,
    words,
)

Move = tuple[SkillState, SkillState]

MAIN: tuple[Move, ...] = (("active", "stale"), ("stale", "archived"))
EXTRA: tuple[Move, ...] = (("stale", "active"), ("active", "archived"))
"""The two arrows that make the machine honest (seed 5 §02): used again, and past stale."""

_CENTRE: dict[SkillState, float] = {"active": 100, "stale": 350, "archived": 600}
_Y, _HALF_WIDTH, _HALF_HEIGHT = 132.0, 70.0, 26.0
_TOP, _BOTTOM = _Y - _HALF_HEIGHT - 2, _Y + _HALF_HEIGHT + 2

_CURVES: dict[Move, tuple[Point, Point, Point]] = {
    ("active", "archived"): ((100, _TOP), (350, _TOP - 124), (600, _TOP)),
    ("stale", "active"): ((330, _BOTTOM), (235, _BOTTOM + 70), (140, _BOTTOM)),
    ("archived", "stale"): ((570, _BOTTOM), (470, _BOTTOM + 70), (370, _BOTTOM)),
    ("archived", "active"): ((590, _BOTTOM), (350, _BOTTOM + 150), (120, _BOTTOM)),
}


def draw_state_machine(*, policy: CuratorPolicy | None = None, decide: Decide = next_state) -> Svg:
    """Each arrow with the idle time that takes it; one that `decide` never takes is drawn faint."""
    taken = _moves(Timeline(policy=policy or CuratorPolicy(), decide=decide))
    missing = [move for move in (*MAIN, *EXTRA) if move not in taken]
    x = _CENTRE["archived"]
    never = ("never deleted,", "never back by itself")
    pieces = [
        *(_arrow(move, label) for move, label in taken.items()),
        *(_arrow(move, None) for move in missing),
        *(_state(state) for state in STATES),
        lines_of_words(x, _BOTTOM + 22, never, anchor="middle"),
        arrow((70, _BOTTOM + 36), (70, _BOTTOM + 1)),
        words(70, _BOTTOM + 52, "created", size=12, anchor="middle", fill=MUTED),
    ]
    told = "; ".join(f"{start} → {end}, {label}" for (start, end), label in taken.items())
    lost = "".join(f" Never taken: {start} → {end}." for start, end in missing)
    return picture("The states of a skill", f"One pass can move: {told}.{lost}", 230, *pieces)


def _moves(timeline: Timeline) -> dict[Move, str]:
    """Every move, found by asking about each state at each idle time, and from when it is made."""
    windows = (timeline.policy.stale_after_days, timeline.policy.archive_after_days)
    found: dict[Move, str] = {}
    for state in STATES:
        for change in timeline.changes(round(max(windows)) + 30, state):
            if change.state != state:
                since = f"{idle_words(change.idle_ms)} idle or more"
                found.setdefault((state, change.state), since if change.idle_ms else "used again")
    return found


def _state(state: SkillState) -> str:
    x, mark = _CENTRE[state], STATE_MARKS[state]
    left, top, width, height = x - _HALF_WIDTH, _Y - _HALF_HEIGHT, 2 * _HALF_WIDTH, 2 * _HALF_HEIGHT
    return (
        box(left, top, width, height, fill=mark.tint, stroke=mark.colour, rounding=_HALF_HEIGHT)
        + marker(x - 48, _Y, mark)
        + words(x - 32, _Y + 6, state, size=17, bold=True)
    )


def _arrow(move: Move, label: str | None) -> str:
    """One move; without a label it is one that should be there and is not."""
    colour = TAKEN if move in EXTRA else INK if move in MAIN else VERMILION
    colour = colour if label else FAINT
    width, text, ink = (2.0, label, INK) if label else (1.0, "never taken", MUTED)
    if move in _CURVES:
        start, bend, end = _CURVES[move]
        apex = (start[1] + bend[1]) / 2
        y = apex - 8 if bend[1] < start[1] else apex + 17
        return curved_arrow(
            start, bend, end, stroke=colour, stroke_width=width, dashed=not label
        ) + words(bend[0], y, text, size=12.5, anchor="middle", fill=ink)
    start_x, end_x = _CENTRE[move[0]] + _HALF_WIDTH + 2, _CENTRE[move[1]] - _HALF_WIDTH - 3
    middle = (start_x + end_x) / 2
    when, _, rest = text.partition(" idle ")
    above, below = (f"{when} idle", rest) if rest else (text, "")
    return (
        arrow((start_x, _Y), (end_x, _Y), stroke=colour, stroke_width=width, dashed=not label)
        + words(middle, _Y - 10, above, size=12.5, anchor="middle", fill=ink)
        + words(middle, _Y + 20, below, size=12.5, anchor="middle", fill=ink)
    )
