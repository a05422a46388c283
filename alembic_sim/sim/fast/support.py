"""unsupported: the first field of a scenario that the fast engine cannot do exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from alembic_sim.hermes.curator.policy import CuratorPolicy
from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import shorten
from alembic_sim.sim.scenario import Scenario


@dataclass(frozen=True, slots=True)
class FastError:
    """Why the fast engine does not answer: `unsupported` (and which field), or `bad-argument`."""

    code: str
    message: str
    field: str = ""


def check_request(scenario: Scenario, policies: object) -> Result[None, FastError]:
    """Ok if the fast engine can answer exactly, for each of the policies."""
    if not isinstance(scenario, Scenario):
        return bad_argument(f"{shorten(scenario)} is not a Scenario, such as load_scenario gives")
    checked = check_policies(policies)
    if not checked.ok:
        return checked
    for field, value in unsupported(scenario):
        why = f"{field}: {shorten(value)} needs the reference engine"
        return Err(FastError("unsupported", why, field))
    return Ok(None)


def check_policies(policies: object) -> Result[None, FastError]:
    """Ok for one policy or more, all different."""
    if not isinstance(policies, list | tuple) or not policies:
        return bad_argument(f"{shorten(policies)} is not a list of policies")
    for policy in policies:
        if not isinstance(policy, CuratorPolicy):
            return bad_argument(f"{shorten(policy)} is not a CuratorPolicy(30, 90)")
    if len(set(policies)) < len(policies):
        return bad_argument("a policy is there twice")
    return Ok(None)


def unsupported(scenario: Scenario) -> Iterator[tuple[str, object]]:
    """Every field (its path, its value) that is not as by default and that needs another engine.

    >>> list(unsupported(Scenario.model_validate({"curator": {"order": "stale-first"}})))
    [('curator.order', 'stale-first')]
    """
    yield from _unsupported(scenario, "")


def bad_argument(message: str) -> Err[FastError]:
    """What was handed over is not what is asked for."""
    return Err(FastError("bad-argument", message))


def _unsupported(part: BaseModel, prefix: str) -> Iterator[tuple[str, object]]:
    for name, about in type(part).model_fields.items():
        value = getattr(part, name)
        extra = about.json_schema_extra
        engines = extra.get("engines") if isinstance(extra, dict) else None
        if isinstance(value, BaseModel):
            yield from _unsupported(value, f"{prefix}{name}.")
        elif isinstance(engines, list) and "fast" not in engines and value != about.default:
            yield f"{prefix}{name}", value
