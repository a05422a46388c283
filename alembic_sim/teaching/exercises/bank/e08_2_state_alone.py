"""08.2: what is written is the fresh record with another state, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import UsageRecord
from alembic_sim.hermes.curator.usage_store import (
    DEFAULT_SIDECAR_PATH,
    UsageError,
    UsageReceipt,
    UsageStore,
)
from alembic_sim.ports.clock import DAY_MS, Clock
from alembic_sim.result import Result
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell, tell_ms

NOW = 200 * DAY_MS
COLD = UsageRecord(created_by="agent", use_count=3, last_activity_at=80 * DAY_MS)


@dataclass(frozen=True)
class _ReadEarlier:
    """A store whose pass has read `cold` already, while the disk holds something newer."""

    store: UsageStore
    cold: UsageRecord

    @property
    def clock(self) -> Clock:
        return self.store.clock

    def load(self) -> UsageSidecar:
        return UsageSidecar({"skill": self.cold})

    def update(
        self, name: str, change: Callable[[UsageRecord], UsageRecord]
    ) -> Result[UsageReceipt, UsageError]:
        return self.store.update(name, change)


def reference(
    cold: UsageRecord, fresh: UsageRecord, stale_cutoff: float, archive_cutoff: float
) -> object:
    """What is on disk after the real curator, which read `cold`, found `fresh` under the lock."""
    files = {DEFAULT_SIDECAR_PATH: serialise_sidecar(UsageSidecar({"skill": fresh}))}
    store = UsageStore(MemoryFs(files), FakeClock(NOW))
    run_curator(CuratorDeps(_ReadEarlier(store, cold))).expect("a readable sidecar")
    return store.get("skill").expect("it is there")


def case_of(**fresher: object) -> Case:
    """A skill idle for 120 days when the pass read it, and what the lock then finds."""
    return COLD, COLD.model_copy(update=fresher), *CuratorPolicy().cutoffs(NOW)


def generate(pick: Pick) -> Case:
    """Nothing happened in between; or it was used, viewed or pinned, lately or long ago."""
    last = NOW - pick((120, 0, 100, 45)) * DAY_MS
    used, viewed = pick((3, 4)), pick((0, 1))
    return case_of(
        last_activity_at=last, use_count=used, view_count=viewed, pinned=pick((False, True))
    )


def tell_changed(record: object) -> str:
    """The record as the cold one with what differs; anything else in its own spelling."""
    if not isinstance(record, UsageRecord):
        return tell(record)
    changed = ", ".join(
        f"{name}={tell_ms(value) if name == 'last_activity_at' else tell(value)}"
        for name, value in record
        if value != getattr(COLD, name, None)
    )
    return f"new({changed})" if changed else "cold"


def _show(case: Case) -> str:
    return f"my_change(cold, {tell_changed(case[1])}, *cutoffs)"


_START = """
from alembic_sim import next_state

def my_change(cold, fresh, stale_cutoff, archive_cutoff):
"""
_GUARDS = """\
    if fresh.created_by != "agent" or fresh.pinned:
        return fresh
"""
_DECIDE = """\
    state = next_state(fresh, stale_cutoff, archive_cutoff)
"""
_COPY = """\
    return fresh.model_copy(update={"state": state})
"""

EXERCISE = Exercise(
    id="08.2",
    title="The state, and nothing else",
    signature="my_change(cold, fresh, stale_cutoff, archive_cutoff)",
    task="""
A pass read a skill's record earlier (cold) and wants to move it. It takes the lock and reads again
(fresh): in between the skill may have been used, viewed or pinned. Say what is to be written.
The decision is taken anew, guards included, on what is there now; of what is there now, the state
alone may change. record.model_copy(update={"state": state}) is a copy with another state.
""",
    todo="It gives back a UsageRecord: the one to write.",
    stub="""
from alembic_sim import DAY_MS, CuratorPolicy, UsageRecord, next_state

cold = UsageRecord(created_by="agent", use_count=3, last_activity_at=80 * DAY_MS)
cutoffs = CuratorPolicy().cutoffs(200 * DAY_MS)


def new(**fields):
    return cold.model_copy(update=fields)


def my_change(cold, fresh, stale_cutoff, archive_cutoff):
    ...  # decide again; then a copy with another state
    return ...  # a UsageRecord
""",
    hints=(
        "Which of the two records knows that the skill was used a moment ago?",
        "Pinned meanwhile, or not the agent's: fresh stays as it is. Else ask next_state about "
        "fresh.",
        'return fresh.model_copy(update={"state": next_state(fresh, stale_cutoff, '
        "archive_cutoff)}), after the two guards.",
    ),
    solution=_START.replace("next_state\n", "next_state\n\n", 1) + _GUARDS + _DECIDE + _COPY,
    wrong_answers=(
        WrongAnswer(
            "the cold record is written, and a use is lost",
            _START + _GUARDS + _DECIDE + _COPY.replace("fresh.", "cold."),
            "my_change(cold, new(last_activity_at=155*DAY_MS), *cutoffs)",
        ),
        WrongAnswer(
            "the decision is the cold one",
            _START + _GUARDS + _DECIDE.replace("fresh", "cold") + _COPY,
            "my_change(cold, new(last_activity_at=155*DAY_MS), *cutoffs)",
        ),
        WrongAnswer(
            "the pin of a moment ago is overlooked",
            _START + _DECIDE + _COPY,
            "my_change(cold, new(pinned=True), *cutoffs)",
        ),
        WrongAnswer(
            "the counters start again",
            _START + _GUARDS + _DECIDE + _COPY.replace("state}", 'state, "use_count": 0}'),
            "my_change(cold, cold, *cutoffs)",
        ),
        WrongAnswer(
            "nothing is ever moved",
            _START + "    return fresh\n",
            "my_change(cold, cold, *cutoffs)",
        ),
        WrongAnswer(
            "moving counts as activity",
            _START
            + _GUARDS
            + _DECIDE
            + _COPY.replace("state}", 'state, "last_activity_at": stale_cutoff}'),
            "my_change(cold, cold, *cutoffs)",
        ),
    ),
    reference=reference,
    example=case_of(last_activity_at=NOW, use_count=4),
    examples=(
        case_of(),
        case_of(last_activity_at=NOW - 45 * DAY_MS),
        case_of(pinned=True),
        case_of(use_count=4, last_activity_at=NOW - 100 * DAY_MS),
    ),
    generate=generate,
    learnt="One put a transition: read again under the lock, decide again, change the state alone.",
    engine="alembic_sim/hermes/curator/curator.py::_settle",
    show_case=_show,
    show_answer=tell_changed,
)
