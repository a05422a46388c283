"""03.3: the kernel itself, from three ports (seed 2, Lab 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from alembic_sim.hermes.learning.review import review_and_learn
from alembic_sim.hermes.learning.types import (
    GateVerdict,
    LearnOutcome,
    ReviewDeps,
    ReviewGate,
    ReviewProposal,
    ReviewProposer,
)
from alembic_sim.hermes.memory.operations import Add
from alembic_sim.result import Coded, Err, Fault, Ok, Result, describe
from alembic_sim.teaching.exercises.exercise import (
    Case,
    Exercise,
    Function,
    Pick,
    WrongAnswer,
)
from alembic_sim.teaching.exercises.telling import tell

FATES = {
    "applied": "yes, written",
    "rejected": "no",
    "failed": "yes, not written",
    "invalid": "bad shape",
    "gate-error": "the gate breaks",
}
"""What happens to a proposal, and how the failing case puts it."""

WORK = "A day's work."


@dataclass(frozen=True, slots=True)
class Script:
    """How one learning step goes: the summary, and each proposal's fate; None: no proposer."""

    summary: str
    fates: tuple[str, ...] | None

    def told(self) -> str:
        """The script as the failing case shows it."""
        summary = "" if self.summary == WORK else f"the summary is {tell(self.summary)}; "
        if self.fates is None:
            return f"{summary}the proposer breaks"
        notes = ", ".join(f"{note} ({FATES[fate]})" for note, fate in self.notes())
        return f"{summary}the proposer says {notes or 'nothing'}"

    def notes(self) -> list[tuple[str, str]]:
        """What is proposed, a, b, c and so on, each with its fate."""
        return list(zip("abcdef", self.fates or (), strict=False))


