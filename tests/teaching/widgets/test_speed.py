"""From a moved control to the new picture in the kernel: a small part of the 100 ms allowed."""

from __future__ import annotations

from collections.abc import Callable
from statistics import quantiles
from time import perf_counter
from typing import Any

import pytest

from alembic_sim import CuratorPolicy
from alembic_sim.teaching import (
    Compare,
    Flashcards,
    GateDial,
    IdleTimeline,
    LibraryChart,
    LoopStepper,
    NextStateStepper,
    Predict,
    SnapshotView,
    TransitionMap,
)
from tests.teaching.widgets.samples import CARDS, library, pressed, simulated, swept

Move = Callable[[Any, int], None]

MOVES: dict[str, tuple[Callable[[], Any], Move]] = {
    "IdleTimeline": (IdleTimeline, lambda widget, step: widget.change(idle_days=step)),
    "NextStateStepper": (NextStateStepper, lambda widget, step: widget.change(idle_days=step)),
    "LoopStepper": (
        lambda: pressed(LoopStepper(), *["next"] * 6),
        lambda widget, step: widget.change(threshold=step / 100),
    ),
    "GateDial": (GateDial, lambda widget, step: widget.change(threshold=step / 100)),
    "SnapshotView": (SnapshotView, lambda widget, step: widget.press(["add", "back"][step % 2])),
    "LibraryChart": (
        lambda: LibraryChart(simulated(), 60, swept()),
        lambda widget, step: widget.change(after_days=1 + step),
    ),
    "TransitionMap": (
        lambda: TransitionMap(simulated(200, 60)),
        lambda widget, step: widget.change(after_days=140 + step),
    ),
    "Compare": (
        lambda: Compare.policies(library(), CuratorPolicy(), CuratorPolicy(14, 60)),
        lambda widget, step: widget.change(only_differences=step % 2 > 0),
    ),
    "Flashcards": (lambda: Flashcards(CARDS), lambda widget, _step: widget.press("flip")),
    "Predict": (
        lambda: Predict("Which?", ["one", "other"]),
        lambda widget, step: widget.answer(["one", "other"][step % 2]),
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_move_is_drawn_in_a_few_milliseconds(name: str) -> None:
    make, move = MOVES[name]
    widget = make()
    widget.live()
    took_ms = []
    for step in range(60):
        start = perf_counter()
        move(widget, step)
        took_ms.append((perf_counter() - start) * 1000)
    cuts = quantiles(took_ms, n=20)
    print(f"{name}: p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms")
    assert cuts[9] < 25  # the median: a busy machine may be slow now and then
