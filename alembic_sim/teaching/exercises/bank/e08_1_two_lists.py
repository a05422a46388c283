"""08.1: one pass over a library, told in two lists that leave nobody out."""

from __future__ import annotations

from alembic_sim.adapters.clock import FakeClock
from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.curator.curator import CuratorDeps, run_curator
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.sidecar import UsageSidecar, serialise_sidecar
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.hermes.curator.usage_store import DEFAULT_SIDECAR_PATH, UsageStore
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.probing import EXAMPLE_NOW, idle_skill


def skill(
    idle_days: int,
    state: SkillState = "active",
    created_by: str = "agent",
    pinned: bool = False,
) -> UsageRecord:
    """A record that was last active `idle_days` before the pass."""
    record = idle_skill(idle_days, state=state)
    return record.model_copy(update={"created_by": created_by, "pinned": pinned})


def case_of(**records: UsageRecord) -> Case:
    """The arguments for a library under the policy of 30 and 90 days."""
    return records, *CuratorPolicy().cutoffs(EXAMPLE_NOW)


def reference(
    records: dict[str, UsageRecord], stale_cutoff: float, archive_cutoff: float
) -> object:
    """The two lists of the real curator's dry run over these records."""
    files = {DEFAULT_SIDECAR_PATH: serialise_sidecar(UsageSidecar(records))}
    usage = UsageStore(MemoryFs(files), FakeClock(EXAMPLE_NOW))
    report = run_curator(CuratorDeps(usage), dry_run=True).expect("a readable sidecar")
    moved = [(one.name, one.from_state, one.to_state) for one in report.transitioned]
    return moved, [(one.name, one.reason) for one in report.skipped]


KINDS: tuple[tuple[SkillState, str, bool], ...] = (
    ("active", "agent", False),
    ("stale", "agent", False),
    ("active", "agent", True),
    ("active", "anna", False),
    ("active", "anna", True),
)
"""State, author, pin: the kinds of skills that a case may hold."""


def generate(pick: Pick) -> Case:
    """A few skills whose names come in any order."""

    def one() -> tuple[str, UsageRecord]:
        name = pick(("b", "a", "c"))
        made = pick(KINDS)
        return name, skill(pick((120, 1)), *made)

    return case_of(**dict(pick.some(one, 3)))


def _tell_skill(record: UsageRecord) -> str:
    """The record by the function that the cell to edit makes it with."""
    idle_days = (EXAMPLE_NOW - record.last_activity_at) // DAY_MS
    kind: str = record.state
    if record.created_by != "agent":
        kind = "annas_pinned" if record.pinned else "annas"
    elif record.pinned:
        kind = "pinned"
    return f"{kind}({idle_days})"


def _show(case: Case) -> str:
    told = ", ".join(f"{name!r}: {_tell_skill(record)}" for name, record in case[0].items())
    return f"my_pass({{{told}}}, *cutoffs)"


_START = """
from alembic_sim import next_state

def my_pass(records, stale_cutoff, archive_cutoff):
    transitioned, skipped = [], []
"""
_SORTED = """\
    for name in sorted(records):
        record = records[name]
"""
_PROVENANCE = """\
        if record.created_by != "agent":
            skipped.append((name, "not-agent-created"))
            continue
"""
_PIN = """\
        if record.pinned:
            skipped.append((name, "pinned"))
            continue
"""
_DECIDE = """\
        to_state = next_state(record, stale_cutoff, archive_cutoff)
"""
_NO_CHANGE = """\
        if to_state == record.state:
            skipped.append((name, "no-change"))
            continue
"""
_MOVED = """\
        transitioned.append((name, record.state, to_state))
"""
_END = """\
    return transitioned, skipped
"""
_REST = _DECIDE + _NO_CHANGE + _MOVED + _END
_BODY = _PROVENANCE + _PIN + _REST

EXERCISE = Exercise(
    id="08.1",
    title="One pass, two lists",
    signature="my_pass(records, stale_cutoff, archive_cutoff)",
    task="""
Play one pass over a library. records is a dict from name to record. Take the names in sorted order.
Each ends in exactly one of two lists: transitioned holds (name, from_state, to_state) of what would
move, skipped holds (name, reason) of what stays. The reasons are "not-agent-created", "pinned" and
"no-change", asked in that order; next_state decides the rest.
""",
    todo="It gives back a pair of lists: (transitioned, skipped).",
    stub="""
from alembic_sim import next_state


def active(days, **other):
    return idle_skill(days).model_copy(update=other)


def stale(days):
    return active(days, state="stale")


def pinned(days):
    return active(days, pinned=True)


def annas(days):
    return active(days, created_by="anna")


def my_pass(records, stale_cutoff, archive_cutoff):
    transitioned, skipped = [], []
    ...  # each name once: two guards, then next_state
    return ...  # transitioned, skipped
""",
    hints=(
        "A loop over sorted(records). How many lists does each name end in?",
        "Three reasons to skip, each followed by continue. What is left over moves.",
        "The third reason: to_state == record.state. Then transitioned.append((name, record.state, "
        "to_state)), and after the loop return both lists.",
    ),
    solution=_START.replace("next_state\n", "next_state\n\n", 1) + _SORTED + _BODY,
    wrong_answers=(
        WrongAnswer(
            "the names come as they are",
            _START + "    for name, record in records.items():\n" + _BODY,
            "my_pass({'b': active(120), 'a': stale(120)}, *cutoffs)",
        ),
        WrongAnswer(
            "what stays is not reported",
            _START
            + _SORTED
            + _PROVENANCE
            + _PIN
            + _DECIDE
            + "        if to_state == record.state:\n            continue\n"
            + _MOVED
            + _END,
            "my_pass({'a': active(1)}, *cutoffs)",
        ),
        WrongAnswer(
            "the pin is forgotten",
            _START + _SORTED + _PROVENANCE + _REST,
            "my_pass({'a': pinned(120)}, *cutoffs)",
        ),
        WrongAnswer(
            "a skipped skill moves all the same",
            _START + _SORTED + _BODY.replace('"pinned"))\n            continue\n', '"pinned"))\n'),
            "my_pass({'a': pinned(120)}, *cutoffs)",
        ),
        WrongAnswer(
            "from and to are swapped",
            _START + _SORTED + _BODY.replace("record.state, to_state)", "to_state, record.state)"),
            "my_pass({'a': active(120)}, *cutoffs)",
        ),
        WrongAnswer(
            "the loop ends at the first skip",
            _START + _SORTED + _BODY.replace("            continue\n", "            break\n", 1),
            "my_pass({'a': annas(120), 'b': active(120)}, *cutoffs)",
        ),
    ),
    reference=reference,
    example=case_of(a=skill(120), b=skill(1, pinned=True)),
    examples=(
        case_of(),
        case_of(a=skill(120)),
        case_of(a=skill(1)),
        case_of(b=skill(120), a=skill(120, "stale")),
        case_of(a=skill(120, pinned=True)),
        case_of(a=skill(120, created_by="anna", pinned=True)),
        case_of(a=skill(120, created_by="anna"), b=skill(120)),
        case_of(a=skill(1, "stale"), b=skill(30), c=skill(1)),
    ),
    generate=generate,
    learnt="Every name once, and a reason for each that stays: nothing is skipped in silence.",
    engine="alembic_sim/hermes/curator/curator.py::run_curator",
    show_case=_show,
)
