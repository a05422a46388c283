"""Scenario files: TOML or JSON in, a scenario or a readable error out; and back to TOML."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8, shorten
from alembic_sim.sim.input_file import read_input
from alembic_sim.sim.scenario import Scenario
from alembic_sim.strict_json import parse_strict_json

MAX_SCENARIO_BYTES = 1024 * 1024
_MAX_DOTS = 300
"""On one line of a TOML file: more than the longest `shows` can have."""
SHIPPED = ("quiet-team", "busy-team", "forgetful-team", "noisy-reviewer", "clock-jump")
"""The scenarios that come with the package; each says in `shows` what it is there for."""


@dataclass(frozen=True, slots=True)
class ScenarioError:
    """Why a file is no scenario: the path of the field, its value, and what is allowed there.

    `code` is `unreadable`, `not-a-document` or `bad-field`; `field`, `value` and `allowed` are
    texts, blank unless a field is to blame.
    """

    code: str
    message: str
    field: str = ""
    value: str = ""
    allowed: str = ""


def load_scenario(name: str) -> Result[Scenario, ScenarioError]:
    """A shipped scenario by its name."""
    if name not in SHIPPED:
        why = f"{shorten(name)} is no shipped scenario; there are {', '.join(SHIPPED)}"
        return Err(ScenarioError("unreadable", why))
    return parse_scenario(_shipped_file(name).read_bytes())


def read_scenario(path: str | Path) -> Result[Scenario, ScenarioError]:
    """The scenario in a TOML or JSON file; the message of an error begins with the path."""
    read = read_input(path, MAX_SCENARIO_BYTES)
    if not read.ok:
        return _unreadable(read.error)
    parsed = parse_scenario(read.value, as_json=Path(path).suffix == ".json")
    if parsed.ok:
        return parsed
    return Err(replace(parsed.error, message=f"{path}: {parsed.error.message}"))


def parse_scenario(
    source: str | bytes, *, as_json: bool = False
) -> Result[Scenario, ScenarioError]:
    """The scenario that a text holds; JSON if it begins with `{` or is said to be, else TOML."""
    document = _document(source, as_json)
    if not document.ok:
        return document
    try:
        text = json.dumps(document.value, default=_instant)
        return Ok(Scenario.model_validate_json(text))
    except ValidationError as error:
        return Err(_first_problem(document.value, error))
    except RecursionError:
        return _no_document("not a scenario: nested too deeply")
    except ValueError as error:
        return _no_document(f"not a scenario: {error}")


def scenario_toml(scenario: Scenario) -> str:
    """The scenario as TOML that reads back equal, each field with its meaning, unit and bounds."""
    return "\n".join(_part_lines(scenario, "")).strip() + "\n"


def allowed_values(about: FieldInfo) -> str:
    """What a field allows, in words: `a whole number of days from 1 to 3650`."""
    extra = about.json_schema_extra
    said: Mapping[str, Any] = extra if isinstance(extra, dict) else {}
    if "allowed" in said:
        return str(said["allowed"])
    kinds = [kind for kind in _kinds(about.annotation) if kind is not type(None)]
    if get_origin(about.annotation) is Literal:
        return ", ".join(repr(choice) for choice in get_args(about.annotation))
    [kind] = kinds
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"a table of {', '.join(kind.model_fields)}"
    if kind is str:
        return f"a text of {_range(about) or 'any length'}"
    what = "a whole number" if kind is int else "a number"
    unit = f" ({said['unit']})" if said.get("unit") else ""
    return f"{what} {_range(about)}{unit}"


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The types of a union; a type alone as a tuple of one."""
    return get_args(annotation) if type(None) in get_args(annotation) else (annotation,)


def _range(about: FieldInfo) -> str:
    bounds = {
        name: getattr(rule, name)
        for rule in about.metadata
        for name in ("ge", "gt", "le", "max_length")
        if getattr(rule, name, None) is not None
    }
    if "max_length" in bounds:
        return f"at most {bounds['max_length']} characters"
    low = f"above {bounds['gt']}" if "gt" in bounds else f"from {bounds['ge']}"
    joint = "and at most" if "gt" in bounds else "to"
    return f"{low} {joint} {bounds['le']}"


