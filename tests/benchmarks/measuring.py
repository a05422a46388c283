"""How long two pieces of work take beside each other: medians and their ratio, never a verdict."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Cost:
    """Median milliseconds of one run: on the clock, and of the processor."""

    wall_ms: float
    cpu_ms: float


def side_by_side(
    work: Callable[[], object], peer: Callable[[], object], repeats: int
) -> tuple[Cost, Cost]:
    """What each costs in this process, measured in turn, so that a busy machine slows both."""
    for once in (work, peer):
        once()
    timed = [(_timed(work), _timed(peer)) for _ in range(repeats)]
    return _medians([mine for mine, _ in timed]), _medians([theirs for _, theirs in timed])


def import_cost(statement: str, repeats: int) -> Cost:
    """What the statement costs in a new interpreter, without starting it."""
    return _medians([_imported(statement) for _ in range(repeats)])


def row(what: str, cost: Cost, peer: str, beside: Cost, goal: str) -> str:
    """One line of the table."""
    return (
        f"{what}: {cost.wall_ms:.2f} ms ({cost.cpu_ms:.2f} CPU); {peer}: {beside.wall_ms:.2f} ms "
        f"({beside.cpu_ms:.2f} CPU); ratio {cost.wall_ms / beside.wall_ms:.2f}× "
        f"({cost.cpu_ms / beside.cpu_ms:.2f}× CPU); goal {goal}"
    )


def _timed(work: Callable[[], object]) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3)


def _imported(statement: str) -> Cost:
    code = (
        "import time; wall, cpu = time.perf_counter(), time.process_time()\n"
        f"{statement}\n"
        "print(time.perf_counter() - wall, time.process_time() - cpu)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split())
    return Cost(wall * 1e3, cpu * 1e3)


def _medians(costs: list[Cost]) -> Cost:
    return Cost(median(c.wall_ms for c in costs), median(c.cpu_ms for c in costs))
