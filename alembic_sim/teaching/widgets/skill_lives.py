"""The life of each skill in a run: in which state it was, from when, and when it was needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from alembic_sim.ports.clock import DAY_MS
from alembic_sim.sim.log_lines import LogLine
from alembic_sim.sim.run import Run


@dataclass(frozen=True, slots=True)
class Life:
    """A skill's states, each with the time from which it holds, and the times of its uses.

    Times are in days since the run's start. `missed` are the uses that found it archived, `moves`
    is how often a pass moved it. A skill that the sidecar lost is `unknown`.
    """

    name: str
    states: tuple[tuple[float, str], ...]
    used: tuple[float, ...]
    missed: tuple[float, ...]
    moves: int

    def until(self, after_days: float) -> tuple[tuple[float, str], ...]:
        """The states that it has had after so many days; none if it is not made yet."""
        return tuple(one for one in self.states if one[0] <= after_days)


def lives_of(run: Run) -> tuple[Life, ...]:
    """All skills of the run, first those that a pass moved, in the order of their first move."""
    states: dict[str, list[tuple[float, str]]] = {}
    for at_ms, name, state in _changes(run):
        states.setdefault(name, []).append((_days(run, at_ms), state))
    used: dict[str, list[float]] = {}
    missed: dict[str, list[float]] = {}
    for line in map(_told, run.events):
        if line["event"] == "use":
            uses = missed if line["state"] == "archived" else used
            uses.setdefault(line["name"], []).append(_days(run, line["at_ms"]))
    moves = Counter(change.name for change in run.transitions)
    return tuple(
        Life(
            name,
            tuple(states[name]),
            tuple(used.get(name, ())),
            tuple(missed.get(name, ())),
            moves[name],
        )
        for name in dict.fromkeys([*moves, *states])
    )


def _days(run: Run, at_ms: int) -> float:
    return (at_ms - run.scenario.start_ms) / DAY_MS


def _told(line: LogLine) -> Mapping[str, Any]:
    return line


def _changes(run: Run) -> Iterator[tuple[int, str, str]]:
    """Each change of a state out of the run's own log: the instant, the skill, its new state."""
    born: set[str] = set()
    lost: set[str] = set()
    for line in map(_told, run.events):
        for name, state in _changed(line, born, lost):
            born.add(name)
            (lost.add if state == "unknown" else lost.discard)(name)
            yield line["at_ms"], name, state


def _changed(line: Mapping[str, Any], born: set[str], lost: set[str]) -> list[tuple[str, str]]:
    """The new states that a line of the log tells of; a counted use makes a lost record anew."""
    match line["event"]:
        case "birth":
            return [(line["name"], "active")]
        case "pass":
            return [(one["name"], one["to"]) for one in line["transitioned"]]
        case "corrupt-sidecar":
            return [(name, "unknown") for name in sorted(born)]
        case "use" if line["counted"] and line["name"] in lost:
            return [(line["name"], "active")]
    return []
