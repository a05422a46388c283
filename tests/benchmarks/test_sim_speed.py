"""What the fast engine costs beside other ways to simulate the same months. No time is a failure.

`pytest tests/benchmarks/test_sim_speed.py` prints the table. CPU time of one process, so that a
busy machine changes little; a peer that is not installed is left out, and its line says so.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from statistics import median

import pytest

from alembic_sim import CuratorPolicy, Scenario
from alembic_sim.sim.fast.run_fast import run_fast
from alembic_sim.sim.scenario import Archetype
from alembic_sim.sim.sweep.sweep import sweep
from tests.benchmarks.peers.world import Outcome

DAYS = 365
POLICIES = [CuratorPolicy(*w) for w in ((30, 90), (14, 90), (14, 60), (45, 90), (30, 120))]

Peer = Callable[..., Outcome]


def scenario(skills: int) -> Scenario:
    """The population of the peers: a fifth of it arrives over the year."""
    return Scenario(
        days=DAYS,
        population=(Archetype(count=skills * 4 // 5, abandon_after_days=240.0),),
        arrivals_per_month=skills / 5 / DAYS * 30,
    )


def cpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median of the processor's time."""
    spent = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return median(spent)


def peer(name: str) -> Peer | None:
    """The peer's `run`, None if what it needs is not installed."""
    try:
        run: Peer = import_module(f"tests.benchmarks.peers.{name}_peer").run
    except ImportError:
        return None
    return run


def test_the_machine(say: Callable[[str], None]) -> None:
    say(
        f"{time.strftime('%Y-%m-%d', time.gmtime())}, {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}; CPU time, medians"
    )


@pytest.mark.parametrize(
    ("work", "skills", "name", "goal", "repeats"),
    [
        ("W1", 1_000, "simpy", 20, 3),
        ("W1", 1_000, "mesa", 75, 3),
        ("W1", 1_000, "pandas", 500, 1),
        ("W2", 10_000, "simpy", 80, 1),
        ("W2", 10_000, "mesa", 300, 1),
        ("W2", 10_000, "numpy", 8, 3),
        ("W3", 1_000_000, "numpy", 9, 1),
    ],
)
def test_one_policy(
    work: str, skills: int, name: str, goal: int, repeats: int, say: Callable[[str], None]
) -> None:
    what = f"{work} {skills:,} skills × {DAYS} d, {name}"
    other = peer(name)
    if other is None:
        say(f"{what}: not installed (pip install 'alembic-sim[bench]')")
        return
    world = scenario(skills)
    policy = [CuratorPolicy(30, 90)]
    ours = cpu_seconds(
        lambda: run_fast(world, policy).expect("a run"), 3 if skills > 10_000 else 15
    )
    found: list[Outcome] = []
    theirs = cpu_seconds(lambda: found.append(other(skills, DAYS, 0)), repeats)
    say(f"{what}: {theirs:.3g} s / {ours:.3g} s = {theirs / ours:.0f}× (goal ≥ {goal}×)")
    assert_alike(world, found[0], skills)


def assert_alike(world: Scenario, other: Outcome, skills: int) -> None:
    """Both do the same work, or the ratio says nothing: the same share ends up archived.

    The peers know the day of a use, not the instant, and so take a skill for up to a day older.
    """
    [run] = run_fast(world, [CuratorPolicy(30, 90)]).expect("a run")
    ours, theirs = run.figures.archived / skills, other.daily[-1][2] / skills
    assert ours == pytest.approx(theirs, abs=0.01 + 2.5 / skills**0.5)
    assert len(other.daily) == len(run.counts) == DAYS


def test_a_sweep_of_five_policies(say: Callable[[str], None]) -> None:
    """Each replica's cost is the same: the peer, at some 0.1 s a replica, is asked for ten.

    Five before and five after, so that a machine that gets busier meanwhile slows both.
    """
    other = peer("numpy")
    assert other is not None
    world = scenario(1_000)
    replicas, few = 1_000, 10

    def some(numbers: range) -> None:
        for number in numbers:
            for policy in POLICIES:
                windows = int(policy.stale_after_days), int(policy.archive_after_days)
                other(1_000, DAYS, number, *windows)

    before = cpu_seconds(lambda: some(range(few // 2)), 1)
    ours = cpu_seconds(lambda: sweep(world, POLICIES, replicas, progress=False), 1)
    after = cpu_seconds(lambda: some(range(few // 2, few)), 1)
    theirs = (before + after) * replicas / few
    say(
        f"W4 {replicas:,} replicas × 1,000 skills × {DAYS} d × {len(POLICIES)} policies, numpy: "
        f"{theirs:.3g} s (from {few} replicas) / {ours:.3g} s = {theirs / ours:.0f}× (goal ≥ 40×)"
    )


MEMORY = """
def peak():
    return int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1])
bare = peak()
from alembic_sim import CuratorPolicy
from alembic_sim.sim.fast.run_fast import run_fast
from tests.benchmarks.test_sim_speed import scenario
before = peak()
run_fast(scenario(1_000_000), [CuratorPolicy(30, 90)]).expect("a run")
print(bare / 1024, before / 1024, peak() / 1024)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells the peak so")
def test_peak_memory_of_a_million_skills(say: Callable[[str], None]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, encoding="utf-8", check=True
    )
    bare, before, peak = map(float, done.stdout.split())
    say(
        f"W3 peak memory: {peak - bare:.0f} MB above the interpreter, "
        f"{peak - before:.0f} MB of it after the imports (goal ≤ 150 MB)"
    )
