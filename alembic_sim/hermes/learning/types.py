"""What passes between the three ports: proposals, verdicts, outcomes (seed 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    ValidationError,
)

from alembic_sim.hermes.memory.operations import (
    Add,
    MemoryOp,
    MemoryTarget,
    Remove,
    Replace,
    op_from_json,
)
from alembic_sim.result import Coded, Err, Ok, Result, ask
from alembic_sim.shorten import raised, shorten


def _read_op(raw: object) -> object:
    match raw if isinstance(raw, Add | Replace | Remove) else op_from_json(raw):
        case Ok(op):
            return op
        case Err(error):
            raise ValueError(error.message)
        case op:
            return op


def _only_a_number(score: object) -> object:
    if not isinstance(score, int | float):  # a Decimal would be coerced, strict or not
        raise ValueError("not a number")
    return score


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("blank")
    return text


class ReviewProposal(BaseModel):
    """One durable write that a reviewer proposes: model output, untrusted until validated.

    `score` is the reviewer's confidence, finite and in [0, 1]. Nothing is coerced (no texts, no
    booleans, no 0–100 scale); unknown keys are dropped. Building one from anything else raises
    `ValidationError`, which is a `ValueError`.
    """

    model_config = ConfigDict(
        strict=True, frozen=True, extra="ignore", revalidate_instances="always"
    )

    target: Literal["memory", "user"]
    op: Annotated[
        InstanceOf[Add] | InstanceOf[Replace] | InstanceOf[Remove], BeforeValidator(_read_op)
    ]
    rationale: Annotated[str, AfterValidator(_not_blank)]
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), BeforeValidator(_only_a_number)]


_ALLOWED = {
    "target": "'memory' or 'user'",
    "op": "an add, replace or remove with its texts",
    "rationale": "a text that is not blank",
    "score": "a number from 0 to 1",
}


@dataclass(frozen=True, slots=True)
class ProposalError:
    """Why a raw proposal has a bad shape: the field, what it holds, what is allowed."""

    code: str
    message: str


def parse_proposal(raw: object) -> Result[ReviewProposal, ProposalError]:
    """The proposal, or `invalid-proposal` naming the first bad field and its value."""
    try:
        return Ok(ReviewProposal.model_validate(raw))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        told = ask(lambda: Ok(_why(raw, str(next(iter(first["loc"]), "")))), returns=str)
        return Err(ProposalError("invalid-proposal", told.value if told.ok else told.error.message))
    except Exception as error:  # an object that only looks like a dict may raise anything
        why = f"Invalid review proposal: it cannot be read: {raised(error)}"
        return Err(ProposalError("invalid-proposal", why))


def _why(raw: object, name: str) -> str:
    if not name:
        return f"Invalid review proposal: {shorten(raw)} is not an object"
    given = raw if isinstance(raw, dict) else vars(raw)
    if name not in given:
        return f"Invalid review proposal: {name}: missing; allowed is {_ALLOWED[name]}"
    read = op_from_json(given["op"]) if name == "op" else Ok(None)
    if not read.ok:
        return f"Invalid review proposal: {read.error.message}"
    return f"Invalid review proposal: {name}: {shorten(given[name])} is not {_ALLOWED[name]}"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """A gate's answer: a rejection is a verdict like any other, not an error.

    Raises `ValueError` if `approved` is neither True nor False (1, "yes", numpy's own booleans), or
    `reason` is no text: in a gate that is a gate error, never a rejection in silence.
    """

    approved: bool
    reason: str

    def __post_init__(self) -> None:
        if not isinstance(self.approved, bool):
            raise ValueError(f"approved: {shorten(self.approved)} is neither True nor False")
        if not isinstance(self.reason, str):
            raise ValueError(f"reason: {shorten(self.reason)} is not a text")


@dataclass(frozen=True, slots=True)
class Rejected:
    """The gate said no, for `reason`."""

    proposal: ReviewProposal
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The gate said yes, but the store could not write, for `reason`."""

    proposal: ReviewProposal
    reason: str


@dataclass(frozen=True, slots=True)
class LearnOutcome:
    """Three buckets, so that nothing is dropped in silence (seed 1)."""

    applied: tuple[ReviewProposal, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    failed: tuple[Failed, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnError:
    """Why the step failed closed: `proposer-error`, `invalid-proposal` or `gate-error`.

    Or why it was not begun: `not-text`, `bad-argument`.

    [ours] `partial` is what had been decided before, and `remaining` the raw proposals that were
    not: the offender first. (`review_all_then_learn` decides nothing by halves: there `partial` is
    empty and `remaining` is all of them, in order.)
    """

    code: str
    message: str
    partial: LearnOutcome = field(default_factory=LearnOutcome)
    remaining: tuple[object, ...] = ()


class MemoryWriter(Protocol):
    """The memory as the learning step sees it: one method."""

    def apply(self, target: MemoryTarget, op: MemoryOp) -> Result[object, Coded]: ...


ReviewProposer = Callable[[str], Result[list[object], Coded]]
"""The summary of a finished turn in, raw proposals out."""

ReviewGate = Callable[[ReviewProposal], Result[GateVerdict, Coded]]
"""A proposal in, a verdict out."""


@dataclass(frozen=True, slots=True)
class ReviewDeps:
    """The three injected ports: no thread, no daemon, no default (ADR-0018).

    Raises `ValueError` if one of them cannot be called.
    """

    proposer: ReviewProposer
    gate: ReviewGate
    memory: MemoryWriter

    def __post_init__(self) -> None:
        apply = getattr(self.memory, "apply", None)
        for name, port in (
            ("proposer", self.proposer),
            ("gate", self.gate),
            ("memory.apply", apply),
        ):
            if not callable(port):
                raise ValueError(f"{name}: {shorten(port)} cannot be called")
