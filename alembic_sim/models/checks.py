"""What combinators check: the settings they are built with, and the request they are given."""

from __future__ import annotations

from alembic_sim.ports.model import ModelAdapter, ModelError, ModelIdentity, ModelRequest
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import raised, shorten


def whole_number(name: str, value: object, least: int) -> int:
    """The setting, if it is a whole number of at least `least`; raises `ValueError` if not."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}: {shorten(value)} is not a whole number ≥ {least}")
    return value


def identity_of(model: ModelAdapter) -> ModelIdentity:
    """Who answers; raises `ValueError` for anything that is not a model adapter."""
    try:
        identity, can_run = model.identity, callable(model.run)
    except Exception as error:  # whatever was handed over instead of an adapter
        raise ValueError(f"{shorten(model)} is not a model adapter: {raised(error)}") from None
    match identity:
        case ModelIdentity(adapter_id=str(), model_id=str()) if can_run:
            return identity
    raise ValueError(f"{shorten(model)} is not a model adapter: no identity, or no run()")


def check_request(request: object) -> Result[ModelRequest, ModelError]:
    """The request if both its prompts are texts, else `bad-request`."""
    match request:
        case ModelRequest(system=str(), prompt=str()):
            return Ok(request)
    why = f"{shorten(request)} is not a ModelRequest with a system and a prompt text"
    return Err(ModelError("bad-request", why))
