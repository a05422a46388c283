"""07.1: next_state itself."""

from __future__ import annotations

from alembic_sim.hermes.curator.curator import next_state
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell_ms, tell_record

NOW = 200 * DAY_MS
"""Day 200: the instants of the cases stay short enough to read."""


def case_of(
    idle_ms: int | None, state: SkillState = "active", stale_days: int = 30, archive_days: int = 90
) -> Case:
    """The arguments for a skill that is idle for so long (None: never used)."""
    stale, archive = CuratorPolicy(stale_days, archive_days).cutoffs(NOW)
    last_activity_at = 0 if idle_ms is None else NOW - idle_ms
    return UsageRecord(last_activity_at=last_activity_at, state=state), int(stale), int(archive)


def generate(pick: Pick) -> Case:
    """A skill on, next to, or far from the cut-offs of a policy."""
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    state = pick(states)
    stale_days, archive_days = pick(((30, 90), (14, 60), (90, 30), (30, 30)))
    if pick((False, False, False, False, False, False, False, True)):
        return case_of(None, state, stale_days, archive_days)
    days = pick((stale_days, archive_days, 120, 1, stale_days + 5, archive_days + 5))
    idle_ms = days * DAY_MS + pick((0, -1, 1, 0))
    return case_of(idle_ms, state, stale_days, archive_days)


def show(case: Case) -> str:
    """The call, its instants in days."""
    record, stale_cutoff, archive_cutoff = case
    told = tell_record(record, always=("state", "last_activity_at"))
    return f"my_next_state({told}, {tell_ms(stale_cutoff)}, {tell_ms(archive_cutoff)})"


_ANCHOR = """
import math

def my_next_state(record, stale_cutoff, archive_cutoff):
    anchor = record.last_activity_at if record.last_activity_at > 0 else math.inf
"""
_ARCHIVE = """\
    if anchor <= archive_cutoff and record.state != "archived":
        return "archived"
"""
_STALE = """\
    if anchor <= stale_cutoff and record.state == "active":
        return "stale"
"""
_REACTIVATE = """\
    if anchor > stale_cutoff and record.state == "stale":
        return "active"
"""
_ELSE = """\
    return record.state
"""

EXERCISE = Exercise(
    id="07.1",
    title="next_state, branch by branch",
    signature="my_next_state(record, stale_cutoff, archive_cutoff)",
    task="""
Decide the state of one skill after one pass, from its anchor, its state and the two cut-offs. They
are instants: an anchor at or before a cut-off is over it.

Three tests decide: archive, stale, reactivate. Their order matters, and so does the state that each
of them asks for. If none of them says yes, record.state stays.
""",
    todo='It gives back "active", "stale" or "archived".',
    stub="""
import math


def my_next_state(record, stale_cutoff, archive_cutoff):
    anchor = record.last_activity_at if record.last_activity_at > 0 else math.inf
    ...  # three tests, in their order
    return ...
""",
    hints=(
        "How many days is the skill idle? It is day 200. Which test comes first, and is it true?",
        "A skill that is over both cut-offs meets two true tests: the first one decides. Both "
        "edges are inclusive, and an archived skill never comes back by itself.",
        'if anchor <= archive_cutoff and record.state != "archived": return "archived". Then the '
        'stale test for "active" alone, then anchor > stale_cutoff for "stale" alone.',
    ),
    solution=_ANCHOR.replace("import math\n", "import math\n\n")
    + _ARCHIVE
    + _STALE
    + _REACTIVATE
    + _ELSE,
    wrong_answers=(
        WrongAnswer(
            "stale is tested first",
            _ANCHOR + _STALE + _ARCHIVE + _REACTIVATE + _ELSE,
            "my_next_state(UsageRecord(state='active', last_activity_at=110*DAY_MS), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
        WrongAnswer(
            "the stale edge is left out",
            _ANCHOR + _ARCHIVE + _STALE.replace("<=", "<") + _REACTIVATE + _ELSE,
            "my_next_state(UsageRecord(state='active', last_activity_at=170*DAY_MS), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
        WrongAnswer(
            "the archive edge is left out",
            _ANCHOR + _ARCHIVE.replace("<=", "<") + _STALE + _REACTIVATE + _ELSE,
            "my_next_state(UsageRecord(state='active', last_activity_at=110*DAY_MS), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
        WrongAnswer(
            "never used is infinitely old",
            _ANCHOR.replace(" if record.last_activity_at > 0 else math.inf", "")
            + _ARCHIVE
            + _STALE
            + _REACTIVATE
            + _ELSE,
            "my_next_state(UsageRecord(state='active', last_activity_at=0), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
        WrongAnswer(
            "a stale skill that is used again stays stale",
            _ANCHOR + _ARCHIVE + _STALE + _ELSE,
            "my_next_state(UsageRecord(state='stale', last_activity_at=199*DAY_MS), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
        WrongAnswer(
            "an archived skill comes back by itself",
            _ANCHOR + _ARCHIVE + _STALE + _REACTIVATE.replace('== "stale"', '!= "active"') + _ELSE,
            "my_next_state(UsageRecord(state='archived', last_activity_at=199*DAY_MS), "
            "170*DAY_MS, 110*DAY_MS)",
        ),
    ),
    reference=next_state,
    example=case_of(45 * DAY_MS),
    examples=(
        case_of(30 * DAY_MS),
        case_of(30 * DAY_MS - 1),
        case_of(90 * DAY_MS),
        case_of(90 * DAY_MS - 1),
        case_of(120 * DAY_MS),
        case_of(None),
        case_of(1 * DAY_MS, "stale"),
        case_of(90 * DAY_MS, "stale"),
        case_of(30 * DAY_MS, "stale"),
        case_of(1 * DAY_MS, "archived"),
        case_of(120 * DAY_MS, "archived"),
    ),
    generate=generate,
    learnt="Over both cut-offs, the first true test decides: that is why archive stands first.",
    engine="alembic_sim/hermes/curator/curator.py::next_state",
    show_case=show,
)
