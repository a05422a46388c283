"""Every widget in several states, hostile ones among them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from alembic_sim import Add, CuratorPolicy, Replace, Scenario, next_state, simulate, sweep
from alembic_sim.hermes.curator.sidecar import parse_sidecar
from alembic_sim.sim.run import Run
from alembic_sim.sim.scenario import Archetype, SimFaults
from alembic_sim.sim.sweep.sweep import policy_grid
from alembic_sim.sim.sweep.table import Sweep
from alembic_sim.sim.variants import stale_first
from alembic_sim.teaching import (
    Compare,
    FaultBench,
    Flashcards,
    GateDial,
    IdleTimeline,
    LibraryChart,
    LoopStepper,
    NextStateStepper,
    Predict,
    SnapshotView,
    TransitionMap,
    WrapperBench,
)
from alembic_sim.teaching.probing import idle_skill, never_used_skill
from alembic_sim.teaching.widgets.loop_stepper import note

SCRIPT = "<script>alert(1)</script>"
HOSTILE = f"{SCRIPT} & \"quoted\" 'so' \x00\x1b \ud800 \u202egnp]]> §\n" + "long " * 40


def pressed(widget: Any, *actions: str) -> Any:
    """The widget after these buttons."""
    for action in actions:
        widget.press(action)
    return widget


def changed(widget: Any, **values: object) -> Any:
    """The widget after this change."""
    widget.change(**values)
    return widget


def answered(widget: Predict, prediction: object, actual: object = ...) -> Predict:
    widget.answer(prediction)
    return changed(widget, actual=actual)  # type: ignore[no-any-return]


def library() -> dict[str, Any]:
    """More records than a page holds, with a pinned one and one of a person's."""
    records = {f"skill-{number}": idle_skill(number * 9) for number in range(14)}
    pinned = idle_skill(400).model_copy(update={"pinned": True})
    theirs = idle_skill(400).model_copy(update={"created_by": None})
    return {**records, "pinned": pinned, "theirs": theirs, "new-born": never_used_skill()}


def full_loop() -> LoopStepper:
    proposals = [*(note(f"note {n}", 0.9, "user") for n in range(9)), note(HOSTILE, 0.1)]
    return LoopStepper([*proposals, note("x" * 70, 0.99), note("last", 0.8)], memory_char_limit=60)


def broken_loop() -> LoopStepper:
    return LoopStepper([note("fine", 0.9), note(SCRIPT, 7), note("never reached", 0.9)])


@cache
def simulated(days: int = 120, count: int = 12, torn_on: int | None = None) -> Run:
    """A small run, simulated once; its sidecar may be torn on a day."""
    faults = SimFaults(corrupt_sidecar_day=torn_on)
    scenario = Scenario(seed=3, days=days, population=(Archetype(count=count),), faults=faults)
    return simulate(scenario).expect("a small scenario")


@cache
def swept() -> Sweep:
    """Thirty libraries of the same kind as `simulated()`, under two policies."""
    policies = policy_grid([30], [60, 90])
    return sweep(simulated().scenario, policies, 30, progress=False).expect("the fast engine can")


CARDS = [("Who is not asked?", "The proposer."), ("A score of 0.7?", "Approved."), ("Third?", "3")]
LESSONS = [(f"{SCRIPT} {n}", n / 20, n % 3 > 0) for n in range(21)]

