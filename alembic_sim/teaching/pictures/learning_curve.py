"""The opening curve: how many tasks succeed, session by session, with the gate, without, or never.

The runs are given, and nothing is simulated here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from alembic_sim.shorten import shorten
from alembic_sim.sim.arms import ARMS, Arm
from alembic_sim.sim.run import Run
from alembic_sim.sim.session_plots import ARM_LOOKS, trailing_mean
from alembic_sim.teaching.palette import INK, MUTED, SHADE
from alembic_sim.teaching.svg import Point, Svg, line, number, picture, tag, words

WINDOW = 10
"""Each point is the mean of so many sessions: the one it stands at, and those before it."""

NAMES: dict[Arm, tuple[str, str]] = {
    "gated": ("gated", "the gate decides"),
    "ungated": ("ungated", "all is written down"),
    "none": ("none", "nothing is learnt"),
}
"""How each line is labelled: the arm, and in plain words what it does."""

_LEFT_OUT_OF = 10
"""Of so many worlds one is left out of the band at either side."""
_DASHES = {"-": None, "--": "9 5", ":": "2 4"}
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 516.0, 66.0, 312.0
_LABEL, _LABEL_ROOM, _TICK_SESSIONS = 556.0, 42.0, 15


@dataclass(frozen=True, slots=True)
class ArmCurve:
    """One arm over the sessions, in percent: the mean of all worlds, and where most of them lie.

    At least eight of ten: of twelve worlds, the lowest and the highest one lie outside.
    """

    arm: Arm
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def arm_curves(runs: Sequence[Run], window: int = WINDOW) -> tuple[ArmCurve, ...]:
    """The three curves of runs that differ in their seed. Raises `ValueError` for odd runs."""
    lengths = {len(run.success["none"]) for run in runs}
    if len(runs) < 2 or len(lengths) != 1 or lengths == {0}:
        raise ValueError(f"runs: {shorten(runs)} are not two or more runs of equally many sessions")
    return tuple(_curve(arm, runs, window) for arm in ARMS)


def draw_learning_curve(runs: Sequence[Run]) -> Svg:
    """The curves with their bands, on one sheet; its words give the numbers at the end."""
    curves = arm_curves(runs)
    sessions = len(curves[0].mean)
    ends = {curve.arm: f"{curve.mean[-1]:.0f} %" for curve in curves}
    summary = (
        f"Tasks that succeed, over {sessions} sessions, mean of {len(runs)} simulated worlds. "
        f"All three agents start alike, at {curves[0].mean[0]:.0f} %. At the end: "
        f"gated {ends['gated']}, ungated {ends['ungated']}, none {ends['none']}."
    )
    pieces = [
        words(16, 28, "Does the next run get smarter?", size=16, bold=True),
        _axes(sessions),
        *(_band(curve) for curve in reversed(curves)),
        *(_mean_line(curve) for curve in reversed(curves)),
        *_labels(curves),
        words(16, _BOTTOM + 64, _caption(len(runs)), size=12, fill=MUTED),
    ]
    return picture("Success by session", summary, _BOTTOM + 80, *pieces)


def _curve(arm: Arm, runs: Sequence[Run], window: int) -> ArmCurve:
    smooth = [trailing_mean([100 * one for one in run.success[arm]], window) for run in runs]
    at_each = list(zip(*smooth, strict=True))
    left_out = len(runs) // _LEFT_OUT_OF
    in_order = [sorted(shares) for shares in at_each]
    return ArmCurve(
        arm,
        tuple(map(fmean, at_each)),
        tuple(shares[left_out] for shares in in_order),
        tuple(shares[-1 - left_out] for shares in in_order),
    )


def _caption(worlds: int) -> str:
    inside = worlds - 2 * (worlds // _LEFT_OUT_OF)
    return (
        f"Line: mean of {worlds} worlds. Band: {inside} of the {worlds}, session by session. "
        f"Each point: the last {WINDOW} sessions."
    )


def _x(session: float, sessions: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (session - 1) / max(1, sessions - 1)


def _y(percent: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * percent / 100


def _axes(sessions: int) -> str:
    pieces = []
    for percent in range(0, 101, 25):
        y = _y(percent)
        pieces.append(line((_LEFT, y), (_RIGHT, y), stroke=SHADE, stroke_width=1))
        pieces.append(words(_LEFT - 8, y + 4, f"{percent}", size=12, anchor="end", fill=MUTED))
    step = _TICK_SESSIONS * max(1, sessions // (8 * _TICK_SESSIONS))
    for session in [1, *range(step, sessions + 1, step)]:
        x = _x(session, sessions)
        pieces.append(line((x, _BOTTOM), (x, _BOTTOM + 5), stroke=INK, stroke_width=1))
        pieces.append(words(x, _BOTTOM + 20, f"{session}", size=12, anchor="middle", fill=MUTED))
    pieces += [
        line((_LEFT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM)),
        words(16, _TOP - 14, "tasks that succeed, in %", size=12, fill=MUTED),
        words(_RIGHT, _BOTTOM + 40, "session", size=12, anchor="end", fill=MUTED),
    ]
    return "".join(pieces)


def _points(shares: Sequence[float]) -> list[Point]:
    return [(_x(place, len(shares)), _y(share)) for place, share in enumerate(shares, start=1)]


def _written(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _band(curve: ArmCurve) -> str:
    colour, _line = ARM_LOOKS[curve.arm]
    around = [*_points(curve.high), *reversed(_points(curve.low))]
    return tag("polygon", points=_written(around), fill=colour, fill_opacity="0.15")


def _mean_line(curve: ArmCurve) -> str:
    colour, style = ARM_LOOKS[curve.arm]
    return tag(
        "polyline",
        points=_written(_points(curve.mean)),
        fill="none",
        stroke=colour,
        stroke_width=3,
        stroke_dasharray=_DASHES[style],
    )


def _labels(curves: Sequence[ArmCurve]) -> list[str]:
    """Each line's name at its end, moved apart where two ends lie close together."""
    pieces, free = [], _TOP
    for curve in sorted(curves, key=lambda one: -one.mean[-1]):
        end = _y(curve.mean[-1])
        y = max(end, free)
        free = y + _LABEL_ROOM
        colour, style = ARM_LOOKS[curve.arm]
        name, plainly = NAMES[curve.arm]
        thread = tag(
            "polyline",
            points=_written(
                [(_RIGHT + 4, end), (_RIGHT + 10, end), (_LABEL - 20, y), (_LABEL - 6, y)]
            ),
            fill="none",
            stroke=colour,
            stroke_width=2,
            stroke_dasharray=_DASHES[style],
        )
        pieces += [
            thread,
            words(_LABEL, y + 5, f"{name} {curve.mean[-1]:.0f} %", size=14, bold=True),
            words(_LABEL, y + 21, plainly, size=12, fill=INK),
        ]
    return pieces
