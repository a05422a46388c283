"""`alembic_sim.teaching` names the widgets, and loads one when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import alembic_sim.teaching as teaching

WIDGETS = {
    *("IdleTimeline", "NextStateStepper", "LoopStepper", "GateDial"),
    *("SnapshotView", "Compare", "Flashcards", "Predict", "FaultBench", "WrapperBench"),
    *("LibraryChart", "TransitionMap"),
}


def test_every_widget_is_a_name_of_the_package() -> None:
    assert set(teaching.__all__) >= WIDGETS
    assert {getattr(teaching, name).__name__ for name in WIDGETS} == WIDGETS


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Timeline'"):
        teaching.Timeline  # noqa: B018


def test_importing_the_package_loads_no_widget() -> None:
    code = "import alembic_sim.teaching, sys; print('ipywidgets' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "False"