@dataclass(slots=True)
class Ports:
    """The three ports, playing a script and writing down who was asked in which order."""

    script: Script
    asked: list[str] = field(default_factory=list)

    def proposer(self, summary: str) -> Result[list[object], Coded]:
        self.asked.append("proposer" if summary == self.script.summary else "proposer (of what?)")
        if self.script.fates is None:
            return Err(Fault("busy", "the proposer is busy"))
        return Ok([_raw(note, fate) for note, fate in self.script.notes()])

    def gate(self, proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        fate = self._ask("gate", proposal.op if isinstance(proposal, ReviewProposal) else proposal)
        if fate == "gate-error":
            return Err(Fault("sick", "the gate is sick"))
        return Ok(GateVerdict(fate in ("applied", "failed"), "not worth it"))

    def apply(self, target: object, op: object) -> Result[object, Coded]:
        fate = self._ask("store" if target == "memory" else f"store {tell(target)}", op)
        return Ok("written") if fate == "applied" else Err(Fault("full", "no room"))

    def _ask(self, port: str, op: object) -> str:
        note = op.content if isinstance(op, Add) else tell(op)
        self.asked.append(f"{port} {note}")
        return dict(self.script.notes()).get(note, "gate-error")


def _raw(note: str, fate: str) -> object:
    """A raw proposal, as a model sends it."""
    score = 1.5 if fate == "invalid" else 0.8
    op = {"action": "add", "content": note}
    return {"target": "memory", "op": op, "rationale": "seen at work", "score": score}


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be seen of one run: the answer, and who was asked."""

    answer: str
    asked: tuple[str, ...]

    def told(self) -> str:
        """For the lines `expected` and `got`."""
        return f"{self.answer}; asked: {', '.join(self.asked) or 'nobody'}"


def observe(function: Function, case: Case) -> object:
    """The answer of a run of the script, and its calls."""
    (script,) = case
    ports = Ports(script)
    answer = function(script.summary, ports.proposer, ports.gate, ports)
    return Seen(_answer(answer), tuple(ports.asked))


def reference(summary: str, proposer: ReviewProposer, gate: ReviewGate, memory: Ports) -> object:
    """The real kernel."""
    return review_and_learn(summary, ReviewDeps(proposer, gate, memory))


def _answer(result: object) -> str:
    match result:
        case Ok(LearnOutcome(applied, rejected, failed)):
            buckets = {
                "applied": [_note(one) for one in applied],
                "rejected": [_because(one, "not worth it") for one in rejected],
                "failed": [_because(one, "no room") for one in failed],
            }
            filled = [f"{name} {', '.join(notes)}" for name, notes in buckets.items() if notes]
            return f"Ok, {' · '.join(filled) or 'three empty buckets'}"
        case Err(error):
            causes = ("the proposer is busy", "the gate is sick", "score: 1.5")
            return "Err" if any(why in describe(error) for why in causes) else "Err without a cause"
    return tell(result)


def _note(proposal: object) -> str:
    match proposal:
        case ReviewProposal(op=Add(note)):
            return note
    return tell(proposal)


def _because(item: object, reason: str) -> str:
    """The note of a Rejected or Failed; its reason only if it is not the port's own."""
    note = _note(getattr(item, "proposal", item))
    given = getattr(item, "reason", None)
    return note if given == reason else f"{note} because of {tell(given)}"


def generate(pick: Pick) -> Case:
    """A script with up to four proposals."""
    summary = pick((WORK, WORK, WORK, WORK, WORK, "Mended the build.", "", " \n\t "))
    if pick((False, False, False, False, False, False, False, True)):
        return (Script(summary, None),)
    fates = ("applied", "rejected", "failed", "applied", "rejected", "failed", "invalid")
    made = pick.some(lambda: pick((*fates, "gate-error")), at_most=4)
    return (Script(summary, tuple(made)),)


def _script(*fates: str) -> Case:
    return (Script(WORK, fates),)


_START = """
from alembic_sim import LearnOutcome, Ok
from alembic_sim.hermes.learning.types import Failed, Rejected, parse_proposal


def my_kernel(summary, proposer, gate, memory):
"""

_BLANK = """\
    if not summary.strip():
        return Ok(LearnOutcome())
"""
_PROPOSE = """\
    proposed = proposer(summary)
    if not proposed.ok:
        return proposed
    applied, rejected, failed = [], [], []
"""
_PARSE = """\
    for raw in proposed.value:
        parsed = parse_proposal(raw)
        if not parsed.ok:
            return parsed
        proposal = parsed.value
"""
_GATE = """\
        verdict = gate(proposal)
        if not verdict.ok:
            return verdict
"""
_DECIDE = """\
        if not verdict.value.approved:
            rejected.append(Rejected(proposal, verdict.value.reason))
            continue
"""
_APPLY = """\
        written = memory.apply(proposal.target, proposal.op)
        if written.ok:
            applied.append(proposal)
        else:
            failed.append(Failed(proposal, written.error.message))
"""
_END = """\
    return Ok(LearnOutcome(tuple(applied), tuple(rejected), tuple(failed)))
"""


def _kernel(**changed: str) -> str:
    """The solution, with one of its stages replaced by a mistake."""
    stages = {
        "blank": _BLANK,
        "propose": _PROPOSE,
        "parse": _PARSE,
        "gate": _GATE,
        "decide": _DECIDE,
        "apply": _APPLY,
        "end": _END,
    }
    return _START + "".join((stages | changed).values())


EXERCISE = Exercise(
    id="03.3",
    title="Build the kernel",
    signature="my_kernel(summary, proposer, gate, memory)",
    task="""
The heart of the loop: propose, gate, apply. You get three ports. proposer(summary) answers
Ok([raw, …]) or Err. gate(proposal) answers Ok(verdict), with verdict.approved and verdict.reason,
or Err. memory.apply(target, op) answers Ok or Err, whose error has a message.

A raw proposal comes from a model: parse_proposal(raw) answers Ok(proposal) or Err. A proposal has
a target and an op.
""",
    todo="It gives back Ok(LearnOutcome(applied, rejected, failed)), or the Err that ended it all.",
    stub="""
from alembic_sim import LearnOutcome, Ok
from alembic_sim.hermes.learning.types import Failed, Rejected, parse_proposal


def my_kernel(summary, proposer, gate, memory):
    applied, rejected, failed = [], [], []
    # 1  a blank summary: an empty outcome, and nobody is asked
    # 2  proposer(summary): an Err ends the step
    # 3  each raw proposal in order: parse_proposal(raw), then gate(proposal); an Err ends the step
    # 4  a no: Rejected(proposal, reason); a yes: memory.apply(proposal.target, proposal.op)
    # 5  the store's Err: Failed(proposal, message), and on to the next; its Ok: applied
    return ...  # Ok(LearnOutcome(tuple(applied), tuple(rejected), tuple(failed)))
""",
    hints=(
        "Go through the call by hand: who is asked, in which order, and who must not be?",
        "Ok says that a port worked, not what it decided: the decision is verdict.value.approved. "
        "An Err of proposer, parse_proposal or gate is returned as it is; one of the store is not.",
        "if not summary.strip(): return Ok(LearnOutcome()). Then, for each raw: parse, gate, and "
        "on a yes apply, before you look at the next raw. Rejected takes verdict.value.reason, "
        "Failed takes written.error.message.",
    ),
    solution=_kernel(),
    wrong_answers=(
        WrongAnswer(
            "a blank summary is put to the proposer",
            _kernel(blank="    if summary == '':\n        return Ok(LearnOutcome())\n"),
            r"the summary is '  \n'; the proposer says a (yes, written)",
        ),
        WrongAnswer(
            "a broken proposer reads as one with nothing to say",
            _kernel(propose=_PROPOSE.replace("return proposed", "return Ok(LearnOutcome())")),
            "the proposer breaks",
        ),
        WrongAnswer(
            "the verdict's Ok is taken for a yes",
            _kernel(
                gate="        verdict = gate(proposal)\n",
                decide="        if not verdict.ok:\n"
                "            rejected.append(Rejected(proposal, verdict.error.message))\n"
                "            continue\n",
            ),
            "the proposer says a (no)",
        ),
        WrongAnswer(
            "failed is taken for rejected",
            _kernel(apply=_APPLY.replace("failed.append(Failed", "rejected.append(Rejected")),
            "the proposer says a (yes, not written)",
        ),
        WrongAnswer(
            "a broken gate is a no",
            _kernel(
                gate="        verdict = gate(proposal)\n"
                "        if not verdict.ok:\n"
                "            rejected.append(Rejected(proposal, verdict.error.message))\n"
                "            continue\n"
            ),
            "the proposer says a (the gate breaks)",
        ),
        WrongAnswer(
            "a bad shape is left out in silence",
            _kernel(parse=_PARSE.replace("return parsed", "continue")),
            "the proposer says a (bad shape)",
        ),
        WrongAnswer(
            "a failed write ends the step",
            _kernel(apply=_APPLY + "            break\n"),
            "the proposer says a (yes, not written), b (yes, written)",
        ),
        WrongAnswer(
            "all are judged before the first is written",
            _START
            + _BLANK
            + _PROPOSE
            + "    approved = []\n"
            + _PARSE
            + _GATE
            + _DECIDE
            + "        approved.append(proposal)\n"
            + "    for proposal in approved:\n"
            + _APPLY
            + _END,
            "the proposer says a (yes, written), b (yes, written)",
        ),
    ),
    reference=reference,
    example=_script("applied", "rejected"),
    examples=(
        (Script("  \n", ("applied",)),),
        _script(),
        (Script(WORK, None),),
        _script("applied"),
        _script("rejected"),
        _script("failed"),
        _script("invalid"),
        _script("gate-error"),
        _script("applied", "applied"),
        _script("failed", "applied"),
        _script("rejected", "applied"),
        _script("applied", "gate-error", "applied"),
    ),
    generate=generate,
    learnt="This is the heart of the loop: it decides nothing itself and drops nothing in silence.",
    engine="alembic_sim/hermes/learning/review.py::review_and_learn",
    observe=observe,
    show_case=lambda case: case[0].told(),
    show_answer=lambda seen: seen.told() if isinstance(seen, Seen) else tell(seen),
)
