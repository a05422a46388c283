"""06.3: the price of the infinite anchor, as a list: who was never used, and how old they are."""

from __future__ import annotations

from alembic_sim.hermes.curator.report import never_active
from alembic_sim.hermes.curator.sidecar import UsageSidecar
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell, tell_ms, tell_record

NOW = 100 * DAY_MS


def reference(records: dict[str, UsageRecord], now_ms: int) -> object:
    """What the curator's report says of these records."""
    found = never_active(UsageSidecar(records), now_ms)
    return [(item.name, item.age_days) for item in found]


def skill(
    created_at: int = 10 * DAY_MS,
    created_by: str | None = "agent",
    last_activity_at: int = 0,
    state: SkillState = "active",
) -> UsageRecord:
    """A record; unless said otherwise, the agent made it on day 10 and never used it."""
    return UsageRecord(
        created_at=created_at,
        created_by=created_by,
        last_activity_at=last_activity_at,
        state=state,
    )


def generate(pick: Pick) -> Case:
    """Up to four skills, in any order of names."""
    states: tuple[SkillState, ...] = ("active", "stale", "archived", "active")

    def make() -> tuple[str, UsageRecord]:
        name = pick(("tidy", "fix-ci", "lint", "zip", "brew"))
        created_at = pick((10 * DAY_MS, 10 * DAY_MS + 1, 0, NOW, NOW - 1, 60 * DAY_MS - 1))
        by = pick(("agent", "agent", "user", None))
        used_at = pick((0, 0, 50 * DAY_MS, 0))
        return name, skill(created_at, by, used_at, pick(states))

    return dict(pick.some(make, at_most=4)), NOW


def _show(case: Case) -> str:
    records, now_ms = case
    told = ", ".join(
        f"{tell(name)}: {tell_record(record, always=())}" for name, record in records.items()
    )
    return f"my_never_active({{{told}}}, {tell_ms(now_ms)})"


_WRONG = """
from alembic_sim import DAY_MS

def my_never_active(records, now_ms):
    found = []
    for name, record in sorted(records.items()):
        if record.created_by == "agent" and record.state != "archived":
            if record.last_activity_at == 0:
                age = (now_ms - record.created_at) // DAY_MS if record.created_at else None
                found.append((name, age))
    return found
"""

EXERCISE = Exercise(
    id="06.3",
    title="The price of the anchor",
    signature="my_never_active(records, now_ms)",
    task="""
A skill that was never used is never old, so it stays for good. Somebody should see what piles up:
our report lists it [ours]. records is a dict of UsageRecords by skill name. The list names the
skills that the agent made (created_by is "agent"), not archived, and never active.
""",
    todo="It gives back a list of (name, age_days), by name. An age is in whole days since "
    "created_at, None where that is 0 (not known).",
    stub="""
from alembic_sim import DAY_MS


def my_never_active(records, now_ms):
    found = []
    for name, record in records.items():
        ...  # whose skill, which state, any activity? Then (name, age_days)
    return ...  # found, by name
""",
    hints=(
        "Three questions to each record, then an age that is honest where nothing is known.",
        "Keep created_by == 'agent', state != 'archived', last_activity_at == 0. "
        "A created_at of 0 is not 1970: that age is None. A day counts once it is full.",
        "age_days = (now_ms - record.created_at) // DAY_MS if record.created_at else None, and "
        "loop over sorted(records.items()).",
    ),
    solution="""
from alembic_sim import DAY_MS


def my_never_active(records, now_ms):
    found = []
    for name, record in sorted(records.items()):
        made_by_agent = record.created_by == "agent"
        if made_by_agent and record.state != "archived" and record.last_activity_at == 0:
            known = record.created_at > 0
            age_days = (now_ms - record.created_at) // DAY_MS if known else None
            found.append((name, age_days))
    return found
""",
    wrong_answers=(
        WrongAnswer(
            "everybody's skills are listed",
            _WRONG.replace('record.created_by == "agent" and ', ""),
            "my_never_active({'tidy': UsageRecord(created_by='user', created_at=10*DAY_MS)}, "
            "100*DAY_MS)",
        ),
        WrongAnswer(
            "archived skills are listed",
            _WRONG.replace(' and record.state != "archived"', ""),
            "my_never_active({'tidy': UsageRecord(created_by='agent', state='archived', "
            "created_at=10*DAY_MS)}, 100*DAY_MS)",
        ),
        WrongAnswer(
            "an unknown birthday is 1970",
            _WRONG.replace(" if record.created_at else None", ""),
            "my_never_active({'tidy': UsageRecord(created_by='agent')}, 100*DAY_MS)",
        ),
        WrongAnswer(
            "the age is rounded up",
            _WRONG.replace(
                "(now_ms - record.created_at) // DAY_MS",
                "-((record.created_at - now_ms) // DAY_MS)",
            ),
            "my_never_active({'tidy': UsageRecord(created_by='agent', created_at=10*DAY_MS + 1)}, "
            "100*DAY_MS)",
        ),
        WrongAnswer(
            "the names are not sorted",
            _WRONG.replace("sorted(records.items())", "records.items()"),
            "my_never_active({'tidy': UsageRecord(created_by='agent'), "
            "'lint': UsageRecord(created_by='agent')}, 100*DAY_MS)",
        ),
    ),
    reference=reference,
    example=({"tidy": skill()}, NOW),
    examples=(
        ({}, NOW),
        ({"tidy": skill()}, NOW),
        ({"tidy": skill(last_activity_at=50 * DAY_MS)}, NOW),
        ({"tidy": skill(created_by="user")}, NOW),
        ({"tidy": skill(state="archived")}, NOW),
        ({"tidy": skill(created_at=0)}, NOW),
        ({"tidy": skill(created_at=10 * DAY_MS + 1)}, NOW),
        ({"tidy": skill(state="stale")}, NOW),
        ({"tidy": skill(created_at=0), "lint": skill(created_at=0)}, NOW),
    ),
    generate=generate,
    learnt="Nothing never used is ever put away by itself. The report is where a person sees it.",
    engine="alembic_sim/hermes/curator/report.py::never_active",
    show_case=_show,
)