def _document(source: str | bytes, as_json: bool) -> Result[dict[str, Any], ScenarioError]:
    if not isinstance(source, str | bytes):
        return _no_document(f"not a scenario: {shorten(source)} is no text")
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source
    except UnicodeDecodeError as error:
        return _no_document(not_utf8(error))
    if not as_json and not text.lstrip().startswith("{"):
        return _toml_document(text)
    parsed = parse_strict_json(text)
    if not parsed.ok:
        return _no_document(parsed.error.message)
    if not isinstance(parsed.value, dict):
        return _no_document(f"not a scenario: {shorten(parsed.value)} is not a JSON object")
    return Ok(parsed.value)


def _toml_document(text: str) -> Result[dict[str, Any], ScenarioError]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MAX_DOTS:  # a dotted key costs the square of its parts to read
            return _no_document(f"not TOML: nested too deeply, or too many dots, on line {number}")
    try:
        return Ok(tomllib.loads(text))
    except RecursionError:
        return _no_document("not TOML: nested too deeply")
    except ValueError as error:  # TOMLDecodeError, or an integer of thousands of digits
        return _no_document(f"not TOML: {error}")


def _first_problem(document: Mapping[str, Any], error: ValidationError) -> ScenarioError:
    problems = error.errors(include_url=False, include_context=False)
    first = problems[0]
    field = _path(first["loc"])
    value = shorten(first["input"])
    # A list that lost a bad item is too short as well: what only holds the first one is no other.
    others = [one for one in problems[1:] if first["loc"][: len(one["loc"])] != one["loc"]]
    more = f" (and {len(others)} more)" if others else ""
    owner, about = _field_at(first["loc"])
    if first["type"] == "extra_forbidden":
        allowed = f"{', '.join(owner.model_fields)}"
        why = f"{field} is not a field here. Allowed: {allowed}{more}"
        return ScenarioError("bad-field", why, field, value, allowed)
    allowed = first["msg"] if about is None else allowed_values(about)
    if first["type"] == "missing":
        why = f"{field} is missing. Allowed: {allowed}{more}"
        return ScenarioError("bad-field", why, field, "", allowed)
    why = f"{field}: {value} is not allowed. Allowed: {allowed}{more}"
    return ScenarioError("bad-field", why, field, value, allowed)


def _path(place: Sequence[int | str]) -> str:
    """`population[0].rate_per_day.median`."""
    parts = (f"[{key}]" if isinstance(key, int) else f".{_key(key)}" for key in place)
    return "".join(parts).removeprefix(".") or "the document"


def _key(key: str) -> str:
    """A key as TOML writes it: an odd one is quoted, so that it cannot drive a terminal."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", key) else shorten(key)


def _field_at(place: Sequence[int | str]) -> tuple[type[BaseModel], FieldInfo | None]:
    """The model and the field that a place in a document belongs to, as deep as there are any."""
    owner: type[BaseModel] = Scenario
    about: FieldInfo | None = None
    for key in place:
        if isinstance(key, int):
            continue
        if about is not None:
            owner = _model_in(about) or owner
        about = owner.model_fields.get(key)
    return owner, about


def _model_in(about: FieldInfo) -> type[BaseModel] | None:
    """The model that a field holds: itself, one or nothing, or a tuple of them."""
    for kind in (about.annotation, *get_args(about.annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _part_lines(part: BaseModel, prefix: str) -> Iterator[str]:
    """A table's own values first, then the tables in it, as TOML wants it."""
    nested: list[tuple[str, Any]] = []
    for name, about in type(part).model_fields.items():
        value = getattr(part, name)
        is_table = isinstance(value, BaseModel)
        is_list_of_tables = isinstance(value, tuple) and isinstance(value[0], BaseModel)
        if is_table or is_list_of_tables:
            nested.append((name, value))
            continue
        yield f"# {about.description} Allowed: {allowed_values(about)}."
        yield f"{name} = {_toml(value)}" if value is not None else f"# {name} ="
    for name, value in nested:
        path = f"{prefix}{name}"
        for one in value if isinstance(value, tuple) else (value,):
            yield ""
            yield f"[[{path}]]" if isinstance(value, tuple) else f"[{path}]"
            yield from _part_lines(one, f"{path}.")


def _toml(value: object) -> str:
    if isinstance(value, str):  # a JSON text is a TOML text, DEL apart
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value)


def _instant(value: date | datetime | time) -> str:
    """TOML has instants, days and times of its own: here they are ISO texts."""
    return value.isoformat()


def _shipped_file(name: str) -> Any:
    return files("alembic_sim.sim") / "scenarios" / f"{name}.toml"


def _unreadable(why: str) -> Err[ScenarioError]:
    return Err(ScenarioError("unreadable", why))


def _no_document(why: str) -> Err[ScenarioError]:
    return Err(ScenarioError("not-a-document", why))
