"""Strict JSON in and out: what RFC 8259 allows, and nothing a hostile or broken writer may add."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import NoReturn

from alembic_sim.result import Err, Ok, Result
from alembic_sim.shorten import not_utf8

MAX_DEPTH = 32
MAX_DIGITS = 300


@dataclass(frozen=True, slots=True)
class JsonError:
    """Why a text is not strict JSON."""

    code: str
    message: str


def parse_strict_json(
    source: str | bytes, *, max_depth: int = MAX_DEPTH
) -> Result[object, JsonError]:
    """The parsed document, or `not-json`.

    Refused beyond what the grammar refuses: bytes that are not UTF-8, duplicate keys, NaN and
    Infinity, numbers that overflow a float or have over 300 digits, lone surrogates, nesting
    deeper than `max_depth`.
    """
    try:
        text = source.decode("utf-8") if isinstance(source, bytes) else source
        document = json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_bounded,
        )
        _check(document, max_depth)
    except RecursionError:
        return Err(JsonError("not-json", f"not strict JSON: nested deeper than {max_depth}"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return Err(JsonError("not-json", f"not strict JSON: it breaks off or errs at {where}"))
    except UnicodeError as error:
        return Err(JsonError("not-json", f"not strict JSON: {not_utf8(error)}"))
    except ValueError as error:  # raised below, in our own words
        return Err(JsonError("not-json", f"not strict JSON: {error}"))
    return Ok(document)


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:60]!r} appears twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if len(digits) > MAX_DIGITS or not math.isfinite(number):
        raise ValueError(f"the number {digits[:40]} is too large")
    return number


def _bounded(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too large")
    return int(digits)


def _check(document: object, max_depth: int) -> None:
    """Raises `ValueError` on a lone surrogate or on containers nested deeper than `max_depth`."""
    level = [document]
    for depth in range(max_depth + 1):
        deeper: list[object] = []
        for node in level:
            if isinstance(node, str):
                node.encode("utf-8")  # a lone surrogate cannot be encoded
            elif isinstance(node, dict | list):
                if depth == max_depth:
                    raise ValueError(f"nested deeper than {max_depth}")
                deeper += [*node.keys(), *node.values()] if isinstance(node, dict) else node
        level = deeper


def json_type(value: object) -> str:
    """What JSON calls the value: object, array, text, number, true or false, null."""
    names = {dict: "object", list: "array", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "number")


def dump_strict_json(document: object) -> str:
    """The document as text: sorted keys, 2-space indent, not ASCII-escaped, final newline.

    Raises `ValueError` for NaN and Infinity: no artefact may hold them.
    """
    return (
        json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    )
