"""05.1: one event counted: which fields of the record change, and how."""

from __future__ import annotations

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, UsageEvent, UsageStore
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell

NOW = 200
"""The times are a few ms, so that they are short to read."""


def reference(record: UsageRecord, event: UsageEvent, now_ms: int) -> object:
    """The record that the real store has on disk after the event."""
    files = {DEFAULT_SIDECAR_PATH: serialise_sidecar(UsageSidecar({"skill": record}))}
    store = UsageStore(MemoryFs(files), FakeClock(now_ms))
    return store.record("skill", event).expect("a record that can be counted").record


def case_of(
    event: UsageEvent,
    last_at: int = 80,
    state: SkillState = "active",
    use_count: int = 0,
) -> Case:
    """The arguments for an event at 200 ms; `last_at` 0: never active."""
    record = UsageRecord(state=state, last_activity_at=last_at, use_count=use_count)
    return record, event, NOW


def generate(pick: Pick) -> Case:
    """Any event on a skill in any state, with or without a past."""
    events: tuple[UsageEvent, ...] = ("use", "view", "patch")
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    return case_of(pick(events), pick((80, 0)), pick(states), pick((0, 3)))


def tell_counts(record: object) -> str:
    """The record as Python that builds it: what an event may change, and what is not at zero."""
    if not isinstance(record, UsageRecord):
        return tell(record)
    fresh = UsageRecord()
    parts = [
        f"{name}={tell(value)}" for name, value in record if value != getattr(fresh, name, None)
    ]
    return f"UsageRecord({', '.join(parts)})"


def _show(case: Case) -> str:
    record, event, now_ms = case
    return f"my_count({tell_counts(record)}, {event!r}, {now_ms})"


_START = """
def my_count(record, event, now_ms):
    counter = event + "_count"
"""
_COPY = """\
    return record.model_copy(update={
        counter: getattr(record, counter) + 1,
        "last_activity_at": now_ms,
    })
"""

EXERCISE = Exercise(
    id="05.1",
    title="One event",
    signature="my_count(record, event, now_ms)",
    task="""
A skill was used, viewed or patched: event is "use", "view" or "patch". Count it: that event's
counter goes up by one, and the time of the last activity is now, whichever event it was. Nothing
else changes, the state least of all: counting never judges.
record.model_copy(update={...}) is a copy with other values, getattr(record, "use_count") reads a
field by its name.
""",
    todo="It gives back a UsageRecord: the one after the event.",
    stub="""
def my_count(record, event, now_ms):
    ...  # which counter? which time?
    return ...  # a UsageRecord
""",
    hints=(
        "Two fields change: one counter, and last_activity_at.",
        'The counter\'s name is event + "_count": use_count, view_count or patch_count.',
        'return record.model_copy(update={counter: getattr(record, counter) + 1, "last_activity_at"'
        ": now_ms}).",
    ),
    solution=_START + _COPY,
    wrong_answers=(
        WrongAnswer(
            "only a use is activity",
            _START
            + '    last = now_ms if event == "use" else record.last_activity_at\n'
            + _COPY.replace("now_ms", "last"),
            "my_count(UsageRecord(last_activity_at=80), 'view', 200)",
        ),
        WrongAnswer(
            "every event counts as a use",
            _START.replace("event + ", '"use" + ') + _COPY,
            "my_count(UsageRecord(last_activity_at=80), 'view', 200)",
        ),
        WrongAnswer(
            "a use brings a stale skill back at once",
            _START + _COPY.replace("now_ms,\n", 'now_ms,\n        "state": "active",\n'),
            "my_count(UsageRecord(state='stale'), 'use', 200)",
        ),
        WrongAnswer(
            "the counter starts at one",
            _START + _COPY.replace("getattr(record, counter) + 1", "1"),
            "my_count(UsageRecord(use_count=3), 'use', 200)",
        ),
        WrongAnswer(
            "the time of the first activity is kept",
            _START + _COPY.replace("now_ms", "record.last_activity_at or now_ms"),
            "my_count(UsageRecord(last_activity_at=80), 'use', 200)",
        ),
    ),
    reference=reference,
    example=case_of("use", 80, use_count=3),
    examples=(
        case_of("use"),
        case_of("view"),
        case_of("use", last_at=0, use_count=3),
        case_of("patch", use_count=3),
        case_of("use", last_at=0, state="stale"),
        case_of("use", use_count=3),
        case_of("view", last_at=0),
    ),
    generate=generate,
    learnt="One counter and one stamp. The stamp is the anchor that the curator reads later.",
    engine="alembic_sim/hermes/curator/usage_store.py::UsageStore.record",
    show_case=_show,
    show_answer=tell_counts,
)
