"""What lessons import: widgets and exercises, loaded when they are asked for.

The pictures are in `alembic_sim.teaching.pictures`, one a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic_sim.lazy import lazy_names

if TYPE_CHECKING:  # the same names as in the table below, for type checkers
    from alembic_sim.teaching.exercises.api import check as check
    from alembic_sim.teaching.exercises.api import exercise as exercise
    from alembic_sim.teaching.exercises.api import hint as hint
    from alembic_sim.teaching.exercises.api import solution as solution
    from alembic_sim.teaching.widgets.compare import Compare as Compare
    from alembic_sim.teaching.widgets.fault_bench import FaultBench as FaultBench
    from alembic_sim.teaching.widgets.flashcards import Flashcards as Flashcards
    from alembic_sim.teaching.widgets.gate_dial import GateDial as GateDial
    from alembic_sim.teaching.widgets.idle_timeline import IdleTimeline as IdleTimeline
    from alembic_sim.teaching.widgets.library_chart import LibraryChart as LibraryChart
    from alembic_sim.teaching.widgets.loop_stepper import LoopStepper as LoopStepper
    from alembic_sim.teaching.widgets.next_state_stepper import (
        NextStateStepper as NextStateStepper,
    )
    from alembic_sim.teaching.widgets.predict import Predict as Predict
    from alembic_sim.teaching.widgets.snapshot_view import SnapshotView as SnapshotView
    from alembic_sim.teaching.widgets.transition_map import TransitionMap as TransitionMap
    from alembic_sim.teaching.widgets.wrapper_bench import WrapperBench as WrapperBench

_WHERE = {
    "exercises.api": "exercise check hint solution",
    "widgets.compare": "Compare",
    "widgets.fault_bench": "FaultBench",
    "widgets.flashcards": "Flashcards",
    "widgets.gate_dial": "GateDial",
    "widgets.idle_timeline": "IdleTimeline",
    "widgets.library_chart": "LibraryChart",
    "widgets.loop_stepper": "LoopStepper",
    "widgets.next_state_stepper": "NextStateStepper",
    "widgets.predict": "Predict",
    "widgets.snapshot_view": "SnapshotView",
    "widgets.transition_map": "TransitionMap",
    "widgets.wrapper_bench": "WrapperBench",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _WHERE)