ORDINARY: dict[str, Callable[[], Any]] = {
    "idle": IdleTimeline,
    "faults": FaultBench,
    "faults, power goes late": lambda: FaultBench(9, "the power goes", "in place"),
    "faults, power goes at the end": lambda: FaultBench(8, "the power goes"),
    "faults, disk full in place": lambda: FaultBench(2, "the disk fills up", "in place"),
    "faults, for good": lambda: FaultBench(5, "fails from there on"),
    "idle, on the edge": lambda: IdleTimeline(idle_days=90),
    "idle, never used": lambda: IdleTimeline(never_used=True),
    "idle, everything old": lambda: IdleTimeline(150, False, 149, 150),
    "idle, all at now": lambda: IdleTimeline(0, False, 0, 0),
    "idle, archive before stale": lambda: IdleTimeline(20, False, 90, 30),
    "idle, close together": lambda: IdleTimeline(8, False, 10, 14, "stale-first"),
    "stepper": NextStateStepper,
    "stepper, answered": lambda: pressed(
        changed(NextStateStepper(order="stale-first"), prediction="archived"), "step", "step"
    ),
    "stepper, never used": lambda: pressed(
        NextStateStepper(never_used=True, state="stale"), "step", "step", "step"
    ),
    "library": lambda: LibraryChart(simulated()),
    "library, first day": lambda: LibraryChart(simulated(), 1),
    "library, rewound": lambda: pressed(LibraryChart(simulated()), "back", "back"),
    "library, torn sidecar": lambda: LibraryChart(simulated(torn_on=50), 60),
    "library, one day, nobody": lambda: LibraryChart(simulated(days=1, count=0)),
    "library, three years": lambda: LibraryChart(simulated(days=1100, count=3), 900),
    "library, among others": lambda: LibraryChart(simulated(), 60, swept()),
    "library, among others, first day": lambda: LibraryChart(simulated(), 1, swept()),
    "moves": lambda: TransitionMap(simulated()),
    "moves, first day": lambda: TransitionMap(simulated(), 1),
    "moves, rewound": lambda: pressed(TransitionMap(simulated()), "back", "back"),
    "moves, torn sidecar": lambda: TransitionMap(simulated(torn_on=50), 60),
    "moves, nobody": lambda: TransitionMap(simulated(days=1, count=0)),
    "moves, many": lambda: pressed(TransitionMap(simulated(200, 60)), "down"),
    "moves, three years": lambda: TransitionMap(simulated(days=1100, count=3), 900),
    "loop": LoopStepper,
    "loop, in hand": lambda: pressed(LoopStepper(), "next", "next", "step", "step"),
    "loop, all done": lambda: pressed(LoopStepper(), *["next"] * 9),
    "dial": GateDial,
    "dial, all settle": lambda: GateDial(threshold=0),
    "dial, nothing settles": lambda: GateDial(threshold=1),
    "dial, piled up": lambda: GateDial([("same", 0.5, n % 2 > 0) for n in range(40)]),
    "dial, one": lambda: GateDial([("only", 0.0, True)], threshold=0.05),
    "snapshot": SnapshotView,
    "snapshot, behind": lambda: pressed(SnapshotView(), "add", "next", "add", "add"),
    "snapshot, many sessions": lambda: pressed(SnapshotView(), *["next"] * 12),
    "policies": lambda: Compare.policies(library(), CuratorPolicy(), CuratorPolicy(14, 60)),
    "policies, second page": lambda: pressed(
        Compare.policies(library(), CuratorPolicy(), CuratorPolicy(14, 60)), "next"
    ),
    "rules, nothing differs": lambda: changed(
        Compare.rules(library(), {"one": next_state, "the same": next_state}),
        only_differences=True,
    ),
    "rules": lambda: Compare.rules(library(), {"real": next_state, "swapped": stale_first}),
    "gates": lambda: Compare.gates([note("sure", 0.9), note("doubtful", 0.2)]),
    "free": lambda: Compare("archive", "delete", [("Can it come back?", "yes", "no")]),
    "wrappers": WrapperBench,
    "wrappers, alone": lambda: WrapperBench("the model alone", 12, error="refused"),
    "wrappers, both": lambda: WrapperBench("retry around breaker", 12, 5),
    "wrappers, the other way": lambda: WrapperBench("breaker around retry", 9),
    "cards": lambda: Flashcards(CARDS),
    "cards, flipped": lambda: pressed(Flashcards(CARDS), "flip", "knew", "flip", "not_yet", "flip"),
    "cards, all known": lambda: pressed(Flashcards(CARDS), *("flip", "knew") * 3),
    "cards, many": lambda: Flashcards([(f"{n}?", f"{n}") for n in range(40)]),
    "predict": lambda: Predict("Which bucket?", ["applied", "rejected", "failed"]),
    "predict, right": lambda: answered(Predict("Is it?", [True, False]), True, True),
    "predict, other": lambda: answered(
        Predict("Which?", ["applied", "failed"]), "applied", "failed"
    ),
    "predict, number": lambda: answered(Predict("How many copies?"), 3, 1),
    "predict, no number": lambda: changed(Predict("How many copies?"), typed="abc", actual=1),
}

WITH_HOSTILE: dict[str, Callable[[], Any]] = {
    "loop": lambda: pressed(full_loop(), *["next"] * 12),
    "loop, on disk": lambda: pressed(LoopStepper([note(f"{SCRIPT} & §", 0.9)]), "next"),
    "loop, in hand": lambda: pressed(full_loop(), *["next"] * 9, "step", "step"),
    "loop, stopped": lambda: pressed(broken_loop(), *["step"] * 9),
    "loop, odd proposals": lambda: pressed(LoopStepper([SCRIPT, None, 3]), "step"),
    "dial": lambda: GateDial(LESSONS),
    "snapshot": lambda: pressed(
        SnapshotView([SCRIPT, HOSTILE, Replace("alert", SCRIPT * 3), Add("x" * 3000)]),
        *["add"] * 4,
        "next",
    ),
    "snapshot, refused": lambda: pressed(SnapshotView([Replace(SCRIPT, "x")]), "add"),
    "policies": lambda: Compare.policies(
        {HOSTILE: never_used_skill()}, CuratorPolicy(), CuratorPolicy(1, 2)
    ),
    "policies, damaged record": lambda: Compare.policies(
        parse_sidecar(b'{"<script>alert(1)</script>": {"state": "gone"}}'),
        CuratorPolicy(),
        CuratorPolicy(1, 2),
    ),
    "free": lambda: Compare(HOSTILE, SCRIPT, [(HOSTILE, HOSTILE, SCRIPT)]),
    "cards": lambda: Flashcards([(HOSTILE, SCRIPT)]),
    "cards, flipped": lambda: pressed(Flashcards([("Is it run?", HOSTILE)]), "flip"),
    "predict": lambda: answered(Predict(HOSTILE, [SCRIPT, HOSTILE]), HOSTILE, SCRIPT),
    "predict, number": lambda: changed(Predict("How many?"), typed=HOSTILE),
    "predict, odd actual": lambda: answered(Predict("How many?"), 2, {SCRIPT: object}),
}

ALL = {**ORDINARY, **{f"hostile {name}": make for name, make in WITH_HOSTILE.items()}}
