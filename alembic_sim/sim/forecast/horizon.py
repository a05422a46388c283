"""How likely a skill is to lie still for a whole window within the horizon, in closed form.

Time runs in days, a pass at the end of each; a day without an event has the chance exp(-λ), and a
skill survives a day (is not given up) with exp(-δ). A skill falls when a window of W days passes
without an event. One that has lain still already falls at the pass of day `head`, unless an event
comes before; after an event everything begins anew (a renewal), so with

    F(j) = the first event comes on day j         S(w) = no event in w days
    X(t) = falls within t days of an event        P(head) = falls within the horizon H

    X(t) = [t ≥ W] · S(W) + Σ_{j ≤ min(W, t)} F(j) · X(t - j)
    P(head) = [head ≤ H] · S(head) + Σ_{j ≤ min(head, H)} F(j) · X(H - j)

(each X also counting skills given up with that event). Nothing is sampled. Windows count in whole
days, rounded up: the head start alone is exact.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

REGRET_DAYS = 30
"""A skill that is needed within so many days of its archiving should not have been archived."""


@dataclass(frozen=True, slots=True)
class FallTable:
    """The chances of one rate by head start: index `head` in days, the last one for "never".

    `falls` is the chance to fall within the horizon, `regrets` the chance to fall and be needed
    again within `REGRET_DAYS` after that; both for a skill that is not given up now.
    """

    falls: array[float]
    regrets: array[float]


def fall_table(
    rate_per_day: float, given_up_per_day: float, window_days: float, horizon_days: int
) -> FallTable:
    """The table for skills of this rate that fall after `window_days` without an event."""
    quiet, stays = math.exp(-rate_per_day), math.exp(-given_up_per_day)
    window = math.ceil(min(window_days, horizon_days + 1))  # longer ones end after the horizon
    days = max(horizon_days + 1, REGRET_DAYS)
    # alone[w]: no event in w days and not given up; silent[w]: no event, given up or not.
    alone = [(quiet * stays) ** w for w in range(days + 1)]
    ends = [0.0, *(alive * quiet * (1 - stays) for alive in alone[:-1])]
    silent = [alive + gone for alive, gone in zip(alone, accumulate(ends), strict=True)]
    first = [0.0, *(alive * -math.expm1(-rate_per_day) for alive in alone)]
    needed = [alive * (1 - silent[REGRET_DAYS]) for alive in alone]
    return FallTable(
        falls=_by_head(first, silent, stays, 1 - stays, window, horizon_days),
        regrets=_by_head(first, needed, stays, 0.0, window, horizon_days),
    )


def _by_head(
    first: Sequence[float],
    pays: Sequence[float],
    stays: float,
    given_up_pays: float,
    window: int,
    horizon: int,
) -> array[float]:
    """P(head) of the module's text, for every head from 0 to the horizon, and for never.

    `pays[w]` stands for S(w); `given_up_pays` is what a skill given up with an event counts.
    """
    after: list[float] = []  # X(0), X(1), …
    renewed = 0.0  # Σ F(j)·X(t - j), kept up from day to day: F falls by the same factor each day
    older = first[2] / first[1] if first[1] else 0.0
    for t in range(horizon + 1):
        renewed = older * renewed + (first[1] * after[t - 1] if t else 0.0)
        if t > window:  # the oldest event has left the window
            renewed -= first[window + 1] * after[t - window - 1]
        falls = t >= window
        alive = renewed + (pays[window] if falls else 0.0)
        after.append(stays * alive + (given_up_pays if falls else 0.0))
    days = range(1, horizon + 1)
    anew = list(accumulate((first[j] * after[horizon - j] for j in days), initial=0.0))
    by_head = [pays[head] + anew[head] for head in range(horizon + 1)]
    return array("d", [*by_head, anew[-1]])
