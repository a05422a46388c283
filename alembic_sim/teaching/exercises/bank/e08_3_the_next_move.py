"""08.3: when a skill moves next, if nobody touches it."""

from __future__ import annotations

from alembic_sim.hermes.curator.curator import judge
from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.hermes.curator.usage_record import SkillState, UsageRecord
from alembic_sim.ports.clock import DAY_MS
from alembic_sim.teaching.exercises.exercise import Case, Exercise, Pick, WrongAnswer
from alembic_sim.teaching.exercises.telling import tell, tell_ms, tell_record

NOW = 200 * DAY_MS


def reference(record: UsageRecord, now_ms: int) -> object:
    """The first instant, now or one at which a window closes, where the real rule moves it."""
    policy = CuratorPolicy()
    windows = (policy.stale_after_days, policy.archive_after_days)
    closing = [record.last_activity_at + round(days * DAY_MS) for days in windows]
    for instant in sorted({now_ms, *(one for one in closing if one > now_ms)}):
        state, reason = judge(record, *policy.cutoffs(instant))
        if reason is None:
            return state, instant
    return "never"


def case_of(
    idle_days: int | None,
    state: SkillState = "active",
    created_by: str | None = "agent",
    pinned: bool = False,
) -> Case:
    """A skill idle for so many days at `NOW`; None: never used."""
    last = 0 if idle_days is None else NOW - idle_days * DAY_MS
    record = UsageRecord(created_by=created_by, pinned=pinned, state=state, last_activity_at=last)
    return record, NOW


def generate(pick: Pick) -> Case:
    """Anybody's skill, pinned or not, in any state, at any distance from the next window."""
    states: tuple[SkillState, ...] = ("active", "stale", "archived")
    idle_days = pick((0, 120, 30, 45, 90, None, 29, 100))
    return case_of(idle_days, pick(states), pick(("agent", "user")), pick((False, True)))


def _tell_move(answer: object) -> str:
    """The answer with its instant in days."""
    match answer:
        case (str() as state, int() as instant) if not isinstance(instant, bool):
            return f"({tell(state)}, {tell_ms(instant)})"
    return tell(answer)


def _show(case: Case) -> str:
    record, now_ms = case
    return f"my_next_move({tell_record(record, ('state', 'last_activity_at'))}, {tell_ms(now_ms)})"


def _call(state: str, last_day: int, more: str = "") -> str:
    last = f"{last_day}*DAY_MS" if last_day else "0"
    record = f"created_by='agent', {more}state={state!r}, last_activity_at={last}"
    return f"my_next_move(UsageRecord({record}), 200*DAY_MS)"


_START = """
from alembic_sim import DAY_MS

def my_next_move(record, now_ms):
"""
_GUARDS = """\
    if record.created_by != "agent" or record.pinned or record.state == "archived":
        return "never"
"""
_NEVER = """\
    if record.last_activity_at == 0:
        return ("active", now_ms) if record.state == "stale" else "never"
"""
_WINDOWS = """\
    goes_stale = record.last_activity_at + 30 * DAY_MS
    goes_away = record.last_activity_at + 90 * DAY_MS
"""
_OVERDUE = """\
    if goes_away <= now_ms:
        return "archived", now_ms
"""
_ACTIVE = """\
    if record.state == "active":
        return "stale", max(now_ms, goes_stale)
"""
_STALE = """\
    if goes_stale > now_ms:
        return "active", now_ms
"""
_END = """\
    return "archived", goes_away
"""
_BODY = _WINDOWS + _OVERDUE + _ACTIVE + _STALE + _END

EXERCISE = Exercise(
    id="08.3",
    title="When does it move next?",
    signature="my_next_move(record, now_ms)",
    task="""
Look ahead. A curator passes all the time, the windows are 30 and 90 days, and nobody touches the
skill any more. Which move comes next, and at which instant, in ms? What is due already moves now,
at now_ms. What never moves again gets "never": think of the two guards, of the end of the road,
and of +∞.
""",
    todo='It gives back a pair (state, instant), or the text "never".',
    stub="""
from alembic_sim import DAY_MS


def my_next_move(record, now_ms):
    ...  # who never moves? what is due now? what is still to come?
    return ...  # (state, instant), or "never"
""",
    hints=(
        "First those that never move: not the agent's, pinned, archived. Then +∞: never used.",
        "An active skill goes stale at last_activity_at + 30 * DAY_MS, a stale one is archived at "
        "+ 90 * DAY_MS. Is that past? Then now. And which stale skill becomes active?",
        "In this order: never; never used (a stale one becomes active now); 90 days over: archived "
        "now; active: stale, at max(now_ms, …); stale and used lately: active now; else archived.",
    ),
    solution=_START.replace("DAY_MS\n", "DAY_MS\n\n", 1) + _GUARDS + _NEVER + _BODY,
    wrong_answers=(
        WrongAnswer(
            "what was never used is infinitely old",
            _START + _GUARDS + _BODY,
            _call("active", 0),
        ),
        WrongAnswer(
            "a date in the past is given for what is due",
            _START
            + _GUARDS
            + _NEVER
            + _BODY.replace('"archived", now_ms', '"archived", goes_away').replace(
                "max(now_ms, goes_stale)", "goes_stale"
            ),
            _call("active", 80),
        ),
        WrongAnswer(
            "a stale skill never comes back",
            _START + _GUARDS + _NEVER + _WINDOWS + _OVERDUE + _ACTIVE + _END,
            _call("stale", 195),
        ),
        WrongAnswer(
            "stale comes before archived",
            _START + _GUARDS + _NEVER + _WINDOWS + _ACTIVE + _OVERDUE + _STALE + _END,
            _call("active", 80),
        ),
        WrongAnswer(
            "the pin is forgotten",
            _START + _GUARDS.replace(" or record.pinned", "") + _NEVER + _BODY,
            _call("active", 80, "pinned=True, "),
        ),
        WrongAnswer(
            "archived moves again",
            _START + _GUARDS.replace(' or record.state == "archived"', "") + _NEVER + _BODY,
            _call("archived", 190),
        ),
        WrongAnswer(
            "a stale skill that was never used stays stale",
            _START
            + _GUARDS
            + "    if record.last_activity_at == 0:\n        return 'never'\n"
            + _BODY,
            _call("stale", 0),
        ),
        WrongAnswer(
            "the archive window starts when the skill went stale",
            _START + _GUARDS + _NEVER + _BODY.replace("90 * DAY_MS", "120 * DAY_MS"),
            _call("stale", 155),
        ),
    ),
    reference=reference,
    example=case_of(10),
    examples=(
        case_of(0),
        case_of(45, "stale"),
        case_of(120),
        case_of(45),
        case_of(5, "stale"),
        case_of(None),
        case_of(None, "stale"),
        case_of(90),
        case_of(30),
        case_of(10, "archived"),
        case_of(120, pinned=True),
        case_of(120, created_by="user"),
    ),
    generate=generate,
    learnt="One rule, asked about the future: the same next_state that decides today.",
    engine="alembic_sim/hermes/curator/curator.py::judge",
    show_case=_show,
    show_answer=_tell_move,
)
