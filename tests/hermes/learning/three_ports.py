"""The three ports of a learning step, playing their parts and writing down who was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from alembic_sim import Ok, ReviewDeps, ReviewProposal, review_and_learn, score_threshold_gate


def proposal(content: object = "a fact", score: object = 0.9, **changes: object) -> dict:
    return {
        "target": "memory",
        "op": {"action": "add", "content": content},
        "rationale": "it will matter again",
        "score": score,
        **changes,
    }


@dataclass
class Ports:
    """Three ports that write down each call, in one list."""

    proposals: object = ()
    gate_says: Callable[[ReviewProposal], object] = field(default_factory=score_threshold_gate)
    store_says: Callable[[str, object], object] = lambda target, op: Ok("written")
    calls: list[tuple[object, ...]] = field(default_factory=list)

    def proposer(self, summary: str) -> object:
        self.calls.append(("propose", summary))
        return Ok(list(self.proposals)) if isinstance(self.proposals, tuple) else self.proposals

    def gate(self, proposed: ReviewProposal) -> object:
        self.calls.append(("gate", proposed.op))
        return self.gate_says(proposed)

    def apply(self, target: str, op: object) -> object:
        self.calls.append(("apply", target, op))
        return self.store_says(target, op)

    def learn(self, summary: object = "a finished turn", how: object = review_and_learn) -> object:
        return how(summary, ReviewDeps(self.proposer, self.gate, self))

    def names(self) -> list[object]:
        return [name for name, *_ in self.calls]
