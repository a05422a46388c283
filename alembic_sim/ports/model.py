"""The ModelAdapter port: one request in, one reply or one typed error out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from alembic_sim.result import Result


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Who answers: two adapters with equal identities are the same judge."""

    adapter_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call: the system prompt and the user's prompt."""

    system: str
    prompt: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model said. Its text is data: it chooses no path, command or target."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelError:
    """Why there is no reply; `retryable` says whether asking again can help.

    [ours] `retry_after_ms` is how long the other side asked to be left alone, if it said so.
    """

    code: str
    message: str
    retryable: bool = False
    retry_after_ms: int | None = None


class ModelAdapter(Protocol):
    """A model behind one method that never raises (ADR-0009)."""

    @property
    def identity(self) -> ModelIdentity: ...

    def run(self, request: ModelRequest) -> Result[ModelReply, ModelError]: ...
