"""What the real kernel does with a list of raw proposals, written down station by station."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alembic_sim.adapters.memory_fs import MemoryFs
from alembic_sim.hermes.learning.gate import score_threshold_gate
from alembic_sim.hermes.learning.review import process_one
from alembic_sim.hermes.learning.types import (
    GateVerdict,
    LearnError,
    LearnOutcome,
    ReviewDeps,
    ReviewProposal,
)
from alembic_sim.hermes.memory.decide import StoreError
from alembic_sim.hermes.memory.memory_store import MemoryStore, WriteReceipt
from alembic_sim.hermes.memory.operations import (
    Add,
    MemoryOp,
    MemoryTarget,
    Remove,
    Replace,
    op_from_json,
)
from alembic_sim.result import Coded, Ok, Result
from alembic_sim.shorten import shorten

PROPOSE, GATE, APPLY = 1, 2, 3
"""The stations, by how many of them a proposal has then passed."""


@dataclass(frozen=True, slots=True)
class Handled:
    """One proposal's way: what each station said, and everything as it was afterwards.

    `bucket` is None if the step stopped here, for `reason`.
    """

    told: str
    proposal: ReviewProposal | None
    verdict: GateVerdict | None
    written: WriteReceipt | StoreError | None
    bucket: str | None
    reason: str
    outcome: LearnOutcome
    files: Mapping[str, bytes]

    @property
    def stations(self) -> int:
        """How many stations had a say."""
        if self.verdict is None:
            return PROPOSE
        return GATE if self.written is None else APPLY


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of every proposal that had a turn; `stopped` is why the others had none."""

    handled: tuple[Handled, ...]
    stopped: LearnError | None


def trace_loop(proposals: Sequence[object], threshold: float, memory_char_limit: int) -> Trace:
    """One learning step of the real kernel over an empty memory, watched through its ports."""
    fs = MemoryFs()
    watch = _Watch(MemoryStore(fs, memory_char_limit), threshold)
    deps = ReviewDeps(lambda _summary: Ok(list(proposals)), watch.gate, watch)
    outcome = LearnOutcome()
    handled: list[Handled] = []
    for raw in proposals:
        watch.forget()
        step = process_one(raw, deps, outcome)
        if not step.ok:
            handled.append(watch.handled(raw, None, step.error.message, outcome, fs))
            return Trace(tuple(handled), step.error)
        bucket, reason = _newest(outcome, step.value)
        outcome = step.value
        handled.append(watch.handled(raw, bucket, reason, outcome, fs))
    return Trace(tuple(handled), None)


def op_words(op: MemoryOp) -> str:
    """What an operation asks for, in one line."""
    match op:
        case Add(content):
            return f"“{content}”"
        case Replace(old_text, content):
            return f"“{old_text}” → “{content}”"
        case Remove(old_text):
            return f"remove “{old_text}”"


def proposal_words(raw: object) -> str:
    """What a raw proposal asks for, also where the rest of it has a bad shape."""
    op = raw.get("op") if isinstance(raw, dict) else getattr(raw, "op", None)
    read = Ok(op) if isinstance(op, Add | Replace | Remove) else op_from_json(op)
    return op_words(read.value) if read.ok else shorten(raw, 90)


class _Watch:
    """The gate and the memory, passed through: it notes what they answered."""

    def __init__(self, memory: MemoryStore, threshold: float) -> None:
        self._memory = memory
        self._gate = score_threshold_gate(threshold)
        self.forget()

    def forget(self) -> None:
        self._proposal: ReviewProposal | None = None
        self._verdict: GateVerdict | None = None
        self._written: WriteReceipt | StoreError | None = None

    def gate(self, proposal: ReviewProposal) -> Result[GateVerdict, Coded]:
        answer = self._gate(proposal)
        if answer.ok:
            self._proposal, self._verdict = proposal, answer.value
        return answer

    def apply(self, target: MemoryTarget, op: MemoryOp) -> Result[WriteReceipt, StoreError]:
        answer = self._memory.apply(target, op)
        self._written = answer.value if answer.ok else answer.error
        return answer

    def handled(
        self, raw: object, bucket: str | None, reason: str, outcome: LearnOutcome, fs: MemoryFs
    ) -> Handled:
        seen = (proposal_words(raw), self._proposal, self._verdict, self._written)
        return Handled(*seen, bucket, reason, outcome, fs.files())


def _newest(before: LearnOutcome, after: LearnOutcome) -> tuple[str, str]:
    """The bucket that got one more, and the reason given there."""
    if len(after.rejected) > len(before.rejected):
        return "rejected", after.rejected[-1].reason
    if len(after.failed) > len(before.failed):
        return "failed", after.failed[-1].reason
    return "applied", ""
