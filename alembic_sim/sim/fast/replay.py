"""replay_fast: many policies over one recorded trace, each exactly as the curator would do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState
from alembic_sim.ports.clock import MAX_SAFE_INTEGER
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.fast.calendar import bounds_at
from alembic_sim.sim.fast.support import FastError, bad_argument, check_policies
from alembic_sim.sim.fast.verdicts import Flags, archived_after, over_window, stale_after
from alembic_sim.sim.figures import StateChange
from alembic_sim.sim.trace import EventTrace

Anchor = Literal["infinity", "created-at", "zero"]
Order = Literal["archive-first", "stale-first"]
_ANCHORS = ("infinity", "created-at", "zero")

Instants = NDArray[np.int64]
_NEVER = MAX_SAFE_INTEGER + 1  # later than any cut-off
_STATES: tuple[SkillState, ...] = ("active", "stale", "archived")


@dataclass(frozen=True, slots=True)
class Replay:
    """What one policy did to the skills of a trace: its moves in order, and each one's last state.

    `counts` are the skills (active, stale, archived) after each pass.
    """

    policy: CuratorPolicy
    transitions: tuple[StateChange, ...] = field(repr=False)
    states: Mapping[str, SkillState] = field(repr=False)
    counts: tuple[tuple[int, int, int], ...] = field(repr=False)


def replay_fast(
    trace: EventTrace,
    policies: Sequence[CuratorPolicy],
    anchor: Anchor = "infinity",
    order: Order = "archive-first",
) -> Result[tuple[Replay, ...], FastError]:
    """What each policy does on this trace: equal, move by move, to passing by `next_state`.

    `unsupported` for the order stale-first, and for instants before 1970 or past exact numbers.
    """
    checked = _check(trace, policies, anchor, order)
    if not checked.ok:
        return checked
    skills = sorted(trace.skills, key=lambda skill: skill.name)  # a pass goes by the names
    births = np.array([skill.birth_ms for skill in skills], np.int64)
    managed = np.array([skill.managed for skill in skills], bool)
    names = [skill.name for skill in skills]
    turns = [turn.at_ms for turn in trace.passes]
    born = births <= np.array(turns, np.int64)[:, None]
    anchors = _anchors(anchor, _last_before_passes(trace, names), births)
    replays = []
    for policy in policies:
        stale_below, archive_below = bounds_at(policy, turns)
        archived = archived_after(over_window(anchors, born & managed, archive_below))
        stale = stale_after(over_window(anchors, born & managed, stale_below), archived)
        replays.append(_replay(policy, names, turns, born, np.where(archived, 2, stale)))
    return Ok(tuple(replays))


def _check(
    trace: object, policies: object, anchor: object, order: object
) -> Result[None, FastError]:
    if not isinstance(trace, EventTrace):
        return bad_argument(f"{shorten(trace)} is not an EventTrace")
    if anchor not in _ANCHORS:
        return bad_argument(f"anchor: {shorten(anchor)} is not one of {', '.join(_ANCHORS)}")
    if order != "archive-first":
        why = f"curator.order: {shorten(order)} needs the reference engine"
        return Err(FastError("unsupported", why, "curator.order"))
    births = [skill.birth_ms for skill in trace.skills]
    events = [event.at_ms for event in trace.events]
    passes = [turn.at_ms for turn in trace.passes]
    for at_ms in (*births, *events, *passes):
        if not 0 <= at_ms <= MAX_SAFE_INTEGER:
            why = f"at_ms: {shorten(at_ms)} is not from 0 to {MAX_SAFE_INTEGER}"
            return Err(FastError("unsupported", why, "at_ms"))
    return check_policies(policies)


def _last_before_passes(trace: EventTrace, names: Sequence[str]) -> Instants:
    """For each pass and skill the last counted use before that pass, 0 for none."""
    column = {name: number for number, name in enumerate(names)}
    counted = [event for event in trace.events if event.counted]
    at_ms = np.array([event.at_ms for event in counted], np.int64)
    skill = np.array([column[event.name] for event in counted], np.intp)
    first_pass = _passes_before(trace, [event.sequence for event in counted], at_ms)
    last = np.zeros((len(trace.passes), len(trace.skills)), np.int64)
    seen = first_pass < len(trace.passes)  # what comes after the last pass is judged by nobody
    np.maximum.at(last, (first_pass[seen], skill[seen]), at_ms[seen])
    for row, before in zip(last[1:], last, strict=False):
        np.maximum(row, before, out=row)
    return last


def _passes_before(
    trace: EventTrace, sequences: Sequence[int], at_ms: Instants
) -> NDArray[np.intp]:
    """For each event how many passes are over: one at the same instant if its sequence is lower."""
    instants = np.concatenate((at_ms, [turn.at_ms for turn in trace.passes]))
    ranks = np.concatenate((sequences, [turn.sequence for turn in trace.passes]))
    order = np.lexsort((ranks, instants))
    is_pass = order >= len(at_ms)
    over = np.empty(len(order), np.intp)
    over[order] = np.cumsum(is_pass)
    return over[: len(at_ms)]


def _anchors(anchor: Anchor, last: Instants, births: Instants) -> Instants:
    """What each pass compares with its cut-offs: the last use, or what stands for never."""
    if anchor == "infinity":
        return np.where(last > 0, last, _NEVER)
    if anchor == "created-at":
        return np.where(last > 0, last, np.where(births > 0, births, _NEVER))
    return last


def _replay(
    policy: CuratorPolicy,
    names: Sequence[str],
    turns: Sequence[int],
    born: Flags,
    after: NDArray[np.int_],
) -> Replay:
    """The moves and the counts, out of the states (by number) after each pass."""
    before = np.concatenate((np.zeros((1, len(names)), int), after))
    moves = [
        StateChange(turns[turn], names[skill], _STATES[old], _STATES[new])
        for turn, skill in np.argwhere(before[1:] != before[:-1]).tolist()
        for old, new in [before[turn : turn + 2, skill].tolist()]
    ]
    states = {name: _STATES[state] for name, state in zip(names, before[-1].tolist(), strict=True)}
    counts = [
        (int((now[is_born] == 0).sum()), int((now == 1).sum()), int((now == 2).sum()))
        for now, is_born in zip(after, born, strict=True)
    ]
    return Replay(policy, tuple(moves), MappingProxyType(states), tuple(counts))
