"""Values are values: every dataclass of the core is frozen and slotted."""

from __future__ import annotations

import dataclasses
import pkgutil
from importlib import import_module

import pytest

import alembic_sim

CORE = (
    "hermes",
    "models",
    "adapters",
    "ports",
    "durable",
    "guarded",
    "iso",
    "strict_json",
    "result",
)


def dataclasses_of_the_core() -> list[type]:
    found = []
    for module in pkgutil.walk_packages(alembic_sim.__path__, "alembic_sim."):
        if module.name.split(".")[1] in CORE:
            found += [
                value
                for value in vars(import_module(module.name)).values()
                if dataclasses.is_dataclass(value) and value.__module__ == module.name
            ]
    return found


@pytest.mark.parametrize("value", dataclasses_of_the_core(), ids=lambda value: value.__qualname__)
def test_a_dataclass_of_the_core_cannot_be_changed_nor_given_another_field(value: type) -> None:
    assert value.__dataclass_params__.frozen
    assert "__slots__" in vars(value)


def test_there_are_dataclasses_to_look_at() -> None:
    assert len(dataclasses_of_the_core()) > 25
