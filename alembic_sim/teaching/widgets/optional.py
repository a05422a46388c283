"""ipywidgets, or None where it is not installed: the only place that knows."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _load() -> Any:
    try:
        return import_module("ipywidgets")
    except ImportError:  # a bare Python: pictures and their words still show the point
        return None


ipywidgets: Any = _load()
"""Read it as `optional.ipywidgets`, so that a test can take it away."""
