"""07.3: the two guards that stand before next_state, in their order."""

from __future__ import annotations

from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell_ms, tell_record

NOW = 200 * DAY_MS
STALE_CUTOFF = NOW - 30 * DAY_MS
ARCHIVE_CUTOFF = NOW - 90 * DAY_MS


def case_of(
    idle_days: int,
    created_by: str | None = "agent",
    pinned: bool = False,
    state: SkillState = "active",
) -> Case:
    """The arguments for a skill under the policy of 30 and 90 days."""
    record = UsageRecord(
        created_by=created_by,
        last_activity_at=NOW - idle_days * DAY_MS,
        pinned=pinned,
        state=state,
    )
    return record, STALE_CUTOFF, ARCHIVE_CUTOFF


def generate(pick: Pick) -> Case:
    """Anybody's skill, pinned or not, idle or not, in any state."""
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    idle_days = pick((120, 1, 30, 90, 29, 60))
    created_by = pick(("agent", "user", None, "agent"))
    return case_of(idle_days, created_by, pick((False, True)), pick(states))


def _show(case: Case) -> str:
    record, stale_cutoff, archive_cutoff = case
    told = tell_record(record, always=("created_by", "state", "last_activity_at"))
    return f"my_judge({told}, {tell_ms(stale_cutoff)}, {tell_ms(archive_cutoff)})"


def _call(created_by: str | None, pinned: bool, state: str, last_day: int) -> str:
    record = (
        f"UsageRecord(created_by={created_by!r}, {'pinned=True, ' if pinned else ''}"
        f"state={state!r}, last_activity_at={last_day}*DAY_MS)"
    )
    return f"my_judge({record}, 170*DAY_MS, 110*DAY_MS)"


_START = """
from alembic_sim import next_state

def my_judge(record, stale_cutoff, archive_cutoff):
"""
_PROVENANCE = """\
    if record.created_by != "agent":
        return record.state, "not-agent-created"
"""
_PIN = """\
    if record.pinned:
        return record.state, "pinned"
"""
_DECIDE = """\
    state = next_state(record, stale_cutoff, archive_cutoff)
"""
_REPORT = """\
    return state, "no-change" if state == record.state else None
"""

EXERCISE = Exercise(
    id="07.3",
    title="Two guards before the branches",
    signature="my_judge(record, stale_cutoff, archive_cutoff)",
    task="""
Two guards look at a record before next_state does. Provenance: what the agent did not make is left
as it is, for the reason "not-agent-created". Pin: a pinned skill is left as it is, for the reason
"pinned". Who passes both goes to the engine's next_state. Where the state stays, the reason is
"no-change"; where it moves, there is none (None).
""",
    todo="It gives back a pair (state, reason): the state after the pass, and why it did not move.",
    stub="""
from alembic_sim import next_state


def my_judge(record, stale_cutoff, archive_cutoff):
    ...  # provenance, then pin, then next_state(record, stale_cutoff, archive_cutoff)
    return ...  # state, reason
""",
    hints=(
        "Who is asked first? Somebody else's skill may be pinned as well: one reason is given.",
        "Three returns: the first two give back record.state unchanged. A skill without an author "
        "(None) is not the agent's either.",
        'created_by != "agent", then pinned, then state = next_state(…); last: return state, '
        '"no-change" if state == record.state else None.',
    ),
    solution=_START.replace("next_state\n", "next_state\n\n")
    + _PROVENANCE
    + _PIN
    + _DECIDE
    + _REPORT,
    wrong_answers=(
        WrongAnswer(
            "the pin is asked first",
            _START + _PIN + _PROVENANCE + _DECIDE + _REPORT,
            _call("user", True, "active", 80),
        ),
        WrongAnswer(
            "the pin is forgotten",
            _START + _PROVENANCE + _DECIDE + _REPORT,
            _call("agent", True, "active", 80),
        ),
        WrongAnswer(
            "only the user's skills are left alone",
            _START + _PROVENANCE.replace('!= "agent"', '== "user"') + _PIN + _DECIDE + _REPORT,
            _call(None, False, "active", 80),
        ),
        WrongAnswer(
            "no change is reported before the guards",
            _START
            + _DECIDE
            + '    if state == record.state:\n        return state, "no-change"\n'
            + _PROVENANCE
            + _PIN
            + "    return state, None\n",
            _call("user", False, "active", 199),
        ),
        WrongAnswer(
            "a pinned skill moves, and is called pinned",
            _START + _PROVENANCE + _DECIDE + _PIN.replace("record.state, ", "state, ") + _REPORT,
            _call("agent", True, "active", 80),
        ),
        WrongAnswer(
            "every skill gets a reason",
            _START + _PROVENANCE + _PIN + _DECIDE + '    return state, "no-change"\n',
            _call("agent", False, "active", 80),
        ),
    ),
    reference=judge,
    example=case_of(45),
    examples=(
        case_of(120),
        case_of(1),
        case_of(120, created_by="user"),
        case_of(120, pinned=True),
        case_of(120, created_by="user", pinned=True),
        case_of(120, created_by=None),
        case_of(1, created_by="user"),
        case_of(1, pinned=True),
        case_of(1, state="stale"),
    ),
    generate=generate,
    learnt="The guards come first, and each says its name: nothing is skipped in silence.",
    engine="alembic_sim/hermes/curator/curator.py::judge",
    show_case=_show,
)
