"""The states after every pass at once, from the last activity before each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Anchors = NDArray[np.float64] | NDArray[np.int64]


def over_window(anchor: Anchors, judged: Flags, below: Floats) -> Flags:
    """For each pass and skill: does the pass find it over a window, whose bounds are these.

    Rows are passes, columns skills. An anchor below a pass's bound is over the window; a skill that
    is not `judged` at a pass is left as it is, for it has no anchor yet or is no business of the
    curator.
    """
    over = anchor < below[:, None]
    over &= judged
    return over


def archived_after(over: Flags) -> Flags:
    """For each pass and skill: is it archived after it, going by `next_state`, archive first.

    `over` is the archive window's. Once archived, always archived.
    """
    archived = over.copy()
    for row, before in zip(archived[1:], archived, strict=False):
        np.logical_or(row, before, out=row)
    return archived


def stale_after(over: Flags, archived: Flags) -> Flags:
    """For each pass and skill: is it stale after it. What came before does not matter.

    `over` is the stale window's. Until it is archived, a skill is stale after exactly those passes
    that find it over the window: it begins active, either state turns into the other, and once
    judged it is judged always.
    """
    stale: Flags = np.greater(over, archived)
    return stale
